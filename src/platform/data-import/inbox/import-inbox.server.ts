// Watches the folders IMPORT_INBOX/<kind>/ with a job that imports files as a user does on the screen (docs/decisions/0028).
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Answers, Context } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { mailHeldSince } from '#platform/mail/outbox.server.ts';
import { importPlace } from '#platform/notifications/notification-words.server.ts';
import { administrators, notify } from '#platform/notifications/notify.server.ts';
import { IDLE, type PlainJob } from '#platform/jobs/jobs.server.ts';
import { openPictureInbox, type PictureInbox } from '#platform/outside/picture-inbox.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { messageOf } from '#platform/shared/message-of.ts';
import { paths } from '#platform/shared/paths.ts';
import type { Role } from '#platform/shared/roles.ts';
import type { DataImport, ImportView } from '../data-import.contract.ts';
import type { ImportKindServer } from '../kinds/import-kind.server.ts';
import { takeUpload } from '../running/take-upload.server.ts';

/** The kinds that an ERP delivers. Other kinds need decisions of a user. */
export const INBOX_KINDS = ['items', 'prices', 'costs', 'facilities', 'sales'];

const LOOK_EVERY_SECONDS = 10;
const FAILED_SECONDS = 60;
const LARGEST = 500 * 1024 * 1024;

type Importing = Pick<Answers<typeof DataImport>, 'StartCheck' | 'ApplyImport' | 'GetImport'>;

/** What one check of a folder needs. */
type Look = { services: Services; inbox: PictureInbox; kind: ImportKindServer; user: Caller; answers: Importing };

/** The job's name and payload, for code that requests an extra check. */
export const importInboxJob = { name: 'import-inbox' };

export function importInboxWork(kinds: readonly ImportKindServer[], answers: Importing) {
  // A folder, like an API key, acts without a user, so kinds that API keys may not use are left out.
  const taken = kinds.filter(({ kind, peopleOnly = false }) => INBOX_KINDS.includes(kind) && !peopleOnly);
  return {
    ...importInboxJob,
    due: async (services: Services) => {
      if (!services.config.importInbox) return false;
      const { db } = services.database;
      const due = await db
        .selectFrom('import_inbox_round')
        .select('id')
        .where('next_at', '<=', services.clock.now().toISOString())
        .executeTakeFirst();
      // A restored copy does not import files of the original.
      return due !== undefined && (await mailHeldSince(db)) === null;
    },
    run: async (services: Services) => {
      const root = services.config.importInbox;
      if (!root || (await mailHeldSince(services.database.db)) !== null) return IDLE;
      const { db } = services.database;
      const { problem, busy } = await takeFromFolders(services, root, taken, answers).catch((error: unknown) => {
        services.log.warn({ err: error }, 'the watched folder of imports');
        return { problem: messageOf(error), busy: false };
      });
      const before = await lastLook(db);
      const next_at = new Date(services.clock.now().getTime() + secondsAfter(problem) * 1000);
      await db.updateTable('import_inbox_round').set({ next_at, problem }).execute();
      return busy || problem !== before.problem ? undefined : IDLE;
    },
  } satisfies PlainJob<Services>;
}

const secondsAfter = (problem: string): number => (problem === '' ? LOOK_EVERY_SECONDS : FAILED_SECONDS);

/** Returns when the last check ended, and its problem. The time is null if there was no check yet. */
export async function lastLook(db: Db): Promise<{ at: string | null; problem: string }> {
  const { next_at, problem } = await db.selectFrom('import_inbox_round').selectAll().executeTakeFirstOrThrow();
  const at = Date.parse(next_at) - secondsAfter(problem) * 1000;
  return { at: at > 0 ? new Date(at).toISOString() : null, problem };
}

async function takeFromFolders(
  services: Services,
  root: string,
  kinds: readonly ImportKindServer[],
  answers: Importing,
): Promise<{ problem: string; busy: boolean }> {
  const user = await author(services.database.db);
  if (!user) return { problem: 'There is no system administrator to import the files as.', busy: false };
  const problems: string[] = [];
  let busy = false;
  for (const kind of kinds) {
    // An unreadable folder does not delay the other kinds.
    const isBusy = takeFromFolder(services, root, kind, user, answers).catch((error: unknown) => {
      services.log.warn({ err: error, kind: kind.kind }, 'the watched folder of imports');
      problems.push(`${kind.label}: ${messageOf(error)}`);
      return false;
    });
    if (await isBusy) busy = true;
  }
  return { problem: problems.join(' '), busy };
}

/** Returns whether there is a file in the folder or in progress. */
async function takeFromFolder(
  services: Services,
  root: string,
  kind: ImportKindServer,
  user: Caller,
  answers: Importing,
): Promise<boolean> {
  const inbox = await openPictureInbox(folderOf(root, kind.kind));
  const look = { services, inbox, kind, user, answers };
  const files = await takeNew(look);
  const step = await goOn(look);
  // Moves a finished file away at once.
  if (step === 'finished') await takeNew(look);
  return files > 0 || step !== 'nothing';
}

export function folderOf(root: string, kind: string): string {
  if (!root.startsWith('s3:')) return path.join(root, kind);
  const url = new URL(root);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${kind}`;
  return url.href;
}

/** The history shows these imports under the name of the longest-standing system administrator. */
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

/** Builds the context of a call. Messages for the request's log go to the server's log. */
function contextOf({ services, user }: Look, db: Db): Context<readonly Role[]> {
  const log = { error: services.log.warn.bind(services.log), warn: services.log.warn.bind(services.log) };
  return { db, user, services, upload: undefined, request: { log } as unknown as Context['request'] };
}

/** Returns how many files were in the folder. */
async function takeNew(look: Look): Promise<number> {
  const { services, inbox, kind } = look;
  const files = await inbox.list();
  for (const result of files) {
    if (result.size > LARGEST) {
      // The bytes of this file are never read, so the key and the stamp identify it.
      const sha256 = createHash('sha256').update(`${result.key} ${result.stamp}`).digest('hex');
      await refuseUnread(look, result.key, sha256, `The file is larger than ${LARGEST / 1024 / 1024} MB.`);
      await inbox.move(result.key, 'refused');
      continue;
    }
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'import-inbox-'));
    try {
      const file = path.join(folder, 'file');
      // If the file was replaced, written to or moved in the meantime, the copy may be incomplete, and a move would move another file.
      const isStill = async () => (await inbox.stampOf(result.key)) === result.stamp;
      await inbox.fetch(result.key, file).catch(async (error: unknown) => {
        if (await isStill()) throw error;
      });
      if (!(await isStill())) continue;
      const sha256 = await hashOf(file);
      const row =
        (await knownFile(services.database.db, kind, sha256)) ?? (await takeIn(look, result.key, file, sha256));
      // Another file with the same bytes may be in progress; this file waits for its result.
      if (!row || row.state === 'Taken' || !(await isStill())) continue;
      const to = await inbox.move(result.key, row.state === 'Refused' ? 'refused' : 'done');
      // The row records the file itself, or that the same bytes arrived again.
      const now = row.moved_to === '' ? { moved_to: to ?? '' } : { again_at: services.clock.now() };
      await services.database.db.updateTable('import_inbox_file').set(now).where('id', '=', row.id).execute();
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  }
  return files.length;
}

const KNOWN = ['id', 'state', 'moved_to'] as const;

function knownFile(db: Db, kind: ImportKindServer, sha256: string) {
  return db
    .selectFrom('import_inbox_file')
    .select(KNOWN)
    .where('kind', '=', kind.kind)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
}

/** Thrown if another server imported the file first. */
class TakenElsewhere extends Error {}

/** Creates the import and records the file in one transaction. Only one of two servers succeeds, and a killed process leaves both or neither. */
async function takeIn({ services, user, kind, ...look }: Look, name: string, file: string, sha256: string) {
  const { db } = services.database;
  const upload = { name, mediaType: 'application/octet-stream', path: file };
  try {
    return await takeUpload({ db, user, services }, kind, upload, async (trx, import_id) => {
      const row = await trx
        .insertInto('import_inbox_file')
        .values({ kind: kind.kind, name, sha256, taken_at: services.clock.now(), import_id })
        .onConflict((conflict) => conflict.columns(['kind', 'sha256']).doNothing())
        .returning(KNOWN)
        .executeTakeFirst();
      if (!row) throw new TakenElsewhere();
      return row;
    });
  } catch (error) {
    if (error instanceof TakenElsewhere) return null;
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return refuseUnread({ services, user, kind, ...look }, name, sha256, errorSentence(error));
  }
}

/** Records a file that could not become an import, and mails about it once. Returns null if another server did so. */
function refuseUnread({ services, kind }: Look, name: string, sha256: string, error: string) {
  const now = services.clock.now();
  return inTransaction(services.database.db, async (trx) => {
    const row = await trx
      .insertInto('import_inbox_file')
      .values({ kind: kind.kind, name, sha256, state: 'Refused', error, taken_at: now, ended_at: now })
      .onConflict((conflict) => conflict.columns(['kind', 'sha256']).doNothing())
      .returning(KNOWN)
      .executeTakeFirst();
    if (row) await notifyAdministrators(services, trx, kind, { name, import_id: null }, error, null);
    return row ?? null;
  });
}

/**
 * Moves the oldest imported file one step ahead: check, apply, end. Later files of the kind wait for it. Long steps are separate jobs. Returns the
 * progress of the file.
 */
async function goOn(look: Look): Promise<'nothing' | 'waiting' | 'finished'> {
  const { services, kind, answers } = look;
  const { db } = services.database;
  const row = await db
    .selectFrom('import_inbox_file')
    .select(['id', 'name', 'import_id'])
    .where('kind', '=', kind.kind)
    .where('state', '=', 'Taken')
    .where('import_id', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!row) return 'nothing';
  const id = row.import_id ?? 0;
  const view = await answers.GetImport(contextOf(look, db), { id });
  const step = (next: 'StartCheck' | 'ApplyImport') =>
    inTransaction(db, (trx) => answers[next](contextOf(look, trx), { id }));
  try {
    if (view.state === 'Uploaded') await step('StartCheck');
    else if (view.state === 'Checked' && (view.report?.writes ?? 0) > 0) await step('ApplyImport');
    else if (view.state === 'Checked' || view.state === 'Applied' || view.state === 'Undone')
      return await end(look, row, { ...fileOutcome(view), view });
    else if (view.state === 'Failed') return await end(look, row, { refused: true, why: view.error, view });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // Another file of the kind is being applied; the next round tries again.
    if (error.status !== 409) return end(look, row, { refused: true, why: errorSentence(error), view });
  }
  return 'waiting';
}

/** Returns the outcome of a file. A file without any usable row is refused. A file with some refused rows is done, with a message. */
function fileOutcome({ report }: ImportView): { refused: boolean; why: string } {
  const { refused = 0, held = 0, read = 0 } = report ?? {};
  const parts = [
    refused > 0 ? `${countOf(refused, 'row')} refused` : '',
    held > 0 ? `${countOf(held, 'row')} held for a decision` : '',
  ].filter(Boolean);
  const why = parts.length > 0 ? `${parts.join(', ')}; ${countOf(read, 'row')} taken.` : '';
  return { refused: refused > 0 && read === 0, why };
}

async function end(
  { services, kind }: Look,
  row: { id: number; name: string; import_id: number | null },
  { refused, why, view }: { refused: boolean; why: string; view: ImportView },
): Promise<'waiting' | 'finished'> {
  return inTransaction(services.database.db, async (trx) => {
    const ended = await trx
      .updateTable('import_inbox_file')
      .set({ state: refused ? 'Refused' : 'Done', error: why, ended_at: services.clock.now() })
      .where('id', '=', row.id)
      .where('state', '=', 'Taken')
      .returning('id')
      .executeTakeFirst();
    if (ended && why) await notifyAdministrators(services, trx, kind, row, why, view);
    return ended ? 'finished' : 'waiting';
  });
}

async function notifyAdministrators(
  services: Services,
  db: Db,
  kind: ImportKindServer,
  { name, import_id: aboutId }: { name: string; import_id: number | null },
  why: string,
  view: ImportView | null,
): Promise<void> {
  const cells = (view?.report?.refusedCells ?? []).slice(0, 20);
  const lines = cells.map(({ line, column, value, reason }) =>
    [`Line ${line}:`, column, value && `'${value}'`, reason].filter(Boolean).join(' '),
  );
  const mail = {
    what: `Import of ${name} (${kind.label}): not everything was imported`,
    paragraphs: () => [
      `${name} arrived in the watched folder for ${kind.label}.`,
      why,
      lines.join('\n'),
      view
        ? 'The history of imports lists it with its refused rows:'
        : 'The file has been moved to the folder refused/ next to its own.',
    ],
    path: aboutId === null ? paths.dataImport : importPlace(kind.kind, aboutId),
  };
  const recipients = (await administrators(db)).map((userId) => ({ userId, ...(aboutId === null ? {} : { aboutId }) }));
  await notify(db, services, { kind: 'importInbox', by: { id: null, name: '' }, mail }, recipients);
}

function errorSentence(error: HttpError): string {
  const fields = (error.errors ?? []).map(({ message }) => message).join(' ');
  return fields || error.message;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
