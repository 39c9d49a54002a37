// Tests regions over HTTP: permissions, refusals, two administrators at once, history.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Region } from './regions.contract.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
});
afterAll(() => server.close());

it('adds, finds, changes and exports a region; its history names the person', async () => {
  const manager = await aUser(server.db, { roles: ['salesQuoteManager'], fullName: 'Max Manager' });
  const blank = await server.ok(Region.PopulateRegionEditModel, {}, { as: admin });
  expect(blank).toMatchObject({ region: { id: 0, name: '', active: true }, territories: [] });
  const created = await server.ok(Region.SaveRegion, { name: 'Far West', managerIds: [manager.id] }, { as: admin });
  expect(created).toMatchObject({ name: 'Far West', active: true, managerIds: [manager.id] });
  const renamed = await server.ok(
    Region.SaveRegion,
    { ...created, name: 'Farther West', managerIds: [] },
    { as: admin },
  );
  expect(renamed.version).toBe(created.version + 1);

  const result = await server.ok(Region.GetAllRegions, { keyword: 'farther' }, { as: admin });
  expect(result).toMatchObject({
    total: 1,
    pageCount: 1,
    records: [{ name: 'Farther West', managers: [], activeTerritories: 0 }],
  });
  const csv = await server.call(Region.ExportRegions, { keyword: 'farther' }, { as: admin });
  expect(csv.bytes.toString('utf8')).toContain('Farther West,yes,,0');

  const history = await server.ok(History.GetHistory, { type: 'region', id: created.id }, { as: admin });
  expect(history).toMatchObject([
    {
      actor: 'Ada Admin',
      action: 'Edit',
      changes: [
        { field: 'Name', before: 'Far West', after: 'Farther West' },
        { field: 'Managers', before: 'Max Manager', after: '' },
      ],
    },
    { action: 'Create' },
  ]);
});

it('a new manager sees the region at once', async () => {
  const manager = await aUser(server.db, { roles: ['salesQuoteManager'] });
  await server.ok(Region.GetActiveRegionsSimpleData, {}, { as: manager });
  const created = await server.ok(
    Region.SaveRegion,
    { name: 'Newly Managed', managerIds: [manager.id] },
    { as: admin },
  );
  const { region } = await server.ok(Region.PopulateRegionEditModel, { id: created.id }, { as: admin });
  expect(region.managerIds).toEqual([manager.id]);
});

it('refuses, under their fields, a taken name, a manager without the role, and deactivating a region in use', async () => {
  const region = await aRegion(server.db);
  const { name } = await aTerritory(server.db, { regionId: region.id });
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  const save = async (input: object) => {
    const { status, body } = await server.call(
      Region.SaveRegion,
      { id: region.id, name: region.name, version: 1, ...input },
      { as: admin },
    );
    return { status, errors: (body as { errors?: { path: string; message: string }[] }).errors };
  };
  expect(await save({ id: 0, name: region.name.toUpperCase() })).toMatchObject({
    status: 422,
    errors: [{ path: 'name' }],
  });
  expect(await save({ name: ' ' })).toMatchObject({
    status: 422,
    errors: [{ path: 'name', message: 'This field is required' }],
  });
  expect(await save({ managerIds: [rep.id] })).toMatchObject({ status: 422, errors: [{ path: 'managerIds' }] });
  const off = await save({ active: false });
  expect(off).toMatchObject({ status: 422, errors: [{ path: 'active' }] });
  expect(off.errors?.[0]?.message).toContain(name);
  await server.db.updateTable('territory').set({ active: false }).where('region_id', '=', region.id).execute();
  expect(await save({ active: false })).toMatchObject({ status: 200 });
});

it('tells the second of two administrators what the first changed', async () => {
  const created = await server.ok(Region.SaveRegion, { name: 'Contested' }, { as: admin });
  const other = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
  await server.ok(Region.SaveRegion, { ...created, name: 'Contested North' }, { as: other });
  const late = await server.call(Region.SaveRegion, { ...created, name: 'Contested South' }, { as: admin });
  expect(late).toMatchObject({
    status: 409,
    body: {
      detail: "Bea Boss changed this region while you were editing it: Name from 'Contested' to 'Contested North'.",
      conflict: { changedBy: 'Bea Boss', current: { name: 'Contested North', version: created.version + 1 } },
    },
  });
});

it('refuses the second of two people who take one name at once', async () => {
  const other = await aUser(server.db, { roles: ['systemadmin'] });
  const save = (name: string, as: { id: number }) => server.call(Region.SaveRegion, { name }, { as });
  const both = await Promise.all([save('At Once', admin), save('AT ONCE', other)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
});

it('answers 404 for an unknown region; a sales administrator may not read the history of users', async () => {
  expect((await server.call(Region.SaveRegion, { id: 999_999, name: 'No', version: 1 }, { as: admin })).status).toBe(
    404,
  );
  expect((await server.call(Region.PopulateRegionEditModel, { id: 999_999 }, { as: admin })).status).toBe(404);
  expect((await server.call(History.GetHistory, { type: 'user', id: 1 }, { as: admin })).status).toBe(403);
});
