// `npm run bench`: runs the measurement with a Node that reads TypeScript, even if an older Node is installed.
const MAP = ['--scale', 'map', '--only', '^map', '--map'];

try {
  const { start } = await import('../tools/run.mjs');
  const { SERVER_FLAGS } = await import('../tools/server-flags.mjs');
  const [first = '', ...rest] = process.argv.slice(2);
  // `npm run bench -- pictures …` measures the inbox of pictures, `risks` quotes at risk, `finder` searches for items, `reports`
  // reports, `readers` the main job beside people who read reports, and `usage` savings analyses; `matching-data` tries matching on real lists in a folder.
  // `npm run bench -- map …` measures the calls of the map and its page.
  const what = ['pictures', 'risks', 'finder', 'reports', 'readers', 'usage', 'matching-data'].includes(first)
    ? [`bench/${first}.ts`, ...rest]
    : ['bench/measure.ts', ...(first === 'map' ? MAP : [first]), ...rest].filter(Boolean);
  // `npm run bench -- live` measures open streams of changes, `matching` tries disturbed rows of usage files on the catalog they were made of,
  // `savings` measures the comparison of an analysis.
  /** @type {Record<string, Record<string, string>>} */
  const trials = {
    live: { BOARDS: rest[0] ?? '500' },
    matching: { ITEMS: rest[0] ?? '60' },
    savings: { ROWS: rest[0] ?? '20000' },
  };
  const trial = trials[first];
  const args = trial ? ['node_modules/vitest/vitest.mjs', 'run', `bench/${first}.test.ts`] : [...SERVER_FLAGS, ...what];
  process.exitCode = await start(args, trial ?? {}).ended;
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
