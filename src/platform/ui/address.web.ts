// Reads the page's address with the types of the route table, so that a path without a screen is a type error.
import { rootRouteId, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';

/** The parameters after the question mark, all of them text. */
export type Address = Record<string, string | undefined>;

export function useAddress(): Address {
  return useSearch({ from: rootRouteId });
}

/**
 * Returns a function that tests whether the user is still on this screen. The next one may already be loading, and a screen must not navigate the
 * user back.
 */
export function useIsHere(): () => boolean {
  const router = useRouter();
  const [path] = useState(() => router.latestLocation.pathname);
  return useCallback(() => router.latestLocation.pathname === path, [router, path]);
}
