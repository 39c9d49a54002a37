// The PostgreSQL server of a data folder: the program from npm, with its cluster in DATA_DIR/database. One program owns it while it runs.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Account, accountOfPostgres, mayEnter } from './account.server.ts';
import { addressOfRunning, type Cluster, type ClusterOptions, folderHash, startCluster } from './cluster.server.ts';
import { lockFolder, ownerOf } from './lock.server.ts';
import { runnableProgram } from './program.server.ts';

type Options = {
  /** For tools: uses the server that another program has started on the folder, and starts one only if none is running. */
  share?: boolean;
  report?: (line: string) => void;
} & Pick<ClusterOptions, 'settings' | 'durable'>;

/**
 * Starts the PostgreSQL server of the data folder. Throws with a sentence if another program owns the folder, if the folder cannot be used, or if
 * this computer cannot run PostgreSQL.
 */
export async function openOwnPostgres(
  dataDir: string,
  { share = false, report = console.log, ...options }: Options = {},
): Promise<Cluster> {
  const account = accountOfPostgres();
  const { folder, spare } = clusterFolders(dataDir, account);
  const place = path.dirname(folder) === dataDir ? folder : spare;
  if (fs.existsSync(path.join(folder, 'PG_VERSION'))) {
    throw new Error(
      `${folder} holds a trial database of an earlier version, made by another engine, which this version cannot open. ` +
        'To keep it, continue with that version. To start over, move the folder away.',
    );
  }
  if (share && ownerOf(dataDir)) return { url: addressOfRunning(folder), stop: async () => {} };

  const release = lockFolder(dataDir);
  try {
    if (place === spare)
      report(`PostgreSQL runs as ${account?.name}, who could not enter ${dataDir}. The database is in ${folder}.`);
    ownFolder(place);
    fs.mkdirSync(folder, { recursive: true });
    const program = runnableProgram(account, () => ownFolder(spare));
    const cluster = await startCluster({ folder, program, account, report, ...options });
    return { url: cluster.url, stop: () => cluster.stop().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

/** Starts a PostgreSQL server with an empty database in a new folder of `place`, and removes both when it stops. It never waits for the disk. */
export async function openScratchPostgres({
  place = os.tmpdir(),
  name = 'quoteboard-scratch-',
  settings = [] as string[],
} = {}) {
  const folder = fs.mkdtempSync(path.join(place, name));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  fs.chmodSync(folder, 0o711);
  const quick = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', ...settings];
  try {
    const cluster = await openOwnPostgres(folder, { settings: quick, durable: false });
    return { url: cluster.url, stop: () => cluster.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Returns where the database of a data folder is, and where a copy of the program goes if one is needed. A database stays where it was created, even
 * if the permissions of folders have changed since then. Throws if PostgreSQL's account can no longer enter it.
 */
function clusterFolders(dataDir: string, account: Account): { folder: string; spare: string } {
  const inside = path.join(dataDir, 'database');
  const spare = `/var/tmp/quoteboard-${process.getuid?.() ?? 0}-${folderHash(dataDir)}`;
  const outside = path.join(spare, 'database');
  const isThere = (folder: string) => fs.existsSync(path.join(folder, 'cluster'));
  if (isThere(inside) && !mayEnter(dataDir, account)) {
    throw new Error(
      `PostgreSQL runs as ${account?.name}, who may not enter ${dataDir}, where the database is. Let that user pass through the folders above it (chmod o+x).`,
    );
  }
  const isOutside = !isThere(inside) && (isThere(outside) || !mayEnter(dataDir, account));
  return { folder: isOutside ? outside : inside, spare };
}

/** Creates a folder that PostgreSQL's account may pass through and only we may change. Any user could have created one below /var/tmp before us. */
function ownFolder(folder: string): string {
  fs.mkdirSync(folder, { recursive: true });
  const stat = fs.lstatSync(folder);
  if (!stat.isDirectory() || (process.getuid && stat.uid !== process.getuid())) {
    throw new Error(
      `The folder ${folder} belongs to another user. Start Quoteboard as that user, or choose another DATA_DIR.`,
    );
  }
  fs.chmodSync(folder, 0o711);
  return folder;
}
