// The collector of garbage, called by name where its own timing is not enough.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: {
  type: 'major';
  execution: 'sync';
  flavor: 'last-resort';
}) => void;

/** Collects what is no longer used; the memory it took is kept for what comes next. */
export function collectGarbage(): void {
  collect();
}

/** Collects, and gives the memory back to the system. It takes a tenth of a second, in which nothing else happens. */
export function giveMemoryBack(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
