// The view that a user has chosen to start a list with. It takes precedence over the last filters, but only if the address has none.
import type { Address } from './address.web.ts';

let queries: ReadonlyMap<string, string> = new Map();

/** `next` contains the query of each list that has a start view, by the path of the list. */
export function setStartViews(next: ReadonlyMap<string, string>): void {
  queries = next;
}

/** Returns the start view of a list. Null: the list starts with its last filters. */
export function startViewOf(path: string): Address | null {
  const query = queries.get(path.length > 1 ? path.replace(/\/$/, '') : path);
  return query === undefined ? null : Object.fromEntries(new URLSearchParams(query));
}
