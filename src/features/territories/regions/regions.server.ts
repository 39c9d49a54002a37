// The answers of Region.
import { sql } from 'kysely';
import type { z } from 'zod';
import { csvAnswer } from '#api/csv-answer.server.ts';
import { invalid, notFound } from '#api/http-error.ts';
import type { Answers } from '#api/serve.server.ts';
import { contains } from '#db/contains.server.ts';
import type { Db } from '#db/database.server.ts';
import { allFrom, pageFrom } from '#db/page.server.ts';
import { changesBetween } from '#features/operations/history/changes-between.ts';
import { recordChange, requireFresh } from '#features/operations/history/record-change.server.ts';
import { forgetCallers } from '#features/people/auth/sessions/caller.server.ts';
import { setRegionManagers } from '#features/people/users/region-managers.server.ts';
import { activeUsersWithRole } from '#features/people/users/users.server.ts';
import type { Named } from '#shared/wire.ts';
import type { Region, RegionCriteria, RegionEdit } from './regions.contract.ts';

const ORDER = {
  sorts: {
    name: sql`lower(region.name)`,
    active: sql`region.active`,
    activeTerritories: sql`(select count(*) from territory where region_id = region.id and active)`,
  },
  key: sql`region.id`,
  first: { field: 'name', dir: 'asc' as const },
};

const LABELS = { name: 'Name', active: 'Active', managers: 'Managers' };

export const regionAnswers: Answers<typeof Region> = {
  /** Active regions by name. */
  GetActiveRegionsSimpleData: ({ db }) =>
    db.selectFrom('region').select(['id', 'name']).where('active', '=', true).orderBy('name').execute(),

  GetAllRegions: ({ db }, criteria) => pageFrom(regions(db, criteria), criteria, ORDER),

  ExportRegions: async ({ db }, criteria) => {
    const rows = await allFrom(regions(db, criteria), criteria.sort, ORDER);
    return csvAnswer('regions.csv', ['Region', 'Active', 'Managers', 'Active territories'], rows, (row) => [
      row.name,
      row.active ? 'yes' : 'no',
      row.managers.map(({ name }) => name).join('; '),
      row.activeTerritories,
    ]);
  },

  PopulateRegionEditModel: async ({ db }, { id }) => ({
    region: id ? await readRegion(db, id) : { id: 0, name: '', active: true, managerIds: [], version: 0 },
    managers: await activeUsersWithRole(db, 'salesQuoteManager'),
    territories: id ? await activeTerritories(db, id) : [],
  }),

  /** 409 over somebody else's change; 422 for a taken name, and for switching off a region with active territories, which it names. */
  SaveRegion: async ({ db, user, services }, input) => {
    const before = input.id === 0 ? null : await readRegion(db, input.id, 'lock');
    if (before) await requireFresh(db, { type: 'region', ...before }, input.version, before);
    await requireNameFree(db, input.id, input.name);
    if (before?.active && !input.active) await requireNoTerritories(db, before);
    const managerIds = input.managerIds ?? before?.managerIds ?? [];
    const added = managerIds.filter((id) => !before?.managerIds.includes(id));
    await requireManagers(db, added);

    const { id, version } = await db
      .insertInto('region')
      .values({ ...(before ? { id: before.id } : {}), name: input.name, active: input.active })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          name: input.name,
          active: input.active,
          version: eb('region.version', '+', 1),
        })),
      )
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await setRegionManagers(db, user, { id, name: input.name }, managerIds);
    const [was, is] = [before ? await named(db, before) : {}, await named(db, { ...input, managerIds })];
    await recordChange(db, user, {
      type: 'region',
      id,
      name: input.name,
      action: before ? 'Edit' : 'Create',
      version,
      changes: changesBetween(was, is, LABELS),
    });
    forgetCallers(services);
    return readRegion(db, id);
  },
};

/** After somebody began or ceased to manage regions on their own screen: each region has a new version and a line in its history. */
export async function recordManager(
  db: Db,
  actor: { id: number; fullName: string },
  manager: string,
  { added, removed }: { added: number[]; removed: number[] },
): Promise<void> {
  const changed = await db
    .updateTable('region')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', (eb) => eb.fn.any(eb.val([...added, ...removed])))
    .returning(['id', 'name', 'version'])
    .execute();
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
    .$if(Boolean(keyword), (query) =>
      query.where(sql<boolean>`lower(region.name) like lower(${contains(keyword ?? '')})`),
    )
    .$if(typeof active === 'boolean', (query) => query.where('region.active', '=', active === true));
}

async function readRegion(db: Db, id: number, lock?: 'lock'): Promise<RegionEdit> {
  const region = await db
    .selectFrom('region')
    .select(['id', 'name', 'active', 'version'])
    .where('id', '=', id)
    .$if(lock === 'lock', (query) => query.forUpdate())
    .executeTakeFirst();
  if (!region) throw notFound('region');
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

async function requireNameFree(db: Db, id: number, name: string): Promise<void> {
  // Held until the end: of two who take the same name at once, the second is told.
  await sql`select pg_advisory_xact_lock(hashtext('region-name'), hashtext(${name.toLowerCase()}))`.execute(db);
  const taken = await db
    .selectFrom('region')
    .select('id')
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .where('id', '!=', id)
    .executeTakeFirst();
  if (taken) throw invalid([{ path: 'name', message: `There is a region named ${name} already.` }]);
}

async function requireNoTerritories(db: Db, region: RegionEdit): Promise<void> {
  const names = (await activeTerritories(db, region.id)).map(({ name }) => name);
  if (names.length === 0) return;
  const listed =
    names.length > 10 ? `${names.slice(0, 10).join(', ')} and ${names.length - 10} more` : names.join(', ');
  const message = `${region.name} still has active territories: ${listed}. Move them to another region or switch them off first.`;
  throw invalid([{ path: 'active', message }]);
}

async function requireManagers(db: Db, ids: number[]): Promise<void> {
  const known = new Set((await activeUsersWithRole(db, 'salesQuoteManager')).map(({ id }) => id));
  if (ids.every((id) => known.has(id))) return;
  throw invalid([{ path: 'managerIds', message: 'Only active sales quote managers can manage a region.' }]);
}

/** A region with its managers by name, for the history. */
async function named(db: Db, region: { name: string; active: boolean; managerIds: number[] }) {
  const managers = await db
    .selectFrom('app_user')
    .select(['id', 'full_name as name'])
    .where('id', '=', (eb) => eb.fn.any(eb.val(region.managerIds)))
    .orderBy('full_name')
    .execute();
  return { name: region.name, active: region.active, managers };
}
