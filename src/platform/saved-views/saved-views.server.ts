// The answers of SavedView.
import { sql } from 'kysely';
import { forbidden, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers, Context as ContextOf } from '#platform/api/serve.server.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { keptIn, oneRecord, type RecordKind, saveRecord, wrongName } from '#platform/history/record-kit.server.ts';
import { knownRoles } from '#platform/auth/sessions/read-caller.server.ts';
import { hasRole, ROLE_LABELS, ROLES, type Role } from '#platform/shared/roles.ts';
import type { SavedView, View } from './saved-views.contract.ts';
import { viewQuery, viewScreen } from './view-address.ts';

type Context = ContextOf<'user'>;
type Kept = {
  id: number;
  screen: string;
  name: string;
  address: string;
  ownerId: number;
  ownerName: string;
  roles: Role[];
  version: number;
};

const MAX_VIEWS_PER_LIST = 100;

export const savedViewAnswers: Answers<typeof SavedView> = {
  GetViews: async (context, { screen }) => {
    const { db, user } = context;
    const rows = await views(db)
      .where('screen', '=', viewScreen(screen))
      .where(isSeen(user))
      .orderBy(sql`lower(name)`)
      .orderBy('saved_view.id')
      .execute();
    const start = await startOf(context, viewScreen(screen));
    return rows.map((row) => savedView(user, keptOf(row), start));
  },

  /**
   * Throws 404 for a view that this user may not see, 403 for a view of another user, 409 if it was changed in the meantime, and 422 for a name that
   * the user already has.
   */
  SaveView: async (context, input) => {
    const { db, user } = context;
    const before = input.id === 0 ? null : await viewToChange(context, input.id, input.version);
    const { screen, name, address, shared } = keptIn(
      { screen: input.screen, name: input.name, address: input.address, shared: input.shared },
      { screen: '', name: '', address: '', shared: false, ...(before && { ...before, shared: before.roles }) },
    );
    const list = before?.screen ?? viewScreen(screen);
    const query = viewQuery(address);
    const ownerId = before?.ownerId ?? user.id;
    const wrong = [
      ...(list === '' ? [{ path: 'screen', message: 'This field is required' }] : []),
      ...(name === '' ? [{ path: 'name', message: 'This field is required' }] : []),
      ...(query === null ? [{ path: 'address', message: 'This is not a list query' }] : []),
      ...(await wrongName(db, 'savedView', { id: input.id, name }, sql`screen = ${list} and owner_id = ${ownerId}`)),
      ...(before || (await viewCount(db, list, ownerId)) < MAX_VIEWS_PER_LIST
        ? []
        : [{ path: 'name', message: `You have ${MAX_VIEWS_PER_LIST} views of this list. Delete one first.` }]),
    ];
    if (wrong.length > 0 || query === null) throw invalid(wrong);
    const roles = shared === true ? ROLES : shared === false ? [] : ROLES.filter((role) => shared.includes(role));
    const values = { screen: list, name, address: query, owner_id: ownerId, roles: [...roles] };
    const saved = await saveRecord(context, VIEW, before, values);
    return savedView(user, saved, await startOf(context, list));
  },

  DeleteView: async (context, { id, version }) => {
    const { db, user } = context;
    const { name } = await viewToChange(context, id, version);
    await db.deleteFrom('saved_view').where('id', '=', id).execute();
    await recordChange(db, user, { type: 'savedView', id, name, action: 'Remove' });
    return {};
  },

  SetStartView: async ({ db, user }, { screen: path, id }) => {
    const screen = viewScreen(path);
    await db.deleteFrom('start_view').where('user_id', '=', user.id).where('screen', '=', screen).execute();
    if (id === null) return {};
    const view = await views(db)
      .where('saved_view.id', '=', id)
      .where('screen', '=', screen)
      .where(isSeen(user))
      .executeTakeFirst();
    if (!view) throw notFound('view');
    await db
      .insertInto('start_view')
      .values({ user_id: user.id, screen, view_id: id })
      .onConflict((oc) => oc.columns(['user_id', 'screen']).doUpdateSet({ view_id: id }))
      .execute();
    return {};
  },

  GetStartViews: ({ db, user }) =>
    db
      .selectFrom('start_view')
      .innerJoin('saved_view', 'saved_view.id', 'start_view.view_id')
      .select(['saved_view.screen', 'saved_view.address'])
      .where('start_view.user_id', '=', user.id)
      .where(isSeen(user))
      .execute(),
};

const VIEW: RecordKind<Kept, 'savedView'> = {
  type: 'savedView',
  nameOf: ({ name }) => name,
  read: async (db, id, lock) => keptOf(await oneRecord('savedView', views(db).where('saved_view.id', '=', id), lock)),
  changes: (before, after) =>
    changesBetween(before ? historyWords(before) : {}, historyWords(after), {
      name: 'Name',
      address: 'Filters and order',
      roles: 'Shared with',
    }),
};

function historyWords({ name, address, roles }: Kept) {
  return { name, address, roles: roles.map((role) => ROLE_LABELS[role]).join(', ') };
}

function views(db: Db) {
  return db
    .selectFrom('saved_view')
    .innerJoin('app_user', 'app_user.id', 'saved_view.owner_id')
    .select(['saved_view.id', 'saved_view.screen', 'saved_view.name', 'saved_view.address', 'saved_view.roles'])
    .select(['saved_view.owner_id as ownerId', 'app_user.full_name as ownerName', 'saved_view.version']);
}

function keptOf(row: Omit<Kept, 'roles'> & { roles: string[] }): Kept {
  return { ...row, roles: knownRoles(row.roles) };
}

/** SQL for the user's own views and those shared with one of the user's roles. System administrators see all shared views. */
function isSeen(user: Caller) {
  const isShared = hasRole(user, 'systemadmin')
    ? sql<boolean>`saved_view.roles <> '{}'`
    : sql<boolean>`saved_view.roles && ${[...user.roles]}::text[]`;
  return sql<boolean>`(saved_view.owner_id = ${user.id} or ${isShared})`;
}

const mayChange = (user: Caller, { ownerId, roles }: Pick<Kept, 'ownerId' | 'roles'>) =>
  ownerId === user.id || (roles.length > 0 && hasRole(user, 'systemadmin'));

/** Returns the view, locked, if this user may change it. */
async function viewToChange({ db, user }: Context, id: number, version: number | undefined): Promise<Kept> {
  const row = await views(db)
    .where('saved_view.id', '=', id)
    .where(isSeen(user))
    .forUpdate('saved_view')
    .executeTakeFirst();
  if (!row) throw notFound('view');
  const view = keptOf(row);
  if (!mayChange(user, view)) throw forbidden();
  await requireFresh(db, 'savedView', view, version, savedView(user, view, null));
  return view;
}

async function startOf({ db, user }: Context, screen: string): Promise<number | null> {
  const row = await db
    .selectFrom('start_view')
    .select('view_id')
    .where('user_id', '=', user.id)
    .where('screen', '=', screen)
    .executeTakeFirst();
  return row?.view_id ?? null;
}

async function viewCount(db: Db, screen: string, ownerId: number): Promise<number> {
  const { count } = await db
    .selectFrom('saved_view')
    .select(sql<number>`count(*)`.as('count'))
    .where('screen', '=', screen)
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return count;
}

function savedView(user: Caller, view: Kept, start: number | null): View {
  const { id, screen, name, address, roles, ownerId, ownerName, version } = view;
  return {
    id,
    screen,
    name,
    address,
    shared: roles,
    ownerName,
    isMine: ownerId === user.id,
    mayChange: mayChange(user, view),
    isStart: id === start,
    version,
  };
}
