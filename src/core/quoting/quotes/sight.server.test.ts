// Tests who sees which quote (design 3), and that the two implementations agree: the SQL condition, and the decision about a quote already read.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { anApprovalRequest, aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { QuoteSearch } from './quotes.contract.ts';
import { inSight, requireQuote, seesQuote, type Viewer } from './sight.server.ts';

let server: TestServer;
let people: number[] = [];
let regions: number[] = [];
beforeAll(async () => {
  server = await startTestServer();
  const { db } = server;
  regions = [(await aRegion(db)).id, (await aRegion(db)).id];
  for (let n = 0; n < 3; n++) people.push((await aUser(db, { roles: ['salesrep'] })).id);
  for (const ownerId of people)
    for (const [n, repId] of [...people, null].entries()) {
      const { id } = await aQuote(db, { ownerId });
      const region_id = [...regions, null][n % 3] ?? null;
      await db.updateTable('quote').set({ sales_rep_id: repId, region_id }).where('id', '=', id).execute();
      if (n % 2 === 0) await anApprovalRequest(db, { quoteId: id, requestedBy: ownerId, roles: ['salesadmin'] });
    }
});
afterAll(() => server.close());

it('inSight and seesQuote agree about every quote and viewer', async () => {
  const quotes = await server.db
    .selectFrom('quote')
    .select(['id', 'owner_id', 'sales_rep_id', 'region_id'])
    .select(sql<boolean>`exists (select from approval_request where quote_id = quote.id)`.as('wasAsked'))
    .execute();
  expect(quotes.length).toBeGreaterThanOrEqual(12);
  const person = fc.record({
    id: fc.constantFrom(...people, 999),
    fullName: fc.constant(''),
    roles: fc.uniqueArray(fc.constantFrom(...ROLES), { maxLength: 3 }),
    regionIds: fc.subarray(regions),
  });
  const viewer: fc.Arbitrary<Viewer> = fc
    .record({ person, supportedRepIds: fc.subarray(people), deputyFor: fc.array(person, { maxLength: 2 }) })
    .map(({ person: self, ...rest }) => ({ ...self, ...rest }));
  await fc.assert(
    fc.asyncProperty(viewer, async (user) => {
      const seen = await server.db.selectFrom('quote').select('id').where(inSight(user)).orderBy('id').execute();
      const expected = quotes.filter((quote) => seesQuote(user, quote)).map(({ id }) => id);
      expect(expected.toSorted((a, b) => a - b)).toEqual(seen.map(({ id }) => id));
    }),
    { numRuns: 300 },
  );
});

it('each role sees the quotes of design 3, and several roles the union', async () => {
  const { db } = server;
  const [north, south] = [await aRegion(db), await aRegion(db)];
  const rep = await aUser(db, { roles: ['salesrep'] });
  const other = await aUser(db, { roles: ['salesrep'] });
  const support = await aUser(db, { roles: ['salessupport'], supports: [rep.id] });
  const users = {
    rep,
    other,
    support,
    'support of nobody': await aUser(db, { roles: ['salessupport'] }),
    'manager of north': await aUser(db, { roles: ['salesQuoteManager'], regionIds: [north.id] }),
    'manager of nothing': await aUser(db, { roles: ['salesQuoteManager'] }),
    'support of rep and manager of south': await aUser(db, {
      roles: ['salessupport', 'salesQuoteManager'],
      supports: [rep.id],
      regionIds: [south.id],
    }),
    csrep: await aUser(db, { roles: ['csrep'] }),
    insiderep: await aUser(db, { roles: ['insiderep'] }),
    salesadmin: await aUser(db, { roles: ['salesadmin'] }),
    contractdept: await aUser(db, { roles: ['contractdept'] }),
    systemadmin: await aUser(db, { roles: ['systemadmin'] }),
  };
  const facilityName = 'Sight Table Hospital';
  const quotes = {
    'of rep, north': await aQuote(db, { facilityName, salesRepId: rep.id, regionId: north.id }),
    'of rep, south': await aQuote(db, { facilityName, salesRepId: rep.id, regionId: south.id }),
    'of other, south': await aQuote(db, { facilityName, salesRepId: other.id, regionId: south.id }),
    'of nobody, written by support': await aQuote(db, { facilityName, salesRepId: null, ownerId: support.id }),
  };
  const all = Object.keys(quotes);
  const table: Record<keyof typeof users, string[]> = {
    rep: ['of rep, north', 'of rep, south'],
    other: ['of other, south'],
    support: ['of rep, north', 'of rep, south', 'of nobody, written by support'],
    'support of nobody': [],
    'manager of north': ['of rep, north'],
    'manager of nothing': [],
    'support of rep and manager of south': ['of rep, north', 'of rep, south', 'of other, south'],
    csrep: all,
    insiderep: all,
    salesadmin: all,
    contractdept: all,
    systemadmin: all,
  };
  for (const [name, user] of Object.entries(users)) {
    const { records, total } = await server.ok(
      QuoteSearch.SearchQuotesForSalesRep,
      { remember: 'none', facilityName },
      { as: user },
    );
    const seen = Object.entries(quotes).filter(([, quote]) => records.some((row) => row.id === quote.id));
    expect([name, seen.map(([label]) => label)]).toEqual([name, table[name as keyof typeof users]]);
    expect(total).toBe(seen.length);
  }
});

it('a quote out of sight is like one that does not exist', async () => {
  const { db } = server;
  const rep = await aUser(db);
  const quote = await aQuote(db);
  const viewer = { id: rep.id, roles: ['salesrep' as const], regionIds: [], supportedRepIds: [], deputyFor: [] };
  const outOfSight = await requireQuote(db, viewer, quote.id).catch((error: unknown) => error);
  const absent = await requireQuote(db, viewer, 2_000_000_000).catch((error: unknown) => error);
  expect(outOfSight).toMatchObject({ status: 404 });
  expect(outOfSight).toEqual(absent);
});
