// Many rows into a table with few statements, in pieces that stay small.

import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import type { Tables } from '#db/tables.ts';

/** Inserts rows that all name the same columns; jsonb columns are given as values, not as text. */
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

/** After rows with ids of our own: the next id follows them. */
export async function followIds(db: Db, table: string): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select coalesce(max(id), 1) from ${sql.table(table)}))`.execute(
    db,
  );
}
