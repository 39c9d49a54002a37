// Kills the server while it imports the watched folder; on PostgreSQL a second server reads it too. Each file is imported once.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { freePort, type ServerProcess, startServerProcess, until } from '#testing/server-process.server.ts';
import { aMinutePasses, aServerToKill } from '#testing/server-to-kill.server.ts';
import { ImportInbox } from './import-inbox.contract.ts';

const FILES = 3;
const ROWS = 150;
/** Milliseconds after the server's start. A file is uploaded, checked, applied, and moved within a second or two. */
const KILLS = [300, 1400];
const OLD = 1_600_000_000;

test(`${FILES} files with ${KILLS.length} kills are ${FILES} imports`, { timeout: 600_000 }, async () => {
  let folder = '';
  const server = await aServerToKill(
    ({ db }) => aUser(db, { roles: ['systemadmin'] }),
    ({ dataDir }) => {
      folder = path.join(dataDir, 'inbox');
      return { IMPORT_INBOX: folder, RATE_LIMIT: '1000000' };
    },
  );
  fs.mkdirSync(path.join(folder, 'items'), { recursive: true });
  const nameOf = (file: number) => `file-${file}.csv`;
  for (let file = 0; file < FILES; file++) {
    const rows = Array.from({ length: ROWS }, (_, row) => `KILL-${file}-${row},Item ${row} of ${file},EA`);
    const at = path.join(folder, 'items', nameOf(file));
    fs.writeFileSync(at, `Item number,Description,Base unit\n${rows.join('\n')}\n`);
    fs.utimesSync(at, OLD, OLD);
  }
  const done = path.join(folder, 'items/done');
  const finished = () => (fs.existsSync(done) ? fs.readdirSync(done).length : 0);
  /** Requests checks all the time instead of waiting ten seconds for each. */
  const look = async (isOver: () => boolean) => {
    while (!isOver()) {
      await server.fetchFrom(ImportInbox.LookIntoInbox, {}).catch(() => undefined);
      await sleep(100);
    }
  };

  const { TEST_DATABASE_URL: postgres } = process.env;
  let other: ServerProcess | undefined;
  if (postgres) other = await startServerProcess({ ...server.environment, PORT: String(await freePort()) });
  const seen: number[] = [];
  for (const wait of KILLS) {
    await server.start();
    let over = false;
    const looking = look(() => over);
    await server.kill(wait);
    over = true;
    await looking;
    await server.inDatabase(aMinutePasses);
    seen.push(finished());
  }
  await server.start();
  await Promise.all([until(() => finished() === FILES, 240), look(() => finished() === FILES)]);
  other?.child.kill('SIGTERM');
  expect(await other?.ended).toBe(other ? 0 : undefined);
  expect(await server.stop()).toBe(0);

  // After at least one of the kills something must be left to do, or they would prove nothing.
  expect(seen.some((files) => files < FILES)).toBe(true);
  const names = Array.from({ length: FILES }, (_, file) => nameOf(file));
  expect(fs.readdirSync(done).toSorted()).toEqual(names);
  expect(fs.readdirSync(path.join(folder, 'items'))).toEqual(['done']);
  await server.inDatabase(async ({ db }) => {
    const imports = await db.selectFrom('data_import').select(['file_name', 'state']).orderBy('file_name').execute();
    expect(imports).toEqual(names.map((file_name) => ({ file_name, state: 'Applied' })));
    const taken = await db.selectFrom('import_inbox_file').select(['name', 'state']).orderBy('name').execute();
    expect(taken).toEqual(names.map((name) => ({ name, state: 'Done' })));
    const { items } = await db
      .selectFrom('item')
      .select(({ fn }) => fn.countAll<number>().as('items'))
      .where('item_number', 'like', 'KILL-%')
      .executeTakeFirstOrThrow();
    expect(items).toBe(FILES * ROWS);
    const { applied } = await db
      .selectFrom('record_event')
      .select(({ fn }) => fn.countAll<number>().as('applied'))
      .where('record_type', '=', 'dataImport')
      .executeTakeFirstOrThrow();
    expect(applied).toBe(FILES);
  });
});
