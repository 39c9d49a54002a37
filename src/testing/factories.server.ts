// Records for tests: each call makes its own, with unique names, so that nothing needs cleaning up.
import type { Db } from '#db/database.server.ts';
import type { StatusId } from '#features/quotes/status.ts';
import { add, extend, percentBelow, subtract } from '#shared/money.ts';
import type { Role } from '#shared/roles.ts';

let last = 0;
const next = () => ++last;

export async function aUser(
  db: Db,
  given: {
    roles?: Role[];
    fullName?: string;
    userName?: string;
    active?: boolean;
    regionIds?: number[];
    supports?: number[];
  } = {},
): Promise<{ id: number; userName: string; fullName: string }> {
  const n = next();
  const fullName = given.fullName ?? `Person ${n}`;
  const userName = given.userName ?? `person${n}@example.com`;
  const { id } = await db
    .insertInto('app_user')
    .values({
      user_name: userName,
      full_name: fullName,
      phone: `555-01${String(n).padStart(2, '0')}`,
      active: given.active ?? true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const role of given.roles ?? ['salesrep'])
    await db.insertInto('user_role').values({ user_id: id, role }).execute();
  for (const region_id of given.regionIds ?? [])
    await db.insertInto('user_region').values({ user_id: id, region_id }).execute();
  for (const rep_id of given.supports ?? [])
    await db.insertInto('user_support').values({ support_id: id, rep_id }).execute();
  return { id, userName, fullName };
}

export async function aRegion(
  db: Db,
  given: { name?: string; active?: boolean } = {},
): Promise<{ id: number; name: string }> {
  const name = given.name ?? `Region ${next()}`;
  const { id } = await db
    .insertInto('region')
    .values({ name, active: given.active ?? true })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name };
}

/** A territory with the reps and ZIPs given, all since 2020. */
export async function aTerritory(
  db: Db,
  given: {
    name?: string;
    regionId?: number;
    active?: boolean;
    zips?: string[];
    sales?: number;
    cs?: number;
    is?: number;
    manager?: number;
  } = {},
): Promise<{ id: number; name: string; regionId: number }> {
  const name = given.name ?? `Territory ${next()}`;
  const regionId = given.regionId ?? (await aRegion(db)).id;
  const { id } = await db
    .insertInto('territory')
    .values({ name, region_id: regionId, active: given.active ?? true })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const zip5 of given.zips ?? []) {
    await db.insertInto('zip_assignment').values({ zip5, territory_id: id, valid_from: '2020-01-01' }).execute();
  }
  for (const role of ['sales', 'cs', 'is', 'manager'] as const) {
    const user_id = given[role];
    if (user_id)
      await db
        .insertInto('territory_rep')
        .values({ territory_id: id, role, user_id, valid_from: '2020-01-01' })
        .execute();
  }
  return { id, name, regionId };
}

export async function aFacility(
  db: Db,
  given: {
    name?: string;
    acctNo?: string;
    zip?: string;
    parentId?: number;
    currnIdx?: number;
    taxRate?: number;
    taxExempt?: boolean;
    active?: boolean;
  } = {},
): Promise<{ id: number; name: string; acctNo: string }> {
  const n = next();
  const name = given.name ?? `Facility ${n}`;
  const acctNo = given.acctNo ?? String(10_000 + n).padStart(6, '0');
  const zip = given.zip ?? '60601';
  const { id } = await db
    .insertInto('facility')
    .values({
      name,
      acct_no: acctNo,
      parent_id: given.parentId ?? null,
      bill_to_line1: `${n} Billing Street`,
      bill_to_city: 'Chicago',
      bill_to_state: 'IL',
      bill_to_zip: zip,
      ship_to_line1: `${n} Receiving Road`,
      ship_to_city: 'Chicago',
      ship_to_state: 'IL',
      ship_to_zip: zip,
      ...(given.currnIdx === undefined ? {} : { currn_idx: given.currnIdx }),
      tax_rate: given.taxRate ?? 0,
      tax_exempt: given.taxExempt ?? false,
      active: given.active ?? true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('contact')
    .values({
      facility_id: id,
      name: `Buyer ${n}`,
      title: 'Purchasing',
      email: `buyer${n}@example.org`,
      phone: '555-0100',
    })
    .execute();
  return { id, name, acctNo };
}

/** An item sold recently, by the piece at 10.00 unless told otherwise; `units`: how many base units each holds. */
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

export async function anAccountPrice(
  db: Db,
  given: {
    facilityId: number;
    itemId: number;
    price: number;
    unit?: string;
    minQty?: number;
    from?: string;
    to?: string | null;
    reference?: string;
  },
): Promise<{ id: number }> {
  return db
    .insertInto('account_price')
    .values({
      facility_id: given.facilityId,
      item_id: given.itemId,
      unit: given.unit ?? 'EA',
      price: given.price,
      min_qty: given.minQty ?? 1,
      reference: given.reference ?? '',
      ...(given.from === undefined ? {} : { valid_from: given.from }),
      valid_to: given.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

export async function aGpo(db: Db, given: { name?: string } = {}): Promise<{ id: number; name: string }> {
  const name = given.name ?? `GPO ${next()}`;
  const { id } = await db.insertInto('gpo').values({ name }).returning('id').executeTakeFirstOrThrow();
  return { id, name };
}

/** A membership since 2020, the primary one unless told otherwise. */
export async function aMembership(
  db: Db,
  given: { facilityId: number; gpoId: number; primary?: boolean; to?: string | null },
): Promise<{ id: number }> {
  return db
    .insertInto('gpo_membership')
    .values({
      facility_id: given.facilityId,
      gpo_id: given.gpoId,
      is_primary: given.primary ?? true,
      valid_from: '2020-01-01',
      valid_to: given.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A contract of one tier, since 2020 until the end of 2099 unless told otherwise, with these facilities on its roster. No GPO: a local agreement. */
export async function aContract(
  db: Db,
  given: {
    gpoId?: number | null;
    number?: string;
    to?: string;
    extendedTo?: string;
    needsLoc?: boolean;
    locState?: string;
    facilityIds?: number[];
    lines?: { itemId: number; price: number; unit?: string; to?: string }[];
  } = {},
): Promise<{ id: number; number: string; tierId: number; lineIds: number[] }> {
  const number = given.number ?? `C-${1000 + next()}`;
  const { id } = await db
    .insertInto('gpo_contract')
    .values({
      number,
      gpo_id: given.gpoId ?? null,
      title: `Contract ${number}`,
      effective_from: '2020-01-01',
      effective_to: given.to ?? '2099-12-31',
      extended_to: given.extendedTo ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: tierId } = await db
    .insertInto('contract_tier')
    .values({ contract_id: id, tier_no: 1, name: 'Tier 1', needs_loc: given.needsLoc ?? false })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lineIds: number[] = [];
  for (const line of given.lines ?? []) {
    const { id: lineId } = await db
      .insertInto('contract_line')
      .values({ contract_id: id, item_id: line.itemId, unit: line.unit ?? 'EA', valid_to: line.to ?? null })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('contract_line_price')
      .values({ contract_line_id: lineId, tier_id: tierId, price: line.price })
      .execute();
    lineIds.push(lineId);
  }
  for (const facility_id of given.facilityIds ?? []) {
    await db
      .insertInto('contract_roster')
      .values({
        contract_id: id,
        facility_id,
        tier_id: tierId,
        loc_state: given.locState ?? 'none',
        valid_from: '2020-01-01',
      })
      .execute();
  }
  return { id, number, tierId, lineIds };
}

/** A promotion since 2020: 10 % off unless told otherwise. */
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
    brand?: string;
    description?: string;
    images?: { fileId: number; thumbFileId?: number; hiddenRoles?: Role[] }[];
    documents?: { fileId: number; category?: string; title?: string }[];
  },
): Promise<{ id: number; imageIds: number[]; documentIds: number[] }> {
  const { id } = await db
    .insertInto('product')
    .values({ name: `Product ${next()}`, brand: given.brand ?? '', description: given.description ?? '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const itemId of given.itemIds)
    await db.updateTable('item').set({ product_id: id }).where('id', '=', itemId).execute();
  const imageIds: number[] = [];
  for (const [position, image] of (given.images ?? []).entries()) {
    const row = await db
      .insertInto('product_image')
      .values({
        product_id: id,
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
    const row = await db
      .insertInto('product_document')
      .values({
        product_id: id,
        file_id: document.fileId,
        category: document.category ?? 'Brochure',
        title: document.title ?? 'Brochure',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    documentIds.push(row.id);
  }
  return { id, imageIds, documentIds };
}

/** A quote in Editing of a facility of its own, with one line an item number given; its rep owns it unless told otherwise. */
export async function aQuote(
  db: Db,
  given: {
    num?: number;
    revision?: number;
    statusId?: StatusId;
    facility?: { id: number; name: string; acctNo: string };
    facilityName?: string;
    facilityAcctNo?: string;
    ownerId?: number;
    salesRepId?: number | null;
    csRepId?: number;
    isRepId?: number;
    regionId?: number;
    territoryId?: number;
    quoteDate?: string;
    validUntil?: string;
    totalAmount?: number;
    currnIdx?: number;
    contactName?: string;
    phone?: string;
    itemNumbers?: string[];
  } = {},
): Promise<{ id: number; num: number; salesRepId: number | null }> {
  const salesRepId = given.salesRepId === undefined ? (given.ownerId ?? (await aUser(db)).id) : given.salesRepId;
  const facility = given.facility ?? (await aFacility(db));
  const quote = await db
    .insertInto('quote')
    .values({
      ...(given.num === undefined ? {} : { num: given.num }),
      revision: given.revision ?? 1,
      status_id: given.statusId ?? 'Editing',
      facility_id: facility.id,
      facility_name: given.facilityName ?? facility.name,
      facility_acct_no: given.facilityAcctNo ?? facility.acctNo,
      contact_name: given.contactName ?? 'Pat Buyer',
      contact_email: 'buyer@example.org',
      phone: given.phone ?? '312-555-0100',
      owner_id: given.ownerId ?? salesRepId ?? (await aUser(db)).id,
      sales_rep_id: salesRepId,
      cs_rep_id: given.csRepId ?? null,
      is_rep_id: given.isRepId ?? null,
      region_id: given.regionId ?? null,
      territory_id: given.territoryId ?? null,
      quote_date: given.quoteDate ?? '2026-11-02',
      valid_until: given.validUntil ?? '2027-01-01',
      total_amount: given.totalAmount ?? 100,
      ...(given.currnIdx === undefined ? {} : { currn_idx: given.currnIdx }),
    })
    .returning(['id', 'num'])
    .executeTakeFirstOrThrow();
  for (const [index, itemNumber] of (given.itemNumbers ?? []).entries()) {
    await db
      .insertInto('quote_item')
      .values({
        quote_id: quote.id,
        line_no: index + 1,
        item_number: itemNumber,
        description: itemNumber,
        qty: 1,
        unit: 'EA',
      })
      .execute();
  }
  return { ...quote, salesRepId };
}

/** A pending approval request; `roles`: which role each rule that fired asks for. */
export async function anApprovalRequest(
  db: Db,
  given: { quoteId: number; requestedBy: number; roles: Role[]; state?: 'Pending' | 'Approved'; requestedAt?: string },
): Promise<{ id: number }> {
  return db
    .insertInto('approval_request')
    .values({
      quote_id: given.quoteId,
      revision: 1,
      state: given.state ?? 'Pending',
      requested_by: given.requestedBy,
      ...(given.requestedAt ? { requested_at: given.requestedAt } : {}),
      content_hash: 'x',
      rules: JSON.stringify(
        given.roles.map((role, index) => ({
          ruleId: index + 1,
          name: 'Discount above the limit',
          metric: 'discountPct',
          figure: 18,
          limit: 15,
          role,
          lines: [],
          text: 'Discount 18 % > 15 %',
        })),
      ),
      figures: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A quote with priced lines and the totals they give: by default one line, 2 × $10.00, that needs no approval. */
export async function aPricedQuote(
  db: Db,
  given: Parameters<typeof aQuote>[1] & {
    assigneeId?: number;
    lines?: { itemNumber?: string; qty?: number; systemPrice?: number; unitPrice?: number; optional?: boolean }[];
  } = {},
): Promise<{ id: number; num: number; salesRepId: number | null }> {
  const quote = await aQuote(db, given);
  let [list, total] = [0, 0];
  for (const [index, line] of (given.lines ?? [{}]).entries()) {
    const { qty = 2, systemPrice = 10, optional = false } = line;
    const unitPrice = line.unitPrice ?? systemPrice;
    const number = line.itemNumber ?? `LN-${quote.id}-${index + 1}`;
    await db
      .insertInto('quote_item')
      .values({
        quote_id: quote.id,
        line_no: index + 1,
        type: 'custom',
        item_number: number,
        description: `Line ${number}`,
        qty,
        unit: 'EA',
        optional,
        list_price: systemPrice,
        system_price: systemPrice,
        unit_price: unitPrice,
        discount_pct: percentBelow(unitPrice, systemPrice),
        line_total: extend(unitPrice, qty),
        price_source: unitPrice === systemPrice ? 'List' : 'Manual',
      })
      .execute();
    if (optional) continue;
    list = add(list, extend(systemPrice, qty));
    total = add(total, extend(unitPrice, qty));
  }
  await db
    .updateTable('quote')
    .set({
      list_total: list,
      subtotal: total,
      total_amount: total,
      savings: subtract(list, total),
      assignee_id: given.assigneeId ?? null,
    })
    .where('id', '=', quote.id)
    .execute();
  return quote;
}

/** A region with one territory on a ZIP of its own, everybody who serves it, and a facility there. */
export async function aSalesOffice(db: Db) {
  const region = await aRegion(db);
  const rep = await aUser(db, { roles: ['salesrep'] });
  const cs = await aUser(db, { roles: ['csrep'] });
  const inside = await aUser(db, { roles: ['insiderep'] });
  const zip = String(90_000 + next());
  const territory = await aTerritory(db, { regionId: region.id, zips: [zip], sales: rep.id, cs: cs.id, is: inside.id });
  return {
    region,
    territory,
    zip,
    rep,
    cs,
    inside,
    support: await aUser(db, { roles: ['salessupport'], supports: [rep.id] }),
    manager: await aUser(db, { roles: ['salesQuoteManager'], regionIds: [region.id] }),
    salesAdmin: await aUser(db, { roles: ['salesadmin'] }),
    contracts: await aUser(db, { roles: ['contractdept'] }),
    admin: await aUser(db, { roles: ['systemadmin'] }),
    facility: await aFacility(db, { zip }),
  };
}

/** A quote template with lines in the order given: items by id, or a heading. */
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
