// Answers the Region calls.
import { sql } from 'kysely';
import type { z } from 'zod';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import { listFile } from '#platform/api/list-file.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import {
  bumpRecords,
  changesOf,
  lockForSave,
  oneRecord,
  type RecordKind,
  saveRecord,
  wrongName,
} from '#platform/history/record-kit.server.ts';
import { forgetCallers } from '#platform/auth/sessions/caller.server.ts';
import { setRegionManagers } from '#platform/users/region-managers.server.ts';
import { activeUsersWithRole } from '#platform/users/users.server.ts';
import type { Named } from '#platform/shared/wire.ts';
import { REGION, type Region, type RegionCriteria, type RegionEdit } from './regions.contract.ts';

const ORDER = {
  sorts: {
    name: sql`lower(region.name)`,
    active: sql`region.active`,
    activeTerritories: sql`(select count(*) from territory where region_id = region.id and active)`,
  },
  key: sql`region.id`,
  first: { field: 'name', dir: 'asc' as const },
};

const KIND: RecordKind<RegionEdit, 'region'> = {
  type: 'region',
  read: readRegion,
  nameOf: ({ name }) => name,
  changes: changesOf(REGION.labels, historyWords),
};

export const regionAnswers: Answers<typeof Region> = {
  /** Active regions by name. */
  GetActiveRegionsSimpleData: ({ db }) =>
    db.selectFrom('region').select(['id', 'name']).where('active', '=', true).orderBy('name').execute(),

  GetAllRegions: ({ db }, criteria) => pageFrom(regions(db, criteria), criteria, ORDER),

  ExportRegions: ({ db }, criteria) =>
    listFile('regions.csv', regions(db, criteria), criteria.sort, ORDER, {
      Region: (row) => row.name,
      Active: (row) => (row.active ? 'yes' : 'no'),
      Managers: (row) => row.managers.map(({ name }) => name).join('; '),
      'Active territories': (row) => row.activeTerritories,
    }),

  PopulateRegionEditModel: async ({ db }, { id }) => ({
    region: id ? await readRegion(db, id) : REGION.blank,
    managers: await activeUsersWithRole(db, 'salesQuoteManager'),
    territories: id ? await activeTerritories(db, id) : [],
  }),

  /**
   * Throws 403 for an API key that changes the managers, 409 if another user changed it, and 422 for a name that is in use or for deactivating a
   * region with active territories, which the message names.
   */
  SaveRegion: async ({ db, user, services }, input) => {
    const before = await lockForSave(db, KIND, input);
    const { name, active = before?.active ?? true } = input;
    const wrong = await wrongName(db, 'region', input);
    if (wrong.length > 0) throw invalid(wrong);
    if (before?.active && !active) await requireNoTerritories(db, before);
    const managerIds = input.managerIds ?? before?.managerIds ?? [];
    // A manager of a region sees its quotes and decides its discounts, so an API key must not appoint one.
    const names = (ids: readonly number[]) => ids.toSorted((a, b) => a - b).join();
    if (user.keyId !== undefined && names(managerIds) !== names(before?.managerIds ?? []))
      throw new HttpError(403, 'An API key cannot change who manages a region. Sign in as a user to change it.');
    await requireManagers(
      db,
      managerIds.filter((id) => !before?.managerIds.includes(id)),
    );
    const parts = (id: number) => setRegionManagers(db, user, { id, name }, managerIds);
    const saved = await saveRecord({ db, user }, KIND, before, { name, active }, { parts });
    forgetCallers(services);
    return saved;
  },
};

/** Records a change of a user's regions on the user screen: increments each region's version and adds to its history. */
export async function recordManager(
  db: Db,
  actor: { id: number; fullName: string },
  manager: string,
  { added, removed }: { added: number[]; removed: number[] },
): Promise<void> {
  const changed = await bumpRecords(db, 'region', [...added, ...removed]);
  for (const region of changed) {
    const change = added.includes(region.id) ? { before: '', after: manager } : { before: manager, after: '' };
    const changes = [{ field: 'Managers', ...change }];
    await recordChange(db, actor, { type: 'region', ...region, action: 'Edit', changes });
  }
}

function regions(db: Db, { keyword, active }: Pick<z.infer<typeof RegionCriteria>, 'keyword' | 'active'>) {
  return db
    .selectFrom('region')
    .select(['region.id', 'region.name', 'region.active', 'region.version'])
    .select([
      sql<
        Named[]
      >`(select coalesce(json_agg(json_build_object('id', u.id, 'name', u.full_name) order by u.full_name), '[]')
        from user_region m join app_user u on u.id = m.user_id and u.active where m.region_id = region.id)`.as(
        'managers',
      ),
      sql<number>`(select count(*) from territory where region_id = region.id and active)`.as('activeTerritories'),
    ])
    .$if(Boolean(keyword), (query) => query.where(holds(sql.ref('region.name'), keyword ?? '')))
    .$if(typeof active === 'boolean', (query) => query.where('region.active', '=', active === true));
}

async function readRegion(db: Db, id: number, lock?: 'lock'): Promise<RegionEdit> {
  const query = db.selectFrom('region').select(['id', 'name', 'active', 'version']).where('id', '=', id);
  const region = await oneRecord('region', query, lock);
  const managers = await db
    .selectFrom('user_region')
    .innerJoin('app_user', 'app_user.id', 'user_region.user_id')
    .select('user_id')
    .where('region_id', '=', id)
    .where('app_user.active', '=', true)
    .orderBy('user_id')
    .execute();
  return { ...region, managerIds: managers.map(({ user_id }) => user_id) };
}

function activeTerritories(db: Db, regionId: number): Promise<Named[]> {
  return db
    .selectFrom('territory')
    .select(['id', 'name'])
    .where('region_id', '=', regionId)
    .where('active', '=', true)
    .orderBy('name')
    .execute();
}

async function requireNoTerritories(db: Db, region: RegionEdit): Promise<void> {
  const names = (await activeTerritories(db, region.id)).map(({ name }) => name);
  if (names.length === 0) return;
  const listed =
    names.length > 10 ? `${names.slice(0, 10).join(', ')} and ${names.length - 10} more` : names.join(', ');
  const message = `${region.name} still has active territories: ${listed}. Move them to another region or deactivate them first.`;
  throw invalid([{ path: 'active', message }]);
}

async function requireManagers(db: Db, ids: number[]): Promise<void> {
  const known = new Set((await activeUsersWithRole(db, 'salesQuoteManager')).map(({ id }) => id));
  if (ids.every((id) => known.has(id))) return;
  throw invalid([{ path: 'managerIds', message: 'Only active sales quote managers can manage a region.' }]);
}

/** A region with its managers by name, for the history. */
async function historyWords({ name, active, managerIds }: RegionEdit, db: Db) {
  const people = db.selectFrom('app_user').select('full_name as name').orderBy('full_name');
  const managers = people.where('id', '=', (eb) => eb.fn.any(eb.val(managerIds)));
  return { name, active, managerIds: await managers.execute() };
}
