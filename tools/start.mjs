// Starts the server under a Node that can run it, whichever Node is installed. Used by `npm start`, or by a service without npm.
try {
  const { become } = await import('./run.mjs');
  const { SERVER_FLAGS } = await import('./server-flags.mjs');
  process.exitCode = await become([...SERVER_FLAGS, 'src/main.server.ts'], {});
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
