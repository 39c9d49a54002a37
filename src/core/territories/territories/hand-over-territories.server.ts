// Lists the territories of a user who leaves, and hands them over from today on.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { recordPart } from '#platform/history/record-kit.server.ts';
import { addDays, type IsoDate } from '#platform/shared/dates.ts';
import { TERRITORY_ROLE_LABELS, type TerritoryRole } from './territory-roles.ts';

type Held = { id: number; territoryId: number; name: string; role: TerritoryRole; from: IsoDate; to: IsoDate | null };
type Person = { id: number; fullName: string };

/** A user's current and future assignments, by the territory's name. */
export function territoriesHeld(db: Db, userId: number, date: IsoDate): Promise<Held[]> {
  return db
    .selectFrom('territory_rep')
    .innerJoin('territory', 'territory.id', 'territory_rep.territory_id')
    .select(['territory_rep.id', 'territory.id as territoryId', 'territory.name', 'territory_rep.role'])
    .select(['territory_rep.valid_from as from', 'territory_rep.valid_to as to'])
    .where('territory_rep.user_id', '=', userId)
    .where((eb) => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>=', date)]))
    .orderBy('territory.name')
    .orderBy('territory_rep.id')
    .$narrowType<{ role: TerritoryRole }>()
    .execute();
}

/**
 * Hands a user's assignments over to others, by role. The last day of the user who leaves is yesterday, so that queries for past dates still find the
 * user. A future assignment keeps its dates and goes to the successor. Records the change in each territory's history.
 */
export async function handOverTerritories(
  db: Db,
  actor: Person,
  from: Person,
  to: Partial<Record<TerritoryRole, Person>>,
  date: IsoDate,
): Promise<void> {
  for (const held of await territoriesHeld(db, from.id, date)) {
    const successor = to[held.role];
    if (!successor) continue;
    if (held.from < date) {
      await db
        .updateTable('territory_rep')
        .set({ valid_to: addDays(date, -1) })
        .where('id', '=', held.id)
        .execute();
    } else {
      await db.deleteFrom('territory_rep').where('id', '=', held.id).execute();
    }
    const begins = held.from < date ? date : held.from;
    if (!(await serves(db, successor.id, { ...held, from: begins }))) {
      await db
        .insertInto('territory_rep')
        .values({
          territory_id: held.territoryId,
          role: held.role,
          user_id: successor.id,
          valid_from: begins,
          valid_to: held.to,
        })
        .execute();
    }
    const territory = { id: held.territoryId, name: held.name };
    const change = { field: TERRITORY_ROLE_LABELS[held.role], before: from.fullName, after: successor.fullName };
    await recordPart({ db, user: actor }, 'territory', territory, 'Hand over', change);
  }
}

/** Whether the user already has the role in the territory for the whole period. */
async function serves(db: Db, userId: number, held: Held): Promise<boolean> {
  const there = await db
    .selectFrom('territory_rep')
    .select('id')
    .where('territory_id', '=', held.territoryId)
    .where('role', '=', held.role)
    .where('user_id', '=', userId)
    .where('valid_from', '<=', held.from)
    .where(sql<boolean>`coalesce(valid_to, 'infinity') >= coalesce(${held.to}::date, 'infinity')`)
    .executeTakeFirst();
  return there !== undefined;
}
