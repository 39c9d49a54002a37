// Tests contracts over HTTP: who finds which contract by what, and which prices of their lines they can read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GpoApi } from '#core/prices/contract-page/contract-page.contract.ts';
import { addDays } from '#platform/shared/dates.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import {
  aContract,
  aContractPrice,
  aGpo,
  aMembership,
  aRosterRow,
  aTier,
} from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { CONTRACT_STATUSES, type ContractDays, contractStatus } from './contract-status.ts';
import { Contract } from './contracts.contract.ts';

type Office = Awaited<ReturnType<typeof aSalesOffice>>;
let server: TestServer;
let keeper: { id: number };
let office: Office;
let other: Office;
let today: string;
beforeAll(async () => {
  server = await startTestServer();
  keeper = await aUser(server.db, { roles: ['contractdept'] });
  office = await aSalesOffice(server.db);
  other = await aSalesOffice(server.db);
  const any = await aContract(server.db);
  today = (await detail(any.id)).today;
});
afterAll(() => server.close());

const detail = (id: number, as = keeper) => server.ok(GpoApi.getGpoContractDetailDataForApiCall, { id }, { as });
const search = async (criteria: object, as = keeper) =>
  (await server.ok(Contract.Search, { pageSize: 200, ...criteria }, { as })).records;
const sentenceOf = (body: unknown) => (body as { detail: string }).detail;
const numbers = async (criteria: object, as = keeper) => (await search(criteria, as)).map(({ number }) => number);
const change = (id: number, values: object) =>
  server.db.updateTable('gpo_contract').set(values).where('id', '=', id).execute();

describe('the list', () => {
  it('shows the figures of each contract, and finds it by its text and what it covers', async () => {
    const { db } = server;
    const gpo = await aGpo(db, { name: 'Northern Buyers' });
    const item = await anItem(db, { number: 'CON-1' });
    const hospital = await aFacility(db);
    const clinic = await aFacility(db, { parentId: hospital.id });
    const contract = await aContract(db, {
      gpoId: gpo.id,
      number: 'V-2231',
      to: addDays(today, 40),
      lines: [{ itemId: item.id, price: 10 }],
      facilityIds: [office.facility.id],
    });
    await aTier(db, { contractId: contract.id, no: 2 });
    await aRosterRow(db, {
      contractId: contract.id,
      facilityId: hospital.id,
      tierId: contract.tierId,
      coversChildren: true,
    });
    await change(contract.id, { title: 'Wound care', category: 'Dressings' });
    const [row] = await search({ keyword: 'v-2231' });
    expect(row).toEqual({
      id: contract.id,
      number: 'V-2231',
      gpoName: 'Northern Buyers',
      title: 'Wound care',
      category: 'Dressings',
      tiers: 2,
      lines: 1,
      roster: 2,
      from: '2020-01-01',
      to: addDays(today, 40),
      daysLeft: 40,
      status: 'Expiring',
    });
    for (const criteria of [
      { keyword: 'WOUND' },
      { keyword: 'northern' },
      { keyword: 'dressing' },
      { gpoId: gpo.id },
      { category: 'Dressings' },
      { itemId: item.id },
      { facilityId: office.facility.id, keyword: 'V-' },
      { facilityId: clinic.id },
      { status: 'Expiring', keyword: 'V-2231' },
      { endsWithinDays: 60, keyword: 'V-2231' },
    ])
      expect([criteria, await numbers(criteria)]).toEqual([criteria, ['V-2231']]);
    for (const criteria of [
      { gpoId: 0 },
      { category: 'Gloves' },
      { itemId: (await anItem(db)).id },
      { facilityId: other.facility.id },
      { status: 'Active' },
      { endsWithinDays: 30 },
    ])
      expect([criteria, await numbers({ keyword: 'V-2231', ...criteria })]).toEqual([criteria, []]);
    const choices = await server.ok(Contract.GetContractChoices, {}, { as: keeper });
    expect(choices).toMatchObject({ gpos: [gpo], categories: ['Dressings'] });
    const csv = await server.call(Contract.ExportContracts, { keyword: 'V-2231' }, { as: keeper });
    expect(csv.bytes.toString('utf8')).toContain('V-2231,Northern Buyers,Wound care,Dressings,2,1,2,');
  });

  it('finds a contract open to members by a member facility, unless a row excludes it', async () => {
    const { db } = server;
    const gpo = await aGpo(db);
    const { id } = await aContract(db, { gpoId: gpo.id, number: 'MEM-1' });
    const [inside, excluded] = [await aFacility(db), await aFacility(db)];
    for (const facility of [inside, excluded]) await aMembership(db, { facilityId: facility.id, gpoId: gpo.id });
    await aRosterRow(db, { contractId: id, facilityId: excluded.id, tierId: null });
    expect(await numbers({ facilityId: inside.id })).toEqual([]);
    await change(id, { open_to: 'members' });
    expect(await numbers({ facilityId: inside.id })).toEqual(['MEM-1']);
    expect(await numbers({ facilityId: excluded.id })).toEqual([]);
  });

  it('finds a contract open to members by a facility below the member, unless it has a membership of its own', async () => {
    const { db } = server;
    const [gpo, otherGpo] = [await aGpo(db), await aGpo(db)];
    await aContract(db, { gpoId: gpo.id, number: 'UP-1', openTo: 'members' });
    await aContract(db, { gpoId: otherGpo.id, number: 'UP-2', openTo: 'members' });
    const system = await aFacility(db);
    const group = await aFacility(db, { parentId: system.id });
    const facility = await aFacility(db, { parentId: group.id });
    await aMembership(db, { facilityId: system.id, gpoId: gpo.id });
    expect(await numbers({ facilityId: facility.id })).toEqual(['UP-1']);
    const own = await aMembership(db, { facilityId: facility.id, gpoId: otherGpo.id });
    expect(await numbers({ facilityId: facility.id })).toEqual(['UP-2']);
    expect(await numbers({ facilityId: group.id })).toEqual(['UP-1']);
    // An ended membership has no effect. One that begins later leaves the parent's in effect until then.
    const dates = (values: { valid_from: string; valid_to: string | null }) =>
      db.updateTable('gpo_membership').set(values).where('id', '=', own.id).execute();
    await dates({ valid_from: '2020-01-01', valid_to: addDays(today, -1) });
    expect(await numbers({ facilityId: facility.id })).toEqual(['UP-1']);
    await dates({ valid_from: addDays(today, 30), valid_to: null });
    expect((await numbers({ facilityId: facility.id })).toSorted()).toEqual(['UP-1', 'UP-2']);
  });

  it('computes the same status in SQL as contractStatus does', async () => {
    const states = ['Draft', 'Active', 'Terminated'] as const;
    const days = [-200, -1, 0, 1, 90, 91, 400];
    const seen = new Set<string>();
    for (const state of states) {
      for (const to of days) {
        for (const [from, extended, successor] of [
          [-300, null, null],
          [1, null, null],
          [-300, 5, null],
          [-300, null, -10],
          [-300, null, 3],
        ] as const) {
          const input: ContractDays = {
            state,
            from: addDays(today, from),
            to: addDays(today, to),
            extendedTo: extended === null ? null : addDays(today, to + extended),
            terminatedOn: state === 'Terminated' ? addDays(today, to - 5) : null,
            successorFrom: successor === null ? null : addDays(today, successor),
          };
          const { id, number } = await aContract(server.db);
          await change(id, {
            state,
            effective_from: input.from,
            effective_to: input.to,
            extended_to: input.extendedTo,
            terminated_on: input.terminatedOn,
          });
          if (input.successorFrom !== null) {
            const next = await aContract(server.db);
            await change(next.id, { predecessor_id: id, effective_from: input.successorFrom });
          }
          const [row] = await search({ keyword: number });
          expect([input, row?.status]).toEqual([input, contractStatus(input, today)]);
          seen.add(row?.status ?? '');
        }
      }
    }
    expect([...seen].toSorted()).toEqual([...CONTRACT_STATUSES].toSorted());
    // A draft that replaces a contract does not supersede it.
    const { id, number } = await aContract(server.db);
    const draft = await aContract(server.db);
    await change(draft.id, { predecessor_id: id, state: 'Draft' });
    expect(await search({ keyword: number })).toMatchObject([{ status: 'Active' }]);
  });
});

describe('what a rep reads', () => {
  let ours: { id: number; number: string; tierId: number; lineIds: number[] };
  let theirs: typeof ours;
  let [high, base]: { id: number }[] = [];
  beforeAll(async () => {
    const { db } = server;
    const item = await anItem(db, { number: 'REP-1', units: { EA: 1, BX: 50 } });
    ours = await aContract(db, {
      number: 'REP-OURS',
      facilityIds: [office.facility.id, other.facility.id],
      lines: [{ itemId: item.id, unit: 'BX', price: 41 }],
    });
    base = { id: ours.tierId };
    high = await aTier(db, { contractId: ours.id, no: 2, needsLoc: true, fallbackId: base.id });
    await aContractPrice(db, { lineId: ours.lineIds[0] ?? 0, tierId: high.id, price: 38.5 });
    theirs = await aContract(db, { number: 'REP-THEIRS', facilityIds: [other.facility.id] });
    await change(ours.id, { admin_fee_pct: 2.75, notes: 'For us alone' });
  });

  it('the contracts of facilities they serve, without rosters, fees and notes', async () => {
    expect(await numbers({ keyword: 'REP-' }, office.rep)).toEqual(['REP-OURS']);
    expect(await numbers({ keyword: 'REP-' }, office.inside)).toEqual(['REP-OURS', 'REP-THEIRS']);
    expect((await search({ keyword: 'REP-OURS' }, office.rep))[0]).not.toHaveProperty('roster');
    // Filtering for another facility must not reveal whether it is on a roster.
    expect(await numbers({ facilityId: other.facility.id }, office.rep)).toEqual([]);
    const csv = await server.call(Contract.ExportContracts, { keyword: 'REP-' }, { as: office.rep });
    expect(csv.bytes.toString('utf8')).not.toMatch(/THEIRS|Roster/);

    const seen = await detail(ours.id, office.rep);
    expect(seen.contract).not.toHaveProperty('adminFeePct');
    expect(seen.contract).not.toHaveProperty('notes');
    expect(seen).toMatchObject({ counts: { roster: 1, letters: 0, lines: 1 }, allowedActions: [] });
    const inside = await detail(ours.id, office.inside);
    expect(inside.contract).not.toHaveProperty('adminFeePct');
    expect(inside).toMatchObject({ contract: { notes: 'For us alone' }, counts: { roster: 2 } });
    expect((await detail(ours.id)).contract.adminFeePct).toBe(2.75);
  });

  it('a contract that is not theirs looks like an unknown one', async () => {
    const unknown = await server.call(
      GpoApi.getGpoContractDetailDataForApiCall,
      { id: 2_000_000_000 },
      { as: office.rep },
    );
    const draft = await aContract(server.db, { facilityIds: [office.facility.id] });
    await change(draft.id, { state: 'Draft' });
    for (const id of [theirs.id, draft.id]) {
      const answer = await server.call(GpoApi.getGpoContractDetailDataForApiCall, { id }, { as: office.rep });
      expect([answer.status, answer.body]).toMatchObject([404, { detail: sentenceOf(unknown.body) }]);
      expect((await server.call(Contract.GetLines, { contractId: id }, { as: office.rep })).status).toBe(404);
    }
  });

  it('the prices of the tiers their facilities have', async () => {
    const lines = { contractId: ours.id };
    const seen = await server.ok(Contract.GetLines, lines, { as: office.rep });
    expect(seen.records).toMatchObject([{ unit: 'BX', perUnit: 50, prices: [{ price: 41, perEach: 0.82 }] }]);
    expect(JSON.stringify(await detail(ours.id, office.rep))).not.toContain('38.5');
    expect((await detail(ours.id, office.rep)).tiers).toMatchObject([{ priced: true }, { priced: false }]);
    // For a tier with a fallback tier, they see both prices.
    await server.db
      .updateTable('contract_roster')
      .set({ tier_id: high?.id ?? 0 })
      .where('contract_id', '=', ours.id)
      .where('facility_id', '=', office.facility.id)
      .execute();
    const both = await server.ok(Contract.GetLines, lines, { as: office.rep });
    expect(both.records[0]?.prices.map(({ price }) => price).toSorted()).toEqual([38.5, 41]);
  });

  it('the contract and base tier that a facility has as a member through its parent', async () => {
    const { db } = server;
    const gpo = await aGpo(db);
    const item = await anItem(db, { units: { EA: 1 } });
    const lines = [{ itemId: item.id, unit: 'EA', price: 9 }];
    const { id } = await aContract(db, { gpoId: gpo.id, number: 'REP-UP', openTo: 'members', lines });
    const [system, seat] = [await aFacility(db, { zip: other.zip }), await aSalesOffice(db)];
    await aMembership(db, { facilityId: system.id, gpoId: gpo.id });
    const open = () => server.call(GpoApi.getGpoContractDetailDataForApiCall, { id }, { as: seat.rep });
    expect((await open()).status).toBe(404);
    await db.updateTable('facility').set({ parent_id: system.id }).where('id', '=', seat.facility.id).execute();
    expect((await detail(id, seat.rep)).tiers).toMatchObject([{ priced: true }]);
    expect(await numbers({ facilityId: seat.facility.id }, seat.rep)).toEqual(['REP-UP']);
    expect((await server.ok(Contract.GetLines, { contractId: id }, { as: seat.rep })).records).toMatchObject([
      { prices: [{ price: 9 }] },
    ]);
    await aMembership(db, { facilityId: seat.facility.id, gpoId: (await aGpo(db)).id });
    expect((await open()).status).toBe(404);
  });

  it('nothing at all for an account whose tab is hidden', async () => {
    const hidden = await aUser(server.db, { roles: ['contractdept', 'systemadmin'] });
    await server.db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', hidden.id).execute();
    const calls = [
      [Contract.Search, {}],
      [Contract.ExportContracts, {}],
      [Contract.GetContractChoices, {}],
      [Contract.GetLines, { contractId: ours.id }],
      [GpoApi.getGpoContractDetailDataForApiCall, { id: ours.id }],
    ] as const;
    for (const [endpoint, input] of calls)
      expect([endpoint.path, (await server.call(endpoint, input, { as: hidden })).status]).toEqual([
        endpoint.path,
        403,
      ]);
  });
});

describe('the lines of a contract', () => {
  it('have the prices of a day, and those that come next', async () => {
    const { db } = server;
    const item = await anItem(db, { number: 'DAY-1', units: { EA: 1, BX: 3 } });
    const contract = await aContract(db);
    const insert = async (unit: string) =>
      (
        await db
          .insertInto('contract_line')
          .values({ contract_id: contract.id, item_id: item.id, unit })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const [box, gone] = [await insert('BX'), await insert('CS')];
    const { tierId } = contract;
    await aContractPrice(db, { lineId: box, tierId, price: 41, to: '2026-10-31' });
    await aContractPrice(db, { lineId: box, tierId, price: 10, from: '2026-11-01', to: '2026-12-31' });
    await aContractPrice(db, { lineId: box, tierId, price: 9, from: '2027-01-01' });
    await aContractPrice(db, { lineId: gone, tierId, price: 5 });
    const on = async (day: string) =>
      (await server.ok(Contract.GetLines, { contractId: contract.id, day }, { as: keeper })).records;
    const [first, second] = await on('10/31/2026');
    expect(first).toMatchObject({
      unit: 'BX',
      perUnit: 3,
      prices: [{ price: 41, perEach: 13.6667, to: '2026-10-31' }],
    });
    expect(first?.coming).toMatchObject([{ price: 10, from: '2026-11-01' }]);
    expect(second).toMatchObject({ unit: 'CS', perUnit: null, prices: [{ price: 5, perEach: null }], coming: [] });
    expect((await on('2026-11-01'))[0]).toMatchObject({
      prices: [{ price: 10, perEach: 3.3333 }],
      coming: [{ price: 9 }],
    });
    expect((await on('2019-12-31'))[0]).toMatchObject({ prices: [], coming: [{ price: 41 }] });
    const far = { contractId: contract.id, page: 9, pageSize: 1 };
    expect(await server.ok(Contract.GetLines, far, { as: keeper })).toMatchObject({
      records: [],
      total: 2,
      pageCount: 2,
    });
    expect((await server.call(Contract.GetLines, { ...far, day: '02/30/2026' }, { as: keeper })).status).toBe(422);
  });
});
