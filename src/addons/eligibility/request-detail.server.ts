// Reads a request with what each decision means in money, for the quotes that wait for it and for other open quotes of the facility.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { recordWords } from '#platform/history/record-words.ts';
import { readsAllContracts } from '#core/prices/contracts/sight/contract-roles.ts';
import { sameTerms } from '#core/quoting/provisional/pending-requests.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { OPEN_STATUSES, quoteNumber, StatusId } from '#core/quoting/quotes/status.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { subtract } from '#platform/shared/money.ts';
import { contractFacts } from './contract-facts.server.ts';
import { stepFacts } from './decide.server.ts';
import type { QuoteMeaning, QuoteRequest, RequestDetail, RequestRow } from './eligibility.contract.ts';
import { draftOf, requestedTier } from './tiers-to-ask.server.ts';
import { type Looking, readRequest } from './request-rows.server.ts';
import { allowedSteps, type RequestState, STEPS } from './request-steps.ts';
import { type ContractFacts, missingMembership, tierNow, totalIfRefused, totalInTier } from './tier-offers.server.ts';

/** The most quotes to compute. */
const MAX_QUOTES = 12;
/** Other open quotes older than this are not listed. */
const RECENT_DAYS = 365;

/** Throws 404 if the user does not see the request. */
export async function requestDetail(looking: Looking, id: number): Promise<RequestDetail> {
  const { db, user } = looking;
  const request = await readRequest(looking, id);
  const facts = await factsOn(looking, request, request.wantedFrom, []);
  const { quotes, more } = await waitingQuotes(looking, request);
  const meanings: QuoteMeaning[] = [];
  for (const quote of quotes) meanings.push(await meaningOf(looking, request, quote));
  return {
    today: looking.today,
    request,
    tiers: facts ? facts.tiers.map(requestedTier) : [],
    place: placeInWords(facts, request),
    letter: await letterOf(db, request),
    needsMembershipIn: facts ? missingMembership(facts) : '',
    quotes: meanings,
    moreQuotes: more,
    allowedActions: allowedSteps(await stepFacts(db, user, request)).map((action) => ({
      action,
      label: STEPS[action].label,
      asks: STEPS[action].asks,
    })),
    history: await historyOf(db, id),
  };
}

async function factsOn(
  { db, user, today }: Looking,
  { contract, facility }: RequestRow,
  day: string,
  itemIds: number[],
  facilityId: number = facility.id,
): Promise<ContractFacts | undefined> {
  const [facts] = await contractFacts(db, { user, facilityId, day, today, itemIds, contractId: contract.id });
  return facts;
}

function placeInWords(facts: ContractFacts | undefined, { contract, wantedFrom, facility }: RequestRow): string {
  if (!facts) return `Contract ${contract.number} is not active.`;
  const { place, tiers } = facts;
  if (!place) return `${facility.name} is not on the roster.`;
  if (place.excluded) return `${facility.name} is excluded from the contract.`;
  const listed = tiers.find(({ id }) => id === place.tierId);
  const counts = tierNow(facts, wantedFrom);
  const through = place.parent ? ` through ${place.parent}` : '';
  const missing =
    listed === counts
      ? ''
      : ` Its letter of commitment is not approved, so ${counts ? `${counts.name} applies` : 'no price applies'}.`;
  return `${facility.name} is in ${listed?.name ?? 'no tier'}${through} from ${formatDate(place.from)}.${missing}`;
}

async function letterOf(db: Db, { contract, facility, tier, decided }: RequestRow) {
  const { rows } = await sql<RequestDetail['letter']>`
    select id, state, signer, signed_on as "signedOn" from contract_loc
     where contract_id = ${contract.id} and facility_id = ${facility.id} and tier_id = ${decided?.tierId ?? tier.id}
     order by state in ('Sent', 'Received', 'Signed', 'Approved') desc, state_at desc, id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

type Concerned = QuoteRecord & { joined: boolean };

/** The visible quotes that wait for it, then other open quotes of the facility with items of the contract, each newest first. */
async function waitingQuotes({ db, user, today }: Looking, { id, facility, contract }: RequestRow) {
  const joined = sql<boolean>`quote.id in (select quote_id from eligibility_request_quote where request_id = ${id})`;
  const open = sql.lit(`{${OPEN_STATUSES.join()}}`);
  const query = db
    .selectFrom('quote')
    .where(inSight(user))
    .where(
      sql<boolean>`(${joined} or (quote.facility_id = ${facility.id} and quote.status_id = any(${open}::text[])
        and quote.quote_date >= ${today}::date - ${sql.lit(RECENT_DAYS)}
        and exists (select from quote_item q join contract_line l on l.item_id = q.item_id and l.contract_id = ${contract.id}
                     where q.quote_id = quote.id)))`,
    );
  const quotes: Concerned[] = await query
    .selectAll('quote')
    .select(joined.as('joined'))
    .orderBy('joined', 'desc')
    .orderBy('quote.quote_date', 'desc')
    .orderBy('quote.id', 'desc')
    .limit(MAX_QUOTES)
    .execute();
  if (quotes.length < MAX_QUOTES) return { quotes, more: 0 };
  const { count } = await query.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return { quotes, more: count - quotes.length };
}

/** The totals of a quote by decision. Only users who see the contract itself get the totals of its tiers. */
async function meaningOf(looking: Looking, request: RequestRow, quote: Concerned): Promise<QuoteMeaning> {
  const draft = await draftOf(looking.db, quote);
  const itemIds = draft.lines.flatMap(({ item_id: itemId }) => (itemId === null ? [] : [itemId]));
  const facilityId = quote.facility_id ?? request.facility.id;
  const facts = await factsOn(looking, request, quote.quote_date, itemIds, facilityId);
  const refused = totalIfRefused(draft, request.id);
  const priced = facts && (readsAllContracts(looking.user) || facts.inSight) ? facts : undefined;
  return {
    id: quote.id,
    number: quoteNumber(quote.num, quote.revision),
    statusId: StatusId.parse(quote.status_id),
    quoteDate: quote.quote_date,
    currnIdx: quote.currn_idx,
    joined: quote.joined,
    total: quote.total_amount,
    refused,
    tiers: (priced?.tiers ?? []).map(({ id: tierId }) => {
      const total = totalInTier(draft, priced as ContractFacts, tierId);
      return { tierId, total, less: refused === null ? null : subtract(refused, total) };
    }),
  };
}

async function historyOf(db: Db, id: number): Promise<RequestDetail['history']> {
  const events = await db
    .selectFrom('record_event')
    .select(['id', 'at', 'actor', 'action', 'comment', 'changes'])
    .where('record_type', '=', 'eligibilityRequest')
    .where('record_id', '=', id)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  return events.map(({ action, changes, ...event }) => ({
    ...event,
    words: recordWords({ type: 'eligibilityRequest', action }),
    changes: changes as RequestDetail['history'][number]['changes'],
  }));
}

/** The requests that a quote waits for or waited for. Only their authors see drafts. */
export async function requestsOfQuote(db: Db, user: { id: number }, quoteId: number): Promise<QuoteRequest[]> {
  const { rows } = await sql<QuoteRequest & { state: RequestState }>`
    select r.id, r.state, json_build_object('id', c.id, 'number', c.number) as contract,
           json_build_object('id', t.id, 'no', t.tier_no, 'name', t.name) as tier,
           case r.state when 'Draft' then u.full_name when 'Requested' then 'the contract department'
             when 'InReview' then 'the contract department' when 'NeedInfo' then u.full_name
             when 'SentToGpo' then coalesce(gpo.name, 'the supplier') else '' end as "waitsFor",
           to_json(r.state_at) #>> '{}' as "stateAt", r.reason,
           case when d.id is not null then json_build_object('tierNo', d.tier_no, 'tierName', d.name,
             'firmFrom', r.firm_from) end as decided,
           (r.state in ('Requested', 'InReview', 'NeedInfo', 'SentToGpo') and exists (
             select from eligibility_request_quote other where other.request_id = r.id and other.quote_id <> q.quote_id)) as shared,
           exists (
             select from quote_item q where q.quote_id = ${quoteId} and q.eligibility_request_id = r.id
              and (r.state in ('Rejected', 'Withdrawn', 'Lapsed', 'Revoked') or (r.state = 'Approved' and not ${sameTerms}))) as "leftOver"
      from eligibility_request_quote q join eligibility_request r on r.id = q.request_id
      join gpo_contract c on c.id = r.contract_id left join gpo on gpo.id = c.gpo_id
      join contract_tier t on t.id = r.tier_id join app_user u on u.id = r.requested_by
      left join contract_tier d on d.id = r.decided_tier_id
     where q.quote_id = ${quoteId} and (r.state <> 'Draft' or r.requested_by = ${user.id})
     order by r.id desc limit 20`.execute(db);
  return rows;
}
