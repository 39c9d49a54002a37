// Tests territories over HTTP: permissions, refusals, two administrators at once, history, and that the past does not change.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { History } from '#platform/history/history.contract.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { addDays } from '#platform/shared/dates.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { TerritoryAdmin } from './territory-admin.contract.ts';

let server: TestServer;
let admin: { id: number };
let day: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  day = today(server.services, await loadCompany(server.db));
});
afterAll(() => server.close());

const in_ = (days: number) => addDays(day, days);
type Refused = { status: number; errors: { path: string; message: string }[]; ExceptionMessage: string };
async function refused(answer: Promise<{ status: number; body: unknown }>): Promise<Refused> {
  const { status, body } = await answer;
  return { ...(body as Refused), status };
}
const save = (input: Parameters<typeof server.call<typeof TerritoryAdmin.SaveTerritory>>[1], as = admin) =>
  server.call(TerritoryAdmin.SaveTerritory, input, { as });

describe('the list', () => {
  it('shows the people, the contents and the open quotes’ value of a territory; filters, sorts, exports', async () => {
    const { db } = server;
    const region = await aRegion(db, { name: 'List Region' });
    const rep = await aUser(db, { fullName: 'Lis Terep' });
    const lake = await aTerritory(db, {
      name: 'List Lake',
      regionId: region.id,
      zips: ['50001', '50002'],
      sales: rep.id,
    });
    const hill = await aTerritory(db, { name: 'List Hill', regionId: region.id });
    await aTerritory(db, { name: 'List Shut', regionId: region.id, active: false });
    await db
      .insertInto('zip_assignment')
      .values({ zip5: '50003', territory_id: lake.id, valid_from: '2020-01-01', valid_to: in_(-1) })
      .execute();
    const facility = await aFacility(db);
    await db
      .insertInto('account_override')
      .values({ facility_id: facility.id, territory_id: lake.id, valid_from: day })
      .execute();
    await aQuote(db, { territoryId: lake.id, totalAmount: 100.5 });
    await aQuote(db, { territoryId: lake.id, totalAmount: 20.25, statusId: 'SentToCustomer' });
    await aQuote(db, { territoryId: lake.id, totalAmount: 7, currnIdx: 1009 });
    await aQuote(db, { territoryId: lake.id, totalAmount: 900, statusId: 'Won' });

    const list = (criteria: object) =>
      server.ok(TerritoryAdmin.GetAllTerritories, { regionId: region.id, active: true, ...criteria }, { as: admin });
    const { records, total } = await list({});
    expect(total).toBe(2);
    expect(records[1]).toMatchObject({
      name: 'List Lake',
      region: { name: 'List Region' },
      active: true,
      salesRep: { id: rep.id, name: 'Lis Terep' },
      zips: 2,
      overrides: 1,
      openQuotes: 3,
      openValue: [
        { currnIdx: 1007, amount: 120.75 },
        { currnIdx: 1009, amount: 7 },
      ],
    });
    expect(records[0]).toMatchObject({ id: hill.id, salesRep: null, zips: 0, openQuotes: 0, openValue: [] });
    const names = async (criteria: object) => (await list(criteria)).records.map(({ name }) => name);
    expect(await names({ sort: { field: 'openQuotes', dir: 'desc' } })).toEqual(['List Lake', 'List Hill']);
    for (const field of ['region', 'active', 'salesRep', 'zips', 'overrides', 'openValue'])
      expect(await names({ sort: { field, dir: 'asc' } })).toHaveLength(2);
    expect(await names({ active: false })).toEqual(['List Shut']);
    expect(await names({ active: null })).toHaveLength(3);
    expect(await names({ repId: rep.id })).toEqual(['List Lake']);
    expect(await names({ keyword: '50002' })).toEqual(['List Lake']);
    expect(await names({ keyword: '50003' })).toEqual([]);
    expect(await names({ keyword: 'hILL' })).toEqual(['List Hill']);
    const filters = await server.ok(TerritoryAdmin.GetTerritoryFilters, {}, { as: admin });
    expect(filters.regions).toContainEqual(region);
    expect(filters.reps).toContainEqual({ id: rep.id, name: 'Lis Terep' });
    const csv = await server.call(TerritoryAdmin.ExportTerritories, { keyword: 'List Lake' }, { as: admin });
    expect(csv.bytes.toString('utf8')).toContain('List Lake,List Region,yes,Lis Terep,2,1,3,120.75,7');
  });
});

describe('a territory', () => {
  it('can be added, read and changed; its history says who began and who ended', async () => {
    const { db } = server;
    const region = await aRegion(db);
    const [old, fresh] = [await aUser(db, { fullName: 'Old Rep' }), await aUser(db, { fullName: 'New Rep' })];
    const blank = await server.ok(TerritoryAdmin.PopulateTerritoryEditModel, {}, { as: admin });
    expect(blank).toMatchObject({ territory: { id: 0, name: '', reps: [] }, active: true, today: day });
    expect(blank.regions).toContainEqual(region);
    const created = await server.ok(
      TerritoryAdmin.SaveTerritory,
      {
        name: 'Prairie',
        regionId: region.id,
        reps: [
          { role: 'sales', userId: old.id, from: in_(-100), to: in_(399) },
          { role: 'sales', userId: fresh.id, from: in_(400), to: in_(500) },
        ],
      },
      { as: admin },
    );
    const later = created.reps.find(({ userId }) => userId === fresh.id);
    const begun = created.reps.find(({ userId }) => userId === old.id);
    // A current assignment ends, a future one is removed, and another one begins tomorrow.
    const changed = await server.ok(
      TerritoryAdmin.SaveTerritory,
      {
        ...created,
        name: 'Prairie North',
        reps: [
          { id: begun?.id ?? 0, role: 'sales', userId: old.id, from: in_(-100), to: day },
          { role: 'sales', userId: fresh.id, from: in_(1), to: '' },
        ],
      },
      { as: admin },
    );
    expect(changed.version).toBe(created.version + 1);
    expect(changed.reps).toMatchObject([
      { userName: 'New Rep', from: in_(1), to: '' },
      { id: begun?.id, userName: 'Old Rep', to: day },
    ]);
    expect(changed.reps.map(({ id }) => id)).not.toContain(later?.id);
    const again = await server.ok(TerritoryAdmin.PopulateTerritoryEditModel, { id: created.id }, { as: admin });
    expect(again.territory).toEqual(changed);
    const [edit, create] = await server.ok(History.GetHistory, { type: 'territory', id: created.id }, { as: admin });
    expect(create).toMatchObject({ action: 'Create', actor: 'Ada Admin' });
    expect(edit?.changes.map(({ field, before, after }) => [field, before !== '', after !== ''])).toEqual([
      ['Name', true, true],
      ['Sales rep.', true, false],
      ['Sales rep.', true, true],
      ['Sales rep.', false, true],
    ]);
  });

  it('refuses a taken name, a wrong region, people without the role, and overlapping or reversed days', async () => {
    const { db } = server;
    const region = await aRegion(db);
    const shut = await aRegion(db, { name: 'Shut Region', active: false });
    const rep = await aUser(db, { fullName: 'Rita Fits' });
    const gone = await aUser(db, { active: false });
    const cs = await aUser(db, { roles: ['csrep'] });
    const { name } = await aTerritory(db, { regionId: region.id });
    const base = { name: 'Never Made', regionId: region.id };
    const taken = await refused(save({ ...base, name: name.toUpperCase() }));
    expect(taken).toMatchObject({
      status: 422,
      ExceptionMessage: `A territory named ${name.toUpperCase()} already exists.`,
      errors: [{ path: 'name' }],
    });
    const paths = async (input: object) => (await refused(save({ ...base, ...input }))).errors.map(({ path }) => path);
    expect(await paths({ name: ' ' })).toEqual(['name']);
    expect(await paths({ regionId: shut.id })).toEqual(['regionId']);
    expect(await paths({ regionId: 999_999 })).toEqual(['regionId']);
    const first = (userId: number, more = {}) => ({ role: 'sales' as const, userId, from: day, ...more });
    expect(await paths({ reps: [first(gone.id)] })).toEqual(['reps.0.userId']);
    expect(await paths({ reps: [first(cs.id)] })).toEqual(['reps.0.userId']);
    expect(await paths({ reps: [first(0)] })).toEqual(['reps.0.userId']);
    expect(await paths({ reps: [first(rep.id, { to: in_(-1) })] })).toEqual(['reps.0.to']);
    expect(await paths({ reps: [first(rep.id, { to: in_(9) }), first(rep.id, { from: in_(9) })] })).toEqual([
      'reps.0.from',
      'reps.1.from',
    ]);
    const apart = { ...base, name: 'Made After All' };
    expect(
      (await save({ ...apart, reps: [first(rep.id, { to: in_(9) }), first(rep.id, { from: in_(10) })] })).status,
    ).toBe(200);
  });

  it('keeps the past: nobody can remove, replace or restart an assignment that has begun', async () => {
    const { db } = server;
    const [rep, other] = [await aUser(db, { fullName: 'Pat Past' }), await aUser(db)];
    const territory = await aTerritory(db, { sales: rep.id });
    const { territory: read } = await server.ok(
      TerritoryAdmin.PopulateTerritoryEditModel,
      { id: territory.id },
      { as: admin },
    );
    const [held] = read.reps;
    if (!held) throw new Error('the factory gave it a rep');
    const without = await refused(save({ ...read, reps: [] }));
    expect(without).toMatchObject({ status: 422, errors: [{ path: 'reps' }] });
    expect(without.ExceptionMessage).toContain('Pat Past has served as Sales rep. since 01/01/2020');
    for (const change of [{ userId: other.id }, { from: '2021-01-01' }, { role: 'cs' as const }]) {
      const { status, errors } = await refused(save({ ...read, reps: [{ ...held, ...change }] }));
      expect([status, errors.map(({ path }) => path)]).toEqual([422, ['reps.0.from']]);
    }
    // Omitted entries stay as they are.
    const { id, name, regionId, version } = read;
    const stored = await server.ok(TerritoryAdmin.SaveTerritory, { id, name, regionId, version }, { as: admin });
    expect(stored.reps).toEqual(read.reps);
  });

  it('tells the second of two administrators what the first changed; one of two people gets a name', async () => {
    const { db } = server;
    const other = await aUser(db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
    const region = await aRegion(db);
    const created = await server.ok(
      TerritoryAdmin.SaveTerritory,
      { name: 'Contested', regionId: region.id },
      { as: admin },
    );
    await server.ok(TerritoryAdmin.SaveTerritory, { ...created, name: 'Contested East' }, { as: other });
    const late = await server.call(TerritoryAdmin.SaveTerritory, { ...created, name: 'Contested West' }, { as: admin });
    expect(late).toMatchObject({
      status: 409,
      body: {
        detail: "Bea Boss changed this territory while you were editing it: Name from 'Contested' to 'Contested East'.",
        conflict: { changedBy: 'Bea Boss', current: { name: 'Contested East', version: created.version + 1 } },
      },
    });
    const both = await Promise.all([
      save({ name: 'One Name', regionId: region.id }),
      save({ name: 'ONE NAME', regionId: region.id }, other),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('can be deactivated and activated, and says what that affects', async () => {
    const { db } = server;
    const region = await aRegion(db);
    const territory = await aTerritory(db, { regionId: region.id, zips: ['51001', '51002'] });
    await aTerritory(db, { zips: ['51002'] });
    await aQuote(db, { territoryId: territory.id });
    const read = () => server.ok(TerritoryAdmin.PopulateTerritoryEditModel, { id: territory.id }, { as: admin });
    expect((await read()).facts).toMatchObject({ zips: 2, zipsAlone: 1, overrides: 0, openQuotes: 1 });
    const toggle = (input: object) =>
      server.call(TerritoryAdmin.InactiveOrActiveTerritory, { id: territory.id, ...input }, { as: admin });
    expect(await toggle({ active: false, version: 99 })).toMatchObject({ status: 409 });
    expect(await toggle({ active: false, version: 1 })).toMatchObject({
      status: 200,
      body: { active: false, version: 2 },
    });
    // A repeated call changes nothing, whatever version it sends.
    expect(await toggle({ active: false, version: 1 })).toMatchObject({ body: { active: false, version: 2 } });
    const { region: free } = await server.ok(Region.PopulateRegionEditModel, { id: region.id }, { as: admin });
    await server.ok(Region.SaveRegion, { ...free, active: false }, { as: admin });
    const shut = await refused(toggle({ version: 2 }));
    expect(shut).toMatchObject({ status: 422 });
    expect(shut.ExceptionMessage).toContain('is inactive. Activate it first');
    await db.updateTable('region').set({ active: true }).where('id', '=', region.id).execute();
    expect(await toggle({ version: 2 })).toMatchObject({ status: 200, body: { active: true, version: 3 } });
    const history = await server.ok(History.GetHistory, { type: 'territory', id: territory.id }, { as: admin });
    expect(history.map(({ action }) => action)).toEqual(['Activate', 'Deactivate']);
  });

  it('is for administrators, and answers 404 for an unknown one', async () => {
    const rep = await aUser(server.db, { roles: ['salesrep'] });
    const { id, name, regionId } = await aTerritory(server.db);
    expect((await save({ id, name, regionId }, rep)).status).toBe(403);
    expect((await server.call(TerritoryAdmin.SaveTerritory, { id, name, regionId })).status).toBe(401);
    expect((await save({ id: 999_999, name: 'No', regionId, version: 1 })).status).toBe(404);
    for (const call of [TerritoryAdmin.PopulateTerritoryEditModel, TerritoryAdmin.InactiveOrActiveTerritory] as const)
      expect((await server.call(call, { id: 999_999, version: 1 }, { as: admin })).status).toBe(404);
  });
});

describe('ZIPs', () => {
  const add = (territoryId: number, zips: string, more: object = {}) =>
    server.ok(
      TerritoryAdmin.AddTerritoryZips,
      { territoryId, zips, from: in_(1), apply: true, ...more },
      { as: admin },
    );
  const held = async (territoryId: number) => {
    const input = { territoryId, when: 'all' as const, pageSize: 200 };
    const { records } = await server.ok(TerritoryAdmin.GetTerritoryZips, input, { as: admin });
    return records.map(({ zip, from, to }) => [zip, from, to]);
  };

  it('takes pasted ZIPs, previews the effect, and takes them from other territories', async () => {
    const { db } = server;
    const here = await aTerritory(db, { zips: ['52001'] });
    const there = await aTerritory(db, { name: 'Taken From', zips: ['52002', '52003'] });
    await db.insertInto('zip').values({ zip5: '52004', city: 'Dubuque', state: 'IA' }).execute();
    const pasted = '52001, 52002-1234\n52004 52004;1234 abcde';
    const preview = await add(here.id, pasted, { apply: false });
    expect(preview).toEqual({
      applied: false,
      added: ['52002', '52004'],
      same: ['52001'],
      taken: [{ zip: '52002', territory: 'Taken From' }],
      refused: [
        { zip: '1234', why: 'This is not a ZIP.' },
        { zip: 'abcde', why: 'This is not a ZIP.' },
      ],
      unknown: ['52002'],
    });
    expect(await held(here.id)).toHaveLength(1);
    expect(await add(here.id, pasted)).toEqual({ ...preview, applied: true });
    expect(await held(here.id)).toEqual([
      ['52001', '2020-01-01', null],
      ['52002', in_(1), null],
      ['52004', in_(1), null],
    ]);
    expect(await held(there.id)).toEqual([
      ['52002', '2020-01-01', day],
      ['52003', '2020-01-01', null],
    ]);
    const list = (criteria: object) =>
      server.ok(TerritoryAdmin.GetTerritoryZips, { territoryId: here.id, when: 'all', ...criteria }, { as: admin });
    expect((await list({ keyword: 'dubu' })).records).toMatchObject([{ zip: '52004', city: 'Dubuque', state: 'IA' }]);
    expect((await list({ keyword: '5200' })).total).toBe(3);
    expect((await list({ when: 'now' })).total).toBe(1);
    expect((await list({ when: 'later' })).total).toBe(2);
    expect((await list({ when: 'over' })).total).toBe(0);
    const csv = await server.call(
      TerritoryAdmin.ExportTerritoryZips,
      { territoryId: here.id, when: 'all' },
      { as: admin },
    );
    expect(csv.bytes.toString('utf8')).toContain(`52004,Dubuque,IA,${here.name},${in_(1)},`);
    const [taken] = await server.ok(History.GetHistory, { type: 'territory', id: there.id }, { as: admin });
    expect(taken).toMatchObject({ action: 'ZIPs taken', changes: [{ field: 'ZIPs', before: '52002' }] });
  });

  it('return after a temporary assignment; one that began since the first day stays', async () => {
    const { db } = server;
    const here = await aTerritory(db);
    const there = await aTerritory(db, { name: 'Lender', zips: ['53001'] });
    await add(here.id, '53001', { from: in_(10), to: in_(20) });
    expect(await held(there.id)).toEqual([
      ['53001', '2020-01-01', in_(9)],
      ['53001', in_(21), null],
    ]);
    const third = await aTerritory(db);
    const late = await add(third.id, '53001', { from: '2019-06-01' });
    expect(late).toMatchObject({
      added: [],
      refused: [{ zip: '53001', why: 'Lender has had it since 01/01/2020. Choose a later first day.' }],
    });
    // Future assignments of other territories are removed.
    await add(third.id, '53001', { from: in_(5) });
    expect(await held(here.id)).toEqual([]);
    expect(await held(there.id)).toEqual([['53001', '2020-01-01', in_(4)]]);
    expect(await add(third.id, '53001', { from: in_(1), to: in_(7) })).toMatchObject({
      added: [],
      refused: [{ why: expect.stringContaining('already') }],
    });
  });

  it('cannot be given to an inactive territory', async () => {
    const here = await aTerritory(server.db, { name: 'Closed Here', active: false });
    for (const apply of [false, true]) {
      const input = { territoryId: here.id, zips: '53101', from: in_(1), apply };
      const { status, errors } = await refused(server.call(TerritoryAdmin.AddTerritoryZips, input, { as: admin }));
      const message = 'Closed Here is inactive. Activate it first.';
      expect([status, errors]).toEqual([422, [{ path: 'territoryId', message }]]);
    }
    expect(await held(here.id)).toEqual([]);
  });

  it('end on a day; future ones are removed; a begun one cannot end before it began', async () => {
    const { db } = server;
    const here = await aTerritory(db, { zips: ['54001', '54002'] });
    await add(here.id, '54003', { from: in_(30) });
    const { records } = await server.ok(
      TerritoryAdmin.GetTerritoryZips,
      { territoryId: here.id, when: 'all' },
      { as: admin },
    );
    const [first, , last] = records;
    const version = first?.version ?? 0;
    const end = (ids: number[], lastDay: string, more: { territoryId?: number; version?: number } = {}) => {
      const input = { territoryId: here.id, ids, lastDay, version, ...more };
      return server.call(TerritoryAdmin.EndTerritoryZips, input, { as: admin });
    };
    const before = await refused(end([first?.id ?? 0], '2019-12-31'));
    expect(before).toMatchObject({ status: 422, errors: [{ path: 'lastDay' }] });
    expect(before.ExceptionMessage).toBe('54001 has begun on 01/01/2020: its last day cannot be earlier.');
    expect((await end([first?.id ?? 0, last?.id ?? 0], day)).body).toEqual({ ended: 1, removed: 1 });
    expect(await held(here.id)).toEqual([
      ['54001', '2020-01-01', day],
      ['54002', '2020-01-01', null],
    ]);
    const other = await aTerritory(db);
    expect((await end([first?.id ?? 0], day, { territoryId: other.id, version: 1 })).status).toBe(404);
    // The earlier version is outdated.
    expect((await end([records[1]?.id ?? 0], day)).status).toBe(409);
  });

  it('end up in one territory when two administrators take one at once', async () => {
    const { db } = server;
    const other = await aUser(db, { roles: ['systemadmin'] });
    const [a, b] = [await aTerritory(db), await aTerritory(db)];
    const take = (territoryId: number, as: { id: number }) =>
      server.call(TerritoryAdmin.AddTerritoryZips, { territoryId, zips: '55001', from: day, apply: true }, { as });
    const answers = await Promise.all([take(a.id, admin), take(b.id, other)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const holds = [...(await held(a.id)), ...(await held(b.id))];
    expect(holds).toEqual([['55001', day, null]]);
  });

  it('are for administrators', async () => {
    const rep = await aUser(server.db);
    const { id } = await aTerritory(server.db);
    const input = { territoryId: id, zips: '55002', from: day, apply: true };
    expect((await server.call(TerritoryAdmin.AddTerritoryZips, input, { as: rep })).status).toBe(403);
    const end = { territoryId: id, ids: [1], lastDay: day, version: 1 };
    expect((await server.call(TerritoryAdmin.EndTerritoryZips, end, { as: rep })).status).toBe(403);
    const none = await refused(server.call(TerritoryAdmin.AddTerritoryZips, { ...input, zips: ' ' }, { as: admin }));
    expect(none).toMatchObject({ status: 422, errors: [{ path: 'zips' }] });
  });
});

describe('account overrides', () => {
  const put = (input: object, as = admin) =>
    server.call(
      TerritoryAdmin.SaveTerritoryOverride,
      { id: 0, territoryId: 0, facilityId: 0, reason: 'A reason', from: day, ...input },
      { as },
    );

  it('can be added, changed and ended; one facility has one at a time', async () => {
    const { db } = server;
    const [here, there] = [await aTerritory(db), await aTerritory(db, { name: 'Elsewhere' })];
    const facility = await aFacility(db, { name: 'St. Override' });
    const created = await server.ok(
      TerritoryAdmin.SaveTerritoryOverride,
      { territoryId: here.id, facilityId: facility.id, reason: 'Long known', from: in_(-5) },
      { as: admin },
    );
    expect(created).toMatchObject({ facility: { id: facility.id, name: 'St. Override' }, to: null });
    const again = await refused(put({ territoryId: there.id, facilityId: facility.id }));
    expect(again).toMatchObject({ status: 422, errors: [{ path: 'facilityId' }] });
    expect(again.ExceptionMessage).toContain(`It is already assigned to ${here.name} from`);
    const base = { ...created, territoryId: here.id, facilityId: facility.id };
    const changed = await put({ ...base, reason: 'Known longer', to: in_(5) });
    expect(changed.body).toMatchObject({
      id: created.id,
      reason: 'Known longer',
      to: in_(5),
      version: created.version + 1,
    });
    expect(await put({ ...base, reason: 'Known best' })).toMatchObject({
      status: 409,
      body: { conflict: { current: { reason: 'Known longer', to: in_(5), version: created.version + 1 } } },
    });
    expect(await refused(put({ ...base, ...changed.body, from: day }))).toMatchObject({
      status: 422,
      errors: [{ path: 'from' }],
    });
    expect((await put({ territoryId: there.id, facilityId: facility.id, from: in_(6) })).status).toBe(200);

    const list = (when: 'now' | 'later' | 'over' | 'all', territoryId = here.id) =>
      server.ok(TerritoryAdmin.GetTerritoryOverrides, { territoryId, when }, { as: admin });
    expect((await list('now')).records).toMatchObject([{ id: created.id, reason: 'Known longer' }]);
    const { records: later } = await list('later', there.id);
    const end = (territoryId: number, id: number, lastDay: string, version = 0) =>
      server.call(TerritoryAdmin.EndTerritoryOverrides, { territoryId, ids: [id], lastDay, version }, { as: admin });
    expect((await end(here.id, created.id, in_(-1), created.version)).status).toBe(409);
    expect((await end(here.id, created.id, in_(-1), changed.body.version)).body).toEqual({ ended: 1, removed: 0 });
    expect((await end(there.id, later[0]?.id ?? 0, day, later[0]?.version)).body).toEqual({ ended: 0, removed: 1 });
    expect((await list('over')).total).toBe(1);
    const history = await server.ok(History.GetHistory, { type: 'territory', id: here.id }, { as: admin });
    expect(history.map(({ action }) => action)).toEqual(['End override', 'Change override', 'Add override']);
  });

  it('cannot be added to an inactive territory; those it has still change and end', async () => {
    const { db } = server;
    const { id: territoryId } = await aTerritory(db, { name: 'Closed There' });
    const [facility, other] = [await aFacility(db), await aFacility(db)];
    const { body: created } = await put({ territoryId, facilityId: facility.id, from: in_(1) });
    await db.updateTable('territory').set({ active: false }).where('id', '=', territoryId).execute();
    for (const input of [{ facilityId: other.id }, { ...created, facilityId: other.id }]) {
      const { status, errors } = await refused(put({ ...input, territoryId }));
      const message = 'Closed There is inactive. Activate it first.';
      expect([status, errors]).toEqual([422, [{ path: 'territoryId', message }]]);
    }
    const { body: changed } = await put({ ...created, territoryId, facilityId: facility.id, to: in_(5) });
    expect(changed.to).toBe(in_(5));
    const end = { territoryId, ids: [created.id], lastDay: in_(2), version: changed.version };
    const ended = await server.ok(TerritoryAdmin.EndTerritoryOverrides, end, { as: admin });
    expect(ended).toEqual({ ended: 1, removed: 0 });
  });

  it('need a reason, a facility and an administrator', async () => {
    const { db } = server;
    const { id } = await aTerritory(db);
    const closed = await aFacility(db, { active: false });
    const paths = async (input: object) =>
      (await refused(put({ territoryId: id, facilityId: closed.id, ...input }))).errors.map(({ path }) => path);
    expect(await paths({})).toEqual(['facilityId']);
    expect(await paths({ reason: '', facilityId: 0, to: in_(-1) })).toEqual(['facilityId', 'reason', 'to']);
    const rep = await aUser(db);
    expect((await put({ territoryId: id, facilityId: closed.id }, rep)).status).toBe(403);
    expect((await put({ territoryId: 999_999, facilityId: closed.id })).status).toBe(404);
    expect((await put({ id: 999_999, territoryId: id, facilityId: closed.id, version: 1 })).status).toBe(404);
  });
});
