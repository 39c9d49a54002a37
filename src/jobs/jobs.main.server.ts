// The operator's command for background work: npm run jobs -- list [state] | retry [id].
import { jobKinds } from '#app/calls.server.ts';
import { openLog } from '#app/log.server.ts';
import { openDatabase } from '#app/start.server.ts';
import { readConfig } from '#outside/config.server.ts';
import { type JobState, openJobs } from './jobs.server.ts';

const [command, argument] = process.argv.slice(2);
try {
  const database = await openDatabase(readConfig(process.env, 'tool'));
  const jobs = await openJobs(
    database,
    jobKinds,
    () => {
      throw new Error('this command runs no jobs');
    },
    openLog('error'),
    { supervise: false },
  );
  if (command === 'list') {
    const rows = await jobs.list(argument as JobState | undefined);
    for (const row of rows)
      console.log(
        `${row.id}  ${row.state.padEnd(9)} ${row.name.padEnd(16)} tries ${row.tries}  ${row.createdAt}  ${row.error}`,
      );
    console.log(`${rows.length} jobs`);
  } else if (command === 'retry') {
    console.log(`${await jobs.retry(argument)} jobs put back in line`);
  } else {
    console.error('Use: npm run jobs -- list [created|retry|active|completed|failed]\n     npm run jobs -- retry [id]');
    process.exitCode = 2;
  }
  await jobs.stop();
  await database.close();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
