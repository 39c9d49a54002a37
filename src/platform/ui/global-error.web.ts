// The only global error of the store (specification sections 2 and 3), for errors without a better place. It is shown in a dismissible alert.
import { useSyncExternalStore } from 'react';
import { listeners } from '#platform/shared/listeners.ts';

let current: string | null = null;
const screens = listeners();

/** The key of the failed query. */
let failed: string | null = null;

/** Whether the error only means that the server did not answer. */
let isSilence = false;

type About = {
  /** The key of the failed query. The error ends when that query succeeds or leaves the screen. */
  of?: string;
  /** The server did not answer, and the screen still shows its last answer. The error ends with its next answer. */
  silence?: boolean;
};

export function setGlobalError(message: string | null, { of, silence = false }: About = {}): void {
  current = message;
  failed = of ?? null;
  isSilence = silence;
  screens.notify();
}

/** Clears the error about an unreachable server, because the server answers again. */
export function forgetSilence(): void {
  if (isSilence) setGlobalError(null);
}

/** Clears the error of a query that has succeeded since then, or that nothing on the screen shows any more. */
export function forgetGlobalError(source: string): void {
  if (failed === source) setGlobalError(null);
}

export function useGlobalError(): string | null {
  return useSyncExternalStore(screens.add, () => current);
}
