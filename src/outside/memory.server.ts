// Collects garbage on request, where Node's own timing is not enough.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
type Collection = { type: 'minor' | 'major'; execution: 'sync'; flavor?: 'last-resort' };
const collect = runInNewContext('gc') as (how: Collection) => void;

/** Collects what was made lately and is no longer used. It takes a fraction of a millisecond. */
export function collectRecent(): void {
  collect({ type: 'minor', execution: 'sync' });
}

/** Collects everything that is not used, and gives the memory back to the system. It takes a tenth of a second, in which nothing else happens. */
export function giveMemoryBack(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
