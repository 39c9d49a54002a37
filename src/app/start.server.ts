// Assembles the program from a configuration: database, jobs, files, mail, HTTP.
import net from 'node:net';
import path from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Services } from '#platform/api/services.server.ts';
import { type Database, openPostgres } from '#platform/db/database.server.ts';
import { migrate } from '#platform/db/migrate.server.ts';
import { openOwnPostgres } from '#platform/db/own-postgres/own-postgres.server.ts';
import { holdMailOfCopy } from '#platform/mail/restored-copy.server.ts';
import { writeSecurityLog } from '#platform/security-events/note-security-event.server.ts';
import { writeCriteria } from '#core/quoting/quotes/list/criteria.server.ts';
import { migrateJobs, openJobs } from '#platform/jobs/jobs.server.ts';
import { type Clock, systemClock } from '#platform/outside/clock.server.ts';
import type { Config } from '#platform/outside/config.server.ts';
import { openFileStore } from '#platform/outside/file-store.server.ts';
import { type MailTransport, openMail } from '#platform/outside/mail.server.ts';
import { openPictureCloud } from '#platform/outside/picture-cloud.server.ts';
import { openPictureInbox } from '#platform/outside/picture-inbox.server.ts';
import { jobKinds } from './calls.server.ts';
import { buildServer } from './http.server.ts';
import { resealSecrets } from './reseal.server.ts';

export type Program = {
  app: FastifyInstance;
  services: Services;
  /**
   * Reports on /readyz that it is stopping, then refuses requests, waits for open ones (20 s at most), then for jobs (20 s at most), and puts the
   * rest back in the queue.
   */
  stop: () => Promise<void>;
};

const REQUESTS_MAY_TAKE = 20_000;
const CLOSING_MAY_TAKE = 5_000;
/** The length in milliseconds below which a turn of the event loop had nothing to do. */
const QUIET = 0.1;
const QUIET_WITHIN = 2_000;
/**
 * The time in which open connections may be used once more after the port is closed. Those that are idle afterwards are closed, because no request is
 * on its way.
 */
const LAST_ANSWERS_WITHIN = 1_000;

/**
 * Opens and migrates the database of a configuration, or its own PostgreSQL if it names none. With `tool`, statements may take long, and a server
 * that runs on the same data folder keeps running.
 */
export async function openDatabase(config: Config, { tool = false } = {}): Promise<Database> {
  const own = config.databaseUrl ? undefined : await openOwnPostgres(config.dataDir, { share: tool });
  const opened = openPostgres(config.databaseUrl ?? own?.url ?? '', undefined, { long: tool });
  const database: Database = { ...opened, close: () => opened.close().finally(() => own?.stop()) };
  try {
    await migrate(database.longDb);
    await migrateJobs(database);
    return database;
  } catch (error) {
    await database.close();
    // Errors of the database or the network have a code. Our own errors need no cause.
    if (error instanceof Error && 'code' in error) throw new Error('The database cannot be opened.', { cause: error });
    throw error;
  }
}

export type StartOptions = {
  log: Logger;
  database?: Database;
  clock?: Clock;
  mail?: MailTransport;
  checkAnswers?: boolean;
  superviseJobs?: boolean;
};

/** Builds the program; the caller makes it listen and starts the workers. */
export async function start(config: Config, options: StartOptions): Promise<Program> {
  const database = options.database ?? (await openDatabase(config));
  const services: Services = {
    database,
    config,
    clock: options.clock ?? systemClock,
    jobs: await openJobs(
      database,
      jobKinds,
      () => services,
      options.log,
      options.superviseJobs === false ? { superviseSeconds: 0 } : {},
    ),
    files: await openFileStore(config.storageUrl),
    mail:
      options.mail ??
      openMail({ smtpUrl: config.smtpUrl, from: config.mailFrom, mailbox: path.join(config.dataDir, 'mailbox') }),
    pictureCloud: config.cloudinaryUrl ? openPictureCloud(config.cloudinaryUrl, () => services.clock.now()) : null,
    pictureInbox: config.imageInbox ? await openPictureInbox(config.imageInbox) : null,
    log: options.log,
  };
  await holdMailOfCopy(services);
  const sealed = await resealSecrets(services);
  if (sealed > 0) options.log.info({ sealed }, 'secrets sealed again under TOKEN_SECRET');
  let stopping = false;
  let leaving = false;
  const app = await buildServer(services, {
    logger: options.log,
    isStopping: () => stopping,
    isLeaving: () => leaving,
    ...(options.checkAnswers === undefined ? {} : { checkAnswers: options.checkAnswers }),
  });
  return {
    app,
    services,
    stop: async () => {
      // A proxy or load balancer sees this on /readyz and switches to another server.
      stopping = true;
      await setTimeout(config.drainSeconds * 1000);
      await quietMoment();
      // Closes only the port. Open connections stay, because a request may be on its way on each; the next answer on it announces that it is the
      // last.
      net.Server.prototype.close.call(app.server);
      leaving = true;
      if (config.drainSeconds > 0) await setTimeout(LAST_ANSWERS_WITHIN);
      // Requests finish first because they may still queue jobs.
      await Promise.race([app.close(), setTimeout(REQUESTS_MAY_TAKE, undefined, { ref: false })]);
      await services.jobs.stop();
      await writeCriteria(services);
      await writeSecurityLog(services);
      // A silent connection delays this only briefly.
      await Promise.race([database.close(), setTimeout(CLOSING_MAY_TAKE, undefined, { ref: false })]);
    },
  };
}

/**
 * Waits for a turn of the event loop with little to do, for at most two seconds; the longer it waits, the more work it tolerates. The port closes
 * right afterwards: connections made before have been accepted by then, while the system cuts those that are still waiting.
 */
async function quietMoment(): Promise<void> {
  for (const start = performance.now(); ; ) {
    const begin = performance.now();
    await setImmediate();
    const end = performance.now();
    if (end - begin < QUIET + (end - start) / 1000 || end - start > QUIET_WITHIN) return;
  }
}
