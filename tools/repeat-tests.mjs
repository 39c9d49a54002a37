// `npm run test:repeat -- --times 20 --load 2 [--all] [FILE …]`: runs the tests again and again, beside busy processes if asked, and lists
// which tests failed and how often. A test that fails now and then is a race in the test or in the program.
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { environment, node, root, run } from './run.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '20' },
    load: { type: 'string', default: '0' },
    all: { type: 'boolean', default: false },
  },
});

// Each loads one processor until this process ends.
const busy = Array.from({ length: Number(values.load) }, () =>
  spawn(
    node,
    [
      '-e',
      'process.on("disconnect", () => process.exit()); setInterval(() => { const end = Date.now() + 1000; while (Date.now() < end); }, 0)',
    ],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: environment(),
    },
  ),
);

/** How often each test failed. @type {Map<string, number>} */
const failures = new Map();
let green = 0;
try {
  for (let round = 1; round <= Number(values.times); round++) {
    const start = performance.now();
    const { code, output } = await run(['tools/test.mjs', ...(values.all ? ['--all'] : []), ...positionals], {
      show: false,
    });
    const lines = output.trimEnd().split('\n');
    const names = lines.filter((line) => line.startsWith('FAILED: ')).map((line) => line.slice('FAILED: '.length));
    if (code !== 0 && names.length === 0) names.push('the run broke down');
    for (const name of names) failures.set(name, (failures.get(name) ?? 0) + 1);
    if (code === 0) green++;
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(`Run ${round}: ${lines.at(-1)} in ${seconds} s, load average ${loadavg()[0]?.toFixed(1)}`);
    if (code !== 0)
      console.log(
        lines
          .filter((line) => !line.includes('✓'))
          .slice(-200)
          .join('\n')
          .replaceAll(`${root}/`, ''),
      );
  }
} finally {
  for (const child of busy) child.kill();
}
console.log(`\n${green} of ${values.times} runs passed.`);
for (const [name, times] of [...failures].toSorted(([, a], [, b]) => b - a)) console.log(`${times} ×  ${name}`);
process.exitCode = failures.size > 0 ? 1 : 0;
