// Tests that the two ways of deciding sight agree: the condition of a statement, and the decision about a quote at hand.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { anApprovalRequest, aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ROLES } from '#shared/roles.ts';
import { inSight, seesQuote, type Viewer } from './sight.server.ts';

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
  expect(quotes.length).toBe(12);
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
      const told = quotes.filter((quote) => seesQuote(user, quote)).map(({ id }) => id);
      expect(told.toSorted((a, b) => a - b)).toEqual(seen.map(({ id }) => id));
    }),
    { numRuns: 300 },
  );
});
