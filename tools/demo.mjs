// `npm run demo`: builds the pages if needed, then starts the server with the demo company. With `-- --with-outside`
// it also starts loopback servers of outside systems (docs/connect.md).
import { webIsStale } from './built.mjs';
import { become, commandOf, run, start } from './run.mjs';

const SERVER = ['--disable-warning=ExperimentalWarning', 'src/main.server.ts'];

if (webIsStale()) {
  console.log('Building the pages …');
  const built = await run([commandOf('vite', 'vite'), 'build', '--logLevel', 'warn']);
  if (built.code !== 0) process.exit(built.code);
}
process.exitCode = process.argv.includes('--with-outside') ? await withOutside() : await become(SERVER, { DEMO: '1' });

async function withOutside() {
  const port = Number(process.env.SALESFORCE_PORT || Number(process.env.PORT || 3000) + 1);
  const configurator = process.env.CONFIGURATOR_PORT || String(port + 3);
  const outside = start(['--disable-warning=ExperimentalWarning', 'tools/outside.mjs'], {
    SALESFORCE_PORT: String(port),
    WEBHOOK_PORT: process.env.WEBHOOK_PORT || String(port + 1),
    CONFIGURATOR_PORT: configurator,
  });
  const server = start(SERVER, {
    DEMO: '1',
    OUTSIDE_LOOPBACK: 'true',
    CONFIGURATOR_URL: process.env.CONFIGURATOR_URL || `http://127.0.0.1:${configurator}`,
  });
  const code = await Promise.race([server.ended, outside.ended]);
  server.stop();
  outside.stop();
  await Promise.all([server.ended, outside.ended]);
  return code;
}
