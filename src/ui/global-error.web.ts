// The one global error of the store (specification sections 2 and 3): for errors without a better place, shown in a dismissible alert.
import { useSyncExternalStore } from 'react';
import { listeners } from '#shared/listeners.ts';

let current: string | null = null;
const screens = listeners();

/** Whether the error is that the server did not answer. */
let isSilence = false;

/** `silence`: the server did not answer at all, so the error ends with its next answer. */
export function setGlobalError(message: string | null, { silence = false }: { silence?: boolean } = {}): void {
  current = message;
  isSilence = silence;
  screens.tell();
}

/** The server answers again: it is no longer true that it cannot be reached. */
export function forgetSilence(): void {
  if (isSilence) setGlobalError(null);
}

/** Removes the error of an action that has now succeeded. */
export function forgetGlobalError(what: string): void {
  if (current?.startsWith(what)) setGlobalError(null);
}

export function useGlobalError(): string | null {
  return useSyncExternalStore(screens.add, () => current);
}
