// Handles events that no change of a record triggers: quotes whose last day passed, and the clearing of old deliveries.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { companyDay } from '#platform/company/company.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';

const KEPT_DAYS = 30;
const AT_A_TIME = 5000;

/** Runs soon after each midnight in the company's time zone. Announces sent quotes whose last valid day has passed since the last run. */
export const expiredQuotesJob = {
  name: 'webhooks-expired',
  patient: true,
  due: async (services) => {
    const today = companyDay(services.clock.now());
    const { rows } = await sql<{ due: boolean }>`
      select exists (select from webhook_expiry where through is null or through < ${today}) as due`.execute(
      services.database.db,
    );
    return rows[0]?.due ?? false;
  },
  run: async (services) => {
    const now = services.clock.now();
    const today = companyDay(now);
    await inTransaction(services.database.db, async (trx) => {
      const last = await trx.selectFrom('webhook_expiry').selectAll().forUpdate().executeTakeFirstOrThrow();
      // The first run only records the day, because earlier expiries are not events. Discarding a revision can bring back an expired quote.
      if (last.through !== null)
        await sql`select announce('quote.expired', json_build_object('id', id, 'number', num, 'revision', revision, 'status', status_id))
          from quote where status_id = 'SentToCustomer' and valid_until < ${today}
            and (valid_until >= ${last.through}::date or id in (
              select quote_id from quote_event where action = 'DiscardRevision' and at >= ${last.through_at}::timestamptz))
          order by id`.execute(trx);
      await sql`update webhook_expiry set through = ${today}, through_at = ${now}`.execute(trx);
    });
  },
} satisfies PlainJob<Services>;

/** Deletes events announced over a month ago, and deliveries to deleted endpoints. */
export const clearWebhooksJob = {
  name: 'webhooks-clear',
  daily: true,
  retryLimit: 3,
  run: async (services) => {
    const { db } = services.database;
    const before = new Date(services.clock.now().getTime() - KEPT_DAYS * 86_400_000);
    for (let cleared = AT_A_TIME; cleared === AT_A_TIME; ) {
      const { numAffectedRows } = await sql`delete from webhook_message where id in (
        select id from webhook_message where at < ${before} order by at limit ${AT_A_TIME})`.execute(db);
      cleared = Number(numAffectedRows ?? 0);
    }
    await sql`delete from webhook_delivery d where not exists (select from webhook_endpoint e where e.id = d.endpoint_id)`.execute(
      db,
    );
  },
} satisfies PlainJob<Services>;
