// Tests that the demo company of a day is the same in every fill.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestServer } from '#testing/test-server.server.ts';
import { fillDemo } from './fill-demo.server.ts';

async function filled(): Promise<Record<string, string>> {
  const server = await startTestServer({ config: { demoScale: 0.03 } });
  try {
    server.setNow('2026-11-26T15:00:00Z');
    await fillDemo(server.services, () => {});
    const hashes: Record<string, string> = {};
    for (const table of ['quote', 'quote_item', 'quote_event', 'approval_request'] as const) {
      const { rows } = await sql<{ hash: string }>`
        select md5(string_agg(md5(t::text), '' order by t.id)) as hash from ${sql.table(table)} t
          -- it has the time of the database
          where to_jsonb(t) ->> 'action' is distinct from 'TakeConfigured'`.execute(server.db);
      hashes[table] = rows[0]?.hash ?? '';
    }
    return hashes;
  } finally {
    await server.close();
  }
}

test('quotes, lines, history and approvals', async () => {
  expect(await filled()).toEqual(await filled());
}, 120_000);
