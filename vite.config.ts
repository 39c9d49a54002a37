// Builds the browser's half into dist/web: one chunk per route (the routes import their pages) and a few shared ones.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip as gzipWith } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { chunkGroups } from './tools/chunk-groups.mjs';

/** The server of `npm run dev`. Vite serves the pages and passes everything else on to it. */
const SERVER = `http://127.0.0.1:${process.env.SERVER_PORT ?? 3000}`;
const OF_THE_SERVER = ['/api', '/Token', '/o', '/healthz', '/readyz', '/metrics', '/openapi.json', '/files', '/geo'];

/** Takes `app-config` in development from the page that the server would send. */
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
/** The options of a call that only the server and the documentation read. */
const FOR_SERVERS = new Set([
  'summary',
  'rateLimit',
  'bodyLimit',
  'peopleOnly',
  'toDisk',
  'mayWait',
  'answersOf',
  'copies',
]);
const APP_CONFIG = /<script type="application\/json" id="app-config">[\s\S]*?<\/script>/;

/**
 * Keeps only the schemas that screens check with. An endpoint keeps only what the browser needs to call it, as its type says
 * (`schemas?` in src/platform/api/endpoint.ts). A schema that no screen names drops out, and a screen that names none loads no Zod.
 */
function schemasByNeed(): Plugin {
  return {
    name: 'schemas-by-need',
    transform: {
      filter: {
        // Skips plain-words.ts, which gives Zod its messages and belongs to the building blocks of schemas.
        id: /[\\/]src[\\/].*(?<!\.web|\.server|plain-words)\.ts$/,
        code: /from ["'](zod|#platform\/api\/endpoint\.ts)["']/,
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
              const said = options.type === 'ObjectExpression' ? options.properties : [];
              for (const [index, option] of said.entries()) {
                if (!isProperty(option) || option.key.type !== 'Identifier' || !FOR_SERVERS.has(option.key.name))
                  continue;
                edits.push({ start: option.start, end: said[index + 1]?.start ?? options.end - 1, text: '' });
              }
              edits.push({ start: options.end, end: value.end, text: ' }' });
            }
            edits.push({ start: init.end, end: init.end, text: '))()' });
          }
        }
        for (const { start, end, text } of edits.toReversed()) {
          // Keeps the number of lines, so that errors name the right line.
          code = code.slice(0, start) + text + code.slice(start, end).replace(/[^\n]/g, '') + code.slice(end);
        }
        return { code, map: null, moduleSideEffects: false };
      },
    },
  };
}

/** Writes compressed copies beside each file, so that the server compresses nothing (src/app/http.server.ts). */
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
    // These browsers know light-dark(). A rewrite for older ones would pick the wrong scheme on a page that switches.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    // In one order, so that the lists of many imports repeat each other and compress. Styles keep theirs, which decides between them.
    modulePreload: {
      resolveDependencies: (_file, files) => [
        ...files.filter((file) => !file.endsWith('.css')).toSorted(),
        ...files.filter((file) => file.endsWith('.css')),
      ],
    },
    rolldownOptions: {
      // One package names thousands of icons in one file. This reads only those in use.
      experimental: { lazyBarrel: true },
      checks: { largeBarrelModules: false, pluginTimings: false },
      output: {
        // Every page loads the list of all files, so the names are short. Only a part that loads by itself has a name to recognize.
        chunkFileNames: ({ isDynamicEntry }) => `assets/${isDynamicEntry ? '[name]-' : ''}[hash:7].js`,
        assetFileNames: 'assets/[hash:7][extname]',
        // Code that every page needs or that changes only with package.json keeps its name, and stays in the browser's cache.
        codeSplitting: {
          // The groups list what they need. A module may import another without using it.
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
