// `npm run test:e2e -- [file] [--headed …]`: builds the pages and runs all browser tests, or the named ones.
import { webIsStale } from './built.mjs';
import { commandOf, run } from './run.mjs';

if (webIsStale()) {
  const built = await run([commandOf('vite', 'vite'), 'build', '--logLevel', 'warn']);
  if (built.code !== 0) process.exit(built.code);
}
const { code } = await run([commandOf('@playwright/test', 'playwright'), 'test', ...process.argv.slice(2)]);
process.exit(code);
