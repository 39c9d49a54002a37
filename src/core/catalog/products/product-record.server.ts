// Reads and saves one stored product, and describes it for its history.
import { sql } from 'kysely';
import { invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { oneRecord, type RecordKind } from '#platform/history/record-kit.server.ts';
import { ProductStatus } from './product-status.ts';
import type { SavedProduct } from './products.contract.ts';

/** The product itself. Throws 404 if there is none. Returns a merged product as stored. */
export async function readProduct(db: Db, id: number, lock?: 'lock'): Promise<SavedProduct> {
  const query = db
    .selectFrom('product')
    .select([
      'id',
      'version',
      'name',
      'description',
      'brand',
      'product_type as productType',
      'class_id as classId',
      'manufacturer',
      'manufacturer_no as manufacturerNo',
      'status',
      'replaced_by as replacedById',
    ])
    .where('id', '=', id);
  const { status, ...rest } = await oneRecord('product', query, lock);
  return { ...rest, status: ProductStatus.parse(status) };
}

const LABELS = {
  name: 'Name',
  description: 'Text',
  brand: 'Brand',
  productType: 'Type',
  className: 'Class',
  manufacturer: 'Manufacturer',
  manufacturerNo: 'Manufacturer number',
  status: 'Status',
  replacedBy: 'Replaced by',
};

/** The product with names instead of ids, for its history. */
async function historyWords(db: Db, product: SavedProduct | null) {
  if (!product) return {};
  const { rows } = await sql<{ className: string | null; replacedBy: string | null }>`
    select (select name from item_class where id = ${product.classId}::int) as "className",
      (select name from product where id = ${product.replacedById}::int) as "replacedBy"`.execute(db);
  return { ...product, ...rows[0] };
}

export const PRODUCT: RecordKind<SavedProduct, 'product'> = {
  type: 'product',
  read: readProduct,
  nameOf: ({ name }) => name,
  changes: async (before, after, db) =>
    changesBetween(
      await historyWords(db, before),
      await historyWords(db, after),
      before ? LABELS : { status: 'Status' },
    ),
};

/** The columns of a product. */
export function productColumns(product: Omit<SavedProduct, 'id' | 'version'>, at: Date) {
  return {
    name: product.name,
    description: product.description,
    brand: product.brand,
    product_type: product.productType,
    class_id: product.classId,
    manufacturer: product.manufacturer,
    manufacturer_no: product.manufacturerNo,
    status: product.status,
    replaced_by: product.status === 'Discontinued' ? product.replacedById : null,
    updated_at: at,
  };
}

/** Throws 422 unless the replacement exists, is another product, and is not itself replaced by one of these. */
export async function requireReplacement(db: Db, ids: number[], replacedById: number | null | undefined) {
  if (!replacedById) return;
  const refuse = (message: string) => invalid([{ path: 'replacedById', message }]);
  if (ids.includes(replacedById)) throw refuse('A product cannot replace itself.');
  const { rows } = await sql<{ id: number; status: string }>`
    with recursive chain as (
      select id, status, replaced_by from product where id = ${replacedById}
      union select p.id, p.status, p.replaced_by from product p join chain c on p.id = c.replaced_by)
    select id, status from chain`.execute(db);
  const [first] = rows.filter(({ id }) => id === replacedById);
  if (!first || first.status === 'Merged') throw refuse('This product does not exist.');
  if (rows.some(({ id }) => ids.includes(id))) throw refuse('That product is itself replaced by one of these.');
}

/** Throws 422 unless the class exists. */
export async function requireClass(db: Db, classId: number | null | undefined) {
  if (!classId) return;
  const row = await db.selectFrom('item_class').select('id').where('id', '=', classId).executeTakeFirst();
  if (!row) throw invalid([{ path: 'classId', message: 'This class does not exist.' }]);
}

/** Adds a type to the list of types when a product uses it. */
export async function keepType(db: Db, type: string): Promise<void> {
  if (!type) return;
  await db
    .insertInto('product_type')
    .values({ name: type })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
