// People, their regions and territories, and the facilities there, for tests: each call makes its own, with unique names, so nothing needs cleaning up.
import type { Db } from '#platform/db/database.server.ts';
import type { Role } from '#platform/shared/roles.ts';

let last = 0;
const next = () => ++last;

export async function aUser(
  db: Db,
  overrides: {
    roles?: Role[];
    fullName?: string;
    userName?: string;
    active?: boolean;
    regionIds?: number[];
    supports?: number[];
  } = {},
): Promise<{ id: number; userName: string; fullName: string }> {
  const n = next();
  const fullName = overrides.fullName ?? `Person ${n}`;
  const userName = overrides.userName ?? `person${n}@example.com`;
  const { id } = await db
    .insertInto('app_user')
    .values({
      user_name: userName,
      full_name: fullName,
      phone: `555-01${String(n).padStart(2, '0')}`,
      active: overrides.active ?? true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const role of overrides.roles ?? ['salesrep'])
    await db.insertInto('user_role').values({ user_id: id, role }).execute();
  for (const region_id of overrides.regionIds ?? [])
    await db.insertInto('user_region').values({ user_id: id, region_id }).execute();
  for (const rep_id of overrides.supports ?? [])
    await db.insertInto('user_support').values({ support_id: id, rep_id }).execute();
  return { id, userName, fullName };
}

export async function aRegion(
  db: Db,
  overrides: { name?: string; active?: boolean } = {},
): Promise<{ id: number; name: string }> {
  const name = overrides.name ?? `Region ${next()}`;
  const { id } = await db
    .insertInto('region')
    .values({ name, active: overrides.active ?? true })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name };
}

/** A territory with the given reps and ZIPs, all since 2020. */
export async function aTerritory(
  db: Db,
  overrides: {
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
  const name = overrides.name ?? `Territory ${next()}`;
  const regionId = overrides.regionId ?? (await aRegion(db)).id;
  const { id } = await db
    .insertInto('territory')
    .values({ name, region_id: regionId, active: overrides.active ?? true })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const zip5 of overrides.zips ?? []) {
    await db.insertInto('zip_assignment').values({ zip5, territory_id: id, valid_from: '2020-01-01' }).execute();
  }
  for (const role of ['sales', 'cs', 'is', 'manager'] as const) {
    const user_id = overrides[role];
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
  overrides: {
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
  const name = overrides.name ?? `Facility ${n}`;
  const acctNo = overrides.acctNo ?? String(10_000 + n).padStart(6, '0');
  const zip = overrides.zip ?? '60601';
  const { id } = await db
    .insertInto('facility')
    .values({
      name,
      acct_no: acctNo,
      parent_id: overrides.parentId ?? null,
      bill_to_line1: `${n} Billing Street`,
      bill_to_city: 'Chicago',
      bill_to_state: 'IL',
      bill_to_zip: zip,
      ship_to_line1: `${n} Receiving Road`,
      ship_to_city: 'Chicago',
      ship_to_state: 'IL',
      ship_to_zip: zip,
      ...(overrides.currnIdx === undefined ? {} : { currn_idx: overrides.currnIdx }),
      tax_rate: overrides.taxRate ?? 0,
      tax_exempt: overrides.taxExempt ?? false,
      active: overrides.active ?? true,
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

/** A region with one territory on its own ZIP, everybody who serves it, and a facility there. */
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
