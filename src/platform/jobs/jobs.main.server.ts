// The operator's command for background work: npm run jobs -- list | retry | uncertain | arrived | send-again.
import { jobKinds } from '#app/calls.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { openLog } from '#app/log.server.ts';
import { openDatabase } from '#app/start.server.ts';
import { releaseMail } from '#platform/mail/restored-copy.server.ts';
import { decideMails, retryFailed, uncertainMails } from '#platform/mail/uncertain.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';
import { JOB_STATES, type JobState, type Jobs, openJobs } from './jobs.server.ts';

const USE = `Usage: npm run jobs -- list [${JOB_STATES.join('|')}]\n     npm run jobs -- retry [id]   (all that failed, or one; never an uncertain email)\n     npm run jobs -- uncertain   (emails that may or may not have arrived)\n     npm run jobs -- arrived <id…|all> | send-again <id…|all>   (decides them)\n     npm run jobs -- release-mail   (lets a restored copy send mail)`;

// Piping into 'head' closes the output early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const [command, argument, ...more] = process.argv.slice(2);
const state = JOB_STATES.find((name) => name === argument);
if (command === 'list' && (argument === undefined || state)) await withJobs((jobs) => list(jobs, state));
else if (command === 'retry') await withJobs(retry);
else if (command === 'release-mail') await withJobs(release);
else if (command === 'uncertain') await withJobs(uncertain);
else if ((command === 'arrived' || command === 'send-again') && argument) await withJobs(decide);
else {
  console.error(USE);
  process.exitCode = 2;
}

async function list(jobs: Jobs, only: JobState | undefined): Promise<void> {
  const rows = await jobs.list({ state: only });
  for (const row of rows) {
    console.log(
      `${row.id}  ${row.state.padEnd(9)} ${row.name.padEnd(16)} retries ${row.retries}  ${row.createdAt}  ${row.error}`,
    );
  }
  const counts = Object.entries(await jobs.count()).map(([name, count]) => `${count} ${name}`);
  console.log(counts.join(', ') || 'no jobs');
}

async function retry(_jobs: Jobs, services: Services): Promise<void> {
  const { retried, undecided } = await retryFailed(services, argument === undefined ? {} : { id: argument });
  console.log(`${retried} queued again`);
  if (undecided > 0)
    console.log(`${undecided} uncertain ${undecided === 1 ? 'email stays' : 'emails stay'}: npm run jobs -- uncertain`);
}

async function uncertain(_jobs: Jobs, services: Services): Promise<void> {
  const mails = await uncertainMails(services);
  for (const mail of mails) {
    const quote = mail.quoteNum === null ? 'no quote' : `quote ${mail.quoteNum}`;
    console.log(`${mail.id}  ${quote}  to ${mail.recipients.join(', ')}  ${mail.messageId}  ${mail.subject}`);
  }
  console.log(`${mails.length} uncertain`);
}

async function release(_jobs: Jobs, services: Services): Promise<void> {
  console.log(`Mail is released; ${await releaseMail(services)} go out.`);
}

async function decide(_jobs: Jobs, services: Services): Promise<void> {
  const ids =
    argument === 'all' ? (await uncertainMails(services)).map(({ id }) => id) : [argument, ...more].map(Number);
  if (!ids.every((id) => Number.isSafeInteger(id) && id > 0)) throw new Error(USE);
  const decided = await decideMails(services, ids, { arrived: command === 'arrived', by: 'The operator' });
  console.log(`${decided} decided`);
}

async function withJobs(work: (jobs: Jobs, services: Services) => Promise<void>): Promise<void> {
  try {
    const config = readConfig(process.env, 'tool');
    const database = await openDatabase(config, { tool: true });
    const noContext = () => {
      throw new Error('this command runs no jobs');
    };
    const jobs = await openJobs(database, jobKinds, noContext, openLog('error'), { superviseSeconds: 0 });
    // These commands need only these services.
    await work(jobs, { database, jobs, config } as Services);
    await jobs.stop();
    await database.close();
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
