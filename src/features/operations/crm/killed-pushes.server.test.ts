// Kills the server in the middle of pushes: afterwards each quote has one opportunity with its lines once.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startSalesforce } from '#testing/salesforce.server.ts';
import {
  aProcessHome,
  killProcesses,
  type ProcessHome,
  startServerProcess,
  tokensOf,
  until,
} from '#testing/server-process.server.ts';

const KILLS = 4;
const LINES = ['A-1', 'A-2', 'A-3'];

let home: ProcessHome | undefined;
afterAll(async () => {
  killProcesses();
  await home?.remove();
});

it(`after ${KILLS} kills each quote has one opportunity`, { timeout: 240_000 }, async () => {
  const salesforce = await startSalesforce({ makesUp: true });
  const quotes: { id: number; num: number }[] = [];
  let userId = 0;
  home = await aProcessHome(async ({ db }) => {
    userId = (await aUser(db, { roles: ['csrep'] })).id;
    for (let n = 0; n < 2 * KILLS + 2; n++) quotes.push(await aQuote(db, { ownerId: userId, itemNumbers: LINES }));
  });
  const { address, open } = home;
  const environment = {
    ...home.environment,
    OUTSIDE_LOOPBACK: 'true',
    SALESFORCE_URL: salesforce.address,
    SALESFORCE_CLIENT_ID: salesforce.clientId,
    SALESFORCE_CLIENT_SECRET: salesforce.clientSecret,
  };
  const { token } = await tokensOf(home, environment, { token: { id: userId } });
  const push = (id: number) =>
    fetch(`${address}/api/QuoteEdit/AddQuoteAsOppotunity?id=${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    }).catch(() => null);

  for (let kill = 0; kill < KILLS; kill++) {
    const server = await startServerProcess(environment);
    const calls = salesforce.calls.length;
    const asked = quotes.slice(2 * kill, 2 * kill + 2).map(({ id }) => push(id));
    // Before, during or after the writes of the first push.
    await until(() => salesforce.calls.length > calls + 2 * kill, 60);
    await sleep(4 * kill);
    server.child.kill('SIGKILL');
    await server.ended;
    await Promise.all(asked);
    // What a dead process held is free after a minute.
    const database = await open();
    await database.pool.query(`update crm_connection set leased_until = leased_until - interval '1 minute'`);
    await database.pool.query(
      `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`,
    );
    await database.pool.query(`update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 minute'`);
    await database.close();
  }
  const server = await startServerProcess(environment);
  // Whoever got no answer asks again.
  for (const { id } of quotes) expect((await push(id))?.status).toBe(200);
  await until(async () => {
    const { length } = salesforce.rows('OpportunityLineItem');
    return length >= quotes.length * LINES.length;
  }, 120);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);

  const numbers = salesforce.rows('Opportunity').map((one) => Number(one['Quote_Number__c']));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(quotes.map(({ num }) => num));
  const keys = salesforce.rows('OpportunityLineItem').map((line) => line['Quote_Line_Id__c']);
  expect(new Set(keys).size).toBe(quotes.length * LINES.length);
  expect(keys).toHaveLength(quotes.length * LINES.length);
  await salesforce.close();
});
