// Health, readiness, and metrics: /healthz, /readyz, /metrics.

import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isCurrent } from '#db/migrate.server.ts';
import { JOB_STATES } from '#jobs/jobs.server.ts';

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
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    // Operators read metrics most when the database is away, so they must work without it.
    const counts = await app.services.jobs.count().catch(() => undefined);
    jobs.reset();
    if (counts) for (const state of JOB_STATES) jobs.set({ state }, counts[state] ?? 0);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

async function whyNotReady(app: FastifyInstance): Promise<string | null> {
  const { db } = app.services.database;
  try {
    await sql`select 1`.execute(db);
    return (await isCurrent(db)) ? null : 'migrations are missing';
  } catch {
    return 'the database cannot be reached';
  }
}
