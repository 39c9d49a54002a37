// Tests planning help over HTTP, on real areas of Houston: problems found, balancing moves, and access.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TerritoryPlans } from '#features/territories/territory-plans/territory-plans.contract.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#shared/money.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { groundOf } from './geography.server.ts';
import { PlanHelp } from './plan-help.contract.ts';

let server: TestServer;
let admin: { id: number };
let texas: string[];
let region: { id: number };
let north: { id: number };
let south: { id: number };
let hole: string;
let planId: number;
const DAY = '2026-11-11';

beforeAll(async () => {
  server = await startTestServer({ config: { internalSite: true } });
  server.setNow('2026-11-10T15:00:00Z');
  admin = await aUser(server.db, { roles: ['salesadmin'] });
  region = await aRegion(server.db, {});
  await server.db
    .insertInto('zip')
    .values([
      { zip5: '77001', city: 'Houston', state: 'TX', lat: 29.7604, lon: -95.3698 },
      { zip5: '77002', city: 'Houston', state: 'TX', county: 'Harris', lat: 29.7567, lon: -95.3659 },
    ])
    .execute();
  const { neighbors } = await groundOf(server.db, '');
  // Sixty areas around 77002, ring by ring: the nearer half belongs to South, the rest to North.
  const around = ['77002'];
  for (const zip of around) {
    if (around.length >= 60) break;
    for (const next of neighbors.get(zip) ?? []) if (!around.includes(next)) around.push(next);
  }
  texas = around.slice(0, 60);
  // One ZIP inside South has no territory.
  hole = texas[5] ?? '';
  south = await aTerritory(server.db, {
    name: 'Help South',
    regionId: region.id,
    zips: texas.slice(0, 30).filter((zip) => zip !== hole),
  });
  // The PO box in the middle belongs to North.
  north = await aTerritory(server.db, { name: 'Help North', regionId: region.id, zips: [...texas.slice(30), '77001'] });
  const { map } = await server.ok(
    TerritoryPlans.saveSavedMap,
    { map: { name: 'Helped', effectiveDay: DAY } },
    { as: admin },
  );
  planId = map.id;
});
beforeEach(() => server.setNow('2026-11-10T15:00:00Z'));
afterAll(() => server.close());

const cleanUp = (as = admin, id = planId) => server.call(PlanHelp.cleanUpSavedMap, { id }, { as });
const balance = (more: object = {}, as = admin) =>
  server.call(
    PlanHelp.balanceSavedMap,
    { id: planId, territoryIds: [north.id, south.id], measure: 'facilities', ...more },
    { as },
  );

it('finds a ZIP without a territory, islands, and a stray point, and finds no accepted fix again', async () => {
  const { fixes, total } = await server.ok(PlanHelp.cleanUpSavedMap, { id: planId }, { as: admin });
  expect(total).toBeGreaterThanOrEqual(fixes.length);
  const point = fixes.find(({ kind }) => kind === 'point');
  expect(point).toMatchObject({ from: { name: 'Help North' }, to: { name: 'Help South' }, zips: ['77001'] });
  // South surrounds the hole. The rest of the country is connected, so it is one suggestion.
  const filled = fixes.find(({ kind, zips }) => kind === 'unassigned' && zips.includes(hole));
  expect(filled?.to?.name).toBe('Help South');
  expect(fixes.filter(({ kind, from, to }) => kind === 'island' && from?.id === to?.id)).toEqual([]);

  await server.ok(
    TerritoryPlans.saveSavedMap,
    {
      map: { id: planId },
      moves: [
        { zip: '77001', to: south.id },
        { zip: hole, to: south.id },
      ],
      version: (await server.ok(TerritoryPlans.loadSavedMap, { id: planId }, { as: admin })).map.version,
    },
    { as: admin },
  );
  const after = await server.ok(PlanHelp.cleanUpSavedMap, { id: planId }, { as: admin });
  expect(after.fixes.some(({ kind }) => kind === 'point')).toBe(false);
  expect(after.fixes.some(({ zips }) => zips.includes(hole))).toBe(false);
});

it('lists overrides that the ZIP makes unnecessary after the moves of the plan', async () => {
  const stays = await aFacility(server.db, { name: 'Aligned Clinic', zip: texas[0] ?? '' });
  const differs = await aFacility(server.db, { name: 'Held Clinic', zip: texas[1] ?? '' });
  await server.db
    .insertInto('account_override')
    .values([
      { facility_id: stays.id, territory_id: south.id, valid_from: '2026-01-01' },
      { facility_id: differs.id, territory_id: north.id, valid_from: '2026-01-01' },
    ])
    .execute();
  const { overrides, overridesTotal } = await server.ok(PlanHelp.cleanUpSavedMap, { id: planId }, { as: admin });
  expect([overrides.map(({ facility }) => facility.name), overridesTotal]).toEqual([['Aligned Clinic'], 1]);
});

it('balances facilities along the border, counts overrides separately, and never adds currencies', async () => {
  const rep = await aUser(server.db, {});
  for (const zip of texas.slice(0, 20)) {
    const facility = await aFacility(server.db, { zip });
    await aQuote(server.db, {
      facility,
      ownerId: rep.id,
      totalAmount: 100,
      currnIdx: zip === texas[3] ? EURO_INDEX : DOLLAR_INDEX,
    });
  }
  const { body } = await balance();
  const of = (id: number) => body.shares.find(({ territory }) => territory.id === id);
  // Twenty facilities plus two clinics: one in South by its ZIP or override, one held in North.
  expect([of(south.id)?.before, of(south.id)?.accounts, of(north.id)?.before, of(north.id)?.accounts]).toEqual([
    21, 1, 1, 1,
  ]);
  expect(body.mean).toBe(11);
  expect(Math.abs(of(south.id)?.offAfter ?? 1)).toBeLessThan(Math.abs(of(south.id)?.offBefore ?? 0));
  expect((of(south.id)?.after ?? 0) + (of(north.id)?.after ?? 0)).toBe(22);
  const moved = body.moves.flatMap(({ zips }) => zips);
  expect(new Set(moved).size).toBe(moved.length);
  expect(body.moves.every(({ from, to }) => from.id === south.id && to.id === north.id)).toBe(true);
  expect((await balance()).body).toEqual(body);

  const zips = (await balance({ scope: 'zips' })).body;
  expect(zips.shares.reduce((sum, { before }) => sum + before, 0)).toBe(20);
  const accounts = (await balance({ scope: 'accounts' })).body;
  expect([accounts.moves, accounts.shares.map(({ before }) => before)]).toEqual([[], [1, 1]]);

  const dollars = (await balance({ measure: 'openValue' })).body;
  expect([dollars.shares.reduce((sum, { before }) => sum + before, 0), dollars.others]).toEqual([
    1900,
    [{ currnIdx: EURO_INDEX, amount: 100 }],
  ]);
  const euros = (await balance({ measure: 'openValue', currnIdx: EURO_INDEX })).body;
  expect([euros.shares.reduce((sum, { before }) => sum + before, 0), euros.others]).toEqual([
    100,
    [{ currnIdx: DOLLAR_INDEX, amount: 1900 }],
  ]);
  const won = (await balance({ measure: 'won' })).body;
  expect(won.shares.every(({ before }) => before === 0)).toBe(true);
});

it('counts quotes won in the twelve months before today', async () => {
  const rep = await aUser(server.db, {});
  const facility = await aFacility(server.db, { zip: texas[0] ?? '' });
  const recent = await aQuote(server.db, { facility, ownerId: rep.id, statusId: 'Won', totalAmount: 700 });
  const old = await aQuote(server.db, { facility, ownerId: rep.id, statusId: 'Won', totalAmount: 9000 });
  await server.db
    .insertInto('quote_event')
    .values(
      [
        { quote: recent, at: '2026-03-01T12:00:00Z' },
        { quote: old, at: '2025-03-01T12:00:00Z' },
      ].map(({ quote, at }) => ({
        quote_id: quote.id,
        at,
        actor: 'x',
        action: 'Win',
        to_status: 'Won',
        revision: 0,
        changes: '[]',
      })),
    )
    .execute();
  const { body } = await balance({ measure: 'won' });
  expect(body.shares.find(({ territory }) => territory.id === south.id)?.before).toBe(700);
});

it('names amounts in the other currency only within the chosen scope', async () => {
  const rep = await aUser(server.db, {});
  const held = await aFacility(server.db, { name: 'Euro Clinic', zip: texas[1] ?? '' });
  await server.db
    .insertInto('account_override')
    .values({ facility_id: held.id, territory_id: north.id, valid_from: '2026-01-01' })
    .execute();
  const quote = { ownerId: rep.id, statusId: 'Won' as const, currnIdx: EURO_INDEX };
  await aQuote(server.db, { ...quote, facility: held, totalAmount: 40 });
  await aQuote(server.db, { ...quote, facility: await aFacility(server.db, { zip: texas[0] ?? '' }), totalAmount: 5 });
  const amounts = async (scope: 'both' | 'zips' | 'accounts') =>
    (await balance({ measure: 'won', scope })).body.others.map(({ amount }) => amount);
  expect([await amounts('both'), await amounts('zips'), await amounts('accounts')]).toEqual([[45], [5], [40]]);
});

it('refuses invalid input and callers without access', async () => {
  const status = async (more: object, as = admin) => (await balance(more, as)).status;
  expect(await status({ territoryIds: [north.id] })).toBe(422);
  expect(await status({ territoryIds: [north.id, 999_999] })).toBe(422);
  expect(await status({ measure: 'luck' })).toBe(422);
  expect(await status({ tolerance: 0 })).toBe(422);
  expect(await status({ currnIdx: 3 })).toBe(422);
  expect(await status({ id: 999_999 })).toBe(404);
  expect((await cleanUp(admin, 999_999)).status).toBe(404);
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  expect([(await cleanUp(rep)).status, await status({}, rep)]).toEqual([403, 403]);
});

it('answers a quote manager for their own regions, in their own plans', async () => {
  const other = await aRegion(server.db, {});
  const manager = await aUser(server.db, { roles: ['salesQuoteManager'], regionIds: [other.id] });
  expect((await cleanUp(manager)).status).toBe(404);
  const { map } = await server.ok(
    TerritoryPlans.saveSavedMap,
    { map: { name: 'Mine', effectiveDay: DAY } },
    { as: manager },
  );
  const { body } = await cleanUp(manager, map.id);
  expect(body.fixes.filter(({ from, to }) => from !== null || to !== null)).toEqual([]);
  expect(body.overrides).toEqual([]);
  const refused = await balance({ id: map.id }, manager);
  expect(refused.status).toBe(422);
});
