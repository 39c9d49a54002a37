// SQL that finds the facilities an account number may mean, and facilities that look alike. Imports and the screen of duplicates use it.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';

/**
 * SQL for the facilities that `typed` (a column with a written account number) may mean: facility_id, tier and `best`, the lowest tier. The tiers: 0
 * the exact number, 1 the number in another case, 2 the number without dashes, spaces and leading zeros. The number of a merged facility means the
 * one that it was merged into. A number means a facility if it is the only one of the best tier.
 */
export function fittingAccounts(typed: Sql): Sql {
  return sql`
    select facility_id, min(tier) as tier, min(min(tier)) over () as best from (
      select coalesce(f.merged_into, f.id) as facility_id,
          case when f.acct_no = ${typed} then 0 when lower(f.acct_no) = lower(${typed}) then 1 else 2 end as tier
        from facility f where number_key(f.acct_no) = number_key(${typed})) numbers group by facility_id`;
}

/** The least similarity of two names on one street, from 0 to 1. */
const MIN_SIMILARITY = 0.5;

const SAME = {
  name: sql`a.name_key = b.name_key and a.name_key <> ''`,
  street: sql`a.street_key = b.street_key and a.street_key <> ''`,
  zip: sql`left(a.ship_to_zip, 5) = left(b.ship_to_zip, 5) and a.ship_to_zip <> ''`,
} as const;

/** Why rows `a` and `b` look alike. Null if they do not. */
const WHY = sql`case
    when ${SAME.name} and ${SAME.zip}
      then case when ${SAME.street} then 'Same name, street and ZIP' else 'Same name and ZIP' end
    when ${SAME.name} and ${SAME.street} then 'Same name and street'
    when ${SAME.street} and ${SAME.zip} and similarity(a.name_key, b.name_key) >= ${sql.lit(MIN_SIMILARITY)}
      then 'Same street and ZIP, names alike' end`;

/**
 * SQL for the alike pairs of two sets of facilities: `columns` of rows `a` and `b`, and why they are alike. The sets need name_key, street_key and
 * ship_to_zip. It has one join for each pair of equal keys, because a single join on any of them would compare every facility with every other.
 */
export function alikePairs(columns: Sql, a: Sql, b: Sql, condition: Sql): Sql {
  const joined = (select: Sql, other: Sql) => sql`
    select ${columns}, ${WHY} as why
      from ${a} a
      join ${b} b on ${select} and ${other}
     where ${condition} and ${WHY} is not null`;
  const pairs = [joined(SAME.name, SAME.zip), joined(SAME.name, SAME.street), joined(SAME.street, SAME.zip)];
  return sql.join(pairs, sql` union `);
}

/** A note for users who quote for a facility with such others. '' if there are none. */
export function alikeText(others: readonly string[]): string {
  if (others.length === 0) return '';
  const which =
    others.length === 1
      ? 'looks the same, and its prices do not apply here'
      : 'look the same, and their prices do not apply here';
  return `${others.join(', ')} ${which}. If it is the same customer, use that account, or have them merged.`;
}
