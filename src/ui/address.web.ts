// What the address of the page says, typed by the table of routes: a path that no screen has is a type error.
import { rootRouteId, useSearch } from '@tanstack/react-router';

/** What stands after the question mark: all of it is text. */
export type Address = Record<string, string | undefined>;

export function useAddress(): Address {
  return useSearch({ from: rootRouteId });
}
