// Links documents to products and items.
import { sql } from 'kysely';
import { invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers, Context } from '#platform/api/serve.server.ts';
import { foldedHolds, wordsOf } from '#platform/db/contains.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import type { ItemDocuments } from './documents.contract.ts';

type Linking = Pick<
  Answers<typeof ItemDocuments>,
  'FindLinkTargets' | 'saveItemXDoc' | 'deleteItemXDoc' | 'RemoveItemXDocs'
>;

const MAX_RESULTS = 10;

type Linked = { id: number; document_id: number; product_id: number | null; name: string };

export const linkAnswers: Linking = {
  FindLinkTargets: async ({ db }, { keyword }) => {
    const words = wordsOf(keyword);
    if (words.join('').length < 2) return [];
    const holding = (column: string) =>
      sql.join(
        words.map((word) => foldedHolds(sql.ref(column), word)),
        sql` and `,
      );
    const { rows } = await sql<{ kind: 'product' | 'item'; id: number; name: string }>`
      (select 'product' as kind, id, name from product where status <> 'Merged' and ${holding('search_text')}
        order by folded_text(name), id limit ${sql.lit(MAX_RESULTS)})
      union all
      (select 'item', id, item_number || ' ' || description from item where ${holding('search_text')}
        order by lower(item_number) = ${keyword.toLowerCase()} desc, selling_rank_num desc, item_number
        limit ${sql.lit(MAX_RESULTS)})`.execute(db);
    return rows;
  },

  saveItemXDoc: async (context, { docId, productIds, itemIds }) => {
    const { db } = context;
    const document = await db
      .selectFrom('document')
      .select(['id', 'title'])
      .where('id', '=', docId)
      .forUpdate()
      .executeTakeFirst();
    if (!document) throw notFound('document');
    const { products, items } = { products: [...new Set(productIds)], items: [...new Set(itemIds)] };
    // Links to a merged product go to the product that it was merged into.
    const { rows: results } = await sql<{ products: number[]; there: number; items: number[] }>`select
      (select coalesce(array_agg(distinct coalesce(merged_into, id)), '{}')
        from (select id, merged_into from product where id = any(${products}::int[]) for key share) p) as products,
      (select count(*)::int from product where id = any(${products}::int[])) as there,
      (select coalesce(array_agg(id), '{}') from item where id = any(${items}::int[])) as items`.execute(db);
    const [links = { products: [], there: 0, items: [] }] = results;
    if (links.there < products.length)
      throw invalid([{ path: 'productIds', message: 'A selected product no longer exists.' }]);
    if (links.items.length < items.length)
      throw invalid([{ path: 'itemIds', message: 'A selected item no longer exists.' }]);
    const { rows: created } = await sql<Linked>`
      with made as (insert into document_link (document_id, product_id, item_id)
        select ${docId}::int, product_id, null::int from unnest(${links.products}::int[]) product_id
        union all select ${docId}::int, null, item_id from unnest(${links.items}::int[]) item_id
        on conflict do nothing returning id, document_id, product_id, item_id)
      select made.id, made.document_id, made.product_id, coalesce(p.name, i.item_number) as name from made
        left join product p on p.id = made.product_id left join item i on i.id = made.item_id order by name`.execute(
      db,
    );
    if (created.length > 0) {
      await touch(context, [docId]);
      await recordLinks(context, [{ document, links: created }], true);
    }
    return {
      linkIds: created.map(({ id }) => id),
      already: links.products.length + links.items.length - created.length,
    };
  },

  deleteItemXDoc: async (context, { id }) => {
    const removed = await remove(context, [id]);
    if (removed === 0) throw notFound('link');
    return { removed };
  },

  RemoveItemXDocs: async (context, { ids }) => ({ removed: await remove(context, ids) }),
};

type Writing = Pick<Context<'user'>, 'db' | 'user' | 'services'>;

async function remove(context: Writing, ids: number[]): Promise<number> {
  const { db } = context;
  const { rows } = await sql<Linked & { title: string }>`
    with gone as (delete from document_link where id = any(${ids}::int[]) returning id, document_id, product_id, item_id)
    select gone.id, gone.document_id, gone.product_id, d.title, coalesce(p.name, i.item_number) as name from gone
      join document d on d.id = gone.document_id
      left join product p on p.id = gone.product_id left join item i on i.id = gone.item_id order by name`.execute(db);
  const byDocument = [...Map.groupBy(rows, ({ document_id }) => document_id)].toSorted(([a], [b]) => a - b);
  await touch(
    context,
    byDocument.map(([id]) => id),
  );
  await recordLinks(
    context,
    byDocument.map(([id, links]) => ({ document: { id, title: links[0]?.title ?? '' }, links })),
    false,
  );
  return rows.length;
}

/** Leaves the document's version unchanged, because the document's form does not save links. */
async function touch({ db, services }: Writing, ids: number[]): Promise<void> {
  await sql`update document set updated_at = ${services.clock.now()} where id = any(${ids}::int[])`.execute(db);
}

/** Writes the history of each document, and of the products that gained or lost it. */
async function recordLinks(
  { db, user }: Writing,
  documents: { document: { id: number; title: string }; links: Linked[] }[],
  got: boolean,
): Promise<void> {
  for (const { document, links } of documents) {
    const visible = links.slice(0, 20).map(({ name }) => name);
    const more =
      links.length > visible.length ? ` and ${(links.length - visible.length).toLocaleString('en-US')} more` : '';
    const names = `${visible.join(', ')}${more}`;
    const change = { field: 'Linked to', before: got ? '' : names, after: got ? names : '' };
    const { id, title } = document;
    const action = got ? 'Link document' : 'Unlink document';
    await recordChange(db, user, { type: 'document', id, name: title, action: 'Edit', changes: [change] });
    const products = links.flatMap(({ product_id, name }) => (product_id === null ? [] : [{ product_id, name }]));
    if (products.length === 0) continue;
    await db
      .insertInto('record_event')
      .values(
        products.map(({ product_id, name }) => ({
          record_type: 'product',
          record_id: product_id,
          record_name: name,
          user_id: user.id,
          actor: user.fullName,
          action,
          changes: JSON.stringify([{ field: 'Document', before: got ? '' : title, after: got ? title : '' }]),
        })),
      )
      .execute();
  }
}
