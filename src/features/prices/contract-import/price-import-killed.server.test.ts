// A server killed while it applies prices, and while it applies held ones that were accepted later: each is done whole, once, or not at all.
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { DataImport, type ImportView } from '#features/operations/data-import/data-import.contract.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import {
  aProcessHome,
  killProcesses,
  type ProcessHome,
  startServerProcess,
  tokensOf,
  until,
} from '#testing/server-process.server.ts';

const WITHIN = 3000;
const HELD = 3000;

let home: ProcessHome | undefined;
afterAll(async () => {
  killProcesses();
  await home?.remove();
});

test('all or nothing', { timeout: 600_000 }, async () => {
  let userId = 0;
  home = await aProcessHome(async ({ db }) => {
    userId = (await aUser(db, { roles: ['contractdept'] })).id;
    const { id, tierId } = await aContract(db, { number: 'KILL-1' });
    await sql`insert into item (item_number, description, base_unit)
      select 'KI-' || n, 'Item ' || n, 'EA' from generate_series(1, ${WITHIN + HELD}::int) n`.execute(db);
    await sql`insert into contract_line (contract_id, item_id, unit)
      select ${id}, id, 'EA' from item where item_number like 'KI-%' order by id`.execute(db);
    await sql`insert into contract_line_price (contract_line_id, tier_id, price, valid_from)
      select id, ${tierId}, 40, '2020-01-01' from contract_line where contract_id = ${id}`.execute(db);
  });
  const { environment, address, open } = home;
  const { token } = await tokensOf(home, environment, { token: { id: userId } });
  const call = async (path: string, body: unknown): Promise<ImportView> => {
    const form = body instanceof FormData;
    const response = await fetch(address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(form ? {} : { 'content-type': 'application/json' }) },
      body: form ? body : JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as ImportView;
  };
  const get = (id: number) => call(`${DataImport.GetImport.path}?id=${id}`, {});
  const written = async () => {
    const database = await open();
    try {
      // As if the half minute had passed after which the next server puts a job without a heartbeat back in line.
      await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`.execute(
        database.db,
      );
      await sql`update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 minute'`.execute(database.db);
      const { rows } = await sql<{ ended: number; begun: number; applied: number; events: number; state: string }>`
        select (select count(*)::int from contract_line_price where valid_to is not null) as ended,
          (select count(*)::int from contract_line_price where valid_from > '2020-01-01') as begun,
          (select count(*)::int from data_import_held where applied) as applied,
          (select count(*)::int from record_event where record_type = 'contract') as events, (select max(state) from data_import) as state`.execute(
        database.db,
      );
      return rows[0];
    } finally {
      await database.close();
    }
  };

  let server = await startServerProcess(environment);
  const form = new FormData();
  form.append('kind', 'contract-prices');
  const prices = Array.from({ length: WITHIN + HELD }, (_, n) => `KILL-1,KI-${n + 1},EA,${n < WITHIN ? 41 : 50}`);
  form.append('file', new Blob([`Contract,Item,UOM,Price\n${prices.join('\n')}\n`]), 'prices.csv');
  const { id } = await call(DataImport.UploadImport.path, form);
  await call(DataImport.StartCheck.path, { id });
  await until(async () => (await get(id)).state === 'Checked', 60);

  const applyAndKill = async (wait: number, before: number, after: number) => {
    await call(DataImport.ApplyImport.path, { id });
    await new Promise((resolve) => setTimeout(resolve, wait));
    server.child.kill('SIGKILL');
    await server.ended;
    const found = await written();
    // On a quick machine it may have finished: then all of it is there.
    const done = found?.state === 'Applied' ? after : before;
    expect([found?.ended, found?.begun, found?.applied]).toEqual([done, done, Math.max(0, done - WITHIN)]);
    server = await startServerProcess(environment);
    await until(async () => (await get(id)).state === 'Applied', 180);
  };
  await applyAndKill(300, 0, WITHIN);
  await call(DataImport.DecideHeldRows.path, { id, decision: 'accepted' });
  await applyAndKill(300, WITHIN, WITHIN + HELD);
  const view = await get(id);
  expect(view).toMatchObject({ error: '', accepted: 0, report: { writes: WITHIN + HELD, held: 0 } });
  server.child.kill('SIGTERM');
  await server.ended;
  const all = WITHIN + HELD;
  expect(await written()).toEqual({ ended: all, begun: all, applied: HELD, events: 2, state: 'Applied' });
});
