// Tests prices of a few quotes of a random company, always the same, against a second calculation (docs/decisions/0048); prices.slow.test.ts tests
// hundreds of lines.
import { afterAll, expect, test } from 'vitest';
import { walkPrices } from '#testing/price-walk.server.ts';
import { startTestServer } from '#testing/test-server.server.ts';

const LINES = 40;

const server = await startTestServer();
afterAll(() => server.close());

test('the lines of three quotes have the prices of the second calculation, whatever happens to the quotes', async () => {
  const { differences, created } = await walkPrices(server, { seed: 1, lines: LINES, quotes: 3 });
  for (const difference of differences.slice(0, 20)) console.log(JSON.stringify(difference));
  expect(differences.length).toBe(0);
  expect(created).toBeGreaterThanOrEqual(LINES);
}, 120_000);
