// Checks which files may import which (docs/tour.md has the reasons): file endings, floors, no circles of features, no barrels.
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { root } from './run.mjs';

/**
 * @typedef {'browser' | 'server' | 'pure' | 'test' | 'asset'} Kind
 * @typedef {{ file: string, kind: Kind, room: string, main: boolean }} Place
 * @typedef {{ to: string, line: number, typeOnly: boolean }} Import
 * @typedef {{ file: string, line: number, rule: string, says: string }} Violation
 */

/** What every other folder builds on. The rest of `platform`, `core`, and `addons` are features. */
const BASE = ['shared', 'ui', 'api', 'db', 'jobs', 'outside', 'kit', 'addons'].map((name) => `platform/${name}`);
/** Each floor imports only itself and the floors before it. */
const FLOORS = ['platform', 'core', 'addons'];
/** Which add-ons an add-on needs. */
const NEEDS = [
  'addons/configurable-models → addons/configurators',
  'addons/orders → addons/webhooks',
  'addons/reports → addons/quotes-at-risk',
  'addons/reports → addons/territory-map',
  'addons/territory-plans → addons/territory-map',
];
const RUNS = {
  browser: 'in the browser',
  server: 'on the server',
  pure: 'on both sides',
  test: 'in tests',
  asset: 'nowhere',
};
/** The kinds that each kind may import. A test may import everything. */
const MAY_IMPORT = { browser: ['browser', 'pure', 'asset'], server: ['server', 'pure'], pure: ['pure'], asset: [] };
/** The one npm package that pure files may use. */
const PURE_PACKAGE = 'zod';

/**
 * Finds all violations in the tree at `folder`, which has a package.json and a `src`. Also checks `e2e` and `bench`.
 * @returns {Violation[]}
 */
export function checkImports(/** @type {string} */ folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  /** @type {Violation[]} */
  const violations = [];
  /** @type {Map<string, Map<string, { file: string, line: number }>>} */
  const features = new Map();

  for (const file of sourcesIn(folder)) {
    const from = placeOf(file);
    const source = readFileSync(path.join(folder, file), 'utf8');
    const { program, module, errors } = parseSync(file, source);
    const refuse = (/** @type {number} */ line, /** @type {string} */ rule, /** @type {string} */ says) =>
      violations.push({ file, line, rule, says });
    if (errors[0]) refuse(1, 'readable', `The file cannot be parsed: ${errors[0].message}`);
    if (isBarrel(program.body)) {
      refuse(1, '6 no barrels', 'The file only passes on what other files export; import those files instead.');
    }
    for (const imported of importsOf(module, source)) {
      const target = resolve(imported.to, file, manifest.imports ?? {});
      if (target === undefined) {
        judgePackage(from, imported, manifest, refuse);
      } else {
        judgeFile(from, imported, target, refuse);
        noteFeature(features, from, target, imported.line);
      }
    }
  }
  for (const circle of circlesOf(features)) violations.push(circle);
  return violations.toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

/**
 * @param {(line: number, rule: string, says: string) => void} refuse
 */
function judgeFile(/** @type {Place} */ from, /** @type {Import} */ imported, /** @type {string} */ target, refuse) {
  const to = placeOf(target);
  const refused = (/** @type {string} */ rule, /** @type {string} */ says) =>
    refuse(imported.line, rule, `${says} (${imported.to})`);

  if (!/\.(tsx?|mjs|json|css|svg|png|webp|jpe?g|woff2?)$/.test(target)) {
    refused('1 endings', 'An import names its file with the ending.');
  } else if (from.kind !== 'test' && from.kind !== 'asset' && from.room !== 'testing') {
    if (to.kind === 'test') {
      refused('4 testing', 'Nothing imports a test file.');
    } else if (!MAY_IMPORT[from.kind].includes(to.kind)) {
      refused('1 endings', `This file runs ${RUNS[from.kind]}, the imported one only ${RUNS[to.kind]}.`);
    }
  }

  const relative = imported.to.startsWith('.');
  if (relative && to.room !== from.room)
    refused('6 relative', 'Another folder is imported by its # name, not by a relative path.');
  if (!relative && to.room === from.room)
    refused('6 relative', 'A file of the same folder is imported by a relative path.');
  if (to.room === from.room) return;

  if (to.room === 'testing') {
    if (from.kind !== 'test') refused('4 testing', 'Only tests import testing.');
  } else if (from.main) {
    return; // a main joins what it starts
  } else if (to.room === 'app') {
    const isJoining = from.room === 'testing' || (from.kind === 'test' && from.room === '');
    if (!isJoining) refused('4 app', 'Only the mains import app.');
  } else if (from.room === 'platform/ui' && to.room !== 'platform/shared') {
    refused('2 floors', 'ui imports only ui and shared: its widgets know nothing of quoting.');
  } else if (BASE.includes(from.room) && isFeature(to.room)) {
    refused('2 floors', `${from.room} lies below the features and never imports one.`);
  } else if (from.kind !== 'test') {
    judgeFloors(from.room, to.room, refused);
  }
}

/** @param {(rule: string, says: string) => void} refused */
function judgeFloors(/** @type {string} */ from, /** @type {string} */ to, refused) {
  const arrow = `${from} → ${to}`;
  const [floor, above] = [floorOf(from), floorOf(to)];
  if (floor < 0 || above < 0) return;
  if (above > floor) {
    refused('2 floors', `${FLOORS[floor]} never imports ${FLOORS[above]}.`);
  } else if (floor === FLOORS.indexOf('addons') && above === floor && !NEEDS.includes(arrow)) {
    refused('2 floors', `An add-on imports another only if check-imports says that it needs it: ${arrow}.`);
  }
}

function floorOf(/** @type {string} */ room) {
  return FLOORS.indexOf(room.split('/')[0] ?? '');
}

function isFeature(/** @type {string} */ room) {
  return floorOf(room) >= 0 && !BASE.includes(room);
}

/**
 * Browser packages are development dependencies, because the build puts them into dist. Server packages are dependencies.
 * @param {{ dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} manifest
 * @param {(line: number, rule: string, says: string) => void} refuse
 */
function judgePackage(/** @type {Place} */ from, /** @type {Import} */ imported, manifest, refuse) {
  if (from.kind === 'test' || from.room === 'testing' || imported.typeOnly) return;
  const name = imported.to.split('/', imported.to.startsWith('@') ? 2 : 1).join('/');
  const refused = (/** @type {string} */ says) => refuse(imported.line, '1 packages', `${says} (${imported.to})`);

  if (imported.to.startsWith('#')) {
    refused('No entry of imports in package.json has this name.');
  } else if (imported.to.startsWith('node:') || builtinModules.includes(name)) {
    if (from.kind !== 'server')
      refused(`Node's own modules are for .server.ts files; this one runs ${RUNS[from.kind]}.`);
    else if (!imported.to.startsWith('node:')) refused('Node’s own modules are imported with node: before the name.');
  } else if (from.kind === 'pure') {
    if (name !== PURE_PACKAGE) refused(`A pure file uses no package but ${PURE_PACKAGE}, save for its types.`);
  } else if (from.kind === 'browser') {
    if (name !== PURE_PACKAGE && !manifest.devDependencies?.[name]) {
      refused(
        'Packages for the browser are devDependencies of package.json; this one is not, so it is the server’s or unknown.',
      );
    }
  } else if (from.kind === 'server' && !from.file.startsWith('bench/') && !manifest.dependencies?.[name]) {
    refused('Packages for the server are dependencies of package.json; a production install would lack this one.');
  }
}

/** Where a file runs, and its room: `platform/<part>`, `core/<area>/<feature>`, `addons/<name>`, `app`, …, or '' for files above the rooms. */
function placeOf(/** @type {string} */ file) {
  const [top, first = '', ...below] = file.split('/').slice(0, -1);
  const depth = first === 'core' ? 2 : FLOORS.includes(first) ? 1 : 0;
  const room = top !== 'src' ? '' : [first, ...below.slice(0, depth)].join('/');
  const main = /(^|[/.])main\.(server\.ts|tsx)$/.test(file) || top === 'bench';
  return { file, kind: kindOf(file), room, main };
}

/** @returns {Kind} */
function kindOf(/** @type {string} */ file) {
  if (/\.(test|e2e)\.tsx?$/.test(file) || file.startsWith('e2e/')) return 'test';
  if (/^(bench|tools)\//.test(file) || file.endsWith('.server.ts')) return 'server';
  if (file.endsWith('.tsx') || file.endsWith('.web.ts')) return 'browser';
  return /\.(ts|json)$/.test(file) ? 'pure' : 'asset';
}

/**
 * The files that a file imports or re-exports, statically and by `import()`. Leaves out computed paths, which nothing can check.
 * @returns {Import[]}
 */
function importsOf(/** @type {import('oxc-parser').EcmaScriptModule} */ module, /** @type {string} */ source) {
  const lineAt = (/** @type {number} */ offset) => source.slice(0, offset).split('\n').length;
  const imports = module.staticImports.map((staticImported) => ({
    to: staticImported.moduleRequest.value,
    line: lineAt(staticImported.start),
    typeOnly: staticImported.entries.length > 0 && staticImported.entries.every((entry) => entry.isType),
  }));
  for (const staticExported of module.staticExports) {
    const [entry] = staticExported.entries; // one statement re-exports from one file only
    if (entry?.moduleRequest) {
      const typeOnly = staticExported.entries.every(({ isType }) => isType);
      imports.push({ to: entry.moduleRequest.value, line: lineAt(staticExported.start), typeOnly });
    }
  }
  for (const dynamicImported of module.dynamicImports) {
    const [, , to] =
      /^(['"`])([^$]*)\1$/s.exec(
        source.slice(dynamicImported.moduleRequest.start, dynamicImported.moduleRequest.end),
      ) ?? [];
    if (to) imports.push({ to, line: lineAt(dynamicImported.start), typeOnly: false });
  }
  return imports;
}

/** The file that a specifier names, relative to the project's folder, or undefined for a package. */
function resolve(
  /** @type {string} */ specifier,
  /** @type {string} */ file,
  /** @type {Record<string, string>} */ imports,
) {
  const bare = specifier.replace(/\?.*$/, '');
  if (bare.startsWith('.')) return path.posix.join(path.posix.dirname(file), bare);
  for (const [pattern, place] of Object.entries(imports)) {
    const before = pattern.replace(/\*$/, '');
    if (bare.startsWith(before)) return path.posix.normalize(place.replace('*', bare.slice(before.length)));
  }
  return undefined;
}

/** Whether every statement only re-exports from another file. */
function isBarrel(/** @type {import('oxc-parser').Program['body']} */ statements) {
  const imported = new Set();
  for (const statement of statements) {
    if (statement.type !== 'ImportDeclaration') continue;
    for (const specifier of statement.specifiers) imported.add(specifier.local.name);
  }
  const exports = statements.filter((statement) => statement.type !== 'ImportDeclaration');
  return (
    exports.length > 0 &&
    exports.every((statement) => {
      if (statement.type === 'ExportAllDeclaration') return true;
      if (statement.type === 'ExportDefaultDeclaration') {
        return statement.declaration.type === 'Identifier' && imported.has(statement.declaration.name);
      }
      if (statement.type !== 'ExportNamedDeclaration' || statement.declaration) return false;
      const names = statement.specifiers.map(({ local }) => (local.type === 'Identifier' ? local.name : local.value));
      return statement.source !== null || (names.length > 0 && names.every((name) => imported.has(name)));
    })
  );
}

/** Notes an import between features. Skips tests and mains: nothing imports them, so they close no circle. */
function noteFeature(
  /** @type {Map<string, Map<string, { file: string, line: number }>>} */ features,
  /** @type {Place} */ from,
  /** @type {string} */ target,
  /** @type {number} */ line,
) {
  const to = placeOf(target).room;
  if (from.kind === 'test' || from.main || from.room === to) return;
  if (!isFeature(from.room) || !isFeature(to)) return;
  const edges = features.get(from.room) ?? new Map();
  features.set(from.room, edges);
  if (!edges.has(to)) edges.set(to, { file: from.file, line });
}

/**
 * The shortest circle, once, for each pair of features that reach each other.
 * @returns {Violation[]}
 */
function circlesOf(/** @type {Map<string, Map<string, { file: string, line: number }>>} */ features) {
  /** @type {Violation[]} */
  const circles = [];
  const seen = new Set();
  for (const start of [...features.keys()].toSorted()) {
    const way = wayBack(features, start);
    const key = way && [...way].toSorted().join(' ');
    if (!way || seen.has(key)) continue;
    seen.add(key);
    const steps = way.map((feature, index) => {
      const next = way[index + 1] ?? start;
      const edge = features.get(feature)?.get(next);
      return { feature, at: edge ?? { file: '', line: 0 } };
    });
    const names = [...way, start].join(' → ');
    const lines = steps.map(({ at }) => `${at.file}:${at.line}`).join(', ');
    circles.push({
      ...(steps[0]?.at ?? { file: '', line: 0 }),
      rule: '3 no circle',
      says: `Features import each other in a circle: ${names} (${lines}).`,
    });
  }
  return circles;
}

/** The features on the shortest way from `start` back to it, breadth first; undefined when there is none. */
function wayBack(/** @type {Map<string, Map<string, unknown>>} */ features, /** @type {string} */ start) {
  /** @type {string[][]} */
  const ways = [[start]];
  const seen = new Set([start]);
  for (let way = ways.shift(); way; way = ways.shift()) {
    for (const next of features.get(way.at(-1) ?? start)?.keys() ?? []) {
      if (next === start) return way;
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}

/** The TypeScript files of the tree at `folder`. */
export function sourcesIn(/** @type {string} */ folder) {
  return ['src', 'e2e', 'bench'].flatMap((top) => {
    try {
      return readdirSync(path.join(folder, top), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && !name.includes('node_modules'))
        .map((name) => `${top}/${name.split(path.sep).join('/')}`);
    } catch {
      return [];
    }
  });
}

if (process.argv[1] === import.meta.filename) {
  const violations = checkImports(root);
  for (const { file, line, rule, says } of violations) console.error(`${file}:${line}  rule ${rule}: ${says}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
