// A server killed in the middle of an import, or of its undo: nothing of it is done, and the next server does all of it, once.
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import {
  aProcessHome,
  killProcesses,
  type ProcessHome,
  startServerProcess,
  tokensOf,
  until,
} from '#testing/server-process.server.ts';
import { DataImport, type ImportView } from '../data-import.contract.ts';

const ROWS = 12_000;

let home: ProcessHome | undefined;
afterAll(async () => {
  killProcesses();
  await home?.remove();
});

test('all or nothing', { timeout: 600_000 }, async () => {
  let adminId = 0;
  home = await aProcessHome(async ({ db }) => {
    adminId = (await aUser(db, { roles: ['systemadmin'] })).id;
  });
  const { environment, address, open } = home;
  const { token } = await tokensOf(home, environment, { token: { id: adminId } });
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
  const stateOf = async (id: number) => (await call(`${DataImport.GetImport.path}?id=${id}`, {})).state;
  const written = async () => {
    const database = await open();
    try {
      // As if the half minute had passed after which the next server puts a job without a heartbeat back in line.
      await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`.execute(
        database.db,
      );
      await sql`update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 minute'`.execute(database.db);
      const { rows } = await sql<{ zips: number; kept: number; events: number; state: string }>`
        select (select count(*) from zip where city = 'Killed') as zips, (select count(*) from data_import_change) as kept,
          (select count(*) from record_event where record_type = 'dataImport') as events, (select max(state) from data_import) as state`.execute(
        database.db,
      );
      return rows[0];
    } finally {
      await database.close();
    }
  };

  let server = await startServerProcess(environment);
  const form = new FormData();
  form.append('kind', 'zips');
  const zips = Array.from({ length: ROWS }, (_, n) => `${String(n + 10_000)},Killed`);
  form.append('file', new Blob([`zip,city\n${zips.join('\n')}\n`]), 'zips.csv');
  const { id } = await call(DataImport.UploadImport.path, form);
  await call(DataImport.StartCheck.path, { id });
  await until(async () => (await stateOf(id)) === 'Checked', 60);
  await call(DataImport.ApplyImport.path, { id });
  // At different points of the work: while it reads, compares, writes. Nobody looks meanwhile: the embedded database answers nobody.
  for (const wait of [150, 450]) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    server.child.kill('SIGKILL');
    await server.ended;
    const found = await written();
    // On a quick machine it may have finished: then all of it is there.
    expect(found).toEqual(
      found?.state === 'Applied'
        ? { zips: ROWS, kept: ROWS, events: 1, state: 'Applied' }
        : { zips: 0, kept: 0, events: 0, state: 'Applying' },
    );
    server = await startServerProcess(environment);
  }
  await until(async () => (await stateOf(id)) === 'Applied', 180);
  // The undo is killed as well: either everything is still there, or nothing is.
  await call(DataImport.UndoImport.path, { id });
  for (const wait of [100, 400]) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    server.child.kill('SIGKILL');
    await server.ended;
    const found = await written();
    expect(found).toEqual(
      found?.state === 'Undone'
        ? { zips: 0, kept: 0, events: 2, state: 'Undone' }
        : { zips: ROWS, kept: ROWS, events: 1, state: 'Undoing' },
    );
    server = await startServerProcess(environment);
  }
  await until(async () => (await stateOf(id)) === 'Undone', 180);
  server.child.kill('SIGTERM');
  await server.ended;
  expect(await written()).toEqual({ zips: 0, kept: 0, events: 2, state: 'Undone' });
});
