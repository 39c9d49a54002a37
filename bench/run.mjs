// `npm run bench`: runs the measurement under a Node that reads TypeScript, whichever Node is installed.
try {
  const { start } = await import('../tools/run.mjs');
  const { SERVER_FLAGS } = await import('../tools/server-flags.mjs');
  const args = [...SERVER_FLAGS, 'bench/measure.ts', ...process.argv.slice(2)];
  process.exitCode = await start(args, {}).ended;
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
