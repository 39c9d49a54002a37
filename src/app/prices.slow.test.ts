// Tests prices of hundreds of lines of a random company against a second calculation, with different lines each day (docs/decisions/0048). `SEED=…`
// repeats a run, `LINES=…` lengthens it.
import { afterAll, expect, test } from 'vitest';
import { walkPrices } from '#testing/price-walk.server.ts';
import { startTestServer } from '#testing/test-server.server.ts';

/** 20261121 on November 21, 2026. */
const DAILY = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
const seed = Number(process.env['SEED'] ?? DAILY);
const lines = Number(process.env['LINES'] ?? 600);

const server = await startTestServer();
afterAll(() => server.close());

test(`${lines} lines have the prices of the second calculation, whatever happens to their quotes (SEED=${seed})`, async () => {
  const { differences, compared, sources, created } = await walkPrices(server, { seed, lines });
  const sum = Object.values(sources).reduce((all, count) => all + count, 0);
  console.log(`SEED=${seed}: ${created} lines, ${sum} prices compared`, compared, sources);
  for (const difference of differences.slice(0, 20)) console.log(JSON.stringify(difference));
  expect(differences.length).toBe(0);
  expect(created).toBeGreaterThanOrEqual(lines);
}, 900_000);
