// `npm test`: runs the checks, the build, the tests of rules and answers, and the tests in a browser. It names what failed at the
// end; the last line is the total.
// `npm test -- --again`: afterwards repeats on another database only the tests that use one, and in a browser only the journeys.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { check } from './check.mjs';
import { commandOf, root, run } from './run.mjs';

let passed = 0;
/** @type {string[]} */
const failed = [];

const again = process.argv.includes('--again');
if (!again) {
  failed.push(...(await check()));
  await build();
}
await rulesAndAnswers(again ? ['--project=database'] : []);
await screens(again ? ['e2e/'] : []);

console.log();
for (const name of failed) console.log(`FAILED: ${name}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;

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
  for (const { name, status, assertionResults } of testResults) {
    const file = path.relative(root, name);
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
  const { code } = await run([commandOf('@playwright/test', 'playwright'), 'test', '--pass-with-no-tests', ...which]);
  const { stats: { expected = 0, flaky = 0 } = {}, suites = [] } = readReport(report);
  /** @type {Spec[]} */
  const specs = suites.flatMap(specsOf);
  const names = (/** @type {string} */ status) =>
    specs
      .filter((spec) => spec.tests.some((test) => test.status === status))
      .map((spec) => `${spec.file}: ${spec.title}`);
  count('the tests in a browser', code, expected + flaky, names('unexpected'));
  for (const name of names('flaky')) console.log(`Passed only at the second try: ${name}`);
}

/**
 * @typedef {{ file: string, title: string, tests: { status: string }[] }} Spec
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
