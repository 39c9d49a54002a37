// Groups the modules that a browser loads together. The bundler alone makes a file of the modules that the same screens share: fifty small
// files before Home appears, which a browser loads in turn (docs/decisions/0002-what-is-installed-and-loaded.md).
import path from 'node:path';
import { build } from 'vite';
import { root } from './run.mjs';

/** The entry points for everybody, for customers, and for signed-in people. */
const ENTRY = 'index.html';
const SIGN_IN = 'src/platform/auth/screens/LoginPage.tsx';
const CUSTOMER = 'src/core/quoting/quote-doc/QuoteDocPage.tsx';
const SHELL = 'src/app/SignedInShell.tsx';
const SIGNED_IN = [SHELL, 'src/app/Home.tsx'];
/** What loads when a signed-in person's first screen is there (src/platform/ui/after-first-screen.web.ts). Most screens need the same dialogs and menus. */
const SOON = [
  'src/app/AccountMenu.tsx',
  'src/app/Messages.tsx',
  'src/app/ScreensDrawer.tsx',
  'src/platform/notifications/BellDrawer.tsx',
  'src/core/company/palette/PaletteDialog.tsx',
  'src/platform/saved-views/ViewsMenu.tsx',
  'src/platform/auth/screens/SignInAgainDialog.tsx',
  'src/platform/ui/KeysDialog.tsx',
  'src/platform/ui/HintText.tsx',
  'src/platform/ui/LazySelectOpened.tsx',
];
/** The other screens of the main job, which load nothing that only administration needs. The board needs most. */
const BOARD = 'src/core/quoting/quote-board/QuoteBoardPage.tsx';
const NEW_QUOTE = 'src/core/quoting/new-quote/NewQuotePage.tsx';
const FIND_QUOTE = 'src/app/FindQuote.tsx';
const SEARCHES = [FIND_QUOTE, 'src/core/catalog/item-search/ItemSearchPage.tsx'];
/** What reads the areas of a map, which begins before the map's screen is there. */
const AREAS = 'src/core/territories/map/drawing/load-areas.web.ts';
/** What so many screens of administration need is in one file. Many files cost a name each in what every page loads. */
const SCREENS_FOR_A_GROUP = 4;
const MAX_SCREENS = 16;
/** The icons that several screens share and the main job does not need would otherwise be a file each. */
const ICON = /[\\/]@tabler[\\/]icons-react[\\/]/;

/**
 * Builds once without writing, to see which modules each screen loads. No group needs modules of a later group, so loading one group
 * never loads a later one.
 * @param {import('vite').InlineConfig} config
 */
export async function chunkGroups(config) {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, write: false },
  });
  if (!('output' in built)) throw new Error('the build has more than one output');
  const chunks = built.output.filter((candidate) => candidate.type === 'chunk');
  const screens = new Set(chunks.flatMap((chunk) => (chunk.isDynamicEntry ? [chunk.facadeModuleId] : [])));
  /** The modules that load with the given ones, except the screens' own. */
  const loadedWith = (/** @type {string[]} */ ...modules) => {
    const loaded = loadedChunks(chunks, modules).flatMap(({ moduleIds }) => moduleIds);
    return new Set(loaded.filter((id) => !screens.has(id)));
  };

  /** @type {Map<string, number>} */
  const uses = new Map();
  for (const screen of screens)
    for (const id of screen ? loadedWith(ENTRY, path.relative(root, screen)) : [])
      uses.set(id, (uses.get(id) ?? 0) + 1);

  const base = loadedWith(ENTRY);
  const signIn = without(loadedWith(ENTRY, SIGN_IN), base);
  const shell = loadedWith(ENTRY, SHELL);
  const signedIn = without(loadedWith(ENTRY, ...SIGNED_IN), base);
  /** What only Home needs. The other screens load without it. */
  const isOfHome = (/** @type {string} */ id) => signedIn.has(id) && !shell.has(id) && uses.get(id) === 1;
  const customer = loadedWith(ENTRY, CUSTOMER);
  const soon = loadedWith(ENTRY, ...SIGNED_IN, ...SOON);
  const findQuote = loadedWith(ENTRY, ...SIGNED_IN, FIND_QUOTE);
  const searches = loadedWith(ENTRY, ...SIGNED_IN, ...SEARCHES);
  const newQuote = loadedWith(ENTRY, ...SIGNED_IN, NEW_QUOTE);
  const board = loadedWith(ENTRY, ...SIGNED_IN, BOARD);
  const areas = without(loadedWith(ENTRY, AREAS), base);
  const mainJob = new Set([...searches, ...newQuote, ...board]);
  const sources = path.join(root, 'src').replaceAll('\\', '/');
  const isOfAdministration = (/** @type {string} */ id) =>
    id.startsWith(sources) && (uses.get(id) ?? 0) >= SCREENS_FOR_A_GROUP && !mainJob.has(id) && !customer.has(id);
  const isIconOfFew = (/** @type {string} */ id) =>
    ICON.test(id) && (uses.get(id) ?? 0) > 1 && ![mainJob, customer, soon, signIn, base].some((ids) => ids.has(id));
  const ofEditing = without(board, searches, customer);
  /** What the board shares with most screens. Parts that few of them need would make these larger. */
  const isOfEditing = (/** @type {string} */ id) =>
    ofEditing.has(id) && !newQuote.has(id) && (uses.get(id) ?? 0) >= MAX_SCREENS;
  return [
    { name: 'base', priority: 4, test: (/** @type {string} */ id) => base.has(id) },
    { name: 'home', priority: 4, test: isOfHome },
    { name: 'fields', priority: 4, test: (/** @type {string} */ id) => signIn.has(id) && signedIn.has(id) },
    { name: 'sign-in', priority: 3, test: (/** @type {string} */ id) => signIn.has(id) },
    { name: 'shared', priority: 2, test: (/** @type {string} */ id) => signedIn.has(id) && customer.has(id) },
    { name: 'signed-in', priority: 2, test: (/** @type {string} */ id) => signedIn.has(id) },
    { name: 'lists', priority: 2, test: (/** @type {string} */ id) => soon.has(id) && findQuote.has(id) },
    { name: 'over', priority: 1, test: (/** @type {string} */ id) => soon.has(id) && customer.has(id) },
    { name: 'over-signed-in', priority: 1, test: (/** @type {string} */ id) => soon.has(id) && mainJob.has(id) },
    { name: 'quoting', priority: 0, test: (/** @type {string} */ id) => ofEditing.has(id) && newQuote.has(id) },
    { name: 'editing', priority: 0, test: isOfEditing },
    { name: 'areas', priority: 1, test: (/** @type {string} */ id) => areas.has(id) },
    { name: 'administration', priority: 0, test: isOfAdministration },
    { name: 'icons', priority: 0, test: isIconOfFew },
  ];
}

/**
 * The chunks that a browser loads with the given entry modules, without those that it loads on demand.
 * @param {import('vite').Rolldown.OutputChunk[]} chunks
 * @param {string[]} modules
 */
function loadedChunks(chunks, modules) {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  /** @type {Set<import('vite').Rolldown.OutputChunk>} */
  const loaded = new Set();
  const load = (/** @type {import('vite').Rolldown.OutputChunk | undefined} */ chunk) => {
    if (!chunk || loaded.has(chunk)) return;
    loaded.add(chunk);
    for (const file of chunk.imports) load(byFile.get(file));
  };
  for (const module of modules) {
    const id = path.join(root, module).replaceAll('\\', '/');
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(id));
    if (!chunk) throw new Error(`No chunk has ${module}.`);
    load(chunk);
  }
  return [...loaded];
}

/** @type {(all: Set<string>, ...others: Set<string>[]) => Set<string>} */
function without(all, ...others) {
  return new Set([...all].filter((candidate) => !others.some((other) => other.has(candidate))));
}
