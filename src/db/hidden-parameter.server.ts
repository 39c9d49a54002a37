// Parameters hidden from the planner, so that PostgreSQL plans a large statement once and not at every call.
import { type RawBuilder, sql } from 'kysely';

/** A value, or what another part of the statement says. */
export type Given<T> = T | RawBuilder<T>;

/**
 * A parameter by whose value no plan is chosen. Where the planner sees that one item is asked for, a plan for one looks cheaper than the
 * one it keeps for any number, and it plans again at every call: of a statement over ten tables that is most of its time. Not for
 * searches whose best plan does depend on what is searched for; of a word of three letters and more it does not.
 */
export function hidden<T>(value: Given<T>, type: 'int' | 'date' | 'text'): RawBuilder<T> {
  return isRaw(value) ? value : sql<T>`(select ${value}::${sql.raw(type)})`;
}

/** `any` of hidden ids, for a comparison: one plan serves one id and a thousand. */
export function anyOf(ids: Given<number[]>) {
  return isRaw(ids) ? sql<number>`any(${ids})` : sql<number>`any((select ${ids}::int[])::int[])`;
}

function isRaw<T>(value: Given<T>): value is RawBuilder<T> {
  return typeof value === 'object' && value !== null && 'isRawBuilder' in value;
}
