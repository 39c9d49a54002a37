// Tests rosters over HTTP: dated rows, changes from a day, overlaps, letters, and who sees which rows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aContract, aLetter, aRosterRow, aTier } from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Roster } from './rosters.contract.ts';

type Office = Awaited<ReturnType<typeof aSalesOffice>>;
let server: TestServer;
let office: Office;
let keeper: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-06-15T15:00:00Z');
  office = await aSalesOffice(server.db);
  keeper = office.contracts;
});
afterAll(() => server.close());

async function ours() {
  const contract = await aContract(server.db);
  const second = await aTier(server.db, {
    contractId: contract.id,
    no: 2,
    needsLoc: true,
    fallbackId: contract.tierId,
  });
  return { id: contract.id, firstTierId: contract.tierId, secondTierId: second.id };
}
const get = (contractId: number, overrides: Record<string, unknown> = {}, as: { id: number } = keeper) =>
  server.ok(Roster.GetRoster, { contractId, ...overrides }, { as });
const save = (overrides: Record<string, unknown>, as: { id: number } = keeper) =>
  server.call(Roster.SaveRosterRow, { id: 0, from: '2026-01-01', to: null, ...overrides }, { as });

describe('a row', () => {
  it('is added, corrected and ended with a version check', async () => {
    const { id: contractId, firstTierId } = await ours();
    const facilityId = office.facility.id;
    const input = { contractId, facilityId, tierId: firstTierId };
    const created = await save({ ...input, memberId: 'M-1' });
    expect(created.body).toMatchObject({
      tierNo: 1,
      from: '2026-01-01',
      to: null,
      state: 'Current',
      version: 1,
      memberId: 'M-1',
    });
    const edit = { ...input, id: created.body.id, version: 1 };
    expect((await save({ ...edit, to: '12/31/2026', memberId: 'M-2' })).body).toMatchObject({
      to: '2026-12-31',
      version: 2,
    });
    const late = await save({ ...edit, memberId: 'M-3' });
    expect(late.status).toBe(409);
    expect(JSON.stringify(late.body)).toContain("Member id from 'M-1' to 'M-2'");
    expect((await save({ ...input, id: created.body.id })).status).toBe(422);
    expect((await save({ ...edit, version: 2, to: '2025-12-31' })).body).toMatchObject({ errors: [{ path: 'to' }] });
    expect((await save({ ...edit, version: 2, from: '2026-02-01' })).body).toMatchObject({
      errors: [{ path: 'from' }],
    });
  });

  it('changes its tier from a day: the old row ends the day before, and a new one begins', async () => {
    const { id: contractId, firstTierId, secondTierId } = await ours();
    const input = { contractId, facilityId: office.facility.id, tierId: firstTierId };
    const { body: first } = await save({ ...input, memberId: 'M-1' });
    const change = { ...input, id: first.id, version: 1, tierId: secondTierId, memberId: 'M-1' };
    expect((await save(change)).body).toMatchObject({ errors: [{ path: 'changeFrom' }] });
    expect((await save({ ...change, changeFrom: '2026-01-01' })).body).toMatchObject({
      errors: [{ path: 'changeFrom' }],
    });
    expect((await save({ ...change, changeFrom: '2026-08-01' })).body).toMatchObject({
      tierNo: 2,
      from: '2026-08-01',
      state: 'Coming',
    });
    const rows = (await get(contractId, { state: 'All', sort: { field: 'from', dir: 'asc' } })).records;
    expect(rows.map(({ tierNo, from, to, version }) => [tierNo, from, to, version])).toEqual([
      [1, '2026-01-01', '2026-07-31', 2],
      [2, '2026-08-01', null, 1],
    ]);
    expect((await get(contractId)).records).toMatchObject([{ tierNo: 1 }]);
    expect((await get(contractId, { day: '08/01/2026' })).records).toMatchObject([
      { tierNo: 2, needsLoc: true, letter: null },
    ]);
    // The first row cannot be reopened over the second, and the error names the second.
    const again = await save({ ...input, id: first.id, version: 2, memberId: 'M-1' });
    expect(again.body).toMatchObject({ errors: [{ path: 'to' }] });
    expect(JSON.stringify(again.body)).toContain('already in Tier 2 from 08/01/2026 on');
  });

  it('changes only once when two people save it at the same time', async () => {
    const { id: contractId, firstTierId, secondTierId } = await ours();
    const input = { contractId, facilityId: office.facility.id, tierId: firstTierId };
    const both = await Promise.all([save(input), save({ ...input, tierId: secondTierId })]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    const row = both.find(({ status }) => status === 200)?.body;
    const change = {
      ...input,
      id: row?.id,
      version: 1,
      tierId: row?.tierId === firstTierId ? secondTierId : firstTierId,
    };
    const changes = await Promise.all(
      ['2026-07-01', '2026-08-01'].map((changeFrom) => save({ ...change, changeFrom })),
    );
    expect(changes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('is removed only before it begins, and keeps its facility and contract', async () => {
    const { id: contractId, firstTierId } = await ours();
    const other = await ours();
    const { body: begun } = await save({ contractId, facilityId: office.facility.id, tierId: firstTierId });
    const facility = await aFacility(server.db);
    const { body: coming } = await save({
      contractId,
      facilityId: facility.id,
      tierId: firstTierId,
      from: '2026-07-01',
    });
    const remove = (id: number, version = 1) => server.call(Roster.RemoveRosterRow, { id, version }, { as: keeper });
    expect((await remove(begun.id)).status).toBe(409);
    expect((await remove(coming.id, 9)).status).toBe(409);
    expect((await remove(coming.id)).status).toBe(200);
    expect((await remove(coming.id)).status).toBe(404);
    const moved = { id: begun.id, version: 1, tierId: firstTierId };
    expect((await save({ ...moved, contractId, facilityId: facility.id })).status).toBe(422);
    expect((await save({ ...moved, contractId: other.id, facilityId: office.facility.id })).status).toBe(422);
  });

  it.each([
    ['a tier of another contract', async () => ({ tierId: (await ours()).firstTierId })],
    ['no tier', () => ({ tierId: null })],
    ['a tier although excluded', () => ({ excluded: true })],
    ['a facility that does not exist', () => ({ facilityId: 2_147_483_000 })],
  ])('with %s is refused', async (_what, wrong) => {
    const { id: contractId, firstTierId } = await ours();
    const input = { contractId, facilityId: office.facility.id, tierId: firstTierId, ...(await wrong()) };
    expect((await save(input)).status).toBe(422);
  });
});

describe('the list', () => {
  it('counts children, and shows exclusions and the letter that applies, its own or a parent’s', async () => {
    const { db } = server;
    const { id: contractId, secondTierId } = await ours();
    const system = await aFacility(db, { name: 'Ávila Health' });
    const [child, out] = [await aFacility(db, { parentId: system.id }), await aFacility(db, { parentId: system.id })];
    await aFacility(db, { parentId: child.id });
    await save({ contractId, facilityId: system.id, tierId: secondTierId, coversChildren: true });
    await save({ contractId, facilityId: child.id, tierId: secondTierId });
    await save({ contractId, facilityId: out.id, tierId: null, excluded: true });
    const rowOf = async (facilityId: number) =>
      (await get(contractId)).records.find(({ facility }) => facility.id === facilityId);
    expect(await rowOf(system.id)).toMatchObject({ children: 3, coversChildren: true, letter: null });
    expect((await get(contractId, { state: 'LetterMissing' })).total).toBe(2);
    await aLetter(db, {
      contractId,
      tierId: secondTierId,
      facilityId: system.id,
      state: 'Signed',
      coversChildren: true,
    });
    expect(await rowOf(child.id)).toMatchObject({ letter: { state: 'Signed' } });
    await aLetter(db, { contractId, tierId: secondTierId, facilityId: child.id, to: '2026-06-15' });
    expect(await rowOf(child.id)).toMatchObject({ letter: { state: 'Approved' } });
    expect((await get(contractId, { state: 'LetterMissing' })).records.map(({ facility }) => facility.id)).toEqual([
      system.id,
    ]);
    expect((await get(contractId, { state: 'LetterMissing', day: '2026-06-16' })).total).toBe(2);
    expect((await get(contractId, { state: 'Excluded' })).records).toMatchObject([
      { facility: { id: out.id }, tierId: null },
    ]);
    expect((await get(contractId, { keyword: 'avila' })).total).toBe(1);
    expect((await get(contractId, { tierId: secondTierId })).total).toBe(2);
  });

  it('gives representatives only the rows of facilities they serve', async () => {
    const { db } = server;
    const { id: contractId, firstTierId } = await ours();
    const stranger = await aSalesOffice(db);
    for (const facilityId of [office.facility.id, stranger.facility.id])
      await aRosterRow(db, { contractId, facilityId, tierId: firstTierId });
    for (const as of [office.rep, office.support, office.manager]) {
      const { records, total } = await get(contractId, { state: 'All' }, as);
      expect([records.map(({ facility }) => facility.id), total]).toEqual([[office.facility.id], 1]);
      expect(
        (await get(contractId, { keyword: stranger.facility.name }, as)).records.every(
          ({ facility }) => facility.id === office.facility.id,
        ),
      ).toBe(true);
      expect((await save({ contractId, facilityId: office.facility.id, tierId: firstTierId }, as)).status).toBe(403);
    }
    expect((await get(contractId, {}, office.cs)).total).toBe(2);
    const outsider = await aSalesOffice(db);
    expect((await server.call(Roster.GetRoster, { contractId }, { as: outsider.rep })).status).toBe(404);
    await db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', outsider.cs.id).execute();
    expect((await server.call(Roster.GetRoster, { contractId }, { as: outsider.cs })).status).toBe(403);
  });
});
