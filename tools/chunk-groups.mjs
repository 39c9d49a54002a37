// Which modules go over the wire together. By itself the bundler makes a file of all that the same screens share: fifty small ones before
// Home is there, of which a browser takes each in its turn (docs/decisions/0100-few-files.md).
import { build } from 'vite';

/** What everybody loads, what a customer may load, and what nobody needs who is not signed in. */
const ENTRY = 'index.html';
const SIGN_IN = 'src/features/auth/LoginPage.tsx';
const CUSTOMER = 'src/features/quote-doc/QuoteDocPage.tsx';
const SIGNED_IN = ['src/app/SignedInShell.tsx', 'src/features/quotes/HomePage.tsx'];

/**
 * Builds once without writing, to see what each screen loads. The groups are closed: none needs what comes with a later one, and no
 * screen gets what it did not load before but the few parts of Home.
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
  const chunks = built.output.filter((one) => one.type === 'chunk');
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const screens = new Set(chunks.flatMap((chunk) => (chunk.isDynamicEntry ? [chunk.facadeModuleId] : [])));

  /** What is loaded with the given modules, but for the screens' own. */
  const loadedWith = (/** @type {string[]} */ ...modules) => {
    const files = modules.map((id) => chunks.find((chunk) => chunk.facadeModuleId?.endsWith(`/${id}`))?.fileName);
    /** @type {Set<string>} */
    const seen = new Set();
    const visit = (/** @type {string | undefined} */ file) => {
      if (file === undefined) throw new Error(`a file of its own is missing for one of ${modules.join(', ')}`);
      if (seen.has(file)) return;
      seen.add(file);
      byFile.get(file)?.imports.forEach(visit);
    };
    files.forEach(visit);
    return new Set([...seen].flatMap((file) => byFile.get(file)?.moduleIds ?? []).filter((id) => !screens.has(id)));
  };

  const base = loadedWith(ENTRY);
  const signIn = without(loadedWith(ENTRY, SIGN_IN), base);
  const signedIn = without(loadedWith(ENTRY, ...SIGNED_IN), base, signIn);
  const signedInOnly = without(signedIn, loadedWith(ENTRY, CUSTOMER));
  return [
    { name: 'base', priority: 4, test: (/** @type {string} */ id) => base.has(id) },
    { name: 'sign-in', priority: 3, test: (/** @type {string} */ id) => signIn.has(id) },
    { name: 'signed-in', priority: 2, test: (/** @type {string} */ id) => signedInOnly.has(id) },
    { name: 'shared', priority: 1, test: (/** @type {string} */ id) => signedIn.has(id) },
  ];
}

/** @type {(all: Set<string>, ...others: Set<string>[]) => Set<string>} */
function without(all, ...others) {
  return new Set([...all].filter((one) => !others.some((other) => other.has(one))));
}
