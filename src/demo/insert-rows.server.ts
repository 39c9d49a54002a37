// Inserts many rows into a table with a few statements of limited size.

import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { Tables } from '#platform/db/tables.ts';

/** Inserts rows that all have the same columns. jsonb columns accept values, not text. */
export async function insertRows<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: { [K in keyof Insertable<Tables[T]>]?: unknown }[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((name) => sql.ref(name));
  for (let start = 0; start < rows.length; start += 1000) {
    const piece = JSON.stringify(rows.slice(start, start + 1000));
    await sql`insert into ${sql.table(table)} (${sql.join(columns)})
      select ${sql.join(columns)} from jsonb_populate_recordset(null::${sql.table(table)}, ${piece}::jsonb)`.execute(
      db,
    );
  }
}

/** Sets the next id after rows that were inserted with explicit ids. */
export async function followIds(db: Db, table: string): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select coalesce(max(id), 1) from ${sql.table(table)}))`.execute(
    db,
  );
}
