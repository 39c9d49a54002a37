// Tests who sees which contract by role, roster, parents, memberships and days.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '#platform/api/services.server.ts';
import type { Role } from '#platform/shared/roles.ts';
import { aContract, aGpo, aMembership } from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { contractInSight, requireContracts } from './contract-sight.server.ts';

const DAY = '2026-06-15';
type Office = Awaited<ReturnType<typeof aSalesOffice>>;
let server: TestServer;
let office: Office;
let other: Office;
beforeAll(async () => {
  server = await startTestServer();
  office = await aSalesOffice(server.db);
  other = await aSalesOffice(server.db);
});
afterAll(() => server.close());

async function callerOf(user: { id: number; fullName?: string }): Promise<Caller> {
  const { db } = server;
  const row = await db.selectFrom('app_user').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow();
  const roles = await db.selectFrom('user_role').select('role').where('user_id', '=', user.id).execute();
  const regions = await db.selectFrom('user_region').select('region_id').where('user_id', '=', user.id).execute();
  const reps = await db.selectFrom('user_support').select('rep_id').where('support_id', '=', user.id).execute();
  return {
    id: row.id,
    userName: row.user_name,
    fullName: row.full_name,
    roles: roles.map(({ role }) => role as Role),
    sessionId: '',
    regionIds: regions.map(({ region_id }) => region_id),
    supportedRepIds: reps.map(({ rep_id }) => rep_id),
    deputyFor: [],
    mustChangePassword: false,
  };
}

/** Checks the contract among all contracts, and alone. Both must return the same. */
async function sees(user: { id: number }, contractId: number): Promise<boolean> {
  const caller = await callerOf(user);
  const request = (among?: number[]) =>
    server.db
      .selectFrom('gpo_contract')
      .select('id')
      .where('id', '=', contractId)
      .where(contractInSight(caller, DAY, among))
      .execute();
  const [ofAll, ofOne] = await Promise.all([request(), request([contractId])]);
  expect(ofOne).toEqual(ofAll);
  return ofAll.length === 1;
}
const setRow = (contractId: number, facilityId: number, row: Record<string, unknown>) =>
  server.db
    .updateTable('contract_roster')
    .set(row)
    .where('contract_id', '=', contractId)
    .where('facility_id', '=', facilityId)
    .execute();

describe('a contract', () => {
  it('is seen by its facility’s rep, their support, the manager of the region, and people who see all', async () => {
    const { id } = await aContract(server.db, { facilityIds: [office.facility.id] });
    for (const user of [office.rep, office.support, office.manager, office.cs, office.salesAdmin, office.contracts])
      expect(await sees(user, id)).toBe(true);
    for (const user of [other.rep, other.support, other.manager]) expect(await sees(user, id)).toBe(false);
  });

  it('is hidden as a draft, after the row has ended, and from an excluded facility', async () => {
    const { id } = await aContract(server.db, { facilityIds: [office.facility.id] });
    await setRow(id, office.facility.id, { valid_to: '2026-06-14' });
    expect(await sees(office.rep, id)).toBe(false);
    await setRow(id, office.facility.id, { valid_to: DAY });
    expect(await sees(office.rep, id)).toBe(true);
    await setRow(id, office.facility.id, { excluded: true });
    expect(await sees(office.rep, id)).toBe(false);
    await setRow(id, office.facility.id, { excluded: false });
    await server.db.updateTable('gpo_contract').set({ state: 'Draft' }).where('id', '=', id).execute();
    expect(await sees(office.rep, id)).toBe(false);
    expect(await sees(office.cs, id)).toBe(true);
  });

  it('is seen through the nearest parent that covers its children, unless the facility itself is excluded', async () => {
    const system = await aFacility(server.db, { zip: other.zip });
    const group = await aFacility(server.db, { zip: other.zip, parentId: system.id });
    await aFacility(server.db, { zip: office.zip, parentId: group.id });
    const child = await aFacility(server.db, { zip: office.zip, parentId: group.id });
    await server.db
      .updateTable('facility')
      .set({ ship_to_zip: '00001' })
      .where('parent_id', '=', group.id)
      .where('id', '<>', child.id)
      .execute();
    const { id } = await aContract(server.db, { facilityIds: [system.id] });
    expect(await sees(office.rep, id)).toBe(false);
    await setRow(id, system.id, { covers_children: true });
    expect(await sees(office.rep, id)).toBe(true);
    await server.db
      .insertInto('contract_roster')
      .values({ contract_id: id, facility_id: child.id, excluded: true, valid_from: '2026-01-01' })
      .execute();
    expect(await sees(office.rep, id)).toBe(false);
  });

  it('that is open to members is seen through the membership', async () => {
    const gpo = await aGpo(server.db);
    const { id } = await aContract(server.db, { gpoId: gpo.id });
    await aMembership(server.db, { facilityId: office.facility.id, gpoId: gpo.id });
    expect(await sees(office.rep, id)).toBe(false);
    await server.db.updateTable('gpo_contract').set({ open_to: 'members' }).where('id', '=', id).execute();
    expect(await sees(office.rep, id)).toBe(true);
    expect(await sees(other.rep, id)).toBe(false);
  });
});

it('is refused to accounts without the GPO Contracts tab', async () => {
  const { db, services } = server;
  const user = await aUser(db, { roles: ['csrep'] });
  await expect(requireContracts({ db, services, user: await callerOf(user) })).resolves.toMatch(/^\d{4}-/);
  await db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', user.id).execute();
  await expect(requireContracts({ db, services, user: await callerOf(user) })).rejects.toMatchObject({ status: 403 });
});
