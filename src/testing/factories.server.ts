// Records for tests: each call makes its own, with unique names, so that nothing needs cleaning up.
import type { Db } from '#db/database.server.ts';
import type { Role } from '#shared/roles.ts';

let last = 0;
const next = () => ++last;

export async function aUser(
  db: Db,
  given: { roles?: Role[]; fullName?: string; userName?: string; active?: boolean; regionIds?: number[]; supports?: number[] } = {},
): Promise<{ id: number; userName: string; fullName: string }> {
  const n = next();
  const fullName = given.fullName ?? `Person ${n}`;
  const userName = given.userName ?? `person${n}@example.com`;
  const { id } = await db
    .insertInto('app_user')
    .values({ user_name: userName, full_name: fullName, phone: `555-01${String(n).padStart(2, '0')}`, active: given.active ?? true })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const role of given.roles ?? ['salesrep']) await db.insertInto('user_role').values({ user_id: id, role }).execute();
  for (const region_id of given.regionIds ?? []) await db.insertInto('user_region').values({ user_id: id, region_id }).execute();
  for (const rep_id of given.supports ?? []) await db.insertInto('user_support').values({ support_id: id, rep_id }).execute();
  return { id, userName, fullName };
}

export async function aRegion(db: Db, given: { name?: string; active?: boolean } = {}): Promise<{ id: number; name: string }> {
  const name = given.name ?? `Region ${next()}`;
  const { id } = await db.insertInto('region').values({ name, active: given.active ?? true }).returning('id').executeTakeFirstOrThrow();
  return { id, name };
}

/** A territory with the reps and ZIPs given, all since 2020. */
export async function aTerritory(
  db: Db,
  given: { name?: string; regionId?: number; active?: boolean; zips?: string[]; sales?: number; cs?: number; is?: number; manager?: number } = {},
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
    if (user_id) await db.insertInto('territory_rep').values({ territory_id: id, role, user_id, valid_from: '2020-01-01' }).execute();
  }
  return { id, name, regionId };
}

export async function aFacility(
  db: Db,
  given: { name?: string; acctNo?: string; zip?: string; parentId?: number; currnIdx?: number; taxRate?: number; taxExempt?: boolean; active?: boolean } = {},
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
    .values({ facility_id: id, name: `Buyer ${n}`, title: 'Purchasing', email: `buyer${n}@example.org`, phone: '555-0100' })
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
  for (const [unit, factor] of Object.entries(units)) await db.insertInto('item_unit').values({ item_id: id, unit, factor }).execute();
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
