// The criteria that a person has chosen to start a list with. They come before the last ones, and only where the address has none.
import type { Address } from './address.web.ts';

let queries: ReadonlyMap<string, string> = new Map();

/** `next`: the query of each list that has one, by the list's path. */
export function setStartViews(next: ReadonlyMap<string, string>): void {
  queries = next;
}

/** Null: the list starts with its last criteria. */
export function startViewOf(path: string): Address | null {
  const query = queries.get(path.length > 1 ? path.replace(/\/$/, '') : path);
  return query === undefined ? null : Object.fromEntries(new URLSearchParams(query));
}
