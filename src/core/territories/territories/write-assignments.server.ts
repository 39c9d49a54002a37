// Begins and ends many assignments of ZIPs and sales representatives at once, and adds territories. It deletes nothing.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { bumpRecords } from '#platform/history/record-kit.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';

type Person = { id: number; fullName: string };
/** A query that returns the columns listed in the comments below. */
type Rows = RawBuilder<unknown>;

/** Locks ZIP assignments until the transaction ends. Call this before locking a territory, so that two transactions never deadlock. */
export async function lockZipAssignments(db: Db): Promise<void> {
  await sql`lock table zip_assignment in share row exclusive mode`.execute(db);
}

/** Columns of `ends`: id, last_day (null for none). Columns of `begins`: zip5, territory_id, first_day, last_day. */
export async function writeZipAssignments(db: Db, { ends, begins }: { ends: Rows; begins: Rows }): Promise<void> {
  await sql`update zip_assignment z set valid_to = e.last_day from (${ends}) e where z.id = e.id`.execute(db);
  const { numAffectedRows = 0n } = await sql`insert into zip_assignment (zip5, territory_id, valid_from, valid_to)
    select zip5, territory_id, first_day, last_day from (${begins}) b order by zip5, first_day`.execute(db);
  // Updates the planner's statistics after many new rows.
  if (numAffectedRows > 1000n) await sql`analyze zip_assignment`.execute(db);
}

/** Columns of `moves`: id, territory_id. */
export async function moveZipAssignments(db: Db, moves: Rows): Promise<void> {
  await sql`update zip_assignment z set territory_id = m.territory_id from (${moves}) m where z.id = m.id`.execute(db);
}

/** Columns of `ends`: id, last_day (null for none). Columns of `begins`: territory_id, user_id, first_day. */
export async function writeSalesReps(db: Db, { ends, begins }: { ends: Rows; begins: Rows }): Promise<void> {
  await sql`update territory_rep t set valid_to = e.last_day from (${ends}) e where t.id = e.id`.execute(db);
  await sql`insert into territory_rep (territory_id, role, user_id, valid_from)
    select territory_id, 'sales', user_id, first_day from (${begins}) b order by territory_id`.execute(db);
}

/** Replaces a sales representative whose assignment began on the same day. Columns of `moves`: territory_id, user_id, first_day. */
export async function moveSalesReps(db: Db, moves: Rows): Promise<void> {
  await sql`update territory_rep t set user_id = m.user_id from (${moves}) m
    where t.territory_id = m.territory_id and t.role = 'sales' and t.valid_from = m.first_day and t.user_id <> m.user_id`.execute(
    db,
  );
}

/** Columns of `territories`: name, region_id. */
export async function addTerritories(db: Db, territories: Rows): Promise<void> {
  await sql`insert into territory (name, region_id) select name, region_id from (${territories}) t order by name`.execute(
    db,
  );
}

/** Records a change of a territory's assignments: increments its version and adds to its history. */
export async function tellTerritories(
  db: Db,
  author: Person,
  action: RecordAction,
  edits: { id: number; comment: string; changes: { field: string; before: string; after: string }[] }[],
): Promise<void> {
  if (edits.length === 0) return;
  const ids = edits.map(({ id }) => id);
  const changed = await bumpRecords(db, 'territory', ids);
  const byId = new Map(changed.map((row) => [row.id, row]));
  for (const { id, comment, changes } of edits) {
    const territory = byId.get(id);
    if (territory) await recordChange(db, author, { type: 'territory', ...territory, action, comment, changes });
  }
}
