// Tests the built-in ZIP list: it is filled once, with city, county, and place.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { fillZipList } from './zip-list.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const zipOf = (zip: string) => server.db.selectFrom('zip').selectAll().where('zip5', '=', zip).executeTakeFirst();

test('servers that start at once fill the list once, and later edits stay', async () => {
  await Promise.all([1, 2].map(() => inTransaction(server.db, fillZipList)));
  expect(await zipOf('77002')).toMatchObject({ city: 'Houston', state: 'TX', county: 'Harris' });
  expect(Number((await zipOf('77002'))?.lat)).toBeCloseTo(29.76, 1);
  const { all, counties, placed } = await server.db
    .selectFrom('zip')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.sum<number>(eb.case().when('county', '<>', '').then(1).else(0).end()).as('counties'),
      eb.fn.count<number>('lat').as('placed'),
    ])
    .executeTakeFirstOrThrow();
  expect(all).toBeGreaterThan(41_000);
  expect(counties).toBeGreaterThan(32_000);
  expect(placed).toBeGreaterThan(41_000);
  await server.db.updateTable('zip').set({ city: 'Ours' }).where('zip5', '=', '77002').execute();
  await inTransaction(server.db, fillZipList);
  expect(await zipOf('77002')).toMatchObject({ city: 'Ours' });
});
