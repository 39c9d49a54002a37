// `npm run check`: runs all checks except the tests, two at a time. Each prints one line.
import { commandOf, root, run } from './run.mjs';

// The linter needs the types of the whole program, so it reports their errors too: the program is read once.
const LINT = ['--type-aware', '--type-check', '--deny-warnings', '--report-unused-disable-directives'];
/** @type {[name: string, args: string[]][]} */
const CHECKS = [
  ['types and lint', [commandOf('oxlint', 'oxlint'), ...LINT]],
  ['pages, and their size', ['tools/bundle-size.mjs']],
  ['format', [commandOf('@biomejs/biome', 'biome'), 'format', '.']],
  ['imports', ['tools/check-imports.mjs']],
  ['SQL', ['tools/check-sql.mjs']],
  ['migrations', ['tools/check-migrations.mjs']],
];
/** Finds only what is left over, and takes 25 s. @type {typeof CHECKS} */
const SLOW_CHECKS = [['unused files, exports and packages', [commandOf('knip', 'knip'), '--no-progress']]];

/**
 * Runs the checks of a suite, prints the findings of failed ones, and returns the names of failed ones.
 * @param {'fast' | 'rest' | 'all'} suite
 */
export async function check(suite) {
  const waiting = { fast: [...CHECKS], rest: [...SLOW_CHECKS], all: [...CHECKS, ...SLOW_CHECKS] }[suite];
  /** @type {string[]} */
  const failed = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, args] = next;
      const start = performance.now();
      const { code, output } = await run(args, { show: false });
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${seconds.padStart(5)} s  ${name}`);
      if (code !== 0) {
        failed.push(name);
        console.log(output.trimEnd().replaceAll(`${root}/`, ''));
      }
    }
  };
  await Promise.all([worker(), worker()]);
  return failed;
}

if (process.argv[1] === import.meta.filename) process.exitCode = (await check('all')).length > 0 ? 1 : 0;
