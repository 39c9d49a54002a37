// The daily job that lets requests lapse if their contract has ended, or if no one has taken a step for a long time.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { LAST_DAY } from '#core/prices/contracts/contract-days.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import { requestName } from './ask.server.ts';
import { moveRequest } from './decide.server.ts';
import { LAPSE_DAYS } from './request-steps.ts';
import { lockQuotesOf, tellQuotes } from './tell.server.ts';

type Due = { id: number; over: boolean; number: string; tier: string; facility: string };

export const lapseRequestsJob = {
  name: 'lapse-eligibility-requests',
  daily: true,
  run: async (services: Services) => void (await lapseRequests(services)),
} satisfies PlainJob<Services>;

/** Handles each request in its own transaction, so that a killed process never leaves one half announced. Returns the number of lapsed requests. */
export async function lapseRequests(services: Services): Promise<number> {
  const { database, clock } = services;
  const now = clock.now();
  const day = today(services, await loadCompany(database.db));
  const due = (requestId: number | null) => sql<Due>`
    select r.id, (gpo_contract.state = 'Draft' or ${LAST_DAY} < ${day}::date) as over, gpo_contract.number,
      t.name as tier, f.name as facility
      from eligibility_request r join gpo_contract on gpo_contract.id = r.contract_id
      join contract_tier t on t.id = r.tier_id join facility f on f.id = r.facility_id
     where r.state in ('Requested', 'InReview', 'NeedInfo', 'SentToGpo') and (${requestId}::int is null or r.id = ${requestId}::int)
       and (gpo_contract.state = 'Draft' or ${LAST_DAY} < ${day}::date
            or r.state_at < ${now.toISOString()}::timestamptz - ${sql.lit(LAPSE_DAYS)} * interval '1 day')
     order by r.id ${requestId === null ? sql`` : sql`for update of r`}`;
  let lapsed = 0;
  for (const { id } of (await due(null).execute(database.db)).rows) {
    await inTransaction(database.db, async (db) => {
      await lockQuotesOf(db, id);
      const [still] = (await due(id).execute(db)).rows;
      if (!still) return;
      const contract = { number: still.number };
      const tier = { name: still.tier };
      const reason = still.over
        ? `Contract ${still.number} has ended.`
        : `No one acted on the request for ${LAPSE_DAYS} days. Request the tier again if you still need it.`;
      const { version } = await moveRequest(db, now, id, { state: 'Lapsed', reason });
      const name = requestName(still.facility, contract, tier);
      await recordChange(db, null, {
        type: 'eligibilityRequest',
        id,
        name,
        action: 'Lapse',
        version,
        comment: reason,
      });
      const sentence = `The request for ${still.tier} of contract ${still.number} has lapsed.`;
      await tellQuotes(db, services, { requestId: id, user: null, what: 'lapsed', sentence, reason, mails: true });
      lapsed++;
    });
  }
  return lapsed;
}
