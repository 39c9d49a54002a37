// How the browser's half is built: one chunk a route (the routes import their pages), into dist/web.
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` has the server; Vite serves the pages and hands everything else on. */
const SERVER = `http://127.0.0.1:${process.env.SERVER_PORT ?? 3000}`;
const OF_THE_SERVER = ['/api', '/Token', '/o', '/healthz', '/readyz', '/metrics', '/openapi.json', '/files'];

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
const APP_CONFIG = /<script type="application\/json" id="app-config">[\s\S]*?<\/script>/;

const PLATFORM =
  /node_modules[\\/](react|react-dom|scheduler|zod|@tanstack[\\/](router-core|react-router|history|query-core|react-query))[\\/]/;

export default defineConfig({
  plugins: [react(), appConfigOfServer()],
  build: {
    outDir: 'dist/web',
    manifest: true,
    target: 'es2022',
    // Browsers that know light-dark(): rewritten for older ones it would take the wrong scheme of a page that switches.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    // What every page needs and what changes only with package.json keeps its name, and stays in the browser's cache.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'platform', test: PLATFORM }] } } },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(OF_THE_SERVER.map((path) => [`^${path}(/|\\?|$)`, { target: SERVER }])),
  },
});
