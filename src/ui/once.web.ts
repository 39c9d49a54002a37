// One thing at a time: the second click of a double one, or a second Enter, does nothing.
import { useRef } from 'react';

/** Runs `work` unless it is running. A mutation says that it is pending only with the next drawing, which is too late for a double click. */
export function useOnce<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>): (...args: Args) => void {
  const isRunning = useRef(false);
  return (...args) => {
    if (isRunning.current) return;
    isRunning.current = true;
    void work(...args)
      // What went wrong is shown by whoever did it.
      .catch(() => {})
      .finally(() => {
        isRunning.current = false;
      });
  };
}
