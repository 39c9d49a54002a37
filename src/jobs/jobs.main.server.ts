// The operator's command for background work: npm run jobs -- list [state] | retry [id].
import { jobKinds } from '#app/calls.server.ts';
import { openLog } from '#app/log.server.ts';
import { openDatabase } from '#app/start.server.ts';
import { readConfig } from '#outside/config.server.ts';
import { JOB_STATES, type JobState, type Jobs, openJobs } from './jobs.server.ts';

const USE = `Use: npm run jobs -- list [${JOB_STATES.join('|')}]\n     npm run jobs -- retry [id]   (all that failed, or one)`;

const [command, argument] = process.argv.slice(2);
const state = JOB_STATES.find((name) => name === argument);
if (command === 'list' && (argument === undefined || state)) await withJobs((jobs) => list(jobs, state));
else if (command === 'retry') await withJobs(retry);
else {
  console.error(USE);
  process.exitCode = 2;
}

async function list(jobs: Jobs, only: JobState | undefined): Promise<void> {
  const rows = await jobs.list(only);
  for (const row of rows) {
    console.log(
      `${row.id}  ${row.state.padEnd(9)} ${row.name.padEnd(16)} retries ${row.retries}  ${row.createdAt}  ${row.error}`,
    );
  }
  const counts = Object.entries(await jobs.count()).map(([name, count]) => `${count} ${name}`);
  console.log(counts.join(', ') || 'no jobs');
}

async function retry(jobs: Jobs): Promise<void> {
  console.log(`${await jobs.retry(argument === undefined ? {} : { id: argument })} put back in line`);
}

async function withJobs(work: (jobs: Jobs) => Promise<void>): Promise<void> {
  try {
    const database = await openDatabase(readConfig(process.env, 'tool'));
    const noContext = () => {
      throw new Error('this command runs no jobs');
    };
    const jobs = await openJobs(database, jobKinds, noContext, openLog('error'), { superviseSeconds: 0 });
    await work(jobs);
    await jobs.stop();
    await database.close();
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
