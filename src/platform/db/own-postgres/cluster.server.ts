// One PostgreSQL server as a child process: creates its cluster, starts it, keeps it running, stops it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Account, privateFolder } from './account.server.ts';

export type Cluster = {
  /** The address of the `quoteboard` database. */
  url: string;
  /** Ends all connections and stops the server cleanly. */
  stop: () => Promise<void>;
};

export type ClusterOptions = {
  /** The folder for the cluster, its log and its socket. The account must be able to enter it. */
  folder: string;
  /** The folder of the PostgreSQL program, with bin, lib and share. */
  program: string;
  account: Account;
  /** More settings, such as `fsync=off`. */
  settings?: string[];
  /** False skips waiting for the disk while the cluster is created, for tests. */
  durable?: boolean;
  report: (line: string) => void;
};

const USER = 'quoteboard';
const DATABASE = 'quoteboard';
/** On Windows PostgreSQL listens on a loopback port with a password, elsewhere on a socket in a folder that only its user may enter. */
const BY_PORT = process.platform === 'win32';
/** The path of a socket is limited to 103 bytes on macOS and 107 on Linux. */
const MAX_SOCKET_PATH_LENGTH = 100;
const SOCKET = '.s.PGSQL.5432';
const UNFINISHED = 'making-';
const RECOVERY_MAY_TAKE_MS = 30 * 60_000;
const STOP_MAY_TAKE_MS = 60_000;

const SETTINGS = [
  // A restored copy answers only after its recovery has ended. Before that, it could only be read.
  'hot_standby=off',
  'timezone=UTC',
  'log_timezone=UTC',
  // Statements and rows contain what users typed, so the log names only the error.
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_checkpoints=off',
  // Backups copy the write-ahead log through a replication slot.
  'wal_level=replica',
  'max_wal_senders=0',
];

/** Creates the cluster if there is none, and starts it. Replaces a server that outlived its program. Throws with a sentence. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, account, report } = options;
  const data = path.join(folder, 'cluster');
  const password = BY_PORT ? passwordIn(folder) : '';
  removeUnfinished(folder);
  if (!fs.existsSync(path.join(data, 'PG_VERSION'))) await makeCluster(options, data);
  await endFormerServer(data);
  changeOwner(account, data);

  const socketFolder = socketFolderOf(folder);
  if (!BY_PORT) privateFolder(socketFolder, account);
  const port = BY_PORT ? await freePort() : 5432;
  const addressOf = (database: string) =>
    BY_PORT
      ? `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`
      : `postgres://${USER}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`;
  const place = BY_PORT
    ? ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=']
    : ['listen_addresses=', 'port=5432', `unix_socket_directories="${socketFolder.replaceAll('"', '""')}"`];
  const settings = [...SETTINGS, ...place, ...(options.settings ?? [])].flatMap((setting) => ['-c', setting]);

  let child: ChildProcess | undefined;
  let stopping = false;
  const log = path.join(folder, 'postgres.log');
  const launch = async () => {
    const file = fs.openSync(log, 'w');
    // PostgreSQL runs in its own process group, so Ctrl+C reaches only the server, which first ends its requests and then stops PostgreSQL.
    const started = spawn(path.join(options.program, 'bin/postgres'), ['-D', data, ...settings], {
      ...surroundings(account, data),
      stdio: ['ignore', file, file],
      detached: true,
    });
    child = started;
    fs.closeSync(file);
    started.unref();
    await untilReady(started, addressOf('postgres'), log, report);
    started.once('exit', () => void goOn());
  };
  /** Workers of a killed server take a moment to notice. Until then the cluster's shared memory is in use. */
  const launchOnceFree = async () => {
    for (let tries = 0; ; tries++) {
      try {
        return await launch();
      } catch (error) {
        if (tries === 40 || !/shared memory block|lock file/.test((error as Error).message)) throw error;
        await sleep(250);
      }
    }
  };
  /** PostgreSQL restarts its own workers, so only an end of its main process matters here. */
  const goOn = async (): Promise<void> => {
    if (stopping) return;
    report('PostgreSQL ended unexpectedly and is being restarted.');
    await sleep(1000, undefined, { ref: false });
    if (stopping) return;
    await launch().catch((error: Error) => {
      report(error.message);
      return goOn();
    });
  };
  /** A program that ends without stopping PostgreSQL still requests it to stop. */
  const onExit = () => isAlive(child) && askToStop(options, data, child);
  process.on('exit', onExit);
  const stop = async () => {
    stopping = true;
    process.off('exit', onExit);
    if (!isAlive(child)) return;
    child.ref();
    const ended = once(child, 'exit');
    askToStop(options, data, child);
    const late = sleep(STOP_MAY_TAKE_MS, 'late', { ref: false });
    if ((await Promise.race([ended, late])) === 'late') child.kill('SIGQUIT');
    await ended;
  };

  try {
    await launchOnceFree();
    await createDatabase(addressOf('postgres'));
    return { url: addressOf(DATABASE), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the address of a server that is running in the folder, for a second program. */
export function addressOfRunning(folder: string): string {
  if (!BY_PORT) return `postgres://${USER}@localhost/${DATABASE}?host=${encodeURIComponent(socketFolderOf(folder))}`;
  const port = fs.readFileSync(path.join(folder, 'cluster/postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://${USER}:${passwordIn(folder)}@127.0.0.1:${port}/${DATABASE}`;
}

/** Returns an environment without our secrets, and without variables that would change how PostgreSQL behaves. */
function surroundings(account: Account, cwd: string) {
  const env = { LC_ALL: 'C', HOME: cwd };
  // Windows starts no process without some of its own variables.
  return { cwd, ...(BY_PORT ? {} : { env }), ...(account ? { uid: account.uid, gid: account.gid } : {}) };
}

/** Creates the cluster under another name first, so that an interrupted start leaves nothing that looks finished. */
async function makeCluster({ folder, program, account, durable = true }: ClusterOptions, data: string): Promise<void> {
  const part = path.join(folder, `${UNFINISHED}${process.pid}-${Date.now()}`);
  privateFolder(part, account);
  const child = spawn(
    path.join(program, 'bin/initdb'),
    [
      '-D',
      part,
      '-U',
      USER,
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(BY_PORT ? ['-A', 'scram-sha-256', `--pwfile=${path.join(folder, 'password')}`] : ['-A', 'trust']),
      ...(durable ? [] : ['-N']),
    ],
    { ...surroundings(account, part), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => ((output += error.message), resolve(null)));
    child.on('close', resolve);
  });
  if (code !== 0) {
    removeUnfinished(folder);
    throw new Error(`The database cannot be created in ${folder}: ${reasonIn(output)}`);
  }
  fs.renameSync(part, data);
}

/** Gives the account ownership of a cluster that another user has copied here, such as a restored backup. */
function changeOwner(account: Account, data: string): void {
  if (!account || fs.statSync(data).uid === account.uid) return;
  for (const name of fs.readdirSync(data, { recursive: true, encoding: 'utf8' })) {
    fs.chownSync(path.join(data, name), account.uid, account.gid);
  }
  privateFolder(data, account);
}

/** Removes what interrupted starts have left. One of them may still be writing for a moment; a later start then removes its folder. */
function removeUnfinished(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(UNFINISHED)) continue;
    try {
      fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

/** Stops a server that outlived its program. PostgreSQL itself recovers after a crash or a power cut. */
async function endFormerServer(data: string): Promise<void> {
  const file = path.join(data, 'postmaster.pid');
  if (!fs.existsSync(file)) return;
  const pid = Number(fs.readFileSync(file, 'utf8').split('\n')[0]);
  if (!(pid > 0)) return;
  if (!isServerOf(pid, data)) {
    // PostgreSQL refuses to start while any process has the recorded number, which often happens after a container restarts.
    if (isProcess(pid) && !hasWorkers(data)) fs.rmSync(file);
    return;
  }
  for (const [signal, tries] of [
    ['SIGINT', 600],
    ['SIGQUIT', 100],
    ['SIGKILL', 100],
  ] as const) {
    process.kill(pid, signal);
    for (let count = 0; count < tries; count++) {
      if (!isServerOf(pid, data)) return;
      await sleep(50);
    }
  }
  throw new Error(`Process ${pid}, an earlier PostgreSQL on ${data}, does not stop. Stop it, and start again.`);
}

/** Returns whether the process is the main process of a PostgreSQL server on this cluster. */
function isServerOf(pid: number, data: string): boolean {
  try {
    if (process.platform === 'linux') return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0${data}\0`);
    if (process.platform === 'win32')
      return spawnSync('tasklist', ['/fi', `pid eq ${pid}`]).stdout.includes('postgres');
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)]).stdout.includes(data);
  } catch {
    return false;
  }
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns whether workers of a killed server are still running in the folder of the cluster. Always false except on Linux. */
function hasWorkers(data: string): boolean {
  if (process.platform !== 'linux') return false;
  return fs.readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(data);
    } catch {
      return false;
    }
  });
}

async function untilReady(
  child: ChildProcess,
  address: string,
  log: string,
  report: (line: string) => void,
): Promise<void> {
  let failure = '';
  child.on('error', (error) => (failure = error.message));
  const begun = Date.now();
  for (let hasReported = false; ; ) {
    if (failure || child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`PostgreSQL does not start: ${failure || reasonIn(fs.readFileSync(log, 'utf8'))} (${log})`);
    }
    const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 5000 });
    // A connection that ends between two calls emits an error event, which would end the program. The next call fails in any case.
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch {
      await client.end().catch(() => {});
    }
    const waited = Date.now() - begun;
    if (waited > RECOVERY_MAY_TAKE_MS) throw new Error(`PostgreSQL is not responding (${log}).`);
    if (waited > 5000 && !hasReported) {
      hasReported = true;
      report('PostgreSQL is recovering what was written before it last ended. This can take some minutes.');
    }
    await sleep(waited < 1000 ? 20 : 200);
  }
}

async function createDatabase(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  client.on('error', () => {});
  await client.connect();
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
  if (!rowCount) await client.query(`create database ${DATABASE}`);
  await client.end();
}

/** Requests the server to end its connections and stop. */
function askToStop({ program }: ClusterOptions, data: string, child: ChildProcess): void {
  // Windows has no signals; a kill there would end it like a crash.
  if (process.platform === 'win32') spawnSync(path.join(program, 'bin/pg_ctl'), ['stop', '-D', data, '-m', 'fast']);
  else child.kill('SIGINT');
}

function isAlive(child: ChildProcess | undefined): child is ChildProcess {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function socketFolderOf(folder: string): string {
  const inFolder = path.join(folder, 'socket');
  if (Buffer.byteLength(path.join(inFolder, SOCKET)) <= MAX_SOCKET_PATH_LENGTH) return inFolder;
  return path.join(os.tmpdir(), `quoteboard-${folderHash(folder)}`);
}

/** Returns a short name for the folder, the same at each start. */
export function folderHash(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 12);
}

function passwordIn(folder: string): string {
  const file = path.join(folder, 'password');
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return fs.readFileSync(file, 'utf8');
}

/** Returns the line of PostgreSQL's output that states the reason. */
function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'no reason given';
  return reason.replace(/^.*?(FATAL|PANIC|error):\s*/, '').trim();
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  return port;
}
