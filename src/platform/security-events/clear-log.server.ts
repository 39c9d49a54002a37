// Deletes entries of the security log after the company's retention time. The history keeps its events.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';

const AT_A_TIME = 5000;
export const clearSecurityLogJob = {
  name: 'security-log-clear',
  daily: true,
  retryLimit: 3,
  run: async ({ database: { db }, config, clock }) => {
    const before = new Date(clock.now().getTime() - config.securityLogDays * 86_400_000);
    for (let cleared = AT_A_TIME; cleared === AT_A_TIME; ) {
      const { numAffectedRows } = await sql`delete from security_event where id in (
        select id from security_event where at < ${before} order by at limit ${AT_A_TIME})`.execute(db);
      cleared = Number(numAffectedRows ?? 0);
    }
  },
} satisfies PlainJob<Services>;
