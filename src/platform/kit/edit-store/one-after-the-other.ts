// Does work one after the other: pieces of work while there are any, and tasks in the order in which they were given.

/** How long to wait until a save is tried again that failed for a passing reason, in milliseconds. */
export const RETRY_MS = 8000;

/** `next` begins the next piece of work; null: there is none. A piece handles its own errors; false stops the worker, whatever is left. */
export function worker(next: () => Promise<boolean> | null) {
  let isRunning = false;
  let done = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const work = async () => {
    for (let piece = next(); piece; piece = next()) if (!(await piece)) break;
    isRunning = false;
  };
  /** Begins, unless it is running. Resolves when it stops. */
  const run = (): Promise<void> => {
    clearTimeout(timer);
    if (isRunning) return done;
    isRunning = true;
    done = work();
    return done;
  };
  return {
    run,
    /** Begins after a pause, in milliseconds, unless it begins earlier. A later call sets another pause. */
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

/** Each task begins when the one before is done or has failed. */
export function inTurn(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    last = done.catch(() => {});
    return done;
  };
}
