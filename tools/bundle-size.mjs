// `npm run bundle-size`: builds the pages if their sources changed, and prints the gzipped JavaScript of each screen when opened first.
// Fails when one needs too much.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { webIsStale } from './built.mjs';
import { commandOf, root, run } from './run.mjs';

const ENTRY = 'index.html';

const MENU = 'src/app/SignedInShell.tsx';
/** @type {{ screen: string, modules: string[], limit: number }[]} In kB of 1,000 bytes; a limit is what was reached. */
const SCREENS = [
  { screen: 'login', modules: ['src/platform/auth/screens/LoginPage.tsx'], limit: 160 },
  { screen: 'home', modules: [MENU, 'src/app/Home.tsx'], limit: 179 },
  { screen: 'find-quote', modules: [MENU, 'src/app/FindQuote.tsx'], limit: 182 },
  { screen: 'new-quote', modules: [MENU, 'src/core/quoting/new-quote/NewQuotePage.tsx'], limit: 249 },
  { screen: 'item-search', modules: [MENU, 'src/core/catalog/item-search/ItemSearchPage.tsx'], limit: 240 },
  { screen: 'quote-board', modules: [MENU, 'src/core/quoting/quote-board/QuoteBoardPage.tsx'], limit: 334 },
  { screen: 'quote-doc', modules: ['src/core/quoting/quote-doc/QuoteDocPage.tsx'], limit: 230 },
];

if (webIsStale()) {
  const { code } = await run([commandOf('vite', 'vite'), 'build', '--logLevel', 'warn']);
  if (code !== 0) process.exit(code);
}
const web = path.join(root, 'dist/web');
/** @type {Record<string, { file: string, imports?: string[] }>} */
const manifest = JSON.parse(readFileSync(path.join(web, '.vite/manifest.json'), 'utf8'));

/** The files that a browser loads with these modules, without those that it loads on demand. */
function loadedFiles(/** @type {string[]} */ modules) {
  /** @type {Set<string>} */
  const loaded = new Set();
  const load = (/** @type {string} */ name) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`No chunk begins at ${name}.`);
    if (loaded.has(chunk.file)) return;
    loaded.add(chunk.file);
    for (const next of chunk.imports ?? []) load(next);
  };
  for (const module of modules) load(module);
  return [...loaded];
}

for (const { screen, modules, limit } of SCREENS) {
  const files = loadedFiles([ENTRY, ...modules]);
  const size = files.reduce((sum, file) => sum + statSync(path.join(web, `${file}.gz`)).size, 0) / 1000;
  const tooMuch = size > limit;
  console.log(`${screen.padEnd(12)}${size.toFixed(1).padStart(7)} kB  of ${limit}${tooMuch ? '  TOO MUCH' : ''}`);
  if (tooMuch) process.exitCode = 1;
}
