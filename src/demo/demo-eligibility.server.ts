// Fills eligibility requests of the demo company, one or two in each state, each on an open quote that would cost less in the tier.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';

type Wanted = { state: string; days: number; steps: string[]; note: string; reason: string };

const REQUESTS: Wanted[] = [
  { state: 'Requested', days: 1, steps: [], note: 'The hospital signs for 85% next week.', reason: '' },
  {
    state: 'NeedInfo',
    days: 9,
    steps: ['Start review', 'Ask for information'],
    note: 'Moves its purchases to us this quarter.',
    reason: 'Which departments move, and from when?',
  },
  { state: 'InReview', days: 2, steps: ['Start review'], note: 'A new wing opens in spring.', reason: '' },
  { state: 'Requested', days: 6, steps: [], note: 'The competitor offers the same tier.', reason: '' },
  { state: 'SentToGpo', days: 12, steps: ['Start review', 'Send to GPO'], note: '', reason: '' },
  {
    state: 'Rejected',
    days: 20,
    steps: ['Start review', 'Reject'],
    note: 'They buy most of the category from us.',
    reason: 'The last four quarters stay below 60%.',
  },
  { state: 'Withdrawn', days: 15, steps: ['Withdraw'], note: '', reason: 'The project was called off.' },
];

/** Call this after filling the quotes. The quotes keep their prices until they are repriced. */
export async function fillEligibilityRequests(db: Db, now: Date, today: IsoDate): Promise<void> {
  const { rows: results } = await sql<{
    quoteId: number;
    contractId: number;
    facilityId: number;
    tierId: number;
    by: number;
  }>`
    select * from (
      select distinct on (c.id, q.facility_id) q.id as "quoteId", c.id as "contractId", q.facility_id as "facilityId", t.id as "tierId",
             q.sales_rep_id as "by", q.sales_rep_id = (select id from app_user where user_name = 'rep@example.com') as mine
        from quote q join gpo_membership m on m.facility_id = q.facility_id and m.is_primary
         and m.valid_from <= q.quote_date and (m.valid_to is null or m.valid_to >= ${today}::date)
        join gpo_contract c on c.gpo_id = m.gpo_id and c.state = 'Active' and c.effective_from <= q.quote_date
          and c.effective_to > ${today}::date
        join contract_tier t on t.contract_id = c.id and t.provisional_allowed
       where q.status_id in ('Editing', 'Processing', 'SentToCustomer', 'NeedMoreInfo') and q.sales_rep_id is not null
         and exists (select from quote_item i join contract_line l on l.id = i.contract_line_id and l.contract_id = c.id
                      where i.quote_id = q.id and i.price_source = 'Contract')
         and not exists (select from contract_roster r where r.contract_id = c.id and r.facility_id = q.facility_id
                          and (r.excluded or r.tier_id = t.id))
       order by c.id, q.facility_id, q.quote_date desc, q.id desc) one
     order by mine desc, "quoteId" desc limit ${REQUESTS.length}`.execute(db);
  const desk = await db
    .selectFrom('app_user')
    .select(['id', 'full_name'])
    .where('user_name', '=', 'contracts@example.com')
    .executeTakeFirstOrThrow();
  for (const [index, { quoteId, by, contractId, facilityId, tierId }] of results.entries()) {
    const wanted = REQUESTS[index];
    if (!wanted) break;
    const before = (days: number) => new Date(now.getTime() - days * 86_400_000);
    const { id } = await db
      .insertInto('eligibility_request')
      .values({
        contract_id: contractId,
        tier_id: tierId,
        facility_id: facilityId,
        state: wanted.state,
        wanted_from: today,
        note: wanted.note,
        reason: wanted.reason,
        requested_by: by,
        requested_at: before(wanted.days + wanted.steps.length),
        state_at: before(wanted.days),
        version: wanted.steps.length + 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('eligibility_request_quote')
      .values({ request_id: id, quote_id: quoteId, added_by: by, added_at: before(wanted.days) })
      .execute();
    const asker = await db.selectFrom('app_user').select('full_name').where('id', '=', by).executeTakeFirstOrThrow();
    for (const [step, action] of ['Create', ...wanted.steps].entries()) {
      const own = action === 'Create' || action === 'Withdraw';
      await sql`insert into record_event (record_type, record_id, record_name, user_id, actor, action, version, comment, at)
        select 'eligibilityRequest', ${id}, f.name || ' in ' || c.number || ', ' || t.name, ${own ? by : desk.id},
               ${own ? asker.full_name : desk.full_name}, ${action}, ${step + 1},
               ${step === 0 ? wanted.note : step === wanted.steps.length ? wanted.reason : ''},
               ${before(wanted.days + wanted.steps.length - step).toISOString()}::timestamptz
          from facility f, gpo_contract c, contract_tier t where f.id = ${facilityId} and c.id = ${contractId}
            and t.id = ${tierId}`.execute(db);
    }
  }
}
