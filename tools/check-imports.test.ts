// Breaks each import rule once, on purpose, in a small tree.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkImports } from './check-imports.mjs';

const MANIFEST = {
  imports: Object.fromEntries(
    ['addons', 'app', 'core', 'platform', 'testing'].map((room) => [`#${room}/*`, `./src/${room}/*`]),
  ),
  dependencies: { fastify: '5', kysely: '0', zod: '4' },
  devDependencies: { react: '19', dayjs: '1' },
};

const CLEAN = {
  'src/platform/shared/money.ts': `import { z } from 'zod';\nimport type { Kysely } from 'kysely';\nexport const Money = z.number();`,
  'src/platform/ui/Field.tsx': `import { useState } from 'react';\nimport { Money } from '#platform/shared/money.ts';\nimport './field.css';\nexport const Field = 1;`,
  'src/platform/ui/field.css': '',
  'src/platform/db/database.server.ts': `import fs from 'node:fs';\nimport { Kysely } from 'kysely';\nexport const db = 1;`,
  'src/core/catalog/items/items.contract.ts': `import { Money } from '#platform/shared/money.ts';\nexport const Items = Money;`,
  'src/core/catalog/items/items.server.ts': `import { Items } from './items.contract.ts';\nimport { db } from '#platform/db/database.server.ts';\nexport const items = [Items, db];`,
  'src/core/catalog/items/items.server.test.ts': `import { startServer } from '#testing/test-server.server.ts';\nimport { quotes } from '#core/quoting/quotes/quotes.server.ts';\nimport { items } from './items.server.ts';`,
  'src/core/catalog/items/ItemsPage.tsx': `import { Field } from '#platform/ui/Field.tsx';\nexport const ItemsPage = () => import('./items.contract.ts');`,
  'src/core/quoting/quotes/quotes.server.ts': `import { items } from '#core/catalog/items/items.server.ts';\nexport const quotes = items;\nexport { db } from '#platform/db/database.server.ts';`,
  'src/app/http.server.ts': `import { items } from '#core/catalog/items/items.server.ts';\nexport const app = items;`,
  'src/app/start.server.ts': `import { app } from './http.server.ts';\nexport const start = app;`,
  'src/app/routes.tsx': `export const routes = [() => import('#core/catalog/items/ItemsPage.tsx')];`,
  'src/addons/crm/crm.server.ts': `export const push = 1;`,
  'src/main.server.ts': `import { start } from '#app/start.server.ts';`,
  'src/main.tsx': `import { routes } from '#app/routes.tsx';`,
  'src/platform/jobs/jobs.main.server.ts': `import { start } from '#app/start.server.ts';\nimport { quotes } from '#core/quoting/quotes/quotes.server.ts';`,
  'src/testing/test-server.server.ts': `import { app } from '#app/http.server.ts';\nimport { expect } from 'vitest';\nexport const startServer = app;`,
  'e2e/quote.spec.ts': `import { startServer } from '#testing/test-server.server.ts';`,
};

/** The rules that a clean tree with these files in it breaks, as `file:line rule`. */
function brokenWith(files: Record<string, string>): string[] {
  return checked(files).map(({ file, line, rule }) => `${file}:${line} ${rule}`);
}

function checked(files: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'imports-'));
  try {
    for (const [file, content] of Object.entries({ 'package.json': JSON.stringify(MANIFEST), ...CLEAN, ...files })) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), content);
    }
    return checkImports(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a clean tree passes', () => {
  expect(brokenWith({})).toEqual([]);
});

const ITEMS = 'src/core/catalog/items';
test.each([
  [
    'a pure file imports a server file',
    'src/platform/shared/x.ts',
    `import { db } from '../db/database.server.ts';`,
    ['1 endings', '6 relative'],
  ],
  [
    'a pure file imports the type of a server file',
    `${ITEMS}/x.ts`,
    `import type { items } from './items.server.ts';`,
    ['1 endings'],
  ],
  [
    'a pure file imports a browser file',
    `${ITEMS}/x.ts`,
    `export { ItemsPage, a } from './ItemsPage.tsx';\nexport const b = 1;`,
    ['1 endings'],
  ],
  ['a browser file imports a server file', `${ITEMS}/X.tsx`, `const x = import('./items.server.ts');`, ['1 endings']],
  [
    'a .web.ts file imports a server file',
    `${ITEMS}/x.web.ts`,
    `import { items } from './items.server.ts';`,
    ['1 endings'],
  ],
  [
    'a server file imports a browser file',
    `${ITEMS}/x.server.ts`,
    `import { ItemsPage } from './ItemsPage.tsx';`,
    ['1 endings'],
  ],
  ['an import lacks the ending', `${ITEMS}/x.server.ts`, `import { items } from './items.server';`, ['1 endings']],
  ['an import names a folder', `${ITEMS}/x.server.ts`, `import { items } from './parts/lines';`, ['1 endings']],
  ['a pure file imports a module of Node', 'src/platform/shared/x.ts', `import path from 'node:path';`, ['1 packages']],
  ['a browser file imports a module of Node', 'src/platform/ui/X.tsx', `import path from 'path';`, ['1 packages']],
  [
    'a browser file imports a package of the server',
    'src/platform/ui/X.tsx',
    `import fastify from 'fastify';`,
    ['1 packages'],
  ],
  [
    'a server file imports a package that production lacks',
    'src/platform/db/x.server.ts',
    `import dayjs from 'dayjs/plugin/utc';`,
    ['1 packages'],
  ],
  ['a pure file imports a package', 'src/platform/shared/x.ts', `import dayjs from 'dayjs';`, ['1 packages']],
  ['a # name is unknown', 'src/platform/db/x.server.ts', `import { x } from '#nowhere/x.ts';`, ['1 packages']],
  [
    'shared imports a feature',
    'src/platform/shared/x.ts',
    `import { Items } from '#core/catalog/items/items.contract.ts';`,
    ['2 floors'],
  ],
  [
    'jobs imports a feature',
    'src/platform/jobs/x.server.ts',
    `import { items } from '#core/catalog/items/items.server.ts';`,
    ['2 floors'],
  ],
  [
    'kit imports a feature',
    'src/platform/kit/x.ts',
    `import { Items } from '#core/catalog/items/items.contract.ts';`,
    ['2 floors'],
  ],
  [
    'a feature of the platform imports core',
    'src/platform/mail/x.server.ts',
    `import { items } from '#core/catalog/items/items.server.ts';`,
    ['2 floors'],
  ],
  ['core imports an add-on', `${ITEMS}/x.server.ts`, `import { push } from '#addons/crm/crm.server.ts';`, ['2 floors']],
  [
    'an add-on imports another that it does not need',
    'src/addons/savings/x.server.ts',
    `import { push } from '#addons/crm/crm.server.ts';`,
    ['2 floors'],
  ],
  ['outside imports app', 'src/platform/outside/x.server.ts', `import { app } from '#app/http.server.ts';`, ['4 app']],
  ['ui imports api', 'src/platform/ui/X.tsx', `import { x } from '#platform/api/client.web.ts';`, ['2 floors']],
  ['a feature imports app', `${ITEMS}/x.server.ts`, `import { app } from '#app/http.server.ts';`, ['4 app']],
  ['a test of a feature imports app', `${ITEMS}/x.test.ts`, `import { app } from '#app/http.server.ts';`, ['4 app']],
  [
    'a feature imports testing',
    `${ITEMS}/x.server.ts`,
    `import { startServer } from '#testing/test-server.server.ts';`,
    ['4 testing'],
  ],
  [
    'a main imports testing',
    'src/platform/jobs/x.main.server.ts',
    `import { startServer } from '#testing/test-server.server.ts';`,
    ['4 testing'],
  ],
  ['a file imports a test', `${ITEMS}/x.server.ts`, `import './items.server.test.ts';`, ['4 testing']],
  ['a path crosses folders', `${ITEMS}/x.ts`, `import { contains } from '../../db/contains.ts';`, ['6 relative']],
  [
    'a # name stays in its folder',
    `${ITEMS}/x.ts`,
    `import { Items } from '#core/catalog/items/items.contract.ts';`,
    ['6 relative'],
  ],
  ['a barrel of stars', `${ITEMS}/x.ts`, `// all of it\nexport * from './items.contract.ts';`, ['6 no barrels']],
  [
    'a barrel by way of imports',
    `${ITEMS}/x.ts`,
    `import { Items } from './items.contract.ts';\nexport { Items };`,
    ['6 no barrels'],
  ],
  ['a file does not parse', `${ITEMS}/x.ts`, 'const = ;', ['readable']],
])('%s', (_, file, source, rules) => {
  expect(brokenWith({ [file]: source })).toEqual(rules.map((rule) => `${file}:1 ${rule}`));
});

test('the line is the line of the import', () => {
  const source = `// one\nexport const a = 1;\n\nimport { db } from '#platform/db/database.server.ts';\n`;
  expect(brokenWith({ 'src/platform/shared/x.ts': source })).toEqual(['src/platform/shared/x.ts:4 1 endings']);
});

test('a circle of features is printed as the way round, once', () => {
  const [circle, ...others] = checked({
    'src/core/catalog/items/prices.server.ts': `import { a } from '#core/prices/contracts/contracts.server.ts';`,
    'src/core/prices/contracts/contracts.server.ts': `\nexport const a = () => import('#core/quoting/quotes/quotes.server.ts');`,
  });
  expect(others).toEqual([]);
  expect(circle?.rule).toBe('3 no circle');
  expect(circle?.says).toBe(
    'Features import each other in a circle: core/catalog/items → core/prices/contracts → core/quoting/quotes → ' +
      'core/catalog/items ' +
      '(src/core/catalog/items/prices.server.ts:1, src/core/prices/contracts/contracts.server.ts:2, ' +
      'src/core/quoting/quotes/quotes.server.ts:1).',
  );
});
