// The one global error of the store (specification sections 2 and 3): for errors without a better place, shown in a dismissible alert.
import { useSyncExternalStore } from 'react';
import { listeners } from '#platform/shared/listeners.ts';

let current: string | null = null;
const screens = listeners();

/** What failed, by the key of its query. */
let failed: string | null = null;

/** Whether the error is only that the server did not answer. */
let isSilence = false;

type About = {
  /** What failed, by the key of its query: the error ends when that succeeds or leaves the screen. */
  of?: string;
  /** The server did not answer at all, and the screen still shows its last answer: the error ends with its next one. */
  silence?: boolean;
};

export function setGlobalError(message: string | null, { of, silence = false }: About = {}): void {
  current = message;
  failed = of ?? null;
  isSilence = silence;
  screens.notify();
}

/** The server answers again: it is no longer true that it cannot be reached. */
export function forgetSilence(): void {
  if (isSilence) setGlobalError(null);
}

/** Removes the error of a query that has succeeded since, or that nothing on the screen shows any more. */
export function forgetGlobalError(source: string): void {
  if (failed === source) setGlobalError(null);
}

export function useGlobalError(): string | null {
  return useSyncExternalStore(screens.add, () => current);
}
