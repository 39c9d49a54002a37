// Tests two users who work on one quote of 500 lines, and drop and rejoin the network. TWO_PEOPLE_MINUTES=5 makes it longer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { twoPeople } from '#testing/two-people.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const MINUTES = Number(process.env['TWO_PEOPLE_MINUTES'] ?? 0);

test('both end with the stored lines and totals, and no input is lost', {
  timeout: 120_000 + MINUTES * 90_000,
}, async () => {
  const until = performance.now() + MINUTES * 60_000;
  const over = (step: number) => (MINUTES > 0 ? performance.now() > until : step >= 160);
  const { problems, ...figures } = await twoPeople(server, { lines: 500, seed: 42, over });
  if (MINUTES > 0) console.log(figures);
  expect(problems).toEqual([]);
  // Without these, the test would prove nothing.
  expect(figures.dropped).toBeGreaterThan(3);
  expect(figures.conflicts).toBeGreaterThan(0);
  expect(figures.saves).toBeGreaterThan(50);
});
