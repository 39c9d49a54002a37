// Merges two people's changes of one record, and asks only about fields that both changed differently.
import type { Stored } from './conflict.ts';

/** Reads the value that a change to a field depends on, which may differ from the field's content. */
export type Standing = (field: string, record: Stored) => unknown;

const itself: Standing = (field, record) => record[field] ?? null;

/** The values that a person saw in the fields they change. */
export function seen(patch: object, record: Stored, standing = itself): Stored {
  return Object.fromEntries(Object.keys(patch).map((field) => [field, standing(field, record)]));
}

/** The fields that somebody else has since changed to another value than this person. */
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

export function isSame(value: unknown, other: unknown): boolean {
  // A refused number of a form is NaN, which JSON writes as null.
  if (Number.isNaN(value) !== Number.isNaN(other)) return false;
  return JSON.stringify(value ?? null) === JSON.stringify(other ?? null);
}
