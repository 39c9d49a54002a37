// `npm run bench`: runs the measurement under a Node that reads TypeScript, whichever Node is installed.
const MAP = ['--scale', 'map', '--only', '^map', '--map'];

try {
  const { start } = await import('../tools/run.mjs');
  const { SERVER_FLAGS } = await import('../tools/server-flags.mjs');
  const [first = '', ...rest] = process.argv.slice(2);
  // `npm run bench -- suggestions …` measures a page of suggestions alone, `pictures` the way of pictures through the inbox, `risks` quotes at risk.
  // `npm run bench -- map …` measures the calls of the map and its page, beside the same areas as polygons of Leaflet.
  const what = ['suggestions', 'pictures', 'risks'].includes(first)
    ? [`bench/${first}.ts`, ...rest]
    : ['bench/measure.ts', ...(first === 'map' ? MAP : [first]), ...rest].filter(Boolean);
  const args = [...SERVER_FLAGS, ...what];
  process.exitCode = await start(args, {}).ended;
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
