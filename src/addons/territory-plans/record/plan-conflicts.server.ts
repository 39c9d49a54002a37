// Finds the conflicts that prevent publishing a plan: moves that contradict the existing assignments.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { PlanConflict } from '../territory-plans.contract.ts';

type Row = {
  zip: string;
  kind: PlanConflict['kind'];
  now: Named | null;
  from: Named | null;
  to: Named | null;
  since: IsoDate | null;
};

/**
 * A query of a plan's moves with the conflict of each (`kind`, null for none) on the plan's first day. It finds the current territory of a ZIP by the
 * same order as `assignedZips`, but one ZIP at a time, because a plan moves few of them.
 */
function judgedMoves(planId: RawBuilder<unknown>, day: RawBuilder<unknown>) {
  return sql<Record<string, unknown>>`
    select m.zip5, m.from_territory_id, m.to_territory_id, live.territory_id as live_id,
      coming.territory_id as coming_id, coming.valid_from,
      case when m.to_territory_id is not null and not target.active then 'inactive'
        when live.territory_id is distinct from m.from_territory_id then 'moved'
        when coming.valid_from = ${day} then 'begins'
        when coming.valid_from is not null then 'later' end as kind
      from territory_plan_move m
      left join territory target on target.id = m.to_territory_id
      left join lateral (
        select z.territory_id from zip_assignment z join territory t on t.id = z.territory_id and t.active
         where z.zip5 = m.zip5 and z.valid_from <= ${day} and (z.valid_to is null or z.valid_to >= ${day})
         order by z.valid_from desc, z.id desc limit 1) live on true
      left join lateral (
        select z.territory_id, z.valid_from from zip_assignment z where z.zip5 = m.zip5 and z.valid_from >= ${day}
         order by z.valid_from, z.id limit 1) coming on true
     where m.plan_id = ${planId} and not m.gone`;
}

/** Counts the moves of a plan that cannot be published. */
export function countConflicts(planId: RawBuilder<unknown>, day: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select count(*)::int from (${judgedMoves(planId, day)}) judged where kind is not null)`;
}

/** The conflicts of a plan that takes effect on `day`, in order of ZIP. A move has at most one: the first that applies. */
export async function planConflicts(db: Db, planId: number, day: IsoDate): Promise<PlanConflict[]> {
  const named = (id: string) =>
    sql<Named | null>`(select json_build_object('id', t.id, 'name', t.name) from territory t where t.id = ${sql.ref(id)})`;
  const { rows } = await sql<Row>`
    select zip5 as zip, kind, valid_from as since, ${named('from_territory_id')} as from, ${named('to_territory_id')} as to,
           case when kind in ('begins', 'later') then ${named('coming_id')} else ${named('live_id')} end as now
      from (${judgedMoves(sql`${planId}`, sql`${day}::date`)}) judged where kind is not null order by zip5`.execute(db);
  return rows.map((row) => {
    const { since: _since, ...conflict } = row;
    return { ...conflict, text: conflictSentence(row, day) };
  });
}

function conflictSentence({ zip, kind, now, from, to, since }: Row, day: IsoDate): string {
  const who = (named: Named | null) => named?.name ?? 'no territory';
  switch (kind) {
    case 'inactive':
      return `${zip}: ${who(to)} is inactive. Activate it, or remove the move.`;
    case 'moved':
      return `${zip}: assigned to ${who(now)} on ${formatDate(day)}, not to ${who(from)}.`;
    case 'begins':
      return `${zip}: assigned to ${who(now)} from ${formatDate(since)}. Choose a later day, or remove the move.`;
    case 'later':
      return `${zip}: assigned to ${who(now)} from ${formatDate(since)}. End that assignment first, or remove the move.`;
  }
}
