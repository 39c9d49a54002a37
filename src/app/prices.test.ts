// Prices of a random company against a second calculation. SEED=… repeats a run; with ALL_KILLS it has another seed each day, and ten times the lines.
import { afterAll, expect, test } from 'vitest';
import { ALL_KILLS } from '#testing/all-kills.server.ts';
import { walkPrices } from '#testing/price-walk.server.ts';
import { startTestServer } from '#testing/test-server.server.ts';

const DAILY = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
const seed = Number(process.env['SEED'] ?? (ALL_KILLS ? DAILY : 20_261_121));
const lines = Number(process.env['LINES'] ?? (ALL_KILLS ? 3_000 : 160));

const server = await startTestServer();
afterAll(() => server.close());

test(`${lines} lines have the prices of the second calculation, whatever happens to their quotes (SEED=${seed})`, async () => {
  const { differences, compared, sources, created } = await walkPrices(server, { seed, lines });
  console.log(`SEED=${seed}: ${created} lines, compared`, compared, sources);
  for (const difference of differences.slice(0, 400)) console.log(JSON.stringify(difference));
  expect(differences.length).toBe(0);
}, 900_000);
