// Computes whether a quote's prices depend on undecided eligibility requests, and what that means for its total (docs/decisions/0017).
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { capitalized } from '#platform/shared/capitalized.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { totalled } from '#core/quoting/quotes/totals/total-quote.server.ts';
import type { Provisional, Standing } from './provisional.ts';

/** Worst first. The quote has the standing of its worst request. */
const STANDINGS_BY_SEVERITY: readonly Standing[] = ['Changed', 'Refused', 'Open', 'Later'];

/**
 * The condition on a line `q` and its request `r` that is true when the line has become firm: the approval is in effect, for the same tier
 * and at the line's price.
 */
export function becameFirm(day: IsoDate) {
  return sql<boolean>`(r.state = 'Approved' and r.firm_from <= ${day}::date and ${sameTerms})`;
}

/** The condition on a line `q` and its approved request `r` that is true when the approval is for the line's tier and price. */
export const sameTerms = sql<boolean>`(r.decided_tier_id = (q.fallback->>'tierId')::int and exists (
  select from contract_line_price p
   where p.contract_line_id = q.contract_line_id and p.tier_id = r.decided_tier_id and p.price = (q.fallback->>'tierPrice')::numeric
     and p.valid_from <= r.firm_from and (p.valid_to is null or p.valid_to >= r.firm_from)))`;

type RequestRow = {
  id: number;
  lines: number[];
  standing: Standing | 'Firm';
  state: string;
  number: string;
  tier: string;
  decidedTier: string | null;
  firmFrom: IsoDate | null;
};

/** Today's standing of a quote whose lines are known. Most quotes depend on no request and need no query. */
export async function currentProvisional(
  db: Db,
  services: Pick<Services, 'clock'>,
  quote: QuoteRecord,
  lines: readonly Pick<Line, 'fallback'>[],
): Promise<Provisional | null> {
  if (lines.every(({ fallback }) => fallback === null)) return null;
  return loadProvisional(db, quote, today(services, await loadCompany(db)));
}

/** The standing of a quote's prices on a day. Null when no price in the total depends on a request anymore. */
export async function loadProvisional(db: Db, quote: QuoteRecord, day: IsoDate): Promise<Provisional | null> {
  const { rows } = await sql<RequestRow>`
    select r.id, r.state, array_agg(q.id) as lines, c.number, t.name as tier, d.name as "decidedTier", r.firm_from as "firmFrom",
           case when r.state in ('Requested', 'InReview', 'NeedInfo', 'SentToGpo') then 'Open'
                when r.state <> 'Approved' then 'Refused'
                when not ${sameTerms} then 'Changed'
                when r.firm_from > ${day}::date then 'Later' else 'Firm' end as standing
      from quote_item q join eligibility_request r on r.id = q.eligibility_request_id
      join gpo_contract c on c.id = r.contract_id join contract_tier t on t.id = (q.fallback->>'tierId')::int
      left join contract_tier d on d.id = r.decided_tier_id
     where q.quote_id = ${quote.id} and q.active and not q.optional
     group by r.id, c.number, t.name, d.name, standing
     order by r.id`.execute(db);
  const unsettledRequests = rows.filter((row): row is RequestRow & { standing: Standing } => row.standing !== 'Firm');
  const standing = STANDINGS_BY_SEVERITY.find((candidate) =>
    unsettledRequests.some((row) => row.standing === candidate),
  );
  if (!standing) return null;
  return {
    standing,
    totalAmount: quote.total_amount,
    fallbackTotal:
      unsettledRequests.length === rows.length ? quote.fallback_total : await totalWithFirm(db, quote, rows),
    requests: unsettledRequests.map(({ id, state }) => ({ id, state })),
    text: [...new Set(unsettledRequests.map((entry) => capitalized(describeStanding(entry))))].join(' '),
  };
}

/** The quote's total if every request that is not firm falls back to its price without the request. */
async function totalWithFirm(db: Db, quote: QuoteRecord, rows: readonly RequestRow[]): Promise<number | null> {
  const firm = new Set(rows.filter(({ standing }) => standing === 'Firm').flatMap(({ lines }) => lines));
  const lines = await quoteLines(db, quote.id);
  return totalled(
    quote,
    lines.map((line) => (firm.has(line.id) ? { ...line, eligibility_request_id: null, fallback: null } : line)),
  ).quote.fallback_total;
}

function describeStanding({ standing, number, tier, decidedTier, firmFrom }: RequestRow): string {
  const tierOfContract = `${tier} of contract ${number}`;
  switch (standing) {
    case 'Open':
      return `${tierOfContract} is not approved yet.`;
    case 'Later':
      return `${tierOfContract} is approved from ${formatDate(firmFrom)}.`;
    case 'Changed':
      return decidedTier && decidedTier !== tier
        ? `${decidedTier} of contract ${number} was approved instead of ${tier}, from ${formatDate(firmFrom)}.`
        : `${tierOfContract} was approved from ${formatDate(firmFrom)}, but at a different price.`;
    default:
      return `${tierOfContract} was not approved.`;
  }
}
