// Tests a price file of 20,000 rows: the outcome of each, applying, accepting 300 of the held rows later, and undoing it all.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walkPriceFile } from '#testing/price-file.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('20,000 rows are compared, applied, extended and undone', { timeout: 300_000 }, async () => {
  const state = await walkPriceFile(server, {
    same: 17_800,
    within: 1640,
    held: 312,
    unitProblems: 40,
    absent: 25,
    fresh: 180,
    unknown: 28,
    accounts: 235,
  });
  expect(state).toBe('Undone');
});
