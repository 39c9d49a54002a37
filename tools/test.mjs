// `npm test`: runs the checks, the build, the tests of rules and answers, and the tests in a browser. The last line is the total.
// `npm test -- --again`: afterwards repeats on another database only the tests that use one, and in a browser only the journeys.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { check } from './check.mjs';
import { commandOf, root, run } from './run.mjs';

let passed = 0;
let failed = 0;

const again = process.argv.includes('--again');
if (!again) {
  failed += await check();
  await build();
}
await rulesAndAnswers(again ? ['--project=database'] : []);
await screens(again ? ['e2e/'] : []);

console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function build() {
  const { code } = await run([commandOf('vite', 'vite'), 'build', '--logLevel', 'warn']);
  if (code !== 0) failed += 1;
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
  const { numPassedTests = 0, numFailedTests = 0 } = readReport(report);
  count(code, numPassedTests, numFailedTests);
  rmSync(folder, { recursive: true });
}

async function screens(/** @type {string[]} */ which) {
  const report = path.join(root, 'test-results', 'e2e.json');
  rmSync(report, { force: true });
  const { code } = await run([commandOf('@playwright/test', 'playwright'), 'test', '--pass-with-no-tests', ...which]);
  const { expected = 0, flaky = 0, unexpected = 0 } = readReport(report).stats ?? {};
  count(code, expected + flaky, unexpected);
  if (flaky > 0) console.log(`\n${flaky} of them passed only at the second try: see 'flaky' above`);
}

/** A runner that ends badly without a failed test (a file that does not load, a crash) counts as one failure. */
function count(/** @type {number} */ code, /** @type {number} */ good, /** @type {number} */ bad) {
  passed += good;
  failed += code !== 0 && bad === 0 ? 1 : bad;
}

function readReport(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
