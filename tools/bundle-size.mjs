// `npm run bundle-size`: prints the gzipped JavaScript of each screen when opened first. Fails when sign-in or Home needs too much.
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { ENTRY, loadedChunks } from './chunk-groups.mjs';
import { root } from './run.mjs';

const MENU = 'src/app/SignedInShell.tsx';
/** @type {{ screen: string, modules: string[], limit?: number }[]} In kB of 1,000 bytes. */
const SCREENS = [
  { screen: 'login', modules: ['src/features/people/auth/screens/LoginPage.tsx'], limit: 160 },
  { screen: 'home', modules: [MENU, 'src/app/Home.tsx'], limit: 240 },
  { screen: 'find-quote', modules: [MENU, 'src/features/quoting/quotes/list/FindQuotePage.tsx'] },
  { screen: 'new-quote', modules: [MENU, 'src/features/quoting/new-quote/NewQuotePage.tsx'] },
  { screen: 'item-search', modules: [MENU, 'src/features/catalogue/item-search/ItemSearchPage.tsx'] },
  { screen: 'quote-board', modules: [MENU, 'src/features/quoting/quote-board/QuoteBoardPage.tsx'] },
  { screen: 'quote-doc', modules: ['src/features/quoting/quote-doc/QuoteDocPage.tsx'] },
];

const built = await build({ root, logLevel: 'warn', build: { write: false } });
if (!('output' in built)) throw new Error('One build was expected.');
const chunks = built.output.filter((file) => file.type === 'chunk');
const sizes = new Map(chunks.map((chunk) => [chunk.fileName, gzipSync(chunk.code, { level: 9 }).length]));

for (const { screen, modules, limit } of SCREENS) {
  const needed = loadedChunks(chunks, [ENTRY, ...modules]);
  const size = needed.reduce((sum, { fileName }) => sum + (sizes.get(fileName) ?? 0), 0) / 1000;
  const tooMuch = limit !== undefined && size > limit;
  console.log(
    `${screen.padEnd(12)}${size.toFixed(1).padStart(7)} kB${limit === undefined ? '' : `  of ${limit}`}${tooMuch ? '  TOO MUCH' : ''}`,
  );
  if (tooMuch) process.exitCode = 1;
}
