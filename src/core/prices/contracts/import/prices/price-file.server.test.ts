// Tests a price file with rows of every outcome: each outcome, applying, accepting some of the held rows later, and undoing it all.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walkPriceFile } from '#testing/price-file.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('rows of every outcome are compared, applied, extended and undone', async () => {
  const state = await walkPriceFile(server, {
    same: 180,
    within: 16,
    held: 30,
    unitProblems: 4,
    absent: 3,
    fresh: 18,
    unknown: 2,
    accounts: 5,
  });
  expect(state).toBe('Undone');
});
