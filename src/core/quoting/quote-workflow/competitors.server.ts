// The competitors named when quotes were lost. They are suggested to users, so that each keeps one spelling.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';

/** Returns the most frequent first. A name reveals nothing about the quotes on which it appears, so every user who quotes gets all of them. */
export async function competitorNames(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('quote')
    .select('lost_competitor as name')
    .where('lost_competitor', '<>', '')
    .groupBy('lost_competitor')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('lost_competitor')
    .limit(500)
    .execute();
  return rows.map(({ name }) => name);
}

/** Returns the name as an earlier quote spells it, so that reports do not split 'acme' from 'Acme'. */
export async function knownSpelling(db: Db, name: string): Promise<string> {
  if (name === '') return '';
  const row = await db
    .selectFrom('quote')
    .select('lost_competitor')
    .where(sql`lower(lost_competitor)`, '=', sql`lower(${name})`)
    .where('lost_competitor', '<>', '')
    .limit(1)
    .executeTakeFirst();
  return row?.lost_competitor ?? name;
}
