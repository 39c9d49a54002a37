// Hides parameters from the planner, so that PostgreSQL plans a large statement once and not at every call.
import { type RawBuilder, sql } from 'kysely';

/** A value, or a part of a statement that yields it. */
export type Given<T> = T | RawBuilder<T>;

/**
 * A parameter that the planner does not see. If the planner sees that a call looks up one item, it considers a plan for one item cheaper than its
 * plan for any number, and plans again at every call. Planning a statement with ten tables takes most of its time. Do not hide a value that decides
 * which plan is best, as in most searches. A search for three letters or more is the exception.
 */
export function hidden<T>(value: Given<T>, type: 'int' | 'date' | 'text'): RawBuilder<T> {
  return isRaw(value) ? value : sql<T>`(select ${value}::${sql.raw(type)})`;
}

/** `any` of hidden ids, for a comparison. The same plan works for one id and for a thousand. */
export function anyOf(ids: Given<number[]>) {
  return isRaw(ids) ? sql<number>`any(${ids})` : sql<number>`any((select ${ids}::int[])::int[])`;
}

function isRaw<T>(value: Given<T>): value is RawBuilder<T> {
  return typeof value === 'object' && value !== null && 'isRawBuilder' in value;
}
