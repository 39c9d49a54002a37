// Answers the ItemMapping calls.
import { type RawBuilder, sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { foldedHolds, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { direction } from '#platform/db/page.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { someOf } from '#platform/shared/first-few.ts';
import type { ItemMapping, MappingState, NotMappedItem } from './mapping.contract.ts';
import { EXACT } from './score.ts';
import { isSuggested, keepSuggestions } from './suggestions.server.ts';

type Filter = { keyword?: string | null | undefined; classId?: number | null | undefined };

/** Sort expressions. Without one of them, new and best-selling items come first. */
const SORTS: Record<string, RawBuilder<unknown>> = {
  itemNumber: sql`lower(item.item_number)`,
  description: sql`lower(item.description)`,
  manufacturerNo: sql`lower(item.manufacturer_no)`,
  lastSold: sql`item.last_sold`,
};
const FIRST = sql`(item.selling_rank = 'NEW') desc, item.selling_rank_num desc, item.id desc`;

const SHOWN_MATCHES = 50;
const MAPPED_AT_ONCE = 1_000;

export const itemMappingAnswers: Answers<typeof ItemMapping> = {
  getNotMappedGpItems: async ({ db, services }, { suggest, page, pageSize, sort, state, ...filter }) => {
    const where = sql`item.mapping_state <> 'Mapped' and ${
      state ? sql`item.mapping_state = ${state}` : sql`item.mapping_state <> 'Ignored'`
    } and ${matching(filter)}`;
    const by =
      sort && Object.hasOwn(SORTS, sort.field)
        ? sql`${SORTS[sort.field]} ${direction(sort.dir)} nulls last, item.id`
        : FIRST;
    const { rows: ids } = await sql<{ id: number; old: boolean }>`
      select item.id, not ${isSuggested} as old from item where ${where} order by ${by}
      limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
    const counts = await countByState(db, filter);
    if (suggest)
      await keepSuggestions(
        services,
        ids.flatMap(({ id, old }) => (old ? [id] : [])),
      );
    const total = state ? counts[state] : counts.Unmapped + counts.Suggested + counts.Conflict;
    return {
      records: await readItems(
        db,
        ids.map(({ id }) => id),
      ),
      total,
      pageCount: Math.ceil(total / pageSize),
      // Computing suggestions may have changed the state of some items.
      counts: suggest ? await countByState(db, filter) : counts,
    };
  },

  mapGpItemToItmProdDbItem: async (context, { pairs, ignoreReason }) => {
    const { db } = context;
    const pairByItem = new Map(pairs.map((pair) => [pair.itemId, pair]));
    const products = await productsOf(db, [...pairByItem.values()]);
    const { rows } =
      await sql<MappedItem>`select item.id, item.version, item.item_number, item.description, item.status, item.class_id,
        item.manufacturer, item.manufacturer_no, item.product_id, item.mapping_state, item.mapping_note
      from item where item.id = any(${[...pairByItem.keys()]}::int[]) order by item.id for no key update of item`.execute(
        db,
      );
    const items = new Map(rows.map((row) => [row.id, row]));
    const results: Result[] = [];
    const moves: Move[] = [];
    for (const pair of pairByItem.values()) {
      const item = items.get(pair.itemId);
      const done = item
        ? await mapOne(context, item, { ...pair, ignoreReason: pair.ignoreReason ?? ignoreReason ?? null }, products)
        : { result: refused(pair.itemId, 0, 'This item does not exist.') };
      results.push(done.result);
      if ('move' in done && done.move) moves.push(done.move);
    }
    await recordMoves(context, moves);
    return { results };
  },

  GetExactMatches: async ({ db }, filter) => {
    const { rows } = await sql<Exact & { total: number; contested: number }>`
      with ${exactMatches(filter)}
      select counted.*, item.id as "itemId", item.item_number as "itemNumber", item.description,
        json_build_object('id', p.id, 'name', p.name) as product, first.score
      from (select (select count(*)::int from match) as total,
              (select count(distinct item_id)::int from claim) - (select count(*)::int from match) as contested) counted
      left join (select * from match order by item_id limit ${sql.lit(SHOWN_MATCHES)}) first on true
      left join item on item.id = first.item_id left join product p on p.id = first.product_id
      order by item.item_number`.execute(db);
    const [first] = rows;
    return {
      total: first?.total ?? 0,
      contested: first?.contested ?? 0,
      matches: rows.flatMap(({ itemId, itemNumber, description, product, score }) =>
        itemId === null ? [] : [{ itemId, itemNumber, description, product, score }],
      ),
    };
  },

  MapExactMatches: async ({ db, user, services }, filter) => {
    const { rows } = await sql<{
      itemId: number;
      version: number;
      item_number: string;
      productId: number;
      name: string;
    }>`
      with ${exactMatches(filter)},
      next as (select item.id, match.product_id from match join item on item.id = match.item_id
        where item.product_id is null order by item.id limit ${sql.lit(MAPPED_AT_ONCE)} for no key update of item)
      update item set product_id = next.product_id, version = item.version + 1, mapped_by = ${user.id}, mapped_at = ${services.clock.now()}
      from next join product p on p.id = next.product_id where item.id = next.id
      returning item.id as "itemId", item.version, item.item_number, p.id as "productId", p.name`.execute(db);
    await forget(
      db,
      rows.map(({ itemId }) => itemId),
    );
    const byProduct = Map.groupBy(rows, ({ productId }) => productId);
    if (byProduct.size > 0) {
      await db
        .insertInto('record_event')
        .values(
          [...byProduct].map(([id, mapped]) => ({
            record_type: 'product',
            record_id: id,
            record_name: mapped[0]?.name ?? '',
            user_id: user.id,
            actor: user.fullName,
            action: 'Map items',
            comment: 'All exact matches',
            changes: JSON.stringify([
              itemsChange(
                mapped.map((row) => row.item_number),
                true,
              ),
            ]),
          })),
        )
        .execute();
    }
    const { rows: left } = await sql<{ remaining: number }>`
      with ${exactMatches(filter)} select count(*)::int as remaining from match`.execute(db);
    return {
      mapped: rows.map(({ itemId, version }) => ({ itemId, version })),
      remaining: left[0]?.remaining ?? 0,
    };
  },
};

type Exact = NonNullable<Awaited<ReturnType<(typeof itemMappingAnswers)['GetExactMatches']>>['matches'][number]>;

function matching({ keyword, classId }: Filter): RawBuilder<unknown> {
  const words = wordsOf(keyword ?? '').map((word) => foldedHolds(sql.ref('item.search_text'), word));
  return sql.join([sql`true`, ...words, ...(classId ? [sql`item.class_id = ${classId}`] : [])], sql` and `);
}

async function countByState(db: Db, filter: Filter): Promise<Record<MappingState, number>> {
  const { rows } = await sql<{
    state: MappingState;
    items: number;
  }>`select mapping_state as state, count(*)::int as items
    from item where mapping_state <> 'Mapped' and ${matching(filter)} group by mapping_state`.execute(db);
  const none = { Unmapped: 0, Suggested: 0, Ignored: 0, Conflict: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ state, items }) => [state, items])) };
}

async function readItems(db: Db, ids: number[]): Promise<NotMappedItem[]> {
  const { rows } = await sql<NotMappedItem>`
    select item.id, item.version, item.item_number as "itemNumber", item.description,
      coalesce(c.name, '') as "className", item.manufacturer, item.manufacturer_no as "manufacturerNo",
      item.status, item.last_sold as "lastSold", item.selling_rank as "sellingRank",
      item.selling_rank_num::float8 as "sellingRankNum", item.mapping_state as state, item.mapping_note as note,
      case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as product, ${isSuggested} as suggested,
      coalesce((select json_agg(json_build_object('product', json_build_object('id', sp.id, 'name', sp.name, 'brand', sp.brand,
            'className', coalesce(sc.name, ''), 'items', (select count(*) from item of_it where of_it.product_id = sp.id)),
          'score', s.score, 'reasons', s.reasons) order by s.score desc, sp.id)
        from item_suggestion s join product sp on sp.id = s.product_id left join item_class sc on sc.id = sp.class_id
        where s.item_id = item.id and item.product_id is null), '[]') as suggestions
    from unnest(${ids}::int[]) with ordinality asked (id, place) join item on item.id = asked.id
      left join item_class c on c.id = item.class_id left join product p on p.id = item.product_id
    where item.mapping_state <> 'Mapped' order by place`.execute(db);
  return rows;
}

/**
 * `match`: each item without a product and the one product that has its manufacturer number. `claim`: all products that have it. The set joins
 * compare numbers as `scoreOf` does.
 */
function exactMatches(filter: Filter): RawBuilder<unknown> {
  return sql`
    open as materialized (select item.id, bare_text(item.manufacturer_no) as number, bare_text(item.manufacturer) as maker,
        lower(trim(item.manufacturer_no)) as written
      from item where item.mapping_state in ('Unmapped', 'Suggested', 'Conflict') and item.product_id is null and item.manufacturer_no <> ''
        and bare_text(item.manufacturer_no) <> '' and ${matching(filter)}),
    known as (
      select p.id, p.manufacturer, p.manufacturer_no from product p where p.manufacturer_no <> '' and p.status in ('Draft', 'Active')
      union select p.id, i.manufacturer, i.manufacturer_no from item i
      join product p on p.id = i.product_id and p.status in ('Draft', 'Active')
        where i.product_id is not null and i.manufacturer_no <> ''),
    claim as materialized (select open.id as item_id, known.id as product_id,
        max(case when open.maker <> '' and bare_text(known.manufacturer) = open.maker and lower(trim(known.manufacturer_no)) = open.written
          then 100 else ${sql.lit(EXACT)} end) as score
      from open join known on bare_text(known.manufacturer_no) = open.number
        and (open.maker = '' or bare_text(known.manufacturer) in ('', open.maker))
      group by open.id, known.id),
    match as (select item_id, min(product_id) as product_id, score from claim
      join (select item_id, max(score) as score from claim group by item_id) best using (item_id, score)
      group by item_id, score having count(*) = 1)`;
}

type Context = { db: Db; user: Pick<Caller, 'id' | 'fullName'>; services: Services };
type Pair = ParsedInputOf<typeof ItemMapping.mapGpItemToItmProdDbItem>['pairs'][number];
type Result = Awaited<ReturnType<(typeof itemMappingAnswers)['mapGpItemToItmProdDbItem']>>['results'][number];
type MappedItem = {
  id: number;
  version: number;
  item_number: string;
  description: string;
  status: string;
  class_id: number | null;
  manufacturer: string;
  manufacturer_no: string;
  product_id: number | null;
  mapping_state: string;
  mapping_note: string;
};
type Product = { id: number; name: string };
/** An item moved from product `from` to product `to`, for the histories. */
type Move = {
  itemNumber: string;
  itemId: number;
  from: number | null;
  to: Product | null;
  reason: string;
  made: boolean;
};

/** The named products, or the products they were merged into, locked until the transaction ends so that no other user merges them. */
async function productsOf(db: Db, pairs: Pair[]): Promise<Map<number, Product>> {
  const ids = pairs.flatMap(({ productId }) => (typeof productId === 'number' ? [productId] : []));
  if (ids.length === 0) return new Map();
  const { rows: request } = await sql<{ id: number; leads: number }>`
    select id, coalesce(merged_into, id) as leads from product where id = any(${ids}::int[])`.execute(db);
  const { rows: held } =
    await sql<Product>`select id, name from product where id = any(${request.map(({ leads }) => leads)}::int[])
    and status <> 'Merged' order by id for share`.execute(db);
  const byId = new Map(held.map((product) => [product.id, product]));
  return new Map(
    request.flatMap(({ id, leads }) => {
      const product = byId.get(leads);
      return product ? [[id, product] as const] : [];
    }),
  );
}

function refused(itemId: number, version: number, message: string): Result {
  return { itemId, version, outcome: 'refused', message, product: null, undo: null };
}

async function mapOne(
  { db, user, services }: Context,
  item: MappedItem,
  pair: Pair,
  products: Map<number, Product>,
): Promise<{ result: Result; move?: Move }> {
  if (item.version !== pair.version) return { result: refused(item.id, item.version, await whoWasFirst(db, item.id)) };
  const { productId } = pair;
  const known = typeof productId === 'number' ? products.get(productId) : undefined;
  if (typeof productId === 'number' && !known)
    return { result: refused(item.id, item.version, 'This product no longer exists. Choose another one.') };
  const now = services.clock.now();
  const to = productId === 'new' ? await makeProduct(db, item, now) : (known ?? null);
  const reason = to ? '' : (pair.ignoreReason ?? '');
  const state = to ? 'Mapped' : reason ? 'Ignored' : 'Unmapped';
  const { version } = await db
    .updateTable('item')
    .set((eb) => ({
      product_id: to?.id ?? null,
      mapping_state: state,
      mapping_note: reason,
      mapped_by: user.id,
      mapped_at: now,
      // The stored suggestions are out of date once the item changes its product.
      suggested_at: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', item.id)
    .returning('version')
    .executeTakeFirstOrThrow();
  await forget(db, [item.id]);
  if (pair.dropProductId) await dropProduct(db, pair.dropProductId);
  const isNew = productId === 'new';
  return {
    result: {
      itemId: item.id,
      version,
      outcome: isNew ? 'made' : to ? 'mapped' : reason ? 'ignored' : 'unmapped',
      message: '',
      product: to,
      undo: {
        itemId: item.id,
        version,
        productId: item.product_id,
        ignoreReason: item.mapping_state === 'Ignored' ? item.mapping_note : null,
        dropProductId: isNew ? (to?.id ?? null) : null,
      },
    },
    move: { itemNumber: item.item_number, itemId: item.id, from: item.product_id, to, reason, made: isNew },
  };
}

async function whoWasFirst(db: Db, itemId: number): Promise<string> {
  const { rows } = await sql<{ name: string; product: string | null; state: string; note: string }>`
    select ${whoDid('item.mapped_by')} as name, p.name as product, item.mapping_state as state, item.mapping_note as note from item
      left join product p on p.id = item.product_id where item.id = ${itemId}`.execute(db);
  const [now] = rows;
  const who = now?.name || 'Another user';
  if (now?.product) return `${who} has mapped this item to ${now.product} in the meantime.`;
  if (now?.state === 'Ignored') return `${who} has left this item out in the meantime: ${now.note}`;
  return `${who} has changed this item in the meantime. Review it before you continue.`;
}

/** A product named after the item, as PopulateInitData makes it. */
async function makeProduct(db: Db, item: MappedItem, at: Date): Promise<Product> {
  return db
    .insertInto('product')
    .values({
      name: item.description.slice(0, 300) || item.item_number,
      status: item.status === 'Active' ? 'Active' : 'Discontinued',
      class_id: item.class_id,
      manufacturer: item.manufacturer,
      manufacturer_no: item.manufacturer_no,
      updated_at: at,
    })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow();
}

/** Removes a product that was just created, if it is unchanged and nothing belongs to it. */
async function dropProduct(db: Db, id: number): Promise<void> {
  await sql`delete from product p where id = ${id} and version = 1 and status <> 'Merged'
    and not exists (select from item where product_id = p.id)
    and not exists (select from document_link where product_id = p.id)
    and not exists (select from product_image where product_id = p.id)
    and not exists (select from product other where other.replaced_by = p.id or other.merged_into = p.id)`.execute(db);
}

async function forget(db: Db, itemIds: number[]): Promise<void> {
  await sql`delete from item_suggestion where item_id = any(${itemIds}::int[])`.execute(db);
}

/** Writes the histories of products that gained or lost items, and of excluded items. */
async function recordMoves({ db, user }: Context, moves: Move[]): Promise<void> {
  for (const { itemId, itemNumber, reason } of moves.filter((move) => move.reason !== '')) {
    const change = { field: 'Left out', before: '', after: reason };
    await recordChange(db, user, {
      type: 'item',
      id: itemId,
      name: itemNumber,
      action: 'Leave out',
      changes: [change],
    });
  }
  for (const { to, itemNumber } of moves.filter(({ made }) => made)) {
    if (!to) continue;
    const changes = [{ field: 'Items', before: '', after: itemNumber }];
    await recordChange(db, user, { type: 'product', id: to.id, name: to.name, action: 'Create', version: 1, changes });
  }
  const got = Map.groupBy(
    moves.filter(({ to, from, made }) => to && !made && to.id !== from),
    ({ to }) => to?.id,
  );
  for (const [id, moved] of got) {
    if (id === undefined) continue;
    const changes = [
      itemsChange(
        moved.map(({ itemNumber }) => itemNumber),
        true,
      ),
    ];
    await recordChange(db, user, {
      type: 'product',
      id,
      name: moved[0]?.to?.name ?? '',
      action: 'Map items',
      changes,
    });
  }
  const lost = Map.groupBy(
    moves.filter(({ to, from }) => from !== null && from !== to?.id),
    ({ from }) => from,
  );
  for (const [id, moved] of lost) {
    const product = await db.selectFrom('product').select('name').where('id', '=', id).executeTakeFirst();
    if (id === null || !product) continue;
    const changes = [
      itemsChange(
        moved.map(({ itemNumber }) => itemNumber),
        false,
      ),
    ];
    await recordChange(db, user, { type: 'product', id, name: product.name, action: 'Unmap items', changes });
  }
}

function itemsChange(numbers: string[], got: boolean) {
  const words = someOf(20, numbers);
  return { field: 'Items', before: got ? '' : words, after: got ? words : '' };
}
