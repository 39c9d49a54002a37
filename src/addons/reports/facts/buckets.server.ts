// Writes the buckets of plots as SQL, so that a figure and the list behind it use the same condition.
import { type RawBuilder, type SqlBool, sql } from 'kysely';

type Bucket = { key: string; from: number | null; to: number | null };

/** The key of the bucket that contains a value. With `above`, `from` is exclusive, as for percentages; otherwise both ends are inclusive. */
export function bucketOf(value: RawBuilder<unknown>, buckets: readonly Bucket[], factor = 1): RawBuilder<string> {
  // Buckets ascend without gaps, so a value belongs to the first bucket whose upper end is not below it.
  const cases = buckets.map(({ key, to }) =>
    to === null ? sql`else ${sql.lit(key)}` : sql`when ${value} <= ${sql.lit(to * factor)} then ${sql.lit(key)}`,
  );
  return sql`case ${sql.join(cases, sql` `)} end`;
}

/** Whether a grouping value has this key as text. 'none' means that there is no value. */
export function hasKey(value: RawBuilder<unknown>, key: string): RawBuilder<SqlBool> {
  return key === NONE ? sql<SqlBool>`${value} is null` : sql<SqlBool>`(${value})::text = ${key}`;
}

/** The key of quotes without a rep, a region, a competitor and so on. */
export const NONE = 'none';
export const bucketKey = (value: string | number | null): string => (value === null ? NONE : String(value));
