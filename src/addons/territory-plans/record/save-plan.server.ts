// Saves a plan's fields and moves.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { type FieldError, invalid } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { bumpRecord } from '#platform/history/record-kit.server.ts';
import { requirePlan, seesAllPlans } from '#core/territories/territories/plan-sight.server.ts';
import { assignedZips } from '#core/territories/territories/assigned-zips.server.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { hasRole, type Role } from '#platform/shared/roles.ts';
import { MAX_MOVES, type TerritoryPlans } from '../territory-plans.contract.ts';
import { areaZips } from './area-zips.server.ts';
import {
  type Asking,
  companyDay,
  lockPlan,
  type Plan,
  readersOf,
  requireEditable,
  requireVersion,
} from './plan-record.server.ts';

type Given = ParsedInputOf<typeof TerritoryPlans.saveSavedMap>;

const PLANNER_ROLES: readonly Role[] = ['systemadmin', 'salesadmin', 'salessupport', 'salesQuoteManager'];

/** Creates or changes a plan. */
export async function savePlan(asking: Asking, { map, moves, version }: Given): Promise<Plan> {
  const { db, user } = asking;
  const today = await companyDay(asking);
  const before = map.id ? await lockPlan(asking, map.id) : null;
  if (before) await requireEditable(asking, before);
  const errors: FieldError[] = [];
  const effectiveDay = map.effectiveDay ?? before?.effective_day ?? today;
  if (!before && !map.name) errors.push({ path: 'map.name', message: 'This field is required' });
  if (map.effectiveDay && map.effectiveDay < today && map.effectiveDay !== before?.effective_day)
    errors.push({ path: 'map.effectiveDay', message: 'This day has passed. Choose today or a later day.' });
  if (map.readers && before && before.owner_id !== user.id && !seesAllPlans(user))
    errors.push({ path: 'map.readers', message: 'Only the owner can share a plan.' });
  errors.push(...(await wrongReaders(db, map.readers ?? [])));
  if (errors.length > 0) throw invalid(errors);

  const fields = {
    name: map.name ?? before?.name ?? '',
    note: map.note ?? before?.note ?? '',
    effective_day: effectiveDay,
  };
  if (before) await requireVersion(db, before, version);
  const plan = before
    ? await bumpRecord(db, 'territoryPlan', before.id, {
        ...fields,
        changed_at: sql<string>`now()`,
        changed_by: user.id,
      })
    : await db
        .insertInto('territory_plan')
        .values({
          ...fields,
          owner_id: user.id,
          base_day: today,
          changed_by: user.id,
        })
        .returning(['id', 'version'])
        .executeTakeFirstOrThrow();
  const readersChange = map.readers ? await saveReaders(db, plan.id, map.readers) : [];
  const counts = await saveMoves(asking, plan, effectiveDay < today ? today : effectiveDay, moves);
  await recordChange(db, user, {
    type: 'territoryPlan',
    id: plan.id,
    name: fields.name,
    action: before ? 'Edit' : 'Create',
    version: plan.version,
    changes: [
      ...changesBetween(before ? historyWords(before) : {}, historyWords({ ...fields }), {
        name: 'Name',
        note: 'Note',
        effectiveDay: 'From',
      }),
      ...readersChange,
      ...counts,
    ],
  });
  return requirePlan(asking, plan.id);
}

const historyWords = (plan: Pick<Plan, 'name' | 'note' | 'effective_day'>) => ({
  name: plan.name,
  note: plan.note,
  effectiveDay: formatDate(plan.effective_day),
});

async function wrongReaders(db: Db, readers: { userId: number }[]): Promise<FieldError[]> {
  if (readers.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select distinct u.id from app_user u join user_role r on r.user_id = u.id
     where u.active and u.id = any(${readers.map(({ userId }) => userId)}) and r.role = any(${[...PLANNER_ROLES]}::text[])`.execute(
    db,
  );
  const known = new Set(rows.map(({ id }) => id));
  if (readers.every(({ userId }) => known.has(userId))) return [];
  return [
    {
      path: 'map.readers',
      message: 'You can share a plan only with administrators, sales support and quote managers.',
    },
  ];
}

async function saveReaders(db: Db, planId: number, readers: { userId: number; mayEdit: boolean }[]) {
  const before = await readersOf(db, planId);
  await db.deleteFrom('territory_plan_reader').where('plan_id', '=', planId).execute();
  const rows = new Map(
    readers.map(({ userId, mayEdit }) => [userId, { plan_id: planId, user_id: userId, may_edit: mayEdit }]),
  );
  if (rows.size > 0)
    await db
      .insertInto('territory_plan_reader')
      .values([...rows.values()])
      .execute();
  const words = (list: typeof before) =>
    list.map(({ user, mayEdit }) => `${user.name}${mayEdit ? ' (can edit)' : ''}`).join(', ');
  const [was, is] = [words(before), words(await readersOf(db, planId))];
  return was === is ? [] : [{ field: 'Shared with', before: was, after: is }];
}

/** Writes the moves and returns their entry for the history. */
async function saveMoves(
  { db, user }: Asking,
  plan: { id: number; version: number },
  day: IsoDate,
  moves: Given['moves'],
): Promise<{ field: string; before: string; after: string }[]> {
  if (moves.length === 0) return [];
  // A copy has tens of thousands of moves; a set keeps the check linear.
  const met = new Set<string>();
  const twice = moves.find(({ zip }) => met.size === met.add(zip).size);
  if (twice) throw invalid([{ path: 'moves', message: `${twice.zip} is moved twice in one save.` }]);
  const remaining = moves.filter(({ gone }) => !gone);
  await requireKnown(db, user, remaining);
  const rows = JSON.stringify(
    moves.map(({ zip, from, to, gone }) => ({
      zip,
      from: from ?? null,
      given: from !== undefined,
      to: to ?? null,
      gone,
    })),
  );
  await sql`
    with given as (
      select * from json_to_recordset(${rows}::json) as g(zip text, "from" int, given boolean, "to" int, gone boolean)),
    live as materialized (select * from (${assignedZips({ date: day })}) a where zip5 in (select zip from given))
    insert into territory_plan_move (plan_id, zip5, from_territory_id, to_territory_id, gone, version, changed_by)
    select ${plan.id}, g.zip, case when g.given then g."from" else l.territory_id end, g."to", g.gone, ${plan.version}, ${user.id}
      from given g left join live l on l.zip5 = g.zip
    on conflict (plan_id, zip5) do update set from_territory_id = excluded.from_territory_id,
      to_territory_id = excluded.to_territory_id, gone = excluded.gone, version = excluded.version,
      changed_by = excluded.changed_by`.execute(db);
  // Removes moves to the territory that already has the ZIP.
  await sql`update territory_plan_move set gone = true
     where plan_id = ${plan.id} and version = ${plan.version} and from_territory_id is not distinct from to_territory_id`.execute(
    db,
  );
  const { total } = await db
    .selectFrom('territory_plan_move')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('plan_id', '=', plan.id)
    .where('gone', '=', false)
    .executeTakeFirstOrThrow();
  if (total > MAX_MOVES)
    throw invalid([{ path: 'moves', message: `A plan can have at most ${MAX_MOVES.toLocaleString('en-US')} moves.` }]);
  const few = (list: Given['moves']) =>
    `${list
      .slice(0, 20)
      .map(({ zip }) => zip)
      .join(', ')}${list.length > 20 ? ` and ${list.length - 20} more` : ''}`;
  const gone = moves.filter((move) => move.gone);
  return [
    ...(remaining.length > 0 ? [{ field: 'Moves', before: '', after: few(remaining) }] : []),
    ...(gone.length > 0 ? [{ field: 'Moves', before: few(gone), after: '' }] : []),
  ];
}

/** Throws 422 with ZIPs and territories that do not exist, and ZIPs that a quote manager may not move. */
async function requireKnown(db: Db, user: Caller, moves: Given['moves']): Promise<void> {
  const zips = moves.map(({ zip }) => zip);
  const { rows } = await sql<{ zip: string }>`
    select zip from unnest(${zips}::text[]) as zip where not exists (select from zip z where z.zip5 = zip)
      and not exists (select from zip_assignment a where a.zip5 = zip) order by 1`.execute(db);
  // A ZIP with an area on the map is known, even before the list of ZIPs is imported.
  const areas = rows.length > 0 ? await areaZips(db) : null;
  const unknown = rows.filter(({ zip }) => !areas?.has(zip));
  const named = unknown
    .slice(0, 10)
    .map(({ zip }) => zip)
    .join(', ');
  const more = unknown.length > 10 ? ` and ${unknown.length - 10} more` : '';
  if (unknown.length > 0) throw invalid([{ path: 'moves', message: `Unknown ZIPs: ${named}${more}` }]);
  const ids = [...new Set(moves.flatMap(({ from, to }) => [from, to].filter((id) => id !== null && id !== undefined)))];
  const territories = await db
    .selectFrom('territory')
    .select(['id', 'name', 'active', 'region_id as regionId'])
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute();
  const known = new Map(territories.map((territory) => [territory.id, territory]));
  if (ids.some((id) => !known.has(id)))
    throw invalid([{ path: 'moves', message: 'One of these territories does not exist.' }]);
  const off = moves.flatMap(({ to }) => (to ? [known.get(to)] : [])).find((candidate) => candidate?.active === false);
  if (off)
    throw invalid([
      { path: 'moves', message: `${off.name} is inactive. Activate it first, or choose another territory.` },
    ]);
  if (hasRole(user, 'systemadmin', 'salesadmin', 'salessupport')) return;
  // The current territory applies, whatever `from` the caller sends.
  const { rows: foreign } = await sql<{ zip: string; name: string }>`
    select zip, t.name from unnest(${zips}::text[], ${moves.map(({ to }) => to ?? null)}::int[]) as g(zip, goes)
      left join lateral (select z.territory_id from zip_assignment z where z.zip5 = zip
        order by z.valid_from desc, z.id desc limit 1) l on true
      join territory t on t.id in (l.territory_id, goes) and t.region_id <> all(${user.regionIds}::int[]) order by 1 limit 1`.execute(
    db,
  );
  const [first] = foreign;
  if (first)
    throw invalid([{ path: 'moves', message: `${first.zip}: ${first.name} is outside the regions that you manage.` }]);
}
