// The watched folder of imports: IMPORT_INBOX/<kind>/ is looked into by a job, which does what a person does on the screen (docs/decisions/0216).
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { HttpError } from '#api/http-error.ts';
import type { Answers, Context } from '#api/serve.server.ts';
import type { Caller, Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { inTransaction } from '#db/transaction.server.ts';
import { mailHeldSince, queueMail } from '#features/operations/mail/outbox.server.ts';
import type { JobKind } from '#jobs/jobs.server.ts';
import { openPictureInbox, type PictureInbox } from '#outside/picture-inbox.server.ts';
import { paths } from '#shared/paths.ts';
import { hasRole, type Role } from '#shared/roles.ts';
import type { DataImport, ImportView } from '../data-import.contract.ts';
import type { ImportKindServer } from '../kinds/import-kind.server.ts';

/** What an ERP brings. Other kinds need a person's decisions on the way. */
export const INBOX_KINDS = ['items', 'prices', 'costs', 'facilities', 'sales'];

const LOOK_EVERY_SECONDS = 10;
const FAILED_SECONDS = 60;
const LARGEST = 500 * 1024 * 1024;

const Empty = z.object({});
type Importing = Pick<Answers<typeof DataImport>, 'UploadImport' | 'StartCheck' | 'ApplyImport' | 'GetImport'>;
type Taken = { id: number; kind: string; name: string; import_id: number | null };

export function importInboxWork(kinds: readonly ImportKindServer[], answers: Importing) {
  const taken = kinds.filter(({ kind }) => INBOX_KINDS.includes(kind));
  return {
    name: 'import-inbox',
    payload: Empty,
    due: async (services: Services) => {
      if (!services.config.importInbox) return false;
      const { db } = services.database;
      const due = await db
        .selectFrom('import_inbox_round')
        .select('id')
        .where('next_at', '<=', services.clock.now().toISOString())
        .executeTakeFirst();
      // A restored copy takes no files from the original.
      return due !== undefined && (await mailHeldSince(db)) === null;
    },
    run: async (services: Services) => {
      const root = services.config.importInbox;
      if (!root || (await mailHeldSince(services.database.db)) !== null) return;
      const problem = await lookInto(services, root, taken, answers).catch((error: unknown) => {
        services.log.warn({ err: error }, 'the watched folder of imports');
        return error instanceof Error ? error.message : String(error);
      });
      const seconds = problem === '' ? LOOK_EVERY_SECONDS : FAILED_SECONDS;
      await services.database.db
        .updateTable('import_inbox_round')
        .set({ next_at: new Date(services.clock.now().getTime() + seconds * 1000), problem })
        .execute();
    },
  } satisfies JobKind<typeof Empty, Services>;
}

async function lookInto(
  services: Services,
  root: string,
  kinds: readonly ImportKindServer[],
  answers: Importing,
): Promise<string> {
  const caller = await author(services.database.db);
  if (!caller) return 'Nobody is a system administrator, so nobody would have imported the files.';
  for (const kind of kinds) {
    const inbox = await openPictureInbox(folderOf(root, kind.kind));
    await takeNew(services, inbox, kind, caller, answers);
    await goOn(services, inbox, kind, caller, answers);
  }
  return '';
}

function folderOf(root: string, kind: string): string {
  if (!root.startsWith('s3:')) return path.join(root, kind);
  const url = new URL(root);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${kind}`;
  return url.href;
}

/** Imports stand in the history under somebody's name: the longest-standing system administrator. */
async function author(db: Db): Promise<Caller | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['id', 'user_name as userName', 'full_name as fullName'])
    .select(sql<Role[]>`array(select role from user_role where user_id = app_user.id)`.as('roles'))
    .where('active', '=', true)
    .where(sql<boolean>`exists (select from user_role where user_id = app_user.id and role = 'systemadmin')`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  return { ...row, sessionId: '', regionIds: [], supportedRepIds: [], deputyFor: [], mustChangePassword: false };
}

type Upload = NonNullable<Context['upload']>;

/** As a call gets it. What a call only tells the log of its request goes to that of the server. */
function contextOf(services: Services, db: Db, user: Caller, upload?: Upload): Context<readonly Role[]> {
  const log = { error: services.log.warn.bind(services.log), warn: services.log.warn.bind(services.log) };
  return { db, user, services, upload, request: { log } as unknown as Context['request'] };
}

async function takeNew(
  services: Services,
  inbox: PictureInbox,
  kind: ImportKindServer,
  user: Caller,
  answers: Importing,
): Promise<void> {
  const { db } = services.database;
  for (const { key, size } of await inbox.list()) {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'import-inbox-'));
    const file = path.join(folder, 'file');
    try {
      if (size > LARGEST) {
        await inbox.move(key, 'refused');
        await tellAdministrators(services, db, kind, key, `The file is larger than ${LARGEST / 1024 / 1024} MB.`, null);
        continue;
      }
      await inbox.fetch(key, file);
      const sha256 = await hashOf(file);
      const row = await db
        .insertInto('import_inbox_file')
        .values({ kind: kind.kind, name: key, sha256, taken_at: services.clock.now() })
        .onConflict((conflict) => conflict.columns(['kind', 'sha256']).doUpdateSet({ again_at: services.clock.now() }))
        .returning(['id', 'kind', 'name', 'import_id', 'state', 'moved_to'])
        .executeTakeFirstOrThrow();
      if (row.state !== 'Taken') {
        // The same bytes as before. The file itself, when a kill came before its move, or another one with them.
        const to = await inbox.move(key, row.state === 'Refused' ? 'refused' : 'done');
        if (row.moved_to === '' && to !== null) await noteMoved(db, row.id, to);
        continue;
      }
      // Two files with the same bytes at once: the other one waits for the outcome of this.
      if (row.name !== key || row.import_id !== null) continue;
      await upload(services, inbox, kind, user, answers, row, file);
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  }
}

async function upload(
  services: Services,
  inbox: PictureInbox,
  kind: ImportKindServer,
  user: Caller,
  answers: Importing,
  row: Taken,
  file: string,
): Promise<void> {
  const { db } = services.database;
  const given = { name: row.name, mediaType: 'application/octet-stream', path: file } as Upload;
  try {
    const { id } = await answers.UploadImport(contextOf(services, db, user, given), { kind: kind.kind });
    await db.updateTable('import_inbox_file').set({ import_id: id }).where('id', '=', row.id).execute();
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    await end(services, inbox, kind, row, { refused: true, why: wordsOf(error), view: null });
  }
}

/** Brings each taken file one step further: check, apply, move away. Steps that take long are jobs of their own. */
async function goOn(
  services: Services,
  inbox: PictureInbox,
  kind: ImportKindServer,
  user: Caller,
  answers: Importing,
): Promise<void> {
  const { db } = services.database;
  const open = await db
    .selectFrom('import_inbox_file')
    .select(['id', 'kind', 'name', 'import_id'])
    .where('kind', '=', kind.kind)
    .where('state', '=', 'Taken')
    .where('import_id', 'is not', null)
    .orderBy('id')
    .execute();
  for (const row of open) {
    const id = row.import_id ?? 0;
    const view = await answers.GetImport(contextOf(services, db, user), { id });
    const step = (next: 'StartCheck' | 'ApplyImport') =>
      inTransaction(db, (trx) => answers[next](contextOf(services, trx, user), { id }));
    try {
      if (view.state === 'Uploaded') await step('StartCheck');
      else if (view.state === 'Checked' && (view.report?.writes ?? 0) > 0) await step('ApplyImport');
      else if (view.state === 'Checked' || view.state === 'Applied' || view.state === 'Undone')
        await end(services, inbox, kind, row, { ...outcomeOf(view), view });
      else if (view.state === 'Failed') await end(services, inbox, kind, row, { refused: true, why: view.error, view });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      // Another file of the kind is being applied; the next round comes again.
      if (error.status === 409) return;
      await end(services, inbox, kind, row, { refused: true, why: wordsOf(error), view });
    }
    // In the order in which they came: a later file of the kind waits for this one.
    return;
  }
}

/** A file of which nothing could be taken is refused; one with some refused rows is done, and said. */
function outcomeOf({ report }: ImportView): { refused: boolean; why: string } {
  const { refused = 0, held = 0, read = 0 } = report ?? {};
  const rows = (n: number) => `${n.toLocaleString('en-US')} ${n === 1 ? 'row' : 'rows'}`;
  const parts = [
    refused > 0 ? `${rows(refused)} refused` : '',
    held > 0 ? `${rows(held)} held back until somebody decides` : '',
  ].filter(Boolean);
  const why = parts.length > 0 ? `${parts.join(', ')}; ${rows(read)} taken.` : '';
  return { refused: refused > 0 && read === 0, why };
}

async function end(
  services: Services,
  inbox: PictureInbox,
  kind: ImportKindServer,
  row: Taken,
  { refused, why, view }: { refused: boolean; why: string; view: ImportView | null },
): Promise<void> {
  const { db } = services.database;
  await inTransaction(db, async (trx) => {
    const ended = await trx
      .updateTable('import_inbox_file')
      .set({ state: refused ? 'Refused' : 'Done', error: why, ended_at: services.clock.now() })
      .where('id', '=', row.id)
      .where('state', '=', 'Taken')
      .returning('id')
      .executeTakeFirst();
    if (ended && why) await tellAdministrators(services, trx, kind, row.name, why, view);
  });
  const to = await inbox.move(row.name, refused ? 'refused' : 'done');
  if (to !== null) await noteMoved(db, row.id, to);
}

async function noteMoved(db: Db, id: number, to: string): Promise<void> {
  await db.updateTable('import_inbox_file').set({ moved_to: to }).where('id', '=', id).execute();
}

async function tellAdministrators(
  services: Services,
  db: Db,
  kind: ImportKindServer,
  name: string,
  why: string,
  view: ImportView | null,
): Promise<void> {
  const readers = await db
    .selectFrom('app_user')
    .select([
      'user_name as userName',
      sql<Role[]>`array(select role from user_role where user_id = app_user.id)`.as('roles'),
    ])
    .where('active', '=', true)
    .execute();
  const to = readers.filter((reader) => hasRole(reader, 'systemadmin')).map(({ userName }) => userName);
  if (to.length === 0) return;
  const cells = (view?.report?.refusedCells ?? []).slice(0, 20);
  const lines = cells.map(({ line, column, value, reason }) => `Line ${line}: ${column} ${value} ${reason}`.trim());
  await queueMail(db, services.jobs, {
    to,
    subject: `Import of ${name} (${kind.label}): not all was taken`,
    body: [
      `The watched folder brought ${name} for ${kind.label}.`,
      why,
      lines.join('\n'),
      view
        ? `The history of imports has it with its refused rows: ${services.config.publicUrl}${paths.dataImport}`
        : 'The file lies in the folder refused/ beside its own.',
    ]
      .filter(Boolean)
      .join('\n\n'),
  });
}

function wordsOf(error: HttpError): string {
  const fields = (error.errors ?? []).map(({ message }) => message).join(' ');
  return fields || error.message;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
