// Work that waits until the first screen is there, such as loading what the first press will need.

const waiting: (() => void)[] = [];
let isTime = false;

/** Milliseconds between two looks whether the screen is there. */
const PAUSE_MS = 100;

export function soon(run: () => void): void {
  if (isTime) run();
  else waiting.push(run);
}

/** Begins the work as soon as the screen is no longer busy. Returns what calls it off. */
export function beginSoon(isBusy: () => boolean): () => void {
  const timer = setInterval(() => {
    if (isBusy()) return;
    clearInterval(timer);
    isTime = true;
    for (const run of waiting.splice(0)) run();
  }, PAUSE_MS);
  return () => clearInterval(timer);
}
