// The server's entry: reads the configuration, starts, listens, stops gracefully. Started by tools/start.mjs and tools/demo.mjs.
import { flushCompileCache } from 'node:module';
import { openLog } from '#app/log.server.ts';
import { start } from '#app/start.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { itemCache } from '#core/catalog/item-cache/item-cache.server.ts';
import { startPictureRounds } from '#core/catalog/pictures/inbox-schedule.server.ts';
import { firstStart } from '#core/people/user-admin/first-start.server.ts';
import { keepPdfsWarm } from '#core/quoting/quote-pdf/render-pdf.server.ts';
import { fillZipList } from '#core/territories/zip-list/zip-list.server.ts';
import { type Config, readConfig } from '#platform/outside/config.server.ts';
import { traceWith } from '#platform/outside/trace.server.ts';
import { sentenceOf } from '#platform/shared/sentence-of.server.ts';

try {
  await main();
} catch (error) {
  console.error(sentenceOf(error));
  process.exit(1);
}

async function main(): Promise<void> {
  const demo = process.env['DEMO'] === '1';
  const config = readConfig(process.env, demo ? 'demo' : 'production');
  const log = openLog(config.demo ? (process.env['LOG_LEVEL'] ?? 'warn') : config.logLevel);
  const stopTraces = await startTraces(config, log);
  if (!config.databaseUrl && !config.demo)
    console.log(`DATABASE_URL is not set, so the database is in ${config.dataDir}/database.`);
  const program = await start(config, { log });
  stopOnSignal(() => program.stop().finally(stopTraces), log);
  if (config.demo) {
    const { fillDemo } = await import('#demo/fill-demo.server.ts');
    await fillDemo(program.services, (line) => console.log(line));
  }
  // Reads the items beside the rest of the start: until they are in memory, searches take longer.
  void itemCache(program.services).ready(program.services.clock.now());
  await inTransaction(program.services.database.longDb, fillZipList);
  const invitation = config.demo ? null : await firstStart(program.services);
  // Begins before anybody can ask: /readyz says ready only once the workers run, however long the database takes.
  const workers = program.services.jobs.work();
  await program.app.listen({ port: config.port, host: config.host });
  await workers;
  startPictureRounds(program.services, log);
  keepPdfsWarm();
  log.info({ port: config.port }, 'listening');
  // Node writes its compile cache only when it exits, which a killed server never does. This makes the next start quick anyway.
  flushCompileCache();
  // Prints to the console, because the log keeps no secrets.
  if (invitation) console.log(`${config.firstAdmin} chooses a password here, once and within a week: ${invitation}`);
  if (config.demo) {
    const { demoAccounts } = await import('#demo/demo-accounts.server.ts');
    console.log(`\n${config.appTitle} is running at http://localhost:${config.port}\n`);
    console.log(`Sign in with one of these accounts; the password of each is ${config.demoPassword}\n`);
    for (const account of demoAccounts) console.log(`  ${account.userName.padEnd(26)} ${account.what}`);
    const mail = config.smtpUrl
      ? 'Mail is sent, because SMTP_URL is set'
      : `Mail is not sent but put into ${config.dataDir}/mailbox`;
    console.log(`\n${mail}. Stop with Ctrl+C.\n`);
  }
}

/** Starts traces before the database opens. Answers a function that sends the last spans. */
async function startTraces({ traces }: Config, log: ReturnType<typeof openLog>): Promise<() => Promise<void>> {
  if (!traces) return async () => {};
  const { openOtlp } = await import('#platform/outside/otlp.server.ts');
  const { tracer, stop } = openOtlp(traces, log);
  traceWith(tracer);
  return stop;
}

/** Signals within this time count as one, because a process group, npm and a wrapper each pass the same signal on. */
const ONE_SIGNAL_MS = 2000;

/** The first signal stops the server in order. A second signal, which a person sends later, stops it at once. */
function stopOnSignal(stop: () => Promise<void>, log: ReturnType<typeof openLog>): void {
  let first: number | undefined;
  const onSignal = (signal: string) => {
    if (first !== undefined) {
      if (performance.now() - first > ONE_SIGNAL_MS) process.exit(1);
      return;
    }
    first = performance.now();
    log.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopped with an error');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  if (!process.env['npm_lifecycle_event']) return;
  // A signal to npm alone may end npm and its shell without reaching this process. Then the parent process changes.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    if (first === undefined) onSignal('npm has ended');
  }, 500);
  watch.unref();
}
