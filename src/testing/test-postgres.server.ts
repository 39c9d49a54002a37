// Starts the PostgreSQL of a test run before its first test, in memory where there is room. TEST_DATABASE_URL names another server instead.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openOwnPostgres, openScratchPostgres } from '#platform/db/own-postgres/own-postgres.server.ts';
import { ownerOf } from '#platform/db/own-postgres/lock.server.ts';

const PREFIX = `quoteboard-test-${os.userInfo().uid}-`;
const ROOM = 3 * 1024 ** 3;
/** Many test files are connected at once, and what one leaves behind is never needed again. */
const SETTINGS = ['max_connections=300', 'max_wal_size=4GB', 'checkpoint_timeout=1h', 'autovacuum_naptime=10min'];

/** Called by Vitest and Playwright, which call the answer when the run ends. */
export default async function startTestPostgres(): Promise<() => Promise<void>> {
  if (process.env['TEST_DATABASE_URL']) return async () => {};
  const memory = '/dev/shm';
  const { bavail, bsize } = fs.existsSync(memory) ? fs.statfsSync(memory) : { bavail: 0, bsize: 0 };
  const place = bavail * bsize > ROOM ? memory : os.tmpdir();
  await removeFormer(place);
  const { url, stop } = await openScratchPostgres({ place, name: PREFIX, settings: SETTINGS });
  process.env['TEST_DATABASE_URL'] = url;
  return stop;
}

/** Ends and removes what a killed run has left. */
async function removeFormer(place: string): Promise<void> {
  for (const name of fs.readdirSync(place)) {
    const folder = path.join(place, name);
    if (!name.startsWith(PREFIX) || !fs.existsSync(path.join(folder, 'lock')) || ownerOf(folder)) continue;
    const former = await openOwnPostgres(folder, { durable: false }).catch(() => undefined);
    await former?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
