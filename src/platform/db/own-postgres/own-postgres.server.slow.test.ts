// Tests that the PostgreSQL server of a data folder survives what users and computers do to it, and reports in a sentence what it cannot handle.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '#testing/server-process.server.ts';
import { accountOfPostgres, mayEnter } from './account.server.ts';
import { copyCluster } from './copy-cluster.server.ts';
import { openOwnPostgres } from './own-postgres.server.ts';
import { runnableProgram } from './program.server.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'own-postgres-'));
fs.chmodSync(root, 0o755);
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));
/** Generous, for busy machines. */
const SLOWLY = { timeout: 300_000 };
const isRoot = process.getuid?.() === 0;
const messages: string[] = [];
const open = (dataDir: string, share = false) =>
  openOwnPostgres(dataDir, { share, durable: false, report: (line) => messages.push(line) });

async function ask<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  // A server that is stopped between the answer and the end emits an error event, which needs a listener. Queries fail in any case.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that opens the folder, writes numbered rows and prints each number once it is committed. */
function startWriter(dataDir: string) {
  const program = `
    import pg from 'pg';
    import { openOwnPostgres } from './own-postgres.server.ts';
    const { url } = await openOwnPostgres(process.env.DATA_DIR, { durable: false });
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    await client.query('create table if not exists kept (n int primary key)');
    const { rows } = await client.query('select coalesce(max(n), 0) as n from kept');
    for (let n = rows[0].n + 1; ; n++) {
      await client.query('insert into kept values ($1)', [n]);
      console.log(n);
    }`;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
    { cwd: import.meta.dirname, env: { ...process.env, DATA_DIR: dataDir } },
  );
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
  return { child, acknowledged: () => Number(/(\d+)\n(?!.*\d+\n)/s.exec(out)?.[1] ?? 0), output: () => out };
}

describe('a data folder', SLOWLY, () => {
  const dataDir = path.join(root, 'a company’s "data", 2026');

  it('with spaces, quotes and letters of its own keeps its rows over a restart, durably and with checksums', async () => {
    const first = await open(dataDir);
    const [settings] = await ask(
      first.url,
      `select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
         lower('ÄÉ') as lower, current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone`,
    );
    expect(settings).toEqual({ fsync: 'on', checksums: 'on', lower: 'äé', encoding: 'UTF8', zone: 'UTC' });
    await ask(first.url, 'create table here as select 7 as n');
    await ask(first.url, 'create extension pg_trgm');
    await first.stop();
    const second = await open(dataDir);
    expect(await ask(second.url, 'select n from here')).toEqual([{ n: 7 }]);
    await second.stop();
    expect(fs.existsSync(path.join(dataDir, 'lock'))).toBe(false);
  });

  it('belongs to one server, and a tool uses the running one or starts it alone', async () => {
    const server = await open(dataDir);
    await expect(open(dataDir)).rejects.toThrow(
      `The data folder ${dataDir} is in use by process ${process.pid}. Stop it first, or choose another DATA_DIR.`,
    );
    const tool = await open(dataDir, true);
    expect(await ask(tool.url, 'select n from here')).toEqual([{ n: 7 }]);
    await tool.stop();
    expect(await ask(server.url, 'select n from here')).toEqual([{ n: 7 }]);
    await server.stop();
    const alone = await open(dataDir, true);
    expect(await ask(alone.url, 'select n from here')).toEqual([{ n: 7 }]);
    await alone.stop();
  });

  it('is private: nobody else may enter the cluster or the socket', () => {
    for (const part of ['cluster', 'socket']) {
      expect(fs.statSync(path.join(dataDir, 'database', part)).mode & 0o077).toBe(0);
    }
  });

  it('goes on after PostgreSQL itself was killed', async () => {
    const server = await open(dataDir);
    const pid = Number(fs.readFileSync(path.join(dataDir, 'database/cluster/postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    await until(
      () =>
        ask(server.url, 'select n from here').then(
          (rows) => rows.length === 1,
          () => false,
        ),
      180,
    );
    expect(messages).toContain('PostgreSQL ended unexpectedly and is being restarted.');
    await server.stop();
  });

  it('is taken over from a killed program without losing what was acknowledged', { timeout: 900_000 }, async () => {
    const kills = Number(process.env['KILLS'] ?? 10);
    let acknowledged = 0;
    for (let kill = 0; kill < kills; kill++) {
      const writer = startWriter(dataDir);
      await until(() => writer.acknowledged() > acknowledged + kill * 7 || writer.child.exitCode !== null, 180);
      writer.child.kill('SIGKILL');
      await once(writer.child, 'close');
      expect({ n: writer.acknowledged(), output: writer.output() }).toMatchObject({
        output: expect.stringMatching(/^\d/),
      });
      expect(writer.acknowledged()).toBeGreaterThan(acknowledged);
      acknowledged = writer.acknowledged();
    }
    // The PostgreSQL server of the last writer is still running, without a program.
    const next = await open(dataDir);
    const [stored] = await ask<{ n: number; rows: number }>(
      next.url,
      'select max(n) as n, count(*)::int as rows from kept',
    );
    expect(stored?.n).toBeGreaterThanOrEqual(acknowledged);
    expect(stored?.rows).toBe(stored?.n);
    await next.stop();
  });

  it('starts although another process has the number that PostgreSQL had', async () => {
    const file = path.join(dataDir, 'database/cluster/postmaster.pid');
    fs.writeFileSync(file, `${process.pid}\n${path.join(dataDir, 'database/cluster')}\n1\n5432\n\n\n\n`);
    await (await open(dataDir)).stop();
    expect(fs.existsSync(file)).toBe(false);
  });
});

describe('a copy of a running cluster', SLOWLY, () => {
  it('holds what was committed before it, starts as a database of its own, and the original goes on', async () => {
    const from = path.join(root, 'original');
    const server = await open(from);
    await ask(server.url, 'create table kept (n int primary key); create table thrown (n int)');
    let committed = 0;
    const end = new AbortController();
    const writing = (async () => {
      for (; !end.signal.aborted; committed++) {
        await ask(
          server.url,
          `begin; insert into kept select ${committed} * 1000 + g from generate_series(0, 999) g; commit`,
        );
        if (committed === 3) await ask(server.url, 'drop table thrown');
      }
    })();
    await until(() => committed > 1, 180);
    const before = committed;
    const to = path.join(root, 'copy');
    await copyCluster(server.url, path.join(to, 'database/cluster'));
    await until(() => committed > before, 180);
    end.abort();
    await writing;

    const copy = await open(to);
    const counts = await ask<{ rows: number; groups: number }>(
      copy.url,
      'select count(*)::int as rows, count(distinct n / 1000)::int as groups from kept',
    );
    expect(counts[0]?.groups).toBeGreaterThanOrEqual(before);
    expect(counts[0]?.rows).toBe((counts[0]?.groups ?? 0) * 1000);
    const timeline = 'select timeline_id as n from pg_control_checkpoint()';
    await ask(copy.url, 'checkpoint');
    expect([await ask(server.url, timeline), await ask(copy.url, timeline)]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    expect(await ask(server.url, 'select count(*)::int as n from kept')).toEqual([{ n: committed * 1000 }]);
    expect(await ask(server.url, 'select count(*)::int as n from pg_replication_slots')).toEqual([{ n: 0 }]);
    await copy.stop();
    await server.stop();
    const again = await open(to);
    expect(await ask(again.url, 'select count(*)::int as rows from kept')).toEqual([{ rows: counts[0]?.rows }]);
    await again.stop();
  });
});

describe('a start', SLOWLY, () => {
  it('that is interrupted while the cluster is made leaves nothing that looks finished', async () => {
    const dataDir = path.join(root, 'interrupted');
    const writer = startWriter(dataDir);
    const database = path.join(dataDir, 'database');
    await until(
      () => fs.existsSync(database) && fs.readdirSync(database).some((name) => name.startsWith('making-')),
      180,
    );
    writer.child.kill('SIGKILL');
    await once(writer.child, 'close');
    const next = await open(dataDir);
    expect(await ask(next.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await next.stop();
    await (await open(dataDir)).stop();
    expect(fs.readdirSync(database).toSorted()).toEqual(['cluster', 'postgres.log', 'socket']);
  });

  it('in a folder deeper than a socket’s path may be', async () => {
    const dataDir = path.join(root, 'x'.repeat(120));
    const server = await open(dataDir);
    expect(await ask(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await server.stop();
  });

  it.runIf(isRoot && fs.existsSync('/dev/full'))('on a full disk says so', async () => {
    const dataDir = path.join(root, 'full');
    fs.mkdirSync(dataDir);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=755', 'tmpfs', dataDir]).status === 0;
    if (!mounted) return console.log('No small disk can be mounted here, so a full one is not tried.');
    try {
      await expect(open(dataDir)).rejects.toThrow(/cannot be created in .*No space left on device/s);
      expect(fs.existsSync(path.join(dataDir, 'database/cluster'))).toBe(false);
    } finally {
      spawnSync('umount', [dataDir]);
    }
  });
});

describe.runIf(isRoot)('as root', SLOWLY, () => {
  it('runs as another user, with data and program where that user may go', async () => {
    const closed = path.join(root, 'closed');
    fs.mkdirSync(closed, { mode: 0o700 });
    const dataDir = path.join(closed, 'data');
    messages.length = 0;
    const server = await open(dataDir);
    expect(messages).toEqual([
      expect.stringMatching(
        /^PostgreSQL runs as \w+, who could not enter .*\. The database is in \/var\/tmp\/quoteboard-0-/,
      ),
    ]);
    const [place] = await ask<{ folder: string }>(server.url, "select current_setting('data_directory') as folder");
    await ask(server.url, 'create table here as select 7 as n');
    await server.stop();
    // The folder becomes accessible and inaccessible again; the database stays where it is.
    fs.chmodSync(closed, 0o755);
    const later = await open(dataDir);
    expect(await ask(later.url, 'select n from here')).toEqual([{ n: 7 }]);
    await later.stop();
    expect(place?.folder).toMatch(/^\/var\/tmp\/quoteboard-0-\w+\/database\/cluster$/);
    fs.rmSync(path.resolve(place?.folder ?? '', '../..'), { recursive: true });
  });

  it('says so when the user may no longer enter a database', async () => {
    const above = path.join(root, 'above');
    const dataDir = path.join(above, 'data');
    await (await open(dataDir)).stop();
    fs.chmodSync(above, 0o700);
    await expect(open(dataDir)).rejects.toThrow(/may not enter .*chmod o\+x/);
  });

  it('copies the program where the user may not enter its folder', () => {
    const account = accountOfPostgres();
    const spare = path.join(root, 'spare');
    fs.mkdirSync(spare);
    expect(mayEnter(root, account)).toBe(true);
    const program = runnableProgram({ name: 'x', uid: 1, gid: 1 }, () => spare);
    const version = spawnSync(path.join(program, 'bin/postgres'), ['--version'], {
      uid: account?.uid,
      gid: account?.gid,
    });
    expect(version.stdout.toString()).toMatch(/^postgres \(PostgreSQL\) 18/);
  });
});
