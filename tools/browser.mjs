// Finds a Chromium for the tests and unpacks the one from npm if needed. Requires no system package, root, or settings.
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './run.mjs';

const require = createRequire(import.meta.url);

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * The browser and its arguments, as Playwright's `launchOptions` expects them. Tries in this order: `CHROMIUM_PATH`, the
 * Chromium of the npm package (Linux on x64), the system's, Playwright's own, which is installed if there is no other.
 * Throws an Error in plain words when it finds none.
 * @returns {Promise<{ executablePath: string, args: string[] }>}
 */
export async function findBrowser() {
  const executablePath =
    process.env.CHROMIUM_PATH ||
    (await unpackedBrowser()) ||
    SYSTEM_BROWSERS.find((file) => existsSync(file)) ||
    (await browserOfPlaywright());
  if (!existsSync(executablePath)) throw new Error(`CHROMIUM_PATH names ${executablePath}, which does not exist.`);
  return { executablePath, args: mayUseSandbox() ? [] : ['--no-sandbox'] };
}

async function unpackedBrowser() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  let packageFolder;
  try {
    packageFolder = path.resolve(path.dirname(require.resolve('@sparticuz/chromium')), '..');
  } catch {
    return undefined;
  }
  const { version } = require(path.join(packageFolder, 'package.json'));
  const name = `quoteboard-chromium-${version}`;
  const folders = [
    path.join(root, '.cache'),
    path.join(homedir(), '.cache'),
    path.join(tmpdir(), `quoteboard-${process.getuid?.()}`),
  ];

  const ready = folders
    .map((folder) => path.join(folder, name, 'start'))
    .find((file) => existsSync(file) && isOurs(file));
  if (ready) return ready;
  const folder = folders.find(isWritable);
  return folder && unpack(path.join(packageFolder, 'bin'), path.join(folder, name));
}

/** Unpacks beside the target folder and then moves the result there as a whole, so that two processes can unpack at once. */
async function unpack(/** @type {string} */ from, /** @type {string} */ to) {
  const work = mkdtempSync(`${to}-`);
  const temporary = process.env.TMPDIR;
  try {
    const { inflate } = await import('@sparticuz/chromium');
    process.env.TMPDIR = work; // the package unpacks into the system's folder for temporary files
    const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
    await Promise.all(archives.map((file) => inflate(path.join(from, file))));
    writeStart(work);
    const started = spawnSync(path.join(work, 'start'), ['--version'], { encoding: 'utf8', timeout: 30_000 });
    if (started.status !== 0) throw new Error(started.stderr || started.error?.message || 'it does not start');
    if (!existsSync(to)) {
      try {
        renameSync(work, to);
      } catch (error) {
        if (!existsSync(to)) throw error;
      }
    }
    return path.join(to, 'start');
  } catch (error) {
    console.error(`The browser of @sparticuz/chromium does not run here, so another is looked for: ${String(error)}`);
    return undefined;
  } finally {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    rmSync(work, { recursive: true, force: true });
  }
}

/** Writes the script that starts the browser. It adds a font if the system has none, and libraries if they are missing. */
function writeStart(/** @type {string} */ folder) {
  writeFileSync(
    path.join(folder, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`,
  );
  const linked = spawnSync('ldd', [path.join(folder, 'chromium')], { encoding: 'utf8' });
  const lines = [
    '#!/bin/sh',
    'here=$(cd "$(dirname "$0")" && pwd)',
    'export FONTCONFIG_FILE="$here/fonts.conf"',
    ...(linked.stdout?.includes('not found') ? ['export LD_LIBRARY_PATH="$here/al2023/lib"'] : []),
    'exec "$here/chromium" "$@"',
  ];
  writeFileSync(path.join(folder, 'start'), `${lines.join('\n')}\n`, { mode: 0o755 });
}

async function browserOfPlaywright() {
  const { chromium } = await import('playwright-core');
  if (!existsSync(chromium.executablePath())) {
    const cli = path.join(path.dirname(require.resolve('playwright-core/package.json')), 'cli.js');
    const installed = spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: ['ignore', 2, 2] });
    if (installed.status !== 0) {
      throw new Error(
        'No browser was found and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one.',
      );
    }
  }
  return chromium.executablePath();
}

/** Chromium's sandbox needs an ordinary user who may create a user namespace. Many containers allow neither. */
function mayUseSandbox() {
  if (process.platform !== 'linux') return true;
  return process.getuid?.() !== 0 && spawnSync('unshare', ['--user', 'true']).status === 0;
}

function isWritable(/** @type {string} */ folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return isOurs(folder);
  } catch {
    return false;
  }
}

/** Anybody can write to a temporary folder, so start only files that belong to this user or root. */
function isOurs(/** @type {string} */ file) {
  const owner = statSync(file).uid;
  return owner === process.getuid?.() || owner === 0;
}
