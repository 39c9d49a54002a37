// Looks up the names of the records that reports group by.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';

const TABLES = {
  rep: sql`select id, full_name as name from app_user`,
  region: sql`select id, name from region`,
  territory: sql`select id, name from territory`,
  class: sql`select id, name from item_class`,
} as const;
type NamedKind = keyof typeof TABLES;

/** The names of these ids, by kind. Omits nulls. */
export async function namesOf<K extends NamedKind>(
  db: Db,
  wanted: Record<K, readonly (string | number | null)[]>,
): Promise<Record<K, Map<number, string>>> {
  const entries = Object.entries(wanted) as [K, readonly (string | number | null)[]][];
  const results = await Promise.all(
    entries.map(async ([kind, keys]) => {
      const ids = [...new Set(keys.filter((key) => key !== null).map(Number))];
      if (ids.length === 0) return [kind, new Map<number, string>()] as const;
      const { rows } = await sql<{ id: number; name: string }>`${TABLES[kind]} where id = any(${ids}::int[])`.execute(
        db,
      );
      return [kind, new Map(rows.map(({ id, name }) => [id, name]))] as const;
    }),
  );
  return Object.fromEntries(results) as Record<K, Map<number, string>>;
}
