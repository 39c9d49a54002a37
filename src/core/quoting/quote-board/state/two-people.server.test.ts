// Tests two users who work on one quote, and drop and rejoin the network.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { twoPeople } from '#testing/two-people.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('both end with the stored lines and totals, and no input is lost', async () => {
  const { problems, ...figures } = await twoPeople(server, { lines: 60, seed: 42, over: (step) => step >= 100 });
  expect(problems).toEqual([]);
  // Without these, the test would prove nothing.
  expect(figures.dropped).toBeGreaterThan(2);
  expect(figures.conflicts).toBeGreaterThan(0);
  expect(figures.saves).toBeGreaterThan(30);
});
