// Items, classes, products, promotions, and templates for tests: each call makes its own, with unique names.
import type { Db } from '#platform/db/database.server.ts';
import type { Role } from '#platform/shared/roles.ts';

let last = 0;
const next = () => ++last;

/** An item sold recently, by the piece at 10.00 unless the test says otherwise; `units` says how many base units each unit holds. */
export async function anItem(
  db: Db,
  overrides: {
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
  const itemNumber = overrides.number ?? `IT-${10_000 + n}`;
  const description = overrides.description ?? `Item ${n}`;
  const units = overrides.units ?? { EA: 1 };
  const { id } = await db
    .insertInto('item')
    .values({
      item_number: itemNumber,
      description,
      class_id: overrides.classId ?? null,
      base_unit: Object.keys(units)[0] ?? 'EA',
      status: overrides.status ?? 'Active',
      cost: overrides.cost ?? null,
      floor_price: overrides.floor ?? null,
      last_sold: overrides.lastSold === undefined ? new Date().toISOString().slice(0, 10) : overrides.lastSold,
      selling_rank: overrides.sellingRank ?? '',
      manufacturer: overrides.manufacturer ?? '',
      manufacturer_no: overrides.manufacturerNo ?? '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [unit, factor] of Object.entries(units))
    await db.insertInto('item_unit').values({ item_id: id, unit, factor }).execute();
  for (const price of overrides.prices ?? [{ unit: Object.keys(units)[0] ?? 'EA', price: overrides.price ?? 10 }]) {
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
  overrides: { name?: string; hidden?: boolean } = {},
): Promise<{ id: number; name: string }> {
  const name = overrides.name ?? `Class ${next()}`;
  const { id } = await db
    .insertInto('item_class')
    .values({ name, visible_in_web_quote: !overrides.hidden })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name };
}

/** A stored file. */
export async function aFile(
  db: Db,
  files: { put: (bytes: Buffer) => Promise<string> },
  overrides: { name?: string; mediaType?: string; bytes?: Buffer } = {},
): Promise<{ id: number; name: string }> {
  const name = overrides.name ?? `file-${next()}.txt`;
  const bytes = overrides.bytes ?? Buffer.from(`content of ${name}`);
  const { id } = await db
    .insertInto('file')
    .values({
      storage_key: await files.put(bytes),
      name,
      media_type: overrides.mediaType ?? 'text/plain',
      size: bytes.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name };
}

/** A product of these items, with pictures (file ids) and documents. */
export async function aProduct(
  db: Db,
  overrides: {
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
    .values({
      name: overrides.name ?? `Product ${next()}`,
      brand: overrides.brand ?? '',
      description: overrides.description ?? '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const itemId of overrides.itemIds)
    await db.updateTable('item').set({ product_id: id }).where('id', '=', itemId).execute();
  const imageIds: number[] = [];
  for (const [position, image] of (overrides.images ?? []).entries()) {
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
  for (const document of overrides.documents ?? []) {
    documentIds.push((await aDocument(db, { ...document, productIds: [id] })).id);
  }
  return { id, imageIds, documentIds };
}

/** A document valid since 2020, linked to products and items. */
export async function aDocument(
  db: Db,
  overrides: {
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
    .where('name', '=', overrides.category ?? 'Brochure')
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('document')
    .values({ category_id, title: overrides.title ?? 'Brochure' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const revision = await db
    .insertInto('document_revision')
    .values({
      document_id: id,
      file_id: overrides.fileId,
      valid_from: overrides.validFrom ?? '2020-01-01',
      valid_to: overrides.validTo ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const product_id of overrides.productIds ?? [])
    await db.insertInto('document_link').values({ document_id: id, product_id }).execute();
  for (const item_id of overrides.itemIds ?? [])
    await db.insertInto('document_link').values({ document_id: id, item_id }).execute();
  return { id, revisionId: revision.id };
}

/** A promotion since 2020, 10% off unless the test says otherwise. */
export async function aPromotion(
  db: Db,
  overrides: {
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
      item_id: overrides.itemId,
      promotion_type: overrides.type ?? 'DiscountPct',
      amount: overrides.amount ?? (overrides.type === 'BuyXGetYFree' ? 0 : 10),
      buy_qty: overrides.buy ?? 0,
      get_qty: overrides.get ?? 0,
      min_qty: overrides.minQty ?? 0,
      max_qty: overrides.maxQty ?? 0,
      uom: overrides.uom ?? '',
      ...(overrides.currnIdx === undefined ? {} : { currn_idx: overrides.currnIdx }),
      valid_from: overrides.from ?? '2020-01-01',
      valid_to: overrides.to ?? null,
      active: overrides.active ?? true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A quote template with lines in the given order: items by id, or a heading. */
export async function aQuoteTemplate(
  db: Db,
  overrides: {
    name?: string;
    active?: boolean;
    lines?: ({ itemId: number; qty?: number; unit?: string } | { section: string })[];
  } = {},
): Promise<{ id: number; name: string }> {
  const name = overrides.name ?? `Template ${next()}`;
  const { id } = await db
    .insertInto('quote_template')
    .values({ name, active: overrides.active ?? true })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [position, line] of (overrides.lines ?? []).entries()) {
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
