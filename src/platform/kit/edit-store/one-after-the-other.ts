// Runs work one after the other: pieces of work while there are any, and tasks in the order in which they were added.

/** The pause in milliseconds before a save that failed for a temporary reason is retried. */
export const RETRY_MS = 8000;

/**
 * `next` starts the next piece of work, or returns null if there is none. A piece handles its own errors; false stops the worker, even if work is
 * left.
 */
export function worker(next: () => Promise<boolean> | null) {
  let isRunning = false;
  let done = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const work = async () => {
    for (let piece = next(); piece; piece = next()) if (!(await piece)) break;
    isRunning = false;
  };
  /** Starts the worker unless it is running. Resolves when it stops. */
  const run = (): Promise<void> => {
    clearTimeout(timer);
    if (isRunning) return done;
    isRunning = true;
    done = work();
    return done;
  };
  return {
    run,
    /** Starts after a pause in milliseconds, unless it starts earlier. A later call replaces the pause. */
    runIn: (pause: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => void run(), pause);
    },
    isRunning: () => isRunning,
    /** Resolves when it is not running. */
    stopped: () => done,
    dispose: () => clearTimeout(timer),
  };
}

/** Each task starts when the previous one has succeeded or failed. */
export function inTurn(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    last = done.catch(() => {});
    return done;
  };
}
