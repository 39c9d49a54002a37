// Kills the server during an import and its undo: all of it or nothing is done, and the next server does the rest once.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { until } from '#testing/server-process.server.ts';
import { aMinutePasses, aServerToKill } from '#testing/server-to-kill.server.ts';
import { DataImport } from '../data-import.contract.ts';

const ROWS = 12_000;

test('a killed import or undo does all or nothing', { timeout: 600_000 }, async () => {
  const server = await aServerToKill(({ db }) => aUser(db, { roles: ['systemadmin'] }));
  const stateOf = async (id: number) => (await server.ok(DataImport.GetImport, { id })).state;
  const written = () =>
    server.inDatabase(async (database) => {
      await aMinutePasses(database);
      const { rows } = await sql<{ zips: number; kept: number; events: number; state: string }>`
        select (select count(*) from zip where city = 'Killed') as zips, (select count(*) from data_import_change) as kept,
          (select count(*) from record_event where record_type = 'dataImport') as events, (select max(state) from data_import) as state`.execute(
        database.db,
      );
      return rows[0];
    });

  await server.start();
  const zips = Array.from({ length: ROWS }, (_, n) => `${String(n + 10_000)},Killed`);
  const file = { name: 'zips.csv', bytes: Buffer.from(`zip,city\n${zips.join('\n')}\n`) };
  const { id } = await server.ok(DataImport.UploadImport, { kind: 'zips' }, file);
  await server.ok(DataImport.StartCheck, { id });
  await until(async () => (await stateOf(id)) === 'Checked', 60);
  await server.ok(DataImport.ApplyImport, { id });
  // Kills it while it reads, compares, or writes. Asks for no state meanwhile: the embedded database has only one connection.
  for (const wait of [150, 450]) {
    await server.kill(wait);
    const found = await written();
    // A fast machine may have finished; then all of it is there.
    expect(found).toEqual(
      found?.state === 'Applied'
        ? { zips: ROWS, kept: ROWS, events: 1, state: 'Applied' }
        : { zips: 0, kept: 0, events: 0, state: 'Applying' },
    );
    await server.start();
  }
  await until(async () => (await stateOf(id)) === 'Applied', 180);
  // Kills the undo as well: then everything is still there, or nothing.
  await server.ok(DataImport.UndoImport, { id });
  for (const wait of [100, 400]) {
    await server.kill(wait);
    const found = await written();
    expect(found).toEqual(
      found?.state === 'Undone'
        ? { zips: 0, kept: 0, events: 2, state: 'Undone' }
        : { zips: ROWS, kept: ROWS, events: 1, state: 'Undoing' },
    );
    await server.start();
  }
  await until(async () => (await stateOf(id)) === 'Undone', 180);
  await server.stop();
  expect(await written()).toEqual({ zips: 0, kept: 0, events: 2, state: 'Undone' });
});
