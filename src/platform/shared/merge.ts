// Merges the changes of two users to one record. Only fields that both changed differently need a decision.
import type { Stored } from './conflict.ts';

/** Reads the value that a change to a field depends on, which may differ from the field's content. */
export type Standing = (field: string, record: Stored) => unknown;

const itself: Standing = (field, record) => record[field] ?? null;

/** Returns the values that the user saw in the fields that they change. */
export function seen(patch: object, record: Stored, standing = itself): Stored {
  return Object.fromEntries(Object.keys(patch).map((field) => [field, standing(field, record)]));
}

/** Returns the fields that another user has changed since then to a different value than this user. */
export function clashes({ patch, base }: { patch: object; base: Stored }, record: Stored, standing = itself): string[] {
  return Object.entries(patch)
    .filter(([field, mine]) => !isSame(standing(field, record), base[field]) && !isSame(record[field], mine))
    .map(([field]) => field);
}

/** Returns the fields of `after` that differ from `before`. */
export function patchBetween<T extends object>(before: T, after: T): Partial<T> {
  const was = before as Stored;
  return Object.fromEntries(Object.entries(after).filter(([field, value]) => !isSame(was[field], value))) as Partial<T>;
}

export function isSame(value: unknown, other: unknown): boolean {
  // A form represents a refused number as NaN, which JSON writes as null.
  if (Number.isNaN(value) !== Number.isNaN(other)) return false;
  return JSON.stringify(value ?? null) === JSON.stringify(other ?? null);
}
