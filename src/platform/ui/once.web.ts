// Ignores the second click of a double click, and a second Enter.
import { useRef } from 'react';

/** Runs `work` unless it is already running. A mutation reports itself as pending only with the next render, too late for a double click. */
export function useOnce<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>): (...args: Args) => void {
  const isRunning = useRef(false);
  return (...args) => {
    if (isRunning.current) return;
    isRunning.current = true;
    void work(...args)
      // The caller shows the error.
      .catch(() => {})
      .finally(() => {
        isRunning.current = false;
      });
  };
}
