// `npm run demo`: builds the pages if they are not built, then starts the server with the demo company.
import { webIsStale } from './built.mjs';
import { commandOf, run, start } from './run.mjs';

if (webIsStale()) {
  console.log('Building the pages …');
  const built = await run([commandOf('vite', 'vite'), 'build', '--logLevel', 'warn']);
  if (built.code !== 0) process.exit(built.code);
}
const server = start(['--disable-warning=ExperimentalWarning', 'src/main.server.ts'], { DEMO: '1' });
process.exit(await server.ended);
