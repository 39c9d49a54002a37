// Starts the tools of node_modules, always under a Node that reads TypeScript, whichever Node is installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const bin = path.join(root, 'node_modules', '.bin');

/** The Node that comes with npm (package.json, optionalDependencies), or this one when it is new enough. */
export const node = Number(process.versions.node.split('.')[0]) >= 24 ? process.execPath : nodeOfNpm();

function nodeOfNpm() {
  const file = path.join(bin, process.platform === 'win32' ? 'node.cmd' : 'node');
  if (existsSync(file)) return file;
  throw new Error(`Node 24 or newer is needed; this is ${process.versions.node}, and npm ci has not brought another.`);
}

/** The environment of a started process, in which `node` is the Node above. */
export function environment(/** @type {Record<string, string | undefined>} */ more = {}) {
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}`, ...more };
}

/** The script behind a command of a package, such as `tsc` of typescript. */
export function commandOf(/** @type {string} */ packageName, /** @type {string} */ command) {
  const folder = path.join(root, 'node_modules', packageName);
  const { bin: scripts } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof scripts === 'string' ? scripts : scripts[command]);
}

/**
 * Runs Node with these arguments in the project's folder until it ends. `output` holds its output unless `show` printed it.
 * @param {string[]} args
 * @param {{ show?: boolean, env?: Record<string, string | undefined> }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(args, { show = true, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, {
      cwd: root,
      env: environment(env),
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

// Keeps Node's compiled code. The next start takes half the time, and the server 20 MB less memory, because it compiles nothing.
const compiled = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(root, '.cache/compiled') };

/**
 * Becomes Node with these arguments in the same process, so signals, process id and exit code are the server's own. If the system cannot
 * do that (Windows, an older Node), starts Node beside this process instead and answers its exit code.
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 */
export function become(args, env) {
  if (process.platform === 'win32' || !process.execve) return start(args, env).ended;
  const all = Object.entries(environment({ ...compiled, ...env })).filter(([, value]) => value !== undefined);
  process.chdir(root);
  return process.execve(node, [node, ...args], Object.fromEntries(all));
}

/**
 * Starts Node with these arguments and passes on the signals that end this process, so that Node can stop in order.
 * `ended` is its exit code, or 128 plus the number of the signal that ended it, as in a shell.
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 */
export function start(args, env) {
  const child = spawn(node, args, { cwd: root, env: environment({ ...compiled, ...env }), stdio: 'inherit' });
  const stop = (/** @type {NodeJS.Signals} */ signal = 'SIGTERM') => child.exitCode === null && child.kill(signal);
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => stop(signal));
  if (process.env.npm_lifecycle_event) {
    // A signal to npm alone ends npm and its shell but never arrives here. We only see that the shell is gone.
    const shell = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === shell) return;
      clearInterval(watch);
      stop();
    }, 500);
    watch.unref();
  }
  /** @type {Promise<number>} */
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  return { ended, stop };
}
