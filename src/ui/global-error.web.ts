// The one global error of the store (specification sections 2 and 3): for errors without a better place, shown in a dismissible alert.
import { useSyncExternalStore } from 'react';
import { listeners } from '#shared/listeners.ts';

let current: string | null = null;
const screens = listeners();

export function setGlobalError(message: string | null): void {
  current = message;
  screens.tell();
}

/** Removes the error of an action that has now succeeded. */
export function forgetGlobalError(what: string): void {
  if (current?.startsWith(what)) setGlobalError(null);
}

export function useGlobalError(): string | null {
  return useSyncExternalStore(screens.add, () => current);
}
