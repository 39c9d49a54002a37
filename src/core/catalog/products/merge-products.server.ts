// Merges products and splits items off. Quotes keep their own texts, so they do not change.
import { sql } from 'kysely';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { movePictures } from '#core/catalog/product-pictures/places.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { bumpRecord, storeRecord } from '#platform/history/record-kit.server.ts';
import { someOf } from '#platform/shared/first-few.ts';
import { readProduct } from './product-record.server.ts';
import type { Products, SavedProduct } from './products.contract.ts';

type Fill = { field: string; column: 'description' | 'brand' | 'product_type' | 'manufacturer'; value: string };

/** The values that `into` lacks and another product has. With them a merge loses no text. */
function fillsOf(into: SavedProduct, from: SavedProduct[]): Fill[] {
  const fields = [
    ['Text', 'description', 'description'],
    ['Brand', 'brand', 'brand'],
    ['Type', 'productType', 'product_type'],
    ['Manufacturer', 'manufacturer', 'manufacturer'],
  ] as const;
  return fields.flatMap(([field, name, column]) => {
    const value = from.find((product) => product[name] !== '')?.[name];
    return into[name] === '' && value ? [{ field, column, value }] : [];
  });
}

async function locked(db: Db, ids: number[], lock?: 'lock'): Promise<Map<number, SavedProduct>> {
  const result = new Map<number, SavedProduct>();
  // Lock in a fixed order, so that two simultaneous merges wait for each other instead of deadlocking.
  for (const id of ids.toSorted((a, b) => a - b)) result.set(id, await readProduct(db, id, lock));
  for (const { status, name } of result.values()) {
    if (status === 'Merged') throw new HttpError(409, `${name} has already been merged into another product.`);
  }
  return result;
}

function apart(intoId: number, fromIds: number[]): number[] {
  const ids = [...new Set(fromIds)];
  if (ids.includes(intoId)) throw invalid([{ path: 'from', message: 'A product cannot be merged into itself.' }]);
  return ids;
}

type Merging = Pick<Answers<typeof Products>, 'GetMergePreview' | 'MergeProducts' | 'SplitItem'>;

export const mergeAnswers: Merging = {
  GetMergePreview: async ({ db }, { fromIds, intoId }) => {
    const ids = apart(intoId, fromIds);
    const result = await locked(db, [intoId, ...ids]);
    const { rows } = await sql<{ id: number; items: number; documents: number; pictures: number }>`
      select p.id, (select count(*)::int from item where product_id = p.id) as items,
        (select count(*)::int from document_link where product_id = p.id) as documents,
        (select count(*)::int from product_image where product_id = p.id and removed_at is null) as pictures
      from unnest(${ids}::int[]) with ordinality p (id, place) order by place`.execute(db);
    const into = result.get(intoId) as SavedProduct;
    const from = rows.map((row) => ({ ...row, product: result.get(row.id) as SavedProduct }));
    return {
      into: { id: into.id, version: into.version, name: into.name },
      from: from.map(({ product, ...row }) => ({ ...row, version: product.version, name: product.name })),
      fills: fillsOf(
        into,
        from.map(({ product }) => product),
      ).map(({ field, value }) => ({ field, value: value.slice(0, 200) })),
    };
  },

  MergeProducts: async ({ db, user, services }, input) => {
    const ids = apart(
      input.into.id,
      input.from.map(({ id }) => id),
    );
    const result = await locked(db, [input.into.id, ...ids], 'lock');
    for (const { id, version } of [input.into, ...input.from]) {
      await requireFresh(db, 'product', result.get(id) as SavedProduct, version);
    }
    const into = result.get(input.into.id) as SavedProduct;
    const from = ids.map((id) => result.get(id) as SavedProduct);
    const now = services.clock.now();
    const moved = await db
      .updateTable('item')
      .set((eb) => ({ product_id: into.id, version: eb('version', '+', 1) }))
      .where('product_id', '=', sql<number>`any(${ids}::int[])`)
      .returning('item_number')
      .execute();
    await sql`delete from document_link l using document_link kept
      where l.product_id = any(${ids}::int[]) and kept.document_id = l.document_id
        and (kept.product_id = ${into.id} or (kept.product_id = any(${ids}::int[]) and kept.id < l.id))`.execute(db);
    await sql`update document_link set product_id = ${into.id} where product_id = any(${ids}::int[])`.execute(db);
    await sql`delete from item_suggestion where product_id = any(${ids}::int[])`.execute(db);
    await movePictures(db, ids, into.id);
    const fills = fillsOf(into, from);
    for (const product of from) {
      const { version } = await bumpRecord(db, 'product', product.id, {
        status: 'Merged',
        merged_into: into.id,
        replaced_by: null,
        updated_at: now,
      });
      await recordChange(db, user, {
        type: 'product',
        id: product.id,
        name: product.name,
        action: 'Merge',
        version,
        changes: [{ field: 'Merged into', before: '', after: into.name }],
      });
    }
    // Products that were merged into them or replaced by them now point to `into`.
    await sql`update product set merged_into = ${into.id} where merged_into = any(${ids}::int[])`.execute(db);
    await sql`update product set replaced_by = nullif(${into.id}::int, id) where replaced_by = any(${ids}::int[])`.execute(
      db,
    );
    const { version } = await bumpRecord(db, 'product', into.id, {
      ...Object.fromEntries(fills.map(({ column, value }) => [column, value])),
      ...(into.replacedById !== null && ids.includes(into.replacedById) ? { replaced_by: null } : {}),
      updated_at: now,
    });
    await recordChange(db, user, {
      type: 'product',
      id: into.id,
      name: into.name,
      action: 'Take over',
      version,
      changes: [
        { field: 'Products', before: '', after: from.map(({ name }) => name).join(', ') },
        {
          field: 'Items',
          before: '',
          after: someOf(
            NAMED,
            moved.map(({ item_number }) => item_number),
          ),
        },
        ...fills.map(({ field, value }) => ({ field, before: '', after: value })),
      ],
    });
    return { product: await readProduct(db, into.id), items: moved.length };
  },

  SplitItem: async ({ db, user, services }, { productId, version, itemIds }) => {
    const before = await readProduct(db, productId, 'lock');
    await requireFresh(db, 'product', before, version);
    const items = await db
      .selectFrom('item')
      .select(['id', 'item_number', 'description', 'status', 'class_id', 'manufacturer', 'manufacturer_no'])
      .where('product_id', '=', productId)
      .where('id', '=', sql<number>`any(${itemIds}::int[])`)
      .orderBy('item_number')
      .forUpdate()
      .execute();
    const [first] = items;
    if (!first || items.length < new Set(itemIds).size)
      throw new HttpError(409, 'An item no longer belongs to this product. Review it before you continue.');
    const now = services.clock.now();
    const created = await storeRecord(db, 'product', 0, {
      name: first.description.slice(0, 300),
      description: '',
      brand: before.brand,
      product_type: before.productType,
      class_id: first.class_id,
      manufacturer: first.manufacturer,
      manufacturer_no: items.length === 1 ? first.manufacturer_no : '',
      status: first.status === 'Active' ? 'Active' : 'Discontinued',
      updated_at: now,
    });
    await db
      .updateTable('item')
      .set((eb) => ({ product_id: created.id, version: eb('version', '+', 1), mapped_by: user.id, mapped_at: now }))
      .where('id', '=', sql<number>`any(${items.map(({ id }) => id)}::int[])`)
      .execute();
    const numbers = someOf(
      NAMED,
      items.map(({ item_number }) => item_number),
    );
    const bumped = await bumpRecord(db, 'product', productId, { updated_at: now });
    const product = await readProduct(db, created.id);
    await recordChange(db, user, {
      type: 'product',
      id: productId,
      name: before.name,
      action: 'Split',
      version: bumped.version,
      changes: [{ field: 'Items', before: numbers, after: '' }],
    });
    await recordChange(db, user, {
      type: 'product',
      id: created.id,
      name: product.name,
      action: 'Create',
      version: created.version,
      changes: [{ field: 'Items', before: `of ${before.name}`, after: numbers }],
    });
    return product;
  },
};

/** The most numbers that a history lists. */
const NAMED = 20;
