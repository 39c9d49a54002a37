// Merges two facilities that are one customer, and undoes a merge. All records move in one transaction, or none do.
import { type RawBuilder, sql } from 'kysely';
import { HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { bumpRecord } from '#platform/history/record-kit.server.ts';
import { moveToFacility } from '#core/quoting/quote-edit/move-to-facility.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { alikeOf } from './alike.server.ts';
import type { FacilityDuplicates, FacilityMerge } from './facility-duplicates.contract.ts';
import { mergesPage } from './merge-history.server.ts';
import { MOVES } from './moved-by-merge.server.ts';

type Place = {
  id: number;
  version: number;
  acctNo: string;
  name: string;
  active: boolean;
  mergedInto: number | null;
  parentId: number | null;
};
/** What a merge moved, by table, for its undo. */
type Moved = { [table: string]: number[] } & {
  /** Memberships that lost the primary mark, because the remaining facility has a primary GPO on these days. */
  demoted?: number[];
  /** Facilities that had been merged into the merged one. */
  chained?: number[];
};
type Part = { what: string; moved: number; left: number };

/** Locks both in a fixed order, so that two simultaneous merges wait for each other. Throws 409 if one of them is already merged. */
async function twoPlaces(
  db: Db,
  keptId: number,
  mergedId: number,
  lock: boolean,
): Promise<[kept: Place, merged: Place]> {
  if (keptId === mergedId) throw invalid([{ path: 'merged', message: 'A facility cannot be merged into itself.' }]);
  const rows = await db
    .selectFrom('facility')
    .select([
      'id',
      'version',
      'acct_no as acctNo',
      'name',
      'active',
      'merged_into as mergedInto',
      'parent_id as parentId',
    ])
    .where('id', 'in', [keptId, mergedId])
    .orderBy('id')
    .$if(lock, (query) => query.forUpdate())
    .execute();
  const [survivor, merged] = [keptId, mergedId].map((id) => rows.find((row) => row.id === id));
  if (!survivor || !merged) throw notFound('facility');
  for (const { mergedInto, name, acctNo } of [survivor, merged]) {
    if (mergedInto !== null)
      throw new HttpError(409, `${acctNo} ${name} has already been merged into another facility.`);
  }
  return [survivor, merged];
}

const mine = ({ column }: (typeof MOVES)[number], id: number) => sql`t.${sql.ref(column)} = ${id}`;
/** Rows of the merged facility that stay behind. */
function stays({ table, column, same }: (typeof MOVES)[number], keptId: number): RawBuilder<boolean> {
  if (table === 'facility') return sql`t.id = ${keptId}`;
  return same
    ? sql`exists (select from ${sql.table(table)} k where k.${sql.ref(column)} = ${keptId} and ${same})`
    : sql`false`;
}

async function mergedParts(db: Db, keptId: number, mergedId: number): Promise<Part[]> {
  const parts: Part[] = [];
  const { quotes } = await db
    .selectFrom('quote')
    .select(({ fn }) => fn.countAll<number>().as('quotes'))
    .where('facility_id', '=', mergedId)
    .executeTakeFirstOrThrow();
  parts.push({ what: countOf(quotes, 'quote'), moved: quotes, left: 0 });
  for (const move of MOVES) {
    const { rows } = await sql<{ moved: number; left: number }>`
      select count(*) filter (where not (${stays(move, keptId)}))::int as moved, count(*) filter (where ${stays(move, keptId)})::int as left
        from ${sql.table(move.table)} t where ${mine(move, mergedId)}`.execute(db);
    const { moved = 0, left = 0 } = rows[0] ?? {};
    const ownParent = move.table === 'facility';
    parts.push({ what: countOf(moved + (ownParent ? 0 : left), ...move.what), moved, left: ownParent ? 0 : left });
  }
  return parts.filter(({ moved, left }) => moved + left > 0);
}

/** Refuses a merge that would make a facility its own parent. */
async function requireNoCircle(db: Db, stored: Place, merged: Place): Promise<void> {
  const { rows } = await sql`
    with recursive above as (
      select id, parent_id from facility where id = ${stored.parentId === merged.id ? 0 : (stored.parentId ?? 0)}
      union select f.id, f.parent_id from facility f join above on f.id = above.parent_id)
    select from above where id = ${merged.id}`.execute(db);
  if (rows.length === 0) return;
  const message = `${stored.name} is below ${merged.name}. Keep ${merged.name} instead, or change the parent first.`;
  throw invalid([{ path: 'kept', message }]);
}

type Merging = Pick<
  Answers<typeof FacilityDuplicates>,
  'GetFacilityMergePreview' | 'MergeFacilities' | 'UndoFacilityMerge'
>;

export const mergeAnswers: Merging = {
  GetFacilityMergePreview: async ({ db }, { keptId, mergedId }) => {
    await twoPlaces(db, keptId, mergedId, false);
    const result = await alikeOf(db, [keptId, mergedId]);
    const [survivor, merged] = [result.get(keptId), result.get(mergedId)];
    if (!survivor || !merged) throw notFound('facility');
    return { kept: survivor, merged, parts: await mergedParts(db, keptId, mergedId) };
  },

  /**
   * Throws 409 if another user changed either, and for a facility that is already merged. Records that contradict those of the remaining
   * facility stay behind.
   */
  MergeFacilities: async ({ db, user, services }, input) => {
    // Lets only one parent be set at a time, as when a facility is saved.
    await sql`select pg_advisory_xact_lock(hashtext('facility-parent'))`.execute(db);
    const [stored, merged] = await twoPlaces(db, input.kept.id, input.merged.id, true);
    await requireFresh(db, 'facility', stored, input.kept.version);
    await requireFresh(db, 'facility', merged, input.merged.version);
    await requireNoCircle(db, stored, merged);
    const at = services.clock.now();
    const parts = await mergedParts(db, stored.id, merged.id);
    const moved: Moved = {};
    const why = `${merged.acctNo} and ${stored.acctNo} are the same customer`;
    moved['quote'] = await moveToFacility(db, user, { from: merged, to: stored, why, at });
    moved.demoted = await demote(db, stored.id, merged.id);
    for (const move of MOVES) {
      const { rows } = await sql<{ id: number }>`
        update ${sql.table(move.table)} t
        set ${sql.ref(move.column)} = ${stored.id} ${move.versioned ? sql`, version = t.version + 1` : sql``}
         where ${mine(move, merged.id)} and not (${stays(move, stored.id)}) returning t.id`.execute(db);
      moved[move.table] = rows.map(({ id }) => id);
    }
    const chained = await db
      .updateTable('facility')
      .set({ merged_into: stored.id })
      .where('merged_into', '=', merged.id)
      .returning('id')
      .execute();
    moved.chained = chained.map(({ id }) => id);
    const bumped = await bumpRecord(db, 'facility', merged.id, {
      active: false,
      merged_into: stored.id,
      parent_id: null,
    });
    const parent =
      stored.parentId === merged.id ? (merged.parentId === stored.id ? null : merged.parentId) : stored.parentId;
    const remains = await bumpRecord(db, 'facility', stored.id, { parent_id: parent });
    await nameOthers(db, stored.id);
    const { id } = await db
      .insertInto('facility_merge')
      .values({
        kept_id: stored.id,
        merged_id: merged.id,
        moved: JSON.stringify({
          ...moved,
          was: { active: merged.active, parentId: merged.parentId, keptParentId: stored.parentId },
        }),
        merged_by: user.id,
        merged_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const movedParts = parts.filter((part) => part.moved > 0).map(({ what }) => what);
    await recordChange(db, user, {
      type: 'facility',
      id: merged.id,
      name: merged.name,
      action: 'Merge',
      version: bumped.version,
      changes: [{ field: 'Merged into', before: '', after: `${stored.acctNo} ${stored.name}` }],
    });
    await recordChange(db, user, {
      type: 'facility',
      id: stored.id,
      name: stored.name,
      action: 'Take over',
      version: remains.version,
      changes: [
        { field: 'Facility', before: '', after: `${merged.acctNo} ${merged.name}` },
        ...(movedParts.length > 0 ? [{ field: 'Moved records', before: '', after: movedParts.join(', ') }] : []),
      ],
    });
    return { merge: await mergeOf(db, id), parts };
  },

  /** Throws 409 for a merge that was undone, or whose facility was merged again. Records that have moved on since stay where they are. */
  UndoFacilityMerge: async ({ db, user, services }, { id, version }) => {
    const merge = await db.selectFrom('facility_merge').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!merge) throw notFound('merge');
    const result = await mergeOf(db, id);
    if (result.notUndoable !== '') throw new HttpError(409, result.notUndoable);
    if (merge.version !== version) throw new HttpError(409, 'Someone else has changed this merge. Review it again.');
    const at = services.clock.now();
    const { kept, merged } = result;
    await sql`select id from facility where id in (${kept.id}, ${merged.id}) order by id for update`.execute(db);
    const { was, ...moved } = merge.moved as Moved & {
      was: { active: boolean; parentId: number | null; keptParentId: number | null };
    };
    const why = `${merged.acctNo} and ${kept.acctNo} are not the same customer after all`;
    await moveToFacility(db, user, { from: kept, to: merged, ids: moved['quote'] ?? [], why, at });
    for (const move of MOVES) {
      await sql`update ${sql.table(move.table)} t
        set ${sql.ref(move.column)} = ${merged.id} ${move.versioned ? sql`, version = t.version + 1` : sql``}
        where ${mine(move, kept.id)} and t.id = any(${moved[move.table] ?? []}::int[])`.execute(db);
    }
    await sql`update gpo_membership set is_primary = true
      where facility_id = ${merged.id} and id = any(${moved.demoted ?? []}::int[])`.execute(db);
    await sql`update facility set merged_into = ${merged.id}
      where merged_into = ${kept.id} and id = any(${moved.chained ?? []}::int[])`.execute(db);
    const back = await bumpRecord(db, 'facility', merged.id, {
      active: was.active,
      merged_into: null,
      parent_id: await stillThere(db, was.parentId),
    });
    const remains = await bumpRecord(
      db,
      'facility',
      kept.id,
      was.keptParentId === merged.id ? { parent_id: merged.id } : {},
    );
    await nameOthers(db, kept.id);
    await nameOthers(db, merged.id);
    await db
      .updateTable('facility_merge')
      .set((eb) => ({ undone_by: user.id, undone_at: at, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute();
    for (const [facility, other, next] of [
      [merged, kept, back.version],
      [kept, merged, remains.version],
    ] as const) {
      await recordChange(db, user, {
        type: 'facility',
        id: facility.id,
        name: facility.name,
        action: 'Undo merge',
        version: next,
        changes: [{ field: 'Merged with', before: `${other.acctNo} ${other.name}`, after: '' }],
      });
    }
    return mergeOf(db, id);
  },
};

async function mergeOf(db: Db, id: number): Promise<FacilityMerge> {
  const { records } = await mergesPage(db, { page: 1, pageSize: 1, id });
  const [merge] = records;
  if (!merge) throw notFound('merge');
  return merge;
}

/** Removes the primary mark from memberships that move to a facility with a primary GPO on the same days. Returns their ids. */
async function demote(db: Db, keptId: number, mergedId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update gpo_membership t set is_primary = false where t.facility_id = ${mergedId} and t.is_primary and exists (
      select from gpo_membership k where k.facility_id = ${keptId} and k.is_primary
        and k.valid_from <= coalesce(t.valid_to, 'infinity') and coalesce(k.valid_to, 'infinity') >= t.valid_from) returning t.id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Stores the numbers and names of merged facilities with the remaining one, so that a search finds it by them. */
async function nameOthers(db: Db, id: number): Promise<void> {
  await sql`update facility k set other_numbers = coalesce((select string_agg(m.acct_no || ' ' || m.name, ' ' order by m.id)
    from facility m where m.merged_into = k.id), '') where k.id = ${id}`.execute(db);
}

/** The parent, or the facility that it has been merged into since. */
async function stillThere(db: Db, id: number | null): Promise<number | null> {
  if (id === null) return null;
  const row = await db.selectFrom('facility').select(['id', 'merged_into']).where('id', '=', id).executeTakeFirst();
  return row ? (row.merged_into ?? row.id) : null;
}
