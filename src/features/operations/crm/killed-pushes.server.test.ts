// Kills the server in the middle of pushes: afterwards each quote has one opportunity, which has each line once.
import { expect, it } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startSalesforce } from '#testing/salesforce.server.ts';
import { until } from '#testing/server-process.server.ts';
import { aMinutePasses, aServerToKill } from '#testing/server-to-kill.server.ts';
import { QuoteCrm } from './crm.contract.ts';

const KILLS = 4;
const LINES = ['A-1', 'A-2', 'A-3'];

it(`after ${KILLS} kills each quote has one opportunity`, { timeout: 240_000 }, async () => {
  const salesforce = await startSalesforce({ makesUp: true });
  const quotes: { id: number; num: number }[] = [];
  const server = await aServerToKill(
    async ({ db }) => {
      const user = await aUser(db, { roles: ['csrep'] });
      for (let n = 0; n < 2 * KILLS + 2; n++) quotes.push(await aQuote(db, { ownerId: user.id, itemNumbers: LINES }));
      return user;
    },
    () => ({
      OUTSIDE_LOOPBACK: 'true',
      SALESFORCE_URL: salesforce.address,
      SALESFORCE_CLIENT_ID: salesforce.clientId,
      SALESFORCE_CLIENT_SECRET: salesforce.clientSecret,
    }),
  );
  const push = (id: number) => server.fetchFrom(QuoteCrm.AddQuoteAsOppotunity, { id }).catch(() => null);

  for (let kill = 0; kill < KILLS; kill++) {
    await server.start();
    const calls = salesforce.calls.length;
    const asked = quotes.slice(2 * kill, 2 * kill + 2).map(({ id }) => push(id));
    // Before, during or after the writes of the first push.
    await until(() => salesforce.calls.length > calls + 2 * kill, 60);
    await server.kill(4 * kill);
    await Promise.all(asked);
    // The jobs and the lease of a dead process are free after a minute.
    await server.inDatabase(async (database) => {
      await aMinutePasses(database);
      await database.pool.query(`update crm_connection set leased_until = leased_until - interval '1 minute'`);
    });
  }
  await server.start();
  // Calls without an answer are repeated.
  for (const { id } of quotes) expect((await push(id))?.status).toBe(200);
  await until(async () => {
    const { length } = salesforce.rows('OpportunityLineItem');
    return length >= quotes.length * LINES.length;
  }, 120);
  expect(await server.stop()).toBe(0);

  const numbers = salesforce.rows('Opportunity').map((one) => Number(one['Quote_Number__c']));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(quotes.map(({ num }) => num));
  const keys = salesforce.rows('OpportunityLineItem').map((line) => line['Quote_Line_Id__c']);
  expect(new Set(keys).size).toBe(quotes.length * LINES.length);
  expect(keys).toHaveLength(quotes.length * LINES.length);
  await salesforce.close();
});
