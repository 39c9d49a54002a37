// Serves /metrics for Prometheus: the figures of this process and, from one process per database, the figures of the database.
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '#platform/db/database.server.ts';
import { mailHeldSince } from '#platform/mail/outbox.server.ts';
import { FAILURES, securityCounts } from '#platform/security-events/note-security-event.server.ts';
import { isSameSecret } from '#platform/auth/passwords/password.server.ts';
import { OPEN_STATUSES } from '#core/quoting/quotes/status.ts';
import { JOB_STATES } from '#platform/jobs/jobs.server.ts';
import { FileMissingError } from '#platform/outside/file-store.server.ts';

/** The number of the advisory lock of the process that reports the figures of the database. */
const REPORTER = 724_502;
/** The states of work that is waiting or needs attention, by gauge. */
const OPEN = {
  mails: ['Waiting', 'HandingOver', 'Uncertain', 'Failed'],
  webhook_deliveries: ['Waiting'],
  crm_pushes: ['Waiting', 'Failed', 'Blocked'],
  order_requests: ['Waiting', 'Sent'],
};

export function serveMetrics(app: FastifyInstance): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    duration.observe(
      { route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
  /** The figures of the database. They are left out if another process reports them. */
  const shared = new Registry();
  const gaugeOf =
    (target: Registry) =>
    <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
      new Gauge({ name, help, labelNames, registers: [target] });
  const [gauge, sharedGauge] = [gaugeOf(registry), gaugeOf(shared)];
  const { database } = app.services;
  const inUse = gauge('database_pool_in_use', 'Connections in use; the long pool serves imports and exports', ['pool']);
  const waiting = gauge('database_pool_waiting', 'Callers waiting for a connection', ['pool']);
  const liveStreams = gauge('live_streams', 'Open streams of changes');
  const databaseUp = gauge('database_up', 'Whether the database answers');
  const storageUp = gauge('storage_up', 'Whether the file store answers');
  const failures = new Counter({
    name: 'security_failures_total',
    help: 'Failed sign-ins, lockouts, forbidden calls and refused API keys in this process',
    labelNames: ['kind'],
    registers: [registry],
  });
  const lost = new Counter({
    name: 'security_log_lost_total',
    help: 'Lines of the security log that this process could not write',
    registers: [registry],
  });
  const ofDatabase = {
    jobs: sharedGauge('jobs', 'Background jobs; failed ones wait for npm run jobs -- retry', ['kind', 'state']),
    oldest: sharedGauge('jobs_oldest_waiting_seconds', 'How long the oldest job has been due', ['kind']),
    held: sharedGauge('mail_held', 'Whether mail is held because the database was restored'),
    failing: sharedGauge('webhook_endpoints_failing', 'Receivers that reject what is sent to them'),
    refused: sharedGauge('imports_refused', 'Files of the last day that were refused or had refused rows'),
    quotes: sharedGauge('quotes', 'Open quotes', ['status']),
    oldestQuote: sharedGauge('quotes_oldest_days', 'Days since the Quote Date of the oldest open quote', ['status']),
    approvals: sharedGauge('approvals_waiting', 'Quotes waiting for approval'),
    oldestApproval: sharedGauge(
      'approvals_oldest_waiting_seconds',
      'How long the oldest quote has been waiting for approval',
    ),
  };
  const open = {
    mails: sharedGauge('mails', 'Emails not yet sent; uncertain and failed ones wait for a decision', ['state']),
    webhook_deliveries: sharedGauge('webhook_deliveries', 'Messages that no receiver has accepted yet', ['state']),
    crm_pushes: sharedGauge('crm_pushes', 'Pushes to the CRM that are waiting, or failed within the last day', [
      'state',
    ]),
    order_requests: sharedGauge('order_requests', 'Orders waiting for the ERP or for its answer', ['state']),
  };

  const ofThisProcess = async () => {
    for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries({
      short: database.pool,
      long: database.longPool,
    })) {
      inUse.set({ pool }, totalCount - idleCount);
      waiting.set({ pool }, waitingCount);
    }
    liveStreams.set(app.liveStreams());
    storageUp.set((await isStorageUp(app)) ? 1 : 0);
    const security = securityCounts(app.services);
    for (const counter of [failures, lost]) counter.reset();
    for (const kind of FAILURES) failures.inc({ kind }, security.counts[kind]);
    lost.inc(security.lost);
  };
  const reporter = new Reporter(database);
  app.addHook('onClose', () => reporter.close());
  const ofTheDatabase = async () => {
    if (!(await reporter.isThisProcess())) return false;
    const result = await readFigures(app);
    const { jobs, oldest, held, failing, refused, quotes, oldestQuote, approvals, oldestApproval } = ofDatabase;
    for (const { kind, counts, waiting: seconds } of result.jobs) {
      for (const state of JOB_STATES) jobs.set({ kind, state }, counts[state] ?? 0);
      oldest.set({ kind }, seconds);
    }
    held.set(result.held ? 1 : 0);
    failing.set(result.failing);
    refused.set(result.refused);
    for (const status of OPEN_STATUSES) {
      const row = result.quotes.find(({ statusId }) => statusId === status);
      quotes.set({ status }, row?.count ?? 0);
      oldestQuote.set({ status }, row?.days ?? 0);
    }
    approvals.set(result.approvals);
    oldestApproval.set(result.oldestApproval);
    for (const [name, states] of Object.entries(OPEN) as [keyof typeof OPEN, string[]][])
      for (const state of states)
        open[name].set({ state }, result.open.find((row) => row.name === name && row.state === state)?.count ?? 0);
    return true;
  };

  const { open: isOpen, token } = app.services.config.metrics;
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!isOpen && !(token && bearer && isSameSecret(bearer, token))) return reply.callNotFound();
    // Operators need metrics most when the database is down, so metrics must work without it.
    await ofThisProcess();
    const result = await ofTheDatabase().catch(() => undefined);
    databaseUp.set(result === undefined ? 0 : 1);
    return reply.type(registry.contentType).send((await registry.metrics()) + (result ? await shared.metrics() : ''));
  });
}

async function readFigures({ services: { jobs, database } }: FastifyInstance) {
  const [ofJobs, held, open, quotes, others] = await Promise.all([
    jobs.figures(),
    mailHeldSince(database.db),
    sql<{ name: string; state: string; count: number }>`
      select 'mails' as name, state, count(*) from mail where state <> 'Sent' group by state
      union all select 'webhook_deliveries', state, count(*) from webhook_delivery where state = 'Waiting' group by state
      union all select 'crm_pushes', state, count(*) from crm_push
        where state = 'Waiting' or (state in ('Failed', 'Blocked') and asked_at > now() - interval '1 day') group by state
      union all select 'order_requests', state, count(*) from order_request where state in ('Waiting', 'Sent') group by state`.execute(
      database.db,
    ),
    // The index by status contains both columns, so the query reads nothing else.
    sql<{ statusId: string; count: number; days: number }>`
      select status_id as "statusId", count(*) as count, greatest(current_date - min(quote_date), 0) as days
        from quote where status_id = any(${OPEN_STATUSES}) group by status_id`.execute(database.db),
    sql<{ failing: number; refused: number; approvals: number; oldestApproval: number }>`
      select (select count(*) from approval_request where state = 'Pending') as approvals,
        (select coalesce(extract(epoch from now() - min(requested_at)), 0)::float from approval_request where state = 'Pending')
          as "oldestApproval",
        (select count(*) from webhook_endpoint where active and failing_since is not null) as failing,
        (select count(*) from data_import where created_at > now() - interval '1 day' and (state = 'Failed' or refused_file_id is not null))
          + (select count(*) from import_inbox_file where taken_at > now() - interval '1 day' and state = 'Refused'
            and import_id is null) as refused`.execute(database.db),
  ]);
  const none = { failing: 0, refused: 0, approvals: 0, oldestApproval: 0 };
  return { jobs: ofJobs, held, open: open.rows, quotes: quotes.rows, ...none, ...others.rows[0] };
}

/** Chooses one process per database, so that sums over processes are right. It stays the reporter until it ends or loses its connection. */
class Reporter {
  #client: pg.Client | undefined;
  readonly #database: Database;
  constructor(database: Database) {
    this.#database = database;
  }

  async isThisProcess(): Promise<boolean> {
    if (this.#client) return true;
    const { connectionString, connectionTimeoutMillis, query_timeout } = this.#database.pool.options;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis, query_timeout, keepAlive: true });
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    try {
      await client.connect();
      const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [REPORTER]);
      if (rows[0]?.ours && !this.#client) {
        this.#client = client;
        return true;
      }
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    await client.end();
    return this.#client !== undefined;
  }

  async close(): Promise<void> {
    await this.#client?.end().catch(() => {});
  }

  #lose(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined;
  }
}

/** Reads a file that does not exist. A store that reports this is up. */
async function isStorageUp({ services }: FastifyInstance): Promise<boolean> {
  const request = services.files.get('00000000-0000-4000-8000-000000000000').then(
    () => true,
    (error: unknown) => error instanceof FileMissingError,
  );
  return Promise.race([request, setTimeout(3000, false, { ref: false })]);
}
