// Work that waits until the first screen is complete, such as loading what the first press will need.

const waiting: (() => void)[] = [];
let isTime = false;

/** The time in milliseconds between two checks whether the screen is complete. */
const PAUSE_MS = 100;

export function soon(run: () => void): void {
  if (isTime) run();
  else waiting.push(run);
}

/** Starts the work as soon as the screen is no longer busy. Returns a function that cancels it. */
export function beginSoon(isBusy: () => boolean): () => void {
  const timer = setInterval(() => {
    if (isBusy()) return;
    clearInterval(timer);
    isTime = true;
    for (const run of waiting.splice(0)) run();
  }, PAUSE_MS);
  return () => clearInterval(timer);
}
