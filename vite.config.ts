// How the browser's half is built: one chunk a route (the routes import their pages) and a few that they share, into dist/web.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip as gzipWith } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { chunkGroups } from './tools/chunk-groups.mjs';

/** Where `npm run dev` has the server; Vite serves the pages and hands everything else on. */
const SERVER = `http://127.0.0.1:${process.env.SERVER_PORT ?? 3000}`;
const OF_THE_SERVER = ['/api', '/Token', '/o', '/healthz', '/readyz', '/metrics', '/openapi.json', '/files', '/geo'];

/** In development the server still fills in `app-config`: it is taken from the page the server would send. */
function appConfigOfServer(): Plugin {
  return {
    name: 'app-config-of-server',
    apply: 'serve',
    async transformIndexHtml(html) {
      const page = await fetch(`${SERVER}/`).then(
        (response) => response.text(),
        () => '',
      );
      const filled = APP_CONFIG.exec(page)?.[0];
      return filled ? html.replace(APP_CONFIG, () => filled) : html;
    },
  };
}
const isProperty = <N extends { type: string }>(node: N): node is Extract<N, { type: 'Property' }> =>
  node.type === 'Property';
const APP_CONFIG = /<script type="application\/json" id="app-config">[\s\S]*?<\/script>/;

/**
 * Schemas where a screen checks by them, and nowhere else: of an endpoint stays what the browser calls it by, as the type says
 * (`schemas?` in src/api/endpoint.ts), and a schema that no screen names is left out. A screen that names none loads no Zod.
 */
function schemasByNeed(): Plugin {
  return {
    name: 'schemas-by-need',
    transform: {
      filter: {
        // Not the one that tells Zod its words: it comes with the pieces that schemas are built of.
        id: /[\\/]src[\\/].*(?<!\.web|\.server|plain-words)\.ts$/,
        code: /from ["'](zod|#api\/endpoint\.ts)["']/,
      },
      handler(code) {
        const edits: { start: number; end: number; text: string }[] = [];
        for (const statement of this.parse(code).body) {
          const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
          if (declaration?.type !== 'VariableDeclaration') continue;
          for (const { init } of declaration.declarations) {
            if (init?.type !== 'CallExpression' && init?.type !== 'ObjectExpression') continue;
            edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' });
            for (const { value } of init.type === 'ObjectExpression' ? init.properties.filter(isProperty) : []) {
              if (value.type !== 'CallExpression' || value.callee.type !== 'Identifier') continue;
              const [address, input, , options] = value.arguments;
              if (value.callee.name !== 'post' || !address || !input || !options) continue;
              // post(address, input, output, options) → { path: address, ...options }
              edits.push({ start: value.start, end: address.start, text: '{ path: ' });
              edits.push({ start: input.start, end: options.start, text: '...' });
              edits.push({ start: options.end, end: value.end, text: ' }' });
            }
            edits.push({ start: init.end, end: init.end, text: '))()' });
          }
        }
        for (const { start, end, text } of edits.toReversed()) {
          // As many lines as before: errors are reported where they are.
          code = code.slice(0, start) + text + code.slice(start, end).replace(/[^\n]/g, '') + code.slice(end);
        }
        return { code, map: null, moduleSideEffects: false };
      },
    },
  };
}

/** Beside each file what goes over the wire, so that the server compresses nothing (src/app/http.server.ts). */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const texts = Object.keys(bundle).filter((file) => /\.(js|css|svg)$/.test(file));
      await Promise.all(
        texts.map(async (file) => {
          const bytes = await readFile(path.join(dir, file));
          await writeFile(path.join(dir, `${file}.br`), await brotli(bytes));
          await writeFile(path.join(dir, `${file}.gz`), await gzip(bytes, { level: 9 }));
        }),
      );
    },
  };
}
const brotli = promisify(brotliCompress);
const gzip = promisify(gzipWith);

const PLATFORM =
  /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](router-core|react-router|history|query-core|react-query))[\\/]/;

const settings = (groups: Rolldown.CodeSplittingGroup[]): UserConfig => ({
  plugins: [react(), schemasByNeed(), appConfigOfServer(), compressed()],
  build: {
    outDir: 'dist/web',
    manifest: true,
    target: 'es2022',
    // Browsers that know light-dark(): rewritten for older ones it would take the wrong scheme of a page that switches.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    rolldownOptions: {
      // A package that names thousands of icons in one file: only those in use are read.
      experimental: { lazyBarrel: true },
      checks: { largeBarrelModules: false },
      output: {
        // What every page needs and what changes only with package.json keeps its name, and stays in the browser's cache.
        codeSplitting: {
          // The groups know what they need; that a module imports another does not say that it uses it.
          includeDependenciesRecursively: false,
          groups: [
            { name: 'platform', priority: 9, test: PLATFORM },
            { name: 'zod', priority: 9, test: /node_modules[\\/]zod[\\/]/ },
            ...groups,
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(OF_THE_SERVER.map((path) => [`^${path}(/|\\?|$)`, { target: SERVER }])),
  },
});

export default defineConfig(async ({ command }) =>
  settings(command === 'build' ? await chunkGroups(settings([])) : []),
);
