// Merges two people's changes of one record, and asks only about fields that both changed differently.
import type { Stored } from './conflict.ts';

/** The value of a field that a change depends on: it may be more, or less, than what the field holds. */
export type Standing = (field: string, record: Stored) => unknown;

const itself: Standing = (field, record) => record[field] ?? null;

/** What a person saw of the fields they change. */
export function seen(patch: object, record: Stored, standing = itself): Stored {
  return Object.fromEntries(Object.keys(patch).map((field) => [field, standing(field, record)]));
}

/** Fields that somebody else changed since, to something else than this person did. */
export function clashes({ patch, base }: { patch: object; base: Stored }, record: Stored, standing = itself): string[] {
  return Object.entries(patch)
    .filter(([field, mine]) => !isSame(standing(field, record), base[field]) && !isSame(record[field], mine))
    .map(([field]) => field);
}

/** The fields of `after` that differ from `before`. */
export function patchBetween<T extends object>(before: T, after: T): Partial<T> {
  const was = before as Stored;
  return Object.fromEntries(Object.entries(after).filter(([field, value]) => !isSame(was[field], value))) as Partial<T>;
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
