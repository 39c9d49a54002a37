// Tests what each decision of every demo request means in money, against a second calculation that does not use the resolver.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillDemo } from '#demo/fill-demo.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { PriceOracle } from '#testing/price-oracle.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Eligibility } from './eligibility.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { demoScale: 0.2 } });
  await fillDemo(server.services, () => {});
}, 120_000);
afterAll(() => server.close());

test('every tier of every request has the total that the second calculation gives, better and worse', async () => {
  const { db } = server;
  const desk = await aUser(db, { roles: ['contractdept'] });
  const oracle = await PriceOracle.read(db);
  const { rows } = await sql<{ id: number }>`select id from eligibility_request order by id`.execute(db);
  expect(rows).toHaveLength(7);
  const seen = { better: 0, worse: 0, same: 0 };
  for (const { id } of rows) {
    const detail = await server.ok(Eligibility.Get, { id }, { as: desk });
    for (const quote of detail.quotes) {
      const visible: unknown[] = [];
      const expected: unknown[] = [];
      for (const { tierId, total, less } of quote.tiers) {
        const result = await oracle.total(db, quote.id, { contractId: detail.request.contract.id, tierId });
        visible.push([quote.number, tierId, quote.total, quote.refused, total]);
        // No quote of the demo depends on a request yet, so a refusal changes nothing.
        expected.push([quote.number, tierId, result.stored, result.stored, result.total]);
        seen[less === 0 ? 'same' : (less ?? 0) > 0 ? 'better' : 'worse']++;
      }
      expect(visible).toEqual(expected);
    }
  }
  // Each day's demo has some quotes that differ. How many are better or worse is random.
  expect(seen.better + seen.worse).toBeGreaterThan(2);
});
