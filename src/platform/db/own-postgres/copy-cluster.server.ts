// Copies a running cluster, with the part of the write-ahead log that makes the copy consistent. The npm package of PostgreSQL has no pg_dump.
import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

/** Files that only the running server needs. PostgreSQL recreates the contents of the empty folders. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|pg_internal\.init|pgsql_tmp.*)$/;
const EMPTY_FOLDERS = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/;

/**
 * Copies the cluster behind `url` into the folder `to`, which must not exist. The copy contains everything committed before the copy, and no partial
 * transactions. A server that starts on the copy begins its own timeline, which distinguishes the copy from the original.
 */
export async function copyCluster(url: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const ask = async (text: string) => (await client.query<Record<string, string>>(text)).rows[0] ?? {};
  try {
    const { from = '' } = await ask("select current_setting('data_directory') as from");
    // Retains the log of the next minutes. The slot ends with this connection.
    await ask("select pg_create_physical_replication_slot('copy_' || pg_backend_pid(), true, true)");
    const { first = '' } = await ask("select pg_walfile_name(pg_backup_start('copy', true)) as first");
    await fs.mkdir(path.dirname(to), { recursive: true });
    await fs.mkdir(to, { mode: 0o700 });
    await copyFolder(from, to);
    const end = await ask('select pg_walfile_name(lsn) as last, labelfile from pg_backup_stop()');
    for (const name of (await fs.readdir(path.join(from, 'pg_wal'))).toSorted()) {
      const isNeeded = /^[0-9A-F]{24}$/.test(name) && name >= first && name <= (end['last'] ?? '');
      if (isNeeded) await fs.copyFile(path.join(from, 'pg_wal', name), path.join(to, 'pg_wal', name));
    }
    await fs.writeFile(path.join(to, 'backup_label'), end['labelfile'] ?? '');
    // A recovery from an archive begins a new timeline. This archive contains nothing beyond the copy.
    await fs.writeFile(path.join(to, 'recovery.signal'), '');
    await fs.appendFile(path.join(to, 'postgresql.auto.conf'), "restore_command = 'exit 1'\n");
  } finally {
    await client.end();
  }
}

async function copyFolder(from: string, to: string, depth = 0): Promise<void> {
  for (const entry of await fs.readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) {
      await fs.mkdir(target, { mode: 0o700 });
      if (depth > 0 || !EMPTY_FOLDERS.test(entry.name)) await copyFolder(source, target, depth + 1);
    } else if (entry.isFile()) {
      // A table may be dropped during the copy. The write-ahead log records this.
      await fs.copyFile(source, target).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
  }
}
