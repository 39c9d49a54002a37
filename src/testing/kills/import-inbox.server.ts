// A server killed while it imports the watched folder, which a second server reads too: each file is imported once.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { ImportInbox } from '#platform/data-import/inbox/import-inbox.contract.ts';
import { aUser } from '../factories/people.server.ts';
import { type ServerProcess, until } from '../server-process.server.ts';
import type { KillCase, KilledServer, Point } from './kill-case.server.ts';

const FILES = 3;
const ROWS = 150;
const OLD = 1_600_000_000;

export async function importInbox(): Promise<KillCase> {
  let folder = '';
  let other: ServerProcess | undefined;
  const seen: number[] = [];
  const done = () => path.join(folder, 'items/done');
  const nameOf = (file: number) => `file-${file}.csv`;
  const names = Array.from({ length: FILES }, (_, file) => nameOf(file));
  const finished = () => (fs.existsSync(done()) ? fs.readdirSync(done()).length : 0);
  const fillFolder = () => {
    fs.mkdirSync(path.join(folder, 'items'), { recursive: true });
    for (const [file, name] of names.entries()) {
      const rows = Array.from({ length: ROWS }, (_, row) => `KILL-${file}-${row},Item ${row} of ${file},EA`);
      const at = path.join(folder, 'items', name);
      fs.writeFileSync(at, `Item number,Description,Base unit\n${rows.join('\n')}\n`);
      fs.utimesSync(at, OLD, OLD);
    }
  };
  /** Requests checks all the time instead of waiting ten seconds for each. */
  const look = async (server: KilledServer, isOver: () => boolean) => {
    while (!isOver()) {
      await server.statusOf(ImportInbox.LookIntoInbox, {});
      await sleep(100);
    }
  };
  /** A file is uploaded, checked, applied, and moved within a second or two. */
  const within = (wait: number): Point => ({
    work: async (server) => {
      other ??= await server.startAnother();
      if (seen.length === 0) fillFolder();
      let over = false;
      const looking = look(server, () => over);
      await sleep(wait);
      return async () => {
        over = true;
        await looking;
      };
    },
    found: async () => void seen.push(finished()),
  });
  return {
    fill: ({ db }) => aUser(db, { roles: ['systemadmin'] }),
    variables: (dataDir) => {
      folder = path.join(dataDir, 'inbox');
      return { IMPORT_INBOX: folder, RATE_LIMIT: '1000000' };
    },
    points: [within(300), within(1400)],
    rest: async (server) => {
      await Promise.all([until(() => finished() === FILES, 240), look(server, () => finished() === FILES)]);
      other?.child.kill('SIGTERM');
      expect(await other?.ended).toBe(0);
    },
    proof: async (server) => {
      // After at least one of the kills something must be left to do, or they would prove nothing.
      expect(seen.some((files) => files < FILES)).toBe(true);
      expect(fs.readdirSync(done()).toSorted()).toEqual(names);
      expect(fs.readdirSync(path.join(folder, 'items'))).toEqual(['done']);
      await server.inDatabase(async ({ db }) => {
        const imports = await db
          .selectFrom('data_import')
          .select(['file_name', 'state'])
          .orderBy('file_name')
          .execute();
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
    },
  };
}
