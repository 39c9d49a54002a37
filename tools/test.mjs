// `npm test`: runs the checks and the build beside the fast tests, then the browser smoke suite. `npm run test:all` runs every test.
// Says where the time went and names what failed; the last line is the total. docs/testing.md lists the options.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { webIsStale } from './built.mjs';
import { check } from './check.mjs';
import { commandOf, root, run } from './run.mjs';

const USAGE = `npm test                       the fast suite: checks, fast tests, browser smoke suite
npm test -- FILE …             these test files only
npm test -- --changed [REF]    what the changes since REF can affect (default: where this branch left origin/main, else HEAD)
npm run test:all               every test
npm run test:all -- --rest     every test that npm test leaves out
npm run test:all -- --shard 2/6`;

/** A fast file that takes longer belongs into the slow suite or needs a cheaper test. Reported, never a failure: machines differ. */
const FAST_FILE_SECONDS = 5;
const SLOW_FILE_SECONDS = 15;
const SLOW = /\.slow\.test\.ts$/;
const IN_BROWSER = /\.(e2e|spec)\.ts$|^e2e(\/|$)/;

const { values: options, positionals } = readArguments();
const suite = options.all ? (options.rest ? 'rest' : 'all') : 'fast';

let passed = 0;
/** @type {string[]} */
const failed = [];
/** @type {[name: string, seconds: number][]} */
const parts = [];
/** @type {[file: string, seconds: number][]} */
const durations = [];

const start = performance.now();
if (options.changed !== undefined) await testChanges(options.changed);
else if (positionals.length > 0) await testFiles(positionals);
else await testSuite();
report();

/** The parsed command line. `--changed` has an optional value, which `parseArgs` does not support. */
function readArguments() {
  const args = process.argv.slice(2);
  const bare = args.indexOf('--changed');
  if (bare >= 0) {
    const ref = args[bare + 1];
    args.splice(bare, ref && !ref.startsWith('-') ? 2 : 1, `--changed=${ref && !ref.startsWith('-') ? ref : ''}`);
  }
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        rest: { type: 'boolean' },
        changed: { type: 'string' },
        shard: { type: 'string' },
      },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

async function testSuite() {
  const shard = options.shard ? [`--shard=${options.shard}`] : [];
  const isFirstShard = !options.shard || options.shard.startsWith('1/');
  const inNode = { fast: ['--exclude=**/*.slow.test.ts'], rest: ['.slow.test.ts'], all: [] }[suite];
  const inBrowser = { fast: ['--project=smoke'], rest: ['--project=screens'], all: [] }[suite];
  await Promise.all([
    isFirstShard && timed('checks', async () => void failed.push(...(await check(suite)))),
    timed('rules and answers', () => rulesAndAnswers([...shard, ...inNode])),
  ]);
  if (webIsStale()) await timed('build', build);
  await timed('screens', () => screens([...shard, ...inBrowser]));
}

async function testFiles(/** @type {string[]} */ files) {
  const names = files.map((file) => path.relative(root, path.resolve(file)));
  const inBrowser = names.filter((file) => IN_BROWSER.test(file));
  const inNode = names.filter((file) => !IN_BROWSER.test(file));
  if (inNode.length > 0) await timed('rules and answers', () => rulesAndAnswers(inNode));
  if (inBrowser.length > 0 && webIsStale()) await timed('build', build);
  if (inBrowser.length > 0) await timed('screens', () => screens(inBrowser));
}

/**
 * Runs the Node tests whose imports reach a changed file, the browser tests in the folders of changed features, and the smoke suite
 * when anything of the program changed. Tests in tools/ read files without importing them, so they always run.
 */
async function testChanges(/** @type {string} */ ref) {
  const base = ref || git('merge-base', 'HEAD', hasRef('origin/main') ? 'origin/main' : 'HEAD').trim();
  const changed = [
    ...git('diff', '--name-only', '--no-renames', base).split('\n'),
    ...git('ls-files', '--others', '--exclude-standard').split('\n'),
  ].filter(Boolean);
  console.log(`${changed.length} files changed since ${base.slice(0, 12)}.`);
  if (changed.length === 0) return;
  const listed = await run([commandOf('vitest', 'vitest'), 'list', '--filesOnly', '--json', `--changed=${base}`], {
    show: false,
  });
  if (listed.code !== 0) throw new Error(listed.output);
  const affected = JSON.parse(listed.output.slice(listed.output.indexOf('['))).map(
    (/** @type {{ file: string }} */ { file }) => path.relative(root, file),
  );
  const inTools = readdirSync(path.join(root, 'tools'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `tools/${name}`);
  const inNode = [...new Set([...affected, ...inTools])].filter((file) => !SLOW.test(file) || changed.includes(file));
  const slow = affected.filter((/** @type {string} */ file) => SLOW.test(file) && !changed.includes(file));

  const folders = new Set(changed.map(featureFolder));
  const inBrowser = changed.filter((file) => IN_BROWSER.test(file));
  const browserTests = git('ls-files', '--', '*.e2e.ts', '*.spec.ts').split('\n').filter(Boolean);
  inBrowser.push(...browserTests.filter((file) => folders.has(featureFolder(file))));
  if (changed.some((file) => /^(src|database)\//.test(file) && !/\.(test|e2e)\.ts$/.test(file)))
    inBrowser.push('e2e/smoke');

  await Promise.all([
    timed('checks', async () => void failed.push(...(await check('fast')))),
    timed('rules and answers', () => rulesAndAnswers(inNode)),
  ]);
  if (inBrowser.length > 0) await timed('screens', () => screens([...new Set(inBrowser)]));
  if (slow.length > 0) console.log(`Left to npm run test:all: ${slow.join(', ')}`);
}

/** The feature that a file belongs to, such as src/core/quoting/quote-board or src/addons/savings; elsewhere its own folder. */
function featureFolder(/** @type {string} */ file) {
  const folder = path.dirname(file);
  const depth = folder.startsWith('src/core/') ? 4 : /^src\/(platform|addons)\//.test(folder) ? 3 : Infinity;
  return folder.split('/').slice(0, depth).join('/');
}

function hasRef(/** @type {string} */ ref) {
  try {
    git('rev-parse', '--verify', '--quiet', ref);
    return true;
  } catch {
    return false;
  }
}

function git(/** @type {string[]} */ ...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

async function timed(/** @type {string} */ name, /** @type {() => Promise<void>} */ work) {
  const begin = performance.now();
  await work();
  parts.push([name, (performance.now() - begin) / 1000]);
}

async function build() {
  const { code } = await run([commandOf('vite', 'vite'), 'build', '--logLevel', 'warn']);
  if (code !== 0) failed.push('build');
}

async function rulesAndAnswers(/** @type {string[]} */ args) {
  const folder = mkdtempSync(path.join(tmpdir(), 'quoteboard-vitest-'));
  const file = path.join(folder, 'report.json');
  const { code } = await run([
    commandOf('vitest', 'vitest'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...args,
  ]);
  const { numPassedTests = 0, testResults = [] } = readReport(file);
  const names = [];
  for (const { name, status, assertionResults, startTime, endTime } of testResults) {
    const test = path.relative(root, name);
    durations.push([test, (endTime - startTime) / 1000]);
    const failures = assertionResults.filter((/** @type {{ status: string }} */ result) => result.status === 'failed');
    names.push(...failures.map((/** @type {{ fullName: string }} */ result) => `${test}: ${result.fullName}`));
    if (status === 'failed' && failures.length === 0) names.push(test);
  }
  count('the tests of rules and answers', code, numPassedTests, names);
  rmSync(folder, { recursive: true });
}

async function screens(/** @type {string[]} */ args) {
  const file = path.join(root, 'test-results', 'e2e.json');
  rmSync(file, { force: true });
  const { code } = await run([commandOf('@playwright/test', 'playwright'), 'test', ...args]);
  const { stats: { expected = 0 } = {}, suites = [] } = readReport(file);
  /** @type {Spec[]} */
  const specs = suites.flatMap(specsOf);
  for (const test of new Set(specs.map((spec) => spec.file))) {
    const results = specs
      .filter((spec) => spec.file === test)
      .flatMap((spec) => spec.tests.flatMap((entry) => entry.results));
    durations.push([test, results.reduce((sum, { duration }) => sum + duration, 0) / 1000]);
  }
  const names = specs
    .filter((spec) => spec.tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
    .map((spec) => `${spec.file}: ${spec.title}`);
  count('the tests in a browser', code, expected, names);
}

/**
 * @typedef {{ status: string, results: { duration: number }[] }} Test
 * @typedef {{ file: string, title: string, tests: Test[] }} Spec
 * @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite
 * @returns {Spec[]}
 */
function specsOf(/** @type {Suite} */ { specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** A runner that ends badly without a failed test (a crash, an error outside all tests) counts as one failure. */
function count(
  /** @type {string} */ runner,
  /** @type {number} */ code,
  /** @type {number} */ good,
  /** @type {string[]} */ bad,
) {
  passed += good;
  failed.push(...(code !== 0 && bad.length === 0 ? [runner] : bad));
}

function readReport(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

function report() {
  console.log();
  const limitOf = (/** @type {string} */ file) =>
    SLOW.test(file) || IN_BROWSER.test(file) ? SLOW_FILE_SECONDS : FAST_FILE_SECONDS;
  for (const [file, seconds] of durations.toSorted(([, a], [, b]) => b - a)) {
    const limit = limitOf(file);
    if (seconds > limit) console.log(`Over ${limit} s: ${seconds.toFixed(0).padStart(4)} s  ${file}`);
  }
  for (const [name, seconds] of [...parts, ['in all', (performance.now() - start) / 1000]])
    console.log(`${Number(seconds).toFixed(0).padStart(10)} s  ${name}`);
  for (const name of failed) console.log(`FAILED: ${name}`);
  console.log(`${passed} passed, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
