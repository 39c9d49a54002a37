// Reads the page's address with the types of the route table: a path without a screen is a type error.
import { rootRouteId, useSearch } from '@tanstack/react-router';

/** The parameters after the question mark, all of them text. */
export type Address = Record<string, string | undefined>;

export function useAddress(): Address {
  return useSearch({ from: rootRouteId });
}
