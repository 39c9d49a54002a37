// `npm run dev`: starts the demo's server, which restarts when its files change, and Vite in front of it on port 5173.
import { commandOf, start } from './run.mjs';

const port = process.env.PORT || '3000';
const server = start(['--watch', '--disable-warning=ExperimentalWarning', 'src/main.server.ts'], {
  DEMO: '1',
  PORT: port,
});
const pages = start([commandOf('vite', 'vite')], { SERVER_PORT: port });

const code = await Promise.race([server.ended, pages.ended]);
server.stop();
pages.stop();
await Promise.all([server.ended, pages.ended]);
process.exit(code);
