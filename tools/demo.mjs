// `npm run demo`: builds the pages if they are not built, then starts the server with the demo company.
import { webIsStale } from './built.mjs';
import { become, commandOf, run } from './run.mjs';

if (webIsStale()) {
  console.log('Building the pages …');
  const built = await run([commandOf('vite', 'vite'), 'build', '--logLevel', 'warn']);
  if (built.code !== 0) process.exit(built.code);
}
process.exitCode = await become(['--disable-warning=ExperimentalWarning', 'src/main.server.ts'], { DEMO: '1' });
