// Creates a consistent backup of database and files in a new folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { copyCluster } from '#platform/db/own-postgres/copy-cluster.server.ts';
import { openOwnPostgres } from '#platform/db/own-postgres/own-postgres.server.ts';
import type { Config } from '#platform/outside/config.server.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

type Kept = Pick<Config, 'databaseUrl' | 'dataDir' | 'storageUrl'>;

/** Throws if the folder exists. A backup that fails or is stopped by a signal leaves no folder. */
export async function backUp(folder: string, stored: Kept): Promise<void> {
  await fs.mkdir(path.dirname(folder), { recursive: true });
  await fs.mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(`${folder} already exists. Choose a new folder, so that no backup is overwritten.`);
  });
  const discard = () => rmSync(folder, { recursive: true, force: true });
  const stop = () => {
    discard();
    process.exit(1);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await fill(folder, stored);
  } catch (error) {
    // An incomplete backup is removed, so its name is free again.
    discard();
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

async function fill(folder: string, { databaseUrl, dataDir, storageUrl }: Kept): Promise<void> {
  // Dumps the database first. A file never changes under its key, so every file in the dump still exists afterwards.
  if (databaseUrl) {
    await runProgram('pg_dump', [
      '--format=custom',
      '--no-owner',
      `--file=${path.join(folder, 'database.dump')}`,
      databaseUrl,
    ]);
  } else {
    const own = await openOwnPostgres(dataDir, { share: true });
    await copyCluster(own.url, path.join(folder, 'database/cluster')).finally(own.stop);
  }
  if (storageUrl.startsWith('file:')) {
    const from = path.resolve(storageUrl.slice('file:'.length));
    await fs.mkdir(from, { recursive: true });
    await fs.cp(from, path.join(folder, 'files'), { recursive: true, filter: (name) => !name.endsWith('.part') });
  } else console.log('The files are in a bucket and are not copied. Keep its versioning on.');
  await fs.writeFile(path.join(folder, 'complete'), `${new Date().toISOString()}\n`);
}

async function runProgram(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new Error(
      `${command} failed, so there is no backup. Its version must be that of the database server or newer.`,
    );
}
