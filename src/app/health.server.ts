// Serves health and readiness: /healthz, /readyz.
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { isCurrent } from '#platform/db/migrate.server.ts';

export function serveHealth(app: FastifyInstance, isStopping: () => boolean): void {
  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const problem = isStopping() ? 'the server is stopping' : await whyNotReady(app);
    return problem ? reply.code(503).send({ status: 'not ready', reason: problem }) : { status: 'ready' };
  });
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
