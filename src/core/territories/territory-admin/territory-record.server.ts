// Reads a territory with its assignments; saves its name, region and dated representatives; activates and deactivates it.
import { sql } from 'kysely';
import type { z } from 'zod';
import { type FieldError, invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import {
  keptIn,
  lockForSave,
  oneRecord,
  type RecordKind,
  saveRecord,
  setRecordActive,
  wrongDays,
  wrongName,
} from '#platform/history/record-kit.server.ts';
import { hasOneOf } from '#platform/users/users.server.ts';
import { validOn } from '#core/territories/territories/territory-of-zip.server.ts';
import {
  TERRITORY_ROLE_FITS,
  TERRITORY_ROLE_LABELS,
  TERRITORY_ROLES,
  type TerritoryRole,
} from '#core/territories/territories/territory-roles.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { ROLE_LABELS } from '#platform/shared/roles.ts';
import type {
  Rep,
  TerritoryEdit,
  TerritoryEditData,
  TerritoryFacts,
  TerritoryInput,
} from './territory-admin.contract.ts';
import { openQuotesOf, openValueOf, overridesOf, todayOf, zipsOf } from './territory-list.server.ts';

type Context = { db: Db; user: Caller; services: Services };
type Given = z.output<typeof TerritoryInput>;
type GivenRep = NonNullable<Given['reps']>[number];

type Territory = TerritoryEdit & { active: boolean };

const TERRITORY: RecordKind<Territory, 'territory'> = {
  type: 'territory',
  read: readTerritory,
  nameOf: ({ name }) => name,
  changes: async (before, after, db) => {
    const regions = await db
      .selectFrom('region')
      .select(['id', 'name'])
      .where('id', 'in', [after.regionId, before?.regionId ?? after.regionId])
      .execute();
    const words = ({ name, regionId }: Territory) => ({
      name,
      region: regions.find(({ id }) => id === regionId)?.name,
    });
    return [
      ...changesBetween(before ? words(before) : {}, words(after), { name: 'Name', region: 'Region' }),
      ...repChanges(before?.reps ?? [], after.reps),
    ];
  },
};

export async function readForEdit(db: Db, services: Services, id: number | undefined): Promise<TerritoryEditData> {
  const date = await todayOf(db, services);
  const { active, ...territory } = id
    ? await readTerritory(db, id)
    : { id: 0, name: '', regionId: 0, reps: [], version: 0, active: true };
  const regions = await db
    .selectFrom('region')
    .select(['id', 'name'])
    .where((eb) => eb.or([eb('active', '=', true), eb('id', '=', territory.regionId)]))
    .orderBy('name')
    .execute();
  return { territory, active, regions, facts: await territoryFacts(db, territory.id, date), today: date };
}

/**
 * Throws 409 if another user changed it. Throws 422 for a name that is in use, and for representatives that lack the role, overlap, or are removed
 * although they have begun, because the past must not change.
 */
export async function saveTerritory({ db, user, services }: Context, input: Given): Promise<TerritoryEdit> {
  const date = await todayOf(db, services);
  const before = await lockForSave(db, TERRITORY, input);
  const was = before?.reps ?? [];
  const fields = (input.reps ?? was).map((rep) => keptIn(rep, { to: was.find(({ id }) => id === rep.id)?.to || null }));
  const errors = [
    ...(await wrongName(db, 'territory', input)),
    ...(before?.regionId === input.regionId ? [] : await wrongRegion(db, input.regionId)),
    ...(input.reps ? await wrongReps(db, was, fields, date) : []),
  ];
  if (errors.length > 0) throw invalid(errors);

  const values = { name: input.name, region_id: input.regionId };
  const parts = (id: number) => (input.reps ? writeReps(db, id, was, fields) : Promise.resolve());
  return saveRecord({ db, user }, TERRITORY, before, values, { parts });
}

/** Throws 409 if another user changed it, and 422 if its region is inactive. */
export function switchTerritory(
  { db, user }: Context,
  input: { id: number; active?: boolean | undefined; version: number },
): Promise<{ id: number; active: boolean; version: number }> {
  return setRecordActive({ db, user }, TERRITORY, input, async ({ name, regionId }, active) => {
    const region = await db
      .selectFrom('region')
      .select(['name', 'active'])
      .where('id', '=', regionId)
      .forShare()
      .executeTakeFirstOrThrow();
    if (!active || region.active) return;
    const message = `The region ${region.name} is inactive. Activate it first, or move ${name} to another region.`;
    throw invalid([{ path: 'active', message }]);
  });
}

export async function readTerritory(db: Db, id: number, lock?: 'lock'): Promise<Territory> {
  const query = db
    .selectFrom('territory')
    .select(['id', 'name', 'region_id as regionId', 'active', 'version'])
    .where('id', '=', id);
  const territory = await oneRecord('territory', query, lock);
  const reps = await db
    .selectFrom('territory_rep')
    .innerJoin('app_user', 'app_user.id', 'territory_rep.user_id')
    .select(['territory_rep.id', 'role', 'user_id as userId', 'full_name as userName', 'valid_from as from'])
    .select(sql<string>`coalesce(valid_to::text, '')`.as('to'))
    .where('territory_id', '=', id)
    .orderBy(sql`array_position(${sql.lit(`{${TERRITORY_ROLES.join(',')}}`)}::text[], role)`)
    .orderBy('valid_from', 'desc')
    .orderBy('territory_rep.id', 'desc')
    .$narrowType<{ role: TerritoryRole }>()
    .execute();
  return { ...territory, reps };
}

/** Explains why a territory cannot get ZIPs and facilities. Empty for an active one. */
export function wrongTerritory({ name, active }: { name: string; active: boolean }): FieldError[] {
  return active ? [] : [{ path: 'territoryId', message: `${name} is inactive. Activate it first.` }];
}

async function territoryFacts(db: Db, id: number, date: IsoDate): Promise<TerritoryFacts> {
  const territory = sql`${id}`;
  return db
    .selectNoFrom([
      zipsOf(territory, date).as('zips'),
      sql<number>`(select count(*) from zip_assignment z where z.territory_id = ${id} and ${validOn(sql`z`, date)}
        and not exists (select from zip_assignment o join territory t on t.id = o.territory_id and t.active
          where o.zip5 = z.zip5 and o.territory_id <> ${id} and ${validOn(sql`o`, date)}))`.as('zipsAlone'),
      overridesOf(territory, date).as('overrides'),
      openQuotesOf(territory).as('openQuotes'),
      openValueOf(territory).as('openValue'),
    ])
    .executeTakeFirstOrThrow();
}

async function wrongRegion(db: Db, id: number): Promise<FieldError[]> {
  const region = await db
    .selectFrom('region')
    .select(['name', 'active'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  if (region?.active) return [];
  const message = region ? `The region ${region.name} is inactive.` : 'This region does not exist.';
  return [{ path: 'regionId', message }];
}

async function wrongReps(db: Db, was: Rep[], input: GivenRep[], date: IsoDate): Promise<FieldError[]> {
  const stored = new Map(was.map((rep) => [rep.id, rep]));
  const inputIds = new Set(input.map(({ id }) => id));
  const errors: FieldError[] = was
    .filter((rep) => rep.from <= date && !inputIds.has(rep.id))
    .map((rep) => ({
      path: 'reps',
      message: `${rep.userName} has served as ${TERRITORY_ROLE_LABELS[rep.role]} since ${formatDate(rep.from)}. Enter a last day instead of removing this.`,
    }));
  const people = await peopleFitting(
    db,
    input.map(({ userId }) => userId),
  );
  for (const [index, rep] of input.entries()) {
    const path = (field: string) => `reps.${index}.${field}`;
    const old = stored.get(rep.id);
    if (rep.id !== 0 && !old) errors.push({ path: path('userId'), message: 'This was removed in the meantime.' });
    errors.push(...wrongDays(rep).map((error) => ({ ...error, path: path(error.path) })));
    const moved = !old || old.userId !== rep.userId || old.role !== rep.role;
    if (old && old.from <= date && (moved || old.from !== rep.from)) {
      const message = `This began on ${formatDate(old.from)}, so only its last day can change. Add another one instead.`;
      errors.push({ path: path('from'), message });
    } else if (moved && !people.get(rep.userId)?.has(rep.role)) {
      const fitting = TERRITORY_ROLE_FITS[rep.role].map((role) => ROLE_LABELS[role]).join(' or ');
      errors.push({ path: path('userId'), message: `Choose an active user with the role ${fitting}.` });
    }
    if (old && !moved && old.from === rep.from && old.to === (rep.to ?? '')) continue;
    const other = input.find((candidate, at) => at !== index && candidate.role === rep.role && overlap(candidate, rep));
    if (!other) continue;
    const name = people.get(other.userId)?.name ?? 'Another user';
    const message = `${TERRITORY_ROLE_LABELS[rep.role]} is ${name} ${span(other.from, other.to)}: the days overlap.`;
    errors.push({ path: path('from'), message });
  }
  return errors;
}

const overlap = (rep: GivenRep, other: GivenRep) =>
  (!rep.to || rep.to >= other.from) && (!other.to || other.to >= rep.from);

/** 'from 01/01/2026 to 06/30/2026' */
export function span(from: IsoDate, to: IsoDate | null | undefined): string {
  return `from ${formatDate(from)}${to ? ` to ${formatDate(to)}` : ''}`;
}

/** The names of these users, and the territory roles that each may have. */
async function peopleFitting(db: Db, ids: number[]) {
  const rows = await db
    .selectFrom('app_user')
    .select(['id', 'full_name as name'])
    .select((eb) =>
      TERRITORY_ROLES.map((role) =>
        eb
          .and([eb('active', '=', true), hasOneOf(TERRITORY_ROLE_FITS[role])(eb)])
          .$castTo<boolean>()
          .as(role),
      ),
    )
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute();
  return new Map(rows.map((row) => [row.id, { name: row.name, has: (role: TerritoryRole) => row[role] }]));
}

async function writeReps(db: Db, territoryId: number, was: Rep[], input: GivenRep[]): Promise<void> {
  const removedIds = was.filter((rep) => !input.some(({ id }) => id === rep.id)).map(({ id }) => id);
  if (removedIds.length > 0) await db.deleteFrom('territory_rep').where('id', 'in', removedIds).execute();
  for (const { id, role, userId, from, to } of input) {
    const values = { role, user_id: userId, valid_from: from, valid_to: to || null };
    if (id === 0) {
      await db
        .insertInto('territory_rep')
        .values({ ...values, territory_id: territoryId })
        .execute();
      continue;
    }
    const old = was.find((rep) => rep.id === id);
    if (old && old.role === role && old.userId === userId && old.from === from && old.to === (to ?? '')) continue;
    await db.updateTable('territory_rep').set(values).where('id', '=', id).execute();
  }
}

/** Lists the changed assignments one by one, so that the history shows who began and who ended. */
function repChanges(was: Rep[], is: Rep[]): FieldChange[] {
  const term = (rep: Rep | undefined) => (rep ? `${rep.userName} ${span(rep.from, rep.to)}` : '');
  const ids = [...new Set([...was, ...is].map(({ id }) => id))];
  return ids.flatMap((id) => {
    const [old, now] = [was.find((rep) => rep.id === id), is.find((rep) => rep.id === id)];
    const role = (now ?? old)?.role;
    if (!role || (term(old) === term(now) && old?.role === now?.role)) return [];
    return [{ field: TERRITORY_ROLE_LABELS[role], before: term(old), after: term(now) }];
  });
}
