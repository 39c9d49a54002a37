// Answers the calls about the watched import folder.
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { mailHeldSince } from '#platform/mail/outbox.server.ts';
import { namedPlace, withoutPath } from '#platform/outside/storage-label.server.ts';
import { openPictureInbox } from '#platform/outside/picture-inbox.server.ts';
import { messageOf } from '#platform/shared/message-of.ts';
import { hasRole } from '#platform/shared/roles.ts';
import type { ImportKindServer } from '../kinds/import-kind.server.ts';
import type { ImportInbox, InboxFileState, InboxKind } from './import-inbox.contract.ts';
import { folderOf, importInboxJob, INBOX_KINDS, lastLook } from './import-inbox.server.ts';

const SHOWN = 20;
const STATES: Record<string, InboxFileState> = { Taken: 'Importing', Done: 'Done', Refused: 'Refused' };
const NONE = 'No folder is watched: IMPORT_INBOX is not set on the server.';
const HELD =
  'This database was restored from a backup, so no files are imported. Release its mail in Settings → Mailbox first.';

export function importInboxAnswers(kinds: readonly ImportKindServer[]): Answers<typeof ImportInbox> {
  const watched = (user: Caller) =>
    kinds.filter(({ kind, roles }) => INBOX_KINDS.includes(kind) && hasRole(user, ...roles));
  return {
    GetImportInbox: async ({ db, user, services }) => {
      const root = services.config.importInbox;
      const { at: lookedAt, problem } = await lastLook(db);
      const held = (await mailHeldSince(db)) !== null;
      return {
        address: root ? namedPlace('IMPORT_INBOX', root) : null,
        lookedAt,
        problem: root ? withoutPath(problem, 'IMPORT_INBOX', root) : problem,
        held,
        kinds: root ? await Promise.all(watched(user).map((kind) => kindIn(db, services, root, kind))) : [],
      };
    },

    ListInboxFiles: async ({ db, user }, input) => {
      const mine = watched(user);
      const query = db
        .selectFrom('import_inbox_file')
        .select(['id', 'name', 'kind', 'state', 'error as said', 'import_id as importId'])
        .select(['taken_at as takenAt', 'ended_at as endedAt', 'again_at as againAt'])
        .where('kind', '=', (eb) => eb.fn.any(eb.val(mine.map(({ kind }) => kind))));
      const key = sql`import_inbox_file.id`;
      const page = await pageFrom(query, input, { sorts: { at: key }, key, first: { field: 'at', dir: 'desc' } });
      return {
        ...page,
        records: page.records.map(({ kind, state, ...row }) => ({
          ...row,
          kindLabel: mine.find((candidate) => candidate.kind === kind)?.label ?? kind,
          state: STATES[state] ?? 'Importing',
        })),
      };
    },

    LookIntoInbox: async ({ db, services }) => {
      if (!services.config.importInbox) throw new HttpError(409, NONE);
      if ((await mailHeldSince(db)) !== null) throw new HttpError(409, HELD);
      await services.jobs.send(db, importInboxJob);
      return {};
    },
  };
}

async function kindIn(db: Db, services: Services, root: string, { kind, label }: ImportKindServer): Promise<InboxKind> {
  const folder = folderOf(root, kind);
  const at = { kind, label, address: namedPlace('IMPORT_INBOX', root, kind) };
  try {
    const files = await (await openPictureInbox(folder)).list();
    const taken = await db
      .selectFrom('import_inbox_file')
      .select('name')
      .where('kind', '=', kind)
      .where('state', '=', 'Taken')
      .execute();
    const waiting = files.map(({ key }) => key).filter((name) => !taken.some((candidate) => candidate.name === name));
    return { ...at, waiting: waiting.slice(0, SHOWN), waitingTotal: waiting.length, problem: '' };
  } catch (error) {
    services.log.warn({ err: error, kind }, 'the watched folder of imports');
    const problem = withoutPath(messageOf(error), 'IMPORT_INBOX', root);
    return { ...at, waiting: [], waitingTotal: 0, problem };
  }
}
