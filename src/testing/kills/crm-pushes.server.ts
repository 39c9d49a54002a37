// A server killed in the middle of pushes: afterwards each quote has one opportunity, which has each line once.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { QuoteCrm } from '#addons/crm/crm.contract.ts';
import { aUser } from '../factories/people.server.ts';
import { aQuote } from '../factories/quotes.server.ts';
import { startSalesforce } from '../salesforce.server.ts';
import { until } from '../server-process.server.ts';
import type { KillCase, KilledServer, Point } from './kill-case.server.ts';

const KILLS = 4;
const LINES = ['A-1', 'A-2', 'A-3'];

export async function crmPushes(): Promise<KillCase> {
  const salesforce = await startSalesforce({ makesUp: true });
  onTestFinished(salesforce.close);
  const quotes: { id: number; num: number }[] = [];
  const push = (server: KilledServer, id: number) => server.statusOf(QuoteCrm.AddQuoteAsOppotunity, { id });
  /** Before, during or after the writes of the first push. */
  const among = (kill: number): Point => ({
    work: async (server) => {
      const calls = salesforce.calls.length;
      const quoteIds = quotes.slice(2 * kill, 2 * kill + 2).map(({ id }) => push(server, id));
      await until(() => salesforce.calls.length > calls + 2 * kill, 60);
      await sleep(4 * kill);
      return () => Promise.all(quoteIds);
    },
  });
  return {
    fill: async ({ db }) => {
      const user = await aUser(db, { roles: ['csrep'] });
      for (let n = 0; n < 2 * KILLS + 2; n++) quotes.push(await aQuote(db, { ownerId: user.id, itemNumbers: LINES }));
      return user;
    },
    variables: () => ({
      OUTSIDE_LOOPBACK: 'true',
      SALESFORCE_URL: salesforce.address,
      SALESFORCE_CLIENT_ID: salesforce.clientId,
      SALESFORCE_CLIENT_SECRET: salesforce.clientSecret,
    }),
    points: Array.from({ length: KILLS }, (_, kill) => among(kill)),
    leases: [`update crm_connection set leased_until = leased_until - interval '1 minute'`],
    rest: async (server) => {
      // Calls without an answer are repeated.
      for (const { id } of quotes) expect([200, 202]).toContain(await push(server, id));
      await until(() => salesforce.rows('OpportunityLineItem').length >= quotes.length * LINES.length, 120);
    },
    proof: async () => {
      const numbers = salesforce.rows('Opportunity').map((row) => Number(row['Quote_Number__c']));
      expect(numbers.toSorted((a, b) => a - b)).toEqual(quotes.map(({ num }) => num));
      const keys = salesforce.rows('OpportunityLineItem').map((line) => line['Quote_Line_Id__c']);
      expect(new Set(keys).size).toBe(quotes.length * LINES.length);
      expect(keys).toHaveLength(quotes.length * LINES.length);
    },
  };
}
