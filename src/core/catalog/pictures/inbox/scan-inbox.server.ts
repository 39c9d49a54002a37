// The job that imports new files from the watched inbox, and the timed rounds that queue jobs.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { IDLE, type PlainJob } from '#platform/jobs/jobs.server.ts';
import { LARGEST_PICTURE } from '../renditions/picture-limits.server.ts';
import { scanInbox } from './picture-jobs.server.ts';
import { takePicture } from './take-picture.server.ts';

const LOOK_EVERY_SECONDS = 10;
/** A running check renews its claim before this time passes. If it is killed, another check starts after this time. */
const LOOKING_SECONDS = 60;
/** After a failed check, only the job's own retries run, which take less than this time. Then a new check starts. */
const FAILED_SECONDS = 2 * 60 * 60;

export const scanInboxJob = {
  ...scanInbox,
  expireInSeconds: 3600,
  run: async (services: Services) => {
    const { pictureInbox: inbox, database } = services;
    if (!inbox) return IDLE;
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'inbox-'));
    try {
      const files = await inbox.list();
      const known = await knownSources(database.db);
      let renewedAt = Date.now();
      let taken = 0;
      for (const { key, stamp, size } of files) {
        if (known.has(`${key}\n${stamp}`)) continue;
        const file = path.join(folder, 'file');
        if (size > LARGEST_PICTURE) await fs.truncate(await emptied(file), Math.min(size, LARGEST_PICTURE + 1));
        else await inbox.fetch(key, file);
        await takePicture(services, { path: file, name: key, by: null, inbox: { key, stamp } });
        taken++;
        if (Date.now() - renewedAt < (LOOKING_SECONDS * 1000) / 3) continue;
        renewedAt = Date.now();
        await setNext(database.db, 'inbox', LOOKING_SECONDS);
      }
      await setNext(database.db, 'inbox', LOOK_EVERY_SECONDS);
      return taken > 0 ? undefined : IDLE;
    } catch (error) {
      await setNext(database.db, 'inbox', FAILED_SECONDS);
      throw error;
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  },
} satisfies PlainJob<Services>;

/** Creates an empty file instead of copying one that is too large. Extended to the same size, it is enough to refuse the file. */
async function emptied(file: string): Promise<string> {
  await fs.writeFile(file, '');
  return file;
}

async function knownSources(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom('picture_source')
    .select(['inbox_key', 'inbox_stamp'])
    .where('inbox_key', 'is not', null)
    .where('moved_to', '=', '')
    .execute();
  return new Set(rows.map(({ inbox_key, inbox_stamp }) => `${inbox_key}\n${inbox_stamp}`));
}

function setNext(db: Db, name: string, seconds: number): Promise<unknown> {
  return sql`update picture_round set next_at = now() + ${seconds} * interval '1 second' where name = ${name}`.execute(
    db,
  );
}

/** Returns whether the round of this name is due, as true to only one process. It is due again after `seconds`. */
export async function takeRound(db: Db, name: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`update picture_round set next_at = now() + ${seconds} * interval '1 second'
    where name = ${name} and next_at <= now() returning name`.execute(db);
  return rows.length > 0;
}

/** Queues a check of the inbox when it is due. */
export async function inboxRound(services: Services): Promise<void> {
  if (!services.pictureInbox) return;
  await inTransaction(services.database.db, async (db) => {
    if (await takeRound(db, 'inbox', LOOKING_SECONDS)) await services.jobs.send(db, scanInbox);
  });
}
