// Serves health, readiness, and metrics: /healthz, /readyz, /metrics.

import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { isCurrent } from '#db/migrate.server.ts';
import { mailHeldSince } from '#features/operations/mail/outbox.server.ts';
import { FAILURES, securityCounts } from '#features/operations/security-events/note.server.ts';
import { isSameSecret } from '#features/people/auth/passwords/password.server.ts';
import { JOB_STATES } from '#jobs/jobs.server.ts';
import { FileLost } from '#outside/file-store.server.ts';

export function serveHealth(app: FastifyInstance, isStopping: () => boolean): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const jobs = new Gauge({
    name: 'jobs',
    help: 'Background jobs by state; failed ones wait for npm run jobs -- retry',
    labelNames: ['state'],
    registers: [registry],
  });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const { pool } = app.services.database;
  const inUse = gauge('database_pool_in_use', 'Connections of the pool in use');
  const waiting = gauge('database_pool_waiting', 'Callers waiting for a connection');
  const databaseUp = gauge('database_up', 'Whether the database answers');
  const storageUp = gauge('storage_up', 'Whether the file store answers');
  const oldest = gauge('jobs_oldest_waiting_seconds', 'How long the oldest job has been due');
  const mails = gauge('mails', 'Mails not yet sent, by state; uncertain ones wait for a decision', ['state']);
  const held = gauge('mail_held', 'Whether mail is held because the database was restored');
  const failures = new Counter({
    name: 'security_failures_total',
    help: 'Failed sign-ins, lock-outs, calls refused to signed-in callers, refused API keys, of this process',
    labelNames: ['kind'],
    registers: [registry],
  });
  const lost = new Counter({
    name: 'security_log_lost_total',
    help: 'Lines of the security log that this process could not keep',
    registers: [registry],
  });
  const fillCounters = () => {
    const security = securityCounts(app.services);
    for (const counter of [failures, lost]) counter.reset();
    for (const kind of FAILURES) failures.inc({ kind }, security.counts[kind]);
    lost.inc(security.lost);
  };
  const fillGauges = async () => {
    inUse.set(pool.totalCount - pool.idleCount);
    waiting.set(pool.waitingCount);
    const [found, stored] = await Promise.all([readFigures(app).catch(() => undefined), isStorageUp(app)]);
    storageUp.set(stored ? 1 : 0);
    databaseUp.set(found ? 1 : 0);
    jobs.reset();
    mails.reset();
    if (!found) return;
    for (const state of JOB_STATES) jobs.set({ state }, found.counts[state] ?? 0);
    for (const state of ['Waiting', 'HandingOver', 'Uncertain', 'Failed']) {
      mails.set({ state }, found.mails.find((one) => one.state === state)?.count ?? 0);
    }
    oldest.set(found.oldest);
    held.set(found.held ? 1 : 0);
  };
  app.addHook('onResponse', (request, reply, done) => {
    duration.observe(
      { route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const problem = isStopping() ? 'the server is stopping' : await whyNotReady(app);
    return problem ? reply.code(503).send({ status: 'not ready', reason: problem }) : { status: 'ready' };
  });
  const { open, token } = app.services.config.metrics;
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!open && !(token && given && isSameSecret(given, token))) return reply.callNotFound();
    // Operators need metrics most when the database is down, so metrics must work without it.
    fillCounters();
    await fillGauges();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

async function readFigures(app: FastifyInstance) {
  const { jobs, database } = app.services;
  const [counts, oldest, held, mails] = await Promise.all([
    jobs.count(),
    jobs.oldestWaiting(),
    mailHeldSince(database.db),
    database.db
      .selectFrom('mail')
      .select(['state', sql<number>`count(*)`.as('count')])
      .where('state', '<>', 'Sent')
      .groupBy('state')
      .execute(),
  ]);
  return { counts, oldest, held, mails };
}

/** Asks for a file that does not exist: a store that says so is up. */
async function isStorageUp({ services }: FastifyInstance): Promise<boolean> {
  const asked = services.files.get('00000000-0000-4000-8000-000000000000').then(
    () => true,
    (error: unknown) => error instanceof FileLost,
  );
  return Promise.race([asked, setTimeout(3000, false, { ref: false })]);
}

async function whyNotReady(app: FastifyInstance): Promise<string | null> {
  const { database, jobs } = app.services;
  try {
    await sql`select 1`.execute(database.db);
    if (!(await isCurrent(database.db))) return 'migrations are missing';
    return jobs.isStarting() ? 'the background workers are starting' : null;
  } catch {
    return 'the database cannot be reached';
  }
}
