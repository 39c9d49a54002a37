// Tests that no statement of the main job reads a whole large table, on whichever PostgreSQL the tests run.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itemCache } from '#core/catalog/item-cache/item-cache.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { explainedServer, type Planned, wholeTables } from '#testing/statement-plans.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { fill, SCALES } from './volume.ts';

/** Large enough that reading a whole table costs more than an index does. */
const SCALE = { ...SCALES.small, items: 20_000, facilities: 5_000, quotes: 10_000, long: 2, events: 1, log: 200 };
const LARGE = 3_000;
const MAIN_JOB = scenarios(SCALE).filter(({ administers }) => !administers);

let server: TestServer;
let large: string[];
let planned: Planned[];

beforeAll(async () => {
  const filled = await freshDatabase();
  await fill(filled.db, SCALE);
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > ${LARGE}`.execute(
    filled.db,
  );
  large = rows.map(({ name }) => name);
  ({ server, planned } = await explainedServer(filled));
}, 300_000);
afterAll(() => server.close());

it('reads the tables of the main job by their indexes', () => {
  expect(large).toEqual(
    expect.arrayContaining(['item', 'item_price', 'facility', 'quote', 'quote_item', 'contract_line_price']),
  );
});

it.each(MAIN_JOB)('$name', readsByIndexes);

it.each(MAIN_JOB.filter(({ name }) => name.startsWith('item ')))('$name, from memory', async (scenario) => {
  await itemCache(server.services).ready(server.services.clock.now());
  await readsByIndexes(scenario);
  expect(planned.some((candidate) => candidate['Query Text'].includes('pg_visible_in_snapshot'))).toBe(true);
});

async function readsByIndexes({ name, call }: Scenario): Promise<void> {
  // A statement gets its lasting plan when a connection runs it for the sixth time. A long PDF takes seconds, and runs the statements of the
  // short one before it.
  const times = name === 'PDF of 1,000 lines' ? 1 : 8;
  for (let n = 1; n <= times; n++) {
    planned.length = 0;
    const { url, body } = call(n);
    const { status, text } = await server.inject({
      method: 'POST',
      url,
      payload: body,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await server.tokenOf(1)}`,
      },
    });
    expect({ status, text }).toMatchObject({ status: 200 });
    expect(planned.length).toBeGreaterThan(0);
    expect(
      planned.flatMap((entry) =>
        wholeTables(entry.Plan, large).map((table) => `${table}: ${entry['Query Text'].slice(0, 200)}`),
      ),
    ).toEqual([]);
  }
}
