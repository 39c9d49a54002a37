// The server's entry: reads the configuration, starts, listens, stops gracefully.
import { readConfig } from '#outside/config.server.ts';
import { openLog, start } from '#app/start.server.ts';

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error('Quoteboard needs Node 24: start it with npm start or npm run demo, which bring their own.');
  process.exit(1);
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  if ((error as Error).cause) console.error((error as Error).cause);
  process.exit(1);
}

async function main(): Promise<void> {
  const demo = process.env['DEMO'] === '1';
  const config = readConfig(process.env, demo ? 'demo' : 'production');
  const log = openLog(config.demo ? (process.env['LOG_LEVEL'] ?? 'warn') : config.logLevel);
  const program = await start(config, { log });
  if (config.demo) {
    const { fillDemo } = await import('#features/demo/fill-demo.server.ts');
    await fillDemo(program.services, (line) => console.log(line));
  }
  await program.app.listen({ port: config.port, host: config.host });
  await program.services.jobs.work();
  log.info({ port: config.port }, 'listening');
  if (config.demo) {
    const { demoAccounts } = await import('#features/demo/demo-accounts.ts');
    console.log(`\n${config.appTitle} is running at http://localhost:${config.port}\n`);
    console.log(`Sign in with one of these accounts; the password of each is ${config.demoPassword}\n`);
    for (const account of demoAccounts) console.log(`  ${account.userName.padEnd(26)} ${account.what}`);
    console.log(`\nMail is not sent but put into ${config.dataDir}/mailbox. Stop with Ctrl+C.`);
    if (!config.databaseUrl) {
      console.log('The embedded database is for trying and small demos: a power cut can lose data. Production needs DATABASE_URL.\n');
    }
  }

  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      log.info({ signal }, 'stopping');
      program.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'stopped with an error');
          process.exit(1);
        },
      );
    });
  }
}
