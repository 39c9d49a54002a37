// Answers the Products calls.
import { type RawBuilder, sql } from 'kysely';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import { HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller } from '#platform/api/services.server.ts';
import { foldedHolds, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { bumpRecord, keptIn, lockForSave, saveRecord } from '#platform/history/record-kit.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { mergeAnswers } from './merge-products.server.ts';
import {
  productColumns,
  keepType,
  PRODUCT,
  readProduct,
  requireClass,
  requireReplacement,
} from './product-record.server.ts';
import { ProductStatus } from './product-status.ts';
import type { ProductCriteria, ProductPageData, Products, SavedProduct } from './products.contract.ts';

const ITEMS = sql<number>`(select count(*)::int from item where item.product_id = product.id)`;
const DOCUMENTS = sql<number>`(select count(*)::int from document_link where document_link.product_id = product.id)`;

/** Sums only the lines that are included in the totals of their quote. */
const IF_COUNTS = sql`filter (where line.active and not line.optional)`;

const ORDER = {
  sorts: {
    name: sql`folded_text(product.name)`,
    brand: sql`folded_text(product.brand)`,
    productType: sql`folded_text(product.product_type)`,
    className: sql`(select name from item_class where id = product.class_id)`,
    status: sql`product.status`,
    items: ITEMS,
    documents: DOCUMENTS,
    updatedAt: sql`product.updated_at`,
  },
  key: sql`product.id`,
  first: { field: 'name', dir: 'asc' as const },
};

/** The defaults of a new product. */
const BLANK: Omit<SavedProduct, 'id' | 'version' | 'name'> = {
  description: '',
  brand: '',
  productType: '',
  classId: null,
  manufacturer: '',
  manufacturerNo: '',
  status: 'Draft',
  replacedById: null,
};

const LACKS: Record<NonNullable<ProductCriteria['missing']>, RawBuilder<boolean>> = {
  image: sql`not exists (select from product_image where product_image.product_id = product.id and product_image.removed_at is null)`,
  text: sql`product.description = ''`,
  document: sql`not exists (select from document_link where document_link.product_id = product.id)`,
  item: sql`not exists (select from item where item.product_id = product.id)`,
};

export const productAnswers: Answers<typeof Products> = {
  ...mergeAnswers,

  searchProdDbItems: async ({ db }, criteria) => {
    const page = await pageFrom(products(db, criteria), criteria, ORDER);
    return { ...page, records: page.records.map(rowOf) };
  },

  ExportProdDbItems: async ({ db }, criteria) => {
    const rows = await allFrom(products(db, criteria), criteria.sort, ORDER);
    const header = ['Product', 'Brand', 'Type', 'Class', 'Manufacturer', 'Manufacturer number', 'Status'];
    return csvAnswer(
      'products.csv',
      [...header, 'Replaced by', 'Items', 'Documents', 'Text', 'Picture'],
      rows,
      (row) => [
        row.name,
        row.brand,
        row.productType,
        row.className,
        row.manufacturer,
        row.manufacturerNo,
        row.status,
        row.replacedBy?.name ?? '',
        row.items,
        row.documents,
        row.hasText ? 'yes' : 'no',
        row.hasImage ? 'yes' : 'no',
      ],
    );
  },

  GetProductChoices: async ({ db }) => ({
    classes: await db.selectFrom('item_class').select(['id', 'name']).orderBy(sql`lower(name)`).execute(),
    types: await typesOf(db),
    brands: (
      await db
        .selectFrom('product')
        .select('brand')
        .where('brand', '<>', '')
        .groupBy('brand')
        .orderBy(sql`count(*)`, 'desc')
        .orderBy('brand')
        .limit(200)
        .execute()
    )
      .map(({ brand }) => brand)
      .toSorted((a, b) => a.localeCompare(b)),
  }),

  GetProduct: async ({ db }, { id }) => {
    const request = await db
      .selectFrom('product')
      .select(['id', 'name', 'merged_into'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!request) throw notFound('product');
    const product = await readProduct(db, request.merged_into ?? id);
    return {
      product,
      mergedFrom: request.merged_into === null ? null : { id: request.id, name: request.name },
      ...(await around(db, product)),
    };
  },

  GetProductQuotes: async ({ db }, { productId, ...page }) => {
    await readProduct(db, productId);
    const byUnit = db
      .selectFrom('quote_item as line')
      .innerJoin('item', 'item.id', 'line.item_id')
      .leftJoin('item_unit', (join) =>
        join.onRef('item_unit.item_id', '=', 'item.id').onRef('item_unit.unit', '=', 'line.unit'),
      )
      .where('item.product_id', '=', productId)
      .groupBy(['line.quote_id', 'line.unit'])
      .select(['line.quote_id', 'line.unit'])
      .select(sql`sum(line.qty) ${IF_COUNTS}`.as('qty'))
      .select(sql`sum(line.qty * coalesce(item_unit.factor, 1)) ${IF_COUNTS}`.as('base_qty'))
      .select(sql`sum(line.line_total) ${IF_COUNTS}`.as('amount'))
      .as('by_unit');
    const lines = db
      .selectFrom(byUnit)
      .groupBy('quote_id')
      .select(['quote_id', sql<number>`coalesce(sum(base_qty), 0)::float8`.as('qty')])
      .select(sql<number>`coalesce(sum(amount), 0)::float8`.as('amount'))
      .select(
        sql<{ unit: string; qty: number }[]>`coalesce(json_agg(json_build_object('unit', unit, 'qty', qty)
          order by unit) filter (where qty is not null), '[]')`.as('quantities'),
      )
      .as('lines');
    const quotes = db
      .selectFrom('quote')
      .innerJoin(lines, 'lines.quote_id', 'quote.id')
      .select(['quote.id', 'quote.num', 'quote.revision', 'quote.facility_name as facilityName'])
      .select(['quote.status_id as statusId', 'quote.quote_date as quoteDate', 'quote.currn_idx as currnIdx'])
      .select(['lines.qty', 'lines.quantities', 'lines.amount']);
    const result = await pageFrom(quotes, page, {
      sorts: {
        quoteDate: sql`quote.quote_date`,
        facilityName: sql`plain_text(quote.facility_name)`,
        qty: sql`lines.qty`,
        amount: sql`lines.amount`,
      },
      key: sql`quote.id`,
      first: { field: 'quoteDate', dir: 'desc' },
    });
    return {
      ...result,
      records: result.records.map(({ num, revision, ...row }) => ({ ...row, number: quoteNumber(num, revision) })),
    };
  },

  SaveProduct: async ({ db, user, services }, input) => {
    const before = await lockForSave(db, PRODUCT, input);
    if (before) requireWhole(before);
    const previous: typeof BLANK = before ?? BLANK;
    const product = keptIn(input, previous);
    await requireClass(db, product.classId);
    if (product.status === 'Discontinued')
      await requireReplacement(db, before ? [before.id] : [], product.replacedById);
    await keepType(db, product.productType);
    return saveRecord({ db, user }, PRODUCT, before, productColumns(product, services.clock.now()));
  },

  saveItemProdType: async ({ db, user, services }, { productIds, productType, type }) => {
    if (type) {
      const changed = await saveType(db, user, type);
      return { changed, before: [], types: await typesOf(db) };
    }
    const value = productType ?? '';
    await keepType(db, value);
    const before = await changeMany({ db, user }, productIds ?? [], (was) =>
      was.productType === value ? null : { ...was, productType: value, at: services.clock.now() },
    );
    return { changed: before.length, before, types: await typesOf(db) };
  },

  saveItemStatus: async ({ db, user, services }, { productIds, status, replacedById }) => {
    const next = status === 'Discontinued' ? (replacedById ?? null) : null;
    await requireReplacement(db, productIds, next);
    const before = await changeMany({ db, user }, productIds, (was) =>
      was.status === status && was.replacedById === next
        ? null
        : { ...was, status, replacedById: next, at: services.clock.now() },
    );
    return { changed: before.length, before };
  },

  RestoreProducts: async ({ db, user, services }, { products: input }) => {
    const wanted = new Map(input.map((entry) => [entry.id, entry]));
    const unchanged: { id: number; name: string }[] = [];
    const ids = [...wanted.keys()];
    const { rows: there } = await sql<{ id: number }>`select id from product where id in (${sql.join(
      input.map(({ replacedById }) => replacedById ?? 0),
    )})`.execute(db);
    const restored = await changeMany({ db, user }, ids, (was) => {
      const change = wanted.get(was.id);
      if (!change || change.version !== was.version || was.status === 'Merged') {
        unchanged.push({ id: was.id, name: was.name });
        return null;
      }
      const { productType, status } = change;
      const replacedById = there.some(({ id }) => id === change.replacedById) ? change.replacedById : null;
      return { ...was, productType, status, replacedById, at: services.clock.now() };
    });
    return { restored: restored.length, kept: unchanged };
  },
};

/** Throws if the product was merged. */
function requireWhole(product: SavedProduct): void {
  if (product.status !== 'Merged') return;
  throw new HttpError(409, `${product.name} has been merged into another product.`);
}

type Context = { db: Db; user: Pick<Caller, 'id' | 'fullName'> };

/** Changes products one by one under their locks. Returns the former state of those that changed. */
async function changeMany(
  { db, user }: Context,
  ids: number[],
  change: (was: SavedProduct) => (SavedProduct & { at: Date }) | null,
) {
  const before = [];
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const was = await readProduct(db, id, 'lock');
    const is = change(was);
    if (!is) continue;
    requireWhole(was);
    const { version } = await bumpRecord(db, 'product', id, {
      product_type: is.productType,
      status: is.status,
      replaced_by: is.replacedById,
      updated_at: is.at,
    });
    await recordChange(db, user, {
      type: 'product',
      id,
      name: was.name,
      action: 'Edit',
      version,
      changes: changesBetween(was, is, { productType: 'Type', status: 'Status', replacedById: 'Replaced by product' }),
    });
    const { productType, status, replacedById } = was;
    before.push({ id, version, productType, status, replacedById });
  }
  return before;
}

async function typesOf(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('product_type').select('name').orderBy(sql`lower(name)`).execute();
  return rows.map(({ name }) => name);
}

/** Adds, renames or removes a type. Returns the number of products that it renamed. */
async function saveType(
  db: Db,
  user: Context['user'],
  { name, before, remove }: { name: string; before?: string | null | undefined; remove?: boolean | undefined },
): Promise<number> {
  const used = (type: string) =>
    db
      .selectFrom('product')
      .select(sql<number>`count(*)::int`.as('products'))
      .where('product_type', '=', type)
      .executeTakeFirstOrThrow();
  if (remove) {
    const { products: count } = await used(name);
    if (count > 0) {
      const have = countOf(count, 'product has', 'products have');
      throw invalid([{ path: 'type.name', message: `${have} this type. Choose another one for them first.` }]);
    }
    await db.deleteFrom('product_type').where('name', '=', name).execute();
    return 0;
  }
  if (!before || before === name) {
    await keepType(db, name);
    return 0;
  }
  const old = await db
    .selectFrom('product_type')
    .select('name')
    .where('name', '=', before)
    .forUpdate()
    .executeTakeFirst();
  if (!old) throw new HttpError(409, `Another user has renamed or removed the type ${before} in the meantime.`);
  await db.deleteFrom('product_type').where('name', '=', before).execute();
  await keepType(db, name);
  const renamed = await db
    .updateTable('product')
    .set((eb) => ({ product_type: name, version: eb('version', '+', 1) }))
    .where('product_type', '=', before)
    .returning(['id', 'name', 'version'])
    .execute();
  if (renamed.length > 0) {
    await db
      .insertInto('record_event')
      .values(
        renamed.map((product) => ({
          record_type: 'product',
          record_id: product.id,
          record_name: product.name,
          user_id: user.id,
          actor: user.fullName,
          action: 'Edit',
          version: product.version,
          changes: JSON.stringify([{ field: 'Type', before, after: name }]),
        })),
      )
      .execute();
  }
  return renamed.length;
}

function products(db: Db, criteria: Partial<ProductCriteria>) {
  const { keyword, classId, productType, brand, status, missing } = criteria;
  return db
    .selectFrom('product')
    .select(['product.id', 'product.version', 'product.name', 'product.brand', 'product.product_type as productType'])
    .select(['product.manufacturer', 'product.manufacturer_no as manufacturerNo', 'product.status'])
    .select(sql<string>`product.updated_at`.as('updatedAt'))
    .select(sql<boolean>`product.description <> ''`.as('hasText'))
    .select(sql<boolean>`not (${LACKS.image})`.as('hasImage'))
    .select([ITEMS.as('items'), DOCUMENTS.as('documents')])
    .select(
      sql<string>`coalesce((select name from item_class where item_class.id = product.class_id), '')`.as('className'),
    )
    .select(
      sql<{ id: number; name: string } | null>`(select json_build_object('id', next.id, 'name', next.name)
        from product next where next.id = product.replaced_by)`.as('replacedBy'),
    )
    .where((eb) =>
      eb.and([
        ...wordsOf(keyword ?? '').map((word) => foldedHolds(sql.ref('product.search_text'), word)),
        ...(classId ? [eb('product.class_id', '=', classId)] : []),
        ...(productType ? [eb('product.product_type', '=', productType)] : []),
        ...(brand ? [sql<boolean>`folded_text(product.brand) = folded_text(${brand})`] : []),
        status ? eb('product.status', '=', status) : eb('product.status', '<>', 'Merged'),
        ...(missing ? [LACKS[missing]] : []),
      ]),
    );
}

const rowOf = <R extends { status: string }>(row: R) => ({ ...row, status: ProductStatus.parse(row.status) });

const ITEMS_SHOWN = 200;

/** Reads the related data that a product's page shows. */
async function around(
  db: Db,
  { id, classId, replacedById }: SavedProduct,
): Promise<Omit<ProductPageData, 'product' | 'mergedFrom'>> {
  const items = await db
    .selectFrom('item')
    .select(['id', 'version', 'item_number as itemNumber', 'description', 'manufacturer_no as manufacturerNo'])
    .select(['status', 'last_sold as lastSold'])
    .where('product_id', '=', id)
    .orderBy('item_number')
    .limit(ITEMS_SHOWN)
    .execute();
  const { rows } = await sql<Omit<ProductPageData, 'product' | 'mergedFrom' | 'items'>>`select
      coalesce((select name from item_class where id = ${classId}::int), '') as "className",
      (select json_build_object('id', id, 'name', name) from product where id = ${replacedById}::int) as "replacedBy",
      coalesce((select json_agg(json_build_object('id', id, 'name', name) order by name) from product
        where replaced_by = ${id}), '[]') as replaces,
      (select count(*)::int from item where product_id = ${id}) as "itemCount",
      (select count(distinct line.quote_id)::int from quote_item line join item on item.id = line.item_id
      where item.product_id = ${id}) as "quoteCount",
      coalesce((select json_agg(json_build_object('linkId', l.id, 'docId', d.id, 'title', d.title,
        'category', c.name, 'itemNumber', i.item_number)
          order by c.name, d.title, l.id)
        from document_link l left join item i on i.id = l.item_id
        join document d on d.id = l.document_id join document_category c on c.id = d.category_id
        where l.product_id = ${id} or i.product_id = ${id}), '[]') as documents`.execute(db);
  const [facts] = rows;
  if (!facts) throw notFound('product');
  return { items, ...facts };
}
