// Hides parameters from the planner, so that PostgreSQL plans a large statement once and not at every call.
import { type RawBuilder, sql } from 'kysely';

/** A value, or a part of the statement that yields it. */
export type Given<T> = T | RawBuilder<T>;

/**
 * A parameter that the planner does not look at. When the planner sees that a call asks for one item, it thinks a plan for one item
 * cheaper than the plan it keeps for any number, and plans again at every call. Planning a ten-table statement takes most of its time.
 * Do not hide a value that decides which plan is best, as in most searches. A search for three letters or more is the exception.
 */
export function hidden<T>(value: Given<T>, type: 'int' | 'date' | 'text'): RawBuilder<T> {
  return isRaw(value) ? value : sql<T>`(select ${value}::${sql.raw(type)})`;
}

/** `any` of hidden ids, for a comparison. The same plan serves one id and a thousand. */
export function anyOf(ids: Given<number[]>) {
  return isRaw(ids) ? sql<number>`any(${ids})` : sql<number>`any((select ${ids}::int[])::int[])`;
}

function isRaw<T>(value: Given<T>): value is RawBuilder<T> {
  return typeof value === 'object' && value !== null && 'isRawBuilder' in value;
}
