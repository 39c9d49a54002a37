// Finds the tiers that a quote can request: tiers of contracts that price its items, if the quote does not have that price now.
import { sql } from 'kysely';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, pricePlacesOf } from '#platform/company/company.server.ts';
import { readsAllContracts } from '#core/prices/contracts/sight/contract-roles.ts';
import { requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { loadPricedItems, readIfMember } from '#core/prices/pricing/price-lines.server.ts';
import { quoteTerms } from '#core/quoting/quote-edit/settle/known-items.server.ts';
import type { Draft } from '#core/quoting/quote-edit/settle/settle-quote.server.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { currencyOf, subtract } from '#platform/shared/money.ts';
import { contractFacts } from './contract-facts.server.ts';
import type { RequestOption } from './eligibility.contract.ts';
import type { RequestState } from './request-steps.ts';
import {
  type ContractFacts,
  type FactsOfTier,
  lacksLetter,
  linesInTier,
  missingMembership,
  tierNow,
  totalInTier,
} from './tier-offers.server.ts';

/** The most options to offer, best first. */
const MAX_OPTIONS = 40;

/** A quote with the prices of its items, including those as if its facility were a member of other GPOs, for computing totals in memory. */
export async function draftOf(db: Db, quote: QuoteRecord): Promise<Draft> {
  const lines = await quoteLines(db, quote.id);
  const itemIds = lines.flatMap(({ item_id: id }) => (id === null ? [] : [id]));
  const company = await loadCompany(db);
  const items = await loadPricedItems(db, quoteTerms(quote), itemIds);
  if (quote.facility_id !== null)
    await readIfMember(db, { facilityId: quote.facility_id, priceDate: quote.quote_date }, items);
  return {
    quote,
    lines,
    items,
    prices: { of: '', items },
    validityDays: company.default_validity_days,
    places: pricePlacesOf(company),
  };
}

/** Throws 404 if the user does not see the quote, and 403 for accounts whose GPO Contracts tab is hidden. */
export async function optionsOf(context: { db: Db; user: Caller; services: Services }, quoteId: number) {
  const { db, user } = context;
  const today = await requireContracts(context);
  const quote = await requireQuote(db, user, quoteId);
  if (quote.facility_id === null) return { today, options: [], more: 0, excluded: [] };
  const draft = await draftOf(db, quote);
  const itemIds = draft.lines.flatMap(({ item_id: id }) => (id === null ? [] : [id]));
  const day = quote.quote_date;
  const results = await contractFacts(db, { user, facilityId: quote.facility_id, day, today, itemIds });
  const contracts = results.filter(({ currnIdx }) => currencyOf(currnIdx) === currencyOf(quote.currn_idx));
  const open = await openRequests(db, quote.facility_id, quoteId);
  const options: (RequestOption & { rank: number })[] = [];
  for (const contract of contracts) {
    if (contract.place?.excluded) continue;
    const priced = readsAllContracts(user) || contract.inSight;
    const now = totalInTier(draft, contract, null);
    for (const { tier, kind } of wanted(contract, day)) {
      const lineIds = linesInTier(draft, contract, tier.id);
      if (lineIds.length === 0) continue;
      const needsMembershipIn = missingMembership(contract);
      const total = priced && !needsMembershipIn ? totalInTier(draft, contract, tier.id) : null;
      const saving = total === null ? null : subtract(now, total);
      // The quote already has this price, or a better one.
      if (saving !== null && saving <= 0) continue;
      const waiting = open.find(({ contractId, tierId }) => contractId === contract.id && tierId === tier.id);
      options.push({
        kind,
        contract: headOf(contract),
        tier: requestedTier(tier),
        lineIds,
        needsMembershipIn,
        open: waiting ? { id: waiting.id, state: waiting.state, joined: waiting.joined } : null,
        total,
        saving,
        rank: contract.place ? 0 : needsMembershipIn ? 2 : contract.gpoId === null ? 3 : 1,
      });
    }
  }
  options.sort((a, b) => a.rank - b.rank || (b.saving ?? 0) - (a.saving ?? 0) || a.tier.no - b.tier.no);
  return {
    today,
    options: options.slice(0, MAX_OPTIONS).map(({ rank: _rank, ...option }) => option),
    more: Math.max(0, options.length - MAX_OPTIONS),
    excluded: contracts.filter(({ place }) => place?.excluded).map(headOf),
  };
}

function headOf({ id, number, title, gpo }: ContractFacts) {
  return { id, number, title, gpo };
}

export function requestedTier({ id, no, name, requirement, needsLoc, provisionalAllowed }: FactsOfTier) {
  return { id, no, name, requirement, needsLoc, provisionalAllowed };
}

/** The tiers that the facility does not have on the day, each with the kind of obstacle. */
function wanted(contract: ContractFacts, day: string): { tier: FactsOfTier; kind: RequestOption['kind'] }[] {
  const now = tierNow(contract, day);
  return contract.tiers
    .filter((tier) => tier !== now)
    .map((tier) => {
      if (!contract.place) return { tier, kind: 'NotOnRoster' };
      const own = tier.id === contract.place.tierId && lacksLetter(tier, day);
      return { tier, kind: own ? 'NeedsLetter' : 'OtherTier' };
    });
}

/** The requests of a facility that wait for a decision. */
async function openRequests(db: Db, facilityId: number, quoteId: number) {
  const { rows } = await sql<{
    id: number;
    contractId: number;
    tierId: number;
    state: RequestState;
    joined: boolean;
  }>`select r.id, r.contract_id as "contractId", r.tier_id as "tierId", r.state,
       exists (select from eligibility_request_quote q where q.request_id = r.id and q.quote_id = ${quoteId}) as joined
     from eligibility_request r
     where r.facility_id = ${facilityId} and r.state in ('Requested', 'InReview', 'NeedInfo', 'SentToGpo')`.execute(db);
  return rows;
}
