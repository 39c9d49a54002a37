// `npm start`: the server under a Node that can run it, whichever Node the person has. Signals are handed on to it.
try {
  const { start } = await import('./run.mjs');
  const { SERVER_FLAGS } = await import('./server-flags.mjs');
  const server = start([...SERVER_FLAGS, 'src/main.server.ts'], {});
  process.exitCode = await server.ended;
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
