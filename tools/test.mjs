// `npm test`: runs the checks and the build, the tests of rules and answers, and the tests in a browser. It says where the time went and
// names what failed; the last line is the total. `npm test -- FILE …` runs only these files.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { webIsStale } from './built.mjs';
import { check } from './check.mjs';
import { commandOf, root, run } from './run.mjs';

const SLOW_SECONDS = 10;
const IN_BROWSER = /\.(e2e|spec)\.ts$|^e2e(\/|$)/;

let passed = 0;
/** @type {string[]} */
const failed = [];
/** @type {[name: string, seconds: number][]} */
const parts = [];
/** @type {[file: string, seconds: number][]} */
const slow = [];

const files = process.argv.slice(2).map((file) => path.relative(root, path.resolve(file)));
const inBrowser = files.filter((file) => IN_BROWSER.test(file));
const inNode = files.filter((file) => !IN_BROWSER.test(file));
if (files.length === 0) await timed('checks and build', async () => void failed.push(...(await check())));
if (inBrowser.length > 0 && webIsStale()) await timed('build', build);
if (files.length === 0 || inNode.length > 0) await timed('rules and answers', () => rulesAndAnswers(inNode));
if (files.length === 0 || inBrowser.length > 0) await timed('screens', () => screens(inBrowser));

console.log();
for (const [file, seconds] of slow.toSorted(([, a], [, b]) => b - a)) {
  if (seconds >= SLOW_SECONDS) console.log(`Slow: ${seconds.toFixed(0).padStart(4)} s  ${file}`);
}
for (const [name, seconds] of parts) console.log(`${seconds.toFixed(0).padStart(10)} s  ${name}`);
if (!process.env.ALL_KILLS && files.length === 0) {
  console.log(
    'Each test that kills a program did so at a few points; with ALL_KILLS=1, as in .ci/run, it does at all of them.',
  );
}
for (const name of failed) console.log(`FAILED: ${name}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function timed(/** @type {string} */ name, /** @type {() => Promise<void>} */ work) {
  const start = performance.now();
  await work();
  parts.push([name, (performance.now() - start) / 1000]);
}

async function build() {
  const { code } = await run([commandOf('vite', 'vite'), 'build', '--logLevel', 'warn']);
  if (code !== 0) failed.push('build');
}

async function rulesAndAnswers(/** @type {string[]} */ which) {
  const folder = mkdtempSync(path.join(tmpdir(), 'quoteboard-vitest-'));
  const report = path.join(folder, 'report.json');
  const { code } = await run([
    commandOf('vitest', 'vitest'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...which,
  ]);
  const { numPassedTests = 0, testResults = [] } = readReport(report);
  const names = [];
  for (const { name, status, assertionResults, startTime, endTime } of testResults) {
    const file = path.relative(root, name);
    slow.push([file, (endTime - startTime) / 1000]);
    const tests = assertionResults.filter((/** @type {{ status: string }} */ test) => test.status === 'failed');
    names.push(...tests.map((/** @type {{ fullName: string }} */ test) => `${file}: ${test.fullName}`));
    if (status === 'failed' && tests.length === 0) names.push(file);
  }
  count('the tests of rules and answers', code, numPassedTests, names);
  rmSync(folder, { recursive: true });
}

async function screens(/** @type {string[]} */ which) {
  const report = path.join(root, 'test-results', 'e2e.json');
  rmSync(report, { force: true });
  const { code } = await run([commandOf('@playwright/test', 'playwright'), 'test', ...which]);
  const { stats: { expected = 0, flaky = 0 } = {}, suites = [] } = readReport(report);
  /** @type {Spec[]} */
  const specs = suites.flatMap(specsOf);
  for (const file of new Set(specs.map((spec) => spec.file))) {
    const tests = specs.filter((spec) => spec.file === file).flatMap((spec) => spec.tests);
    slow.push([file, tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0) / 1000]);
  }
  const names = (/** @type {string} */ status) =>
    specs
      .filter((spec) => spec.tests.some((test) => test.status === status))
      .map((spec) => `${spec.file}: ${spec.title}`);
  count('the tests in a browser', code, expected + flaky, names('unexpected'));
  for (const name of names('flaky')) console.log(`Passed only at the second try: ${name}`);
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
