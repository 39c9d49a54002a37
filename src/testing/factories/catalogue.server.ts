// Items, classes, products, promotions, and templates for tests: each call makes its own, with unique names.
import type { Db } from '#platform/db/database.server.ts';
import type { Role } from '#platform/shared/roles.ts';

let last = 0;
const next = () => ++last;

/** An item sold recently, by the piece at 10.00 unless the test says otherwise; `units` says how many base units each unit holds. */
export async function anItem(
  db: Db,
  given: {
    number?: string;
    description?: string;
    classId?: number;
    price?: number;
    cost?: number;
    floor?: number;
    units?: Record<string, number>;
    prices?: { unit: string; price: number; minQty?: number; currnIdx?: number }[];
    lastSold?: string | null;
    status?: 'Active' | 'Discontinued';
    sellingRank?: string;
    manufacturer?: string;
    manufacturerNo?: string;
  } = {},
): Promise<{ id: number; itemNumber: string; description: string }> {
  const n = next();
  const itemNumber = given.number ?? `IT-${10_000 + n}`;
  const description = given.description ?? `Item ${n}`;
  const units = given.units ?? { EA: 1 };
  const { id } = await db
    .insertInto('item')
    .values({
      item_number: itemNumber,
      description,
      class_id: given.classId ?? null,
      base_unit: Object.keys(units)[0] ?? 'EA',
      status: given.status ?? 'Active',
      cost: given.cost ?? null,
      floor_price: given.floor ?? null,
      last_sold: given.lastSold === undefined ? new Date().toISOString().slice(0, 10) : given.lastSold,
      selling_rank: given.sellingRank ?? '',
      manufacturer: given.manufacturer ?? '',
      manufacturer_no: given.manufacturerNo ?? '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [unit, factor] of Object.entries(units))
    await db.insertInto('item_unit').values({ item_id: id, unit, factor }).execute();
  for (const price of given.prices ?? [{ unit: Object.keys(units)[0] ?? 'EA', price: given.price ?? 10 }]) {
    await db
      .insertInto('item_price')
      .values({
        item_id: id,
        unit: price.unit,
        price: price.price,
        min_qty: price.minQty ?? 1,
        ...(price.currnIdx === undefined ? {} : { currn_idx: price.currnIdx }),
      })
      .execute();
  }
  return { id, itemNumber, description };
}

/** A class of items; a hidden one appears nowhere. */
export async function anItemClass(
  db: Db,
  given: { name?: string; hidden?: boolean } = {},
): Promise<{ id: number; name: string }> {
  const name = given.name ?? `Class ${next()}`;
  const { id } = await db
    .insertInto('item_class')
    .values({ name, visible_in_web_quote: !given.hidden })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name };
}

/** A stored file. */
export async function aFile(
  db: Db,
  files: { put: (bytes: Buffer) => Promise<string> },
  given: { name?: string; mediaType?: string; bytes?: Buffer } = {},
): Promise<{ id: number; name: string }> {
  const name = given.name ?? `file-${next()}.txt`;
  const bytes = given.bytes ?? Buffer.from(`content of ${name}`);
  const { id } = await db
    .insertInto('file')
    .values({
      storage_key: await files.put(bytes),
      name,
      media_type: given.mediaType ?? 'text/plain',
      size: bytes.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name };
}

/** A product of these items, with pictures (file ids) and documents. */
export async function aProduct(
  db: Db,
  given: {
    itemIds: number[];
    name?: string;
    brand?: string;
    description?: string;
    images?: { fileId: number; thumbFileId?: number; printFileId?: number; hiddenRoles?: (Role | 'customer')[] }[];
    documents?: { fileId: number; category?: string; title?: string }[];
  },
): Promise<{ id: number; imageIds: number[]; documentIds: number[] }> {
  const { id } = await db
    .insertInto('product')
    .values({ name: given.name ?? `Product ${next()}`, brand: given.brand ?? '', description: given.description ?? '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const itemId of given.itemIds)
    await db.updateTable('item').set({ product_id: id }).where('id', '=', itemId).execute();
  const imageIds: number[] = [];
  for (const [position, image] of (given.images ?? []).entries()) {
    const picture = await db
      .insertInto('picture')
      .values({
        name: `picture-${next()}.png`,
        state: 'Filed',
        step: '',
        match: 'matched',
        size: 1,
        file_id: image.fileId,
        thumb_file_id: image.thumbFileId ?? image.fileId,
        medium_file_id: image.fileId,
        large_file_id: image.fileId,
        print_file_id: image.printFileId ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = await db
      .insertInto('product_image')
      .values({
        product_id: id,
        picture_id: picture.id,
        file_id: image.fileId,
        thumb_file_id: image.thumbFileId ?? null,
        position,
        hidden_roles: image.hiddenRoles ?? [],
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    imageIds.push(row.id);
  }
  const documentIds: number[] = [];
  for (const document of given.documents ?? []) {
    documentIds.push((await aDocument(db, { ...document, productIds: [id] })).id);
  }
  return { id, imageIds, documentIds };
}

/** A document valid since 2020, linked to products and items. */
export async function aDocument(
  db: Db,
  given: {
    fileId: number;
    category?: string;
    title?: string;
    validFrom?: string;
    validTo?: string;
    productIds?: number[];
    itemIds?: number[];
  },
): Promise<{ id: number; revisionId: number }> {
  const { id: category_id } = await db
    .selectFrom('document_category')
    .select('id')
    .where('name', '=', given.category ?? 'Brochure')
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('document')
    .values({ category_id, title: given.title ?? 'Brochure' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const revision = await db
    .insertInto('document_revision')
    .values({
      document_id: id,
      file_id: given.fileId,
      valid_from: given.validFrom ?? '2020-01-01',
      valid_to: given.validTo ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const product_id of given.productIds ?? [])
    await db.insertInto('document_link').values({ document_id: id, product_id }).execute();
  for (const item_id of given.itemIds ?? [])
    await db.insertInto('document_link').values({ document_id: id, item_id }).execute();
  return { id, revisionId: revision.id };
}

/** A promotion since 2020, 10 % off unless the test says otherwise. */
export async function aPromotion(
  db: Db,
  given: {
    itemId: number;
    type?: string;
    amount?: number;
    buy?: number;
    get?: number;
    minQty?: number;
    maxQty?: number;
    uom?: string;
    currnIdx?: number;
    from?: string;
    to?: string | null;
    active?: boolean;
  },
): Promise<{ id: number }> {
  return db
    .insertInto('promotion')
    .values({
      item_id: given.itemId,
      promotion_type: given.type ?? 'DiscountPct',
      amount: given.amount ?? (given.type === 'BuyXGetYFree' ? 0 : 10),
      buy_qty: given.buy ?? 0,
      get_qty: given.get ?? 0,
      min_qty: given.minQty ?? 0,
      max_qty: given.maxQty ?? 0,
      uom: given.uom ?? '',
      ...(given.currnIdx === undefined ? {} : { currn_idx: given.currnIdx }),
      valid_from: given.from ?? '2020-01-01',
      valid_to: given.to ?? null,
      active: given.active ?? true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A quote template with lines in the given order: items by id, or a heading. */
export async function aQuoteTemplate(
  db: Db,
  given: {
    name?: string;
    active?: boolean;
    lines?: ({ itemId: number; qty?: number; unit?: string } | { section: string })[];
  } = {},
): Promise<{ id: number; name: string }> {
  const name = given.name ?? `Template ${next()}`;
  const { id } = await db
    .insertInto('quote_template')
    .values({ name, active: given.active ?? true })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [position, line] of (given.lines ?? []).entries()) {
    await db
      .insertInto('quote_template_item')
      .values({
        template_id: id,
        position,
        ...('section' in line
          ? { type: 'section', description: line.section }
          : { item_id: line.itemId, qty: line.qty ?? 1, unit: line.unit ?? '' }),
      })
      .execute();
  }
  return { id, name };
}
