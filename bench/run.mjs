// `npm run bench`: runs the measurement under a Node that reads TypeScript, whichever Node is installed.
try {
  const { start } = await import('../tools/run.mjs');
  const { SERVER_FLAGS } = await import('../tools/server-flags.mjs');
  const [first = '', ...rest] = process.argv.slice(2);
  // `npm run bench -- suggestions …` measures a page of suggestions alone, `pictures` the way of pictures through the inbox, `risks` quotes at risk.
  const what = ['suggestions', 'pictures', 'risks'].includes(first)
    ? [`bench/${first}.ts`, ...rest]
    : ['bench/measure.ts', first, ...rest].filter(Boolean);
  const args = [...SERVER_FLAGS, ...what];
  process.exitCode = await start(args, {}).ended;
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
