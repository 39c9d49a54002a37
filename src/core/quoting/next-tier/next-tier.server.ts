// Finds what a quote would save at another tier of its contracts.
import { sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, pricePlacesOf } from '#platform/company/company.server.ts';
import { requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { loadPricedItems } from '#core/prices/pricing/price-lines.server.ts';
import { quoteTerms } from '#core/quoting/quote-edit/settle/known-items.server.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import type { ContractWhatIf, NextTier } from './next-tier.contract.ts';
import { nextTiers, type TierPrices } from './total-at-tier.server.ts';

export const contractWhatIfAnswers: Answers<typeof ContractWhatIf> = {
  WhatIf: async ({ db, services, user }, { quoteId }) => {
    await requireContracts({ db, services, user });
    return nextTiersOf(db, await requireQuote(db, user, quoteId));
  },
};

/** The tiers that would lower a quote's total, of the contracts that price at least one of its lines. */
export async function nextTiersOf(db: Db, quote: QuoteRecord, input?: readonly Line[]): Promise<NextTier[]> {
  const lines = input ?? (await quoteLines(db, quote.id));
  const used = lines.flatMap(({ active, contract_line_id: id }) => (active && id !== null ? [id] : []));
  if (used.length === 0) return [];
  const itemIds = lines.flatMap(({ item_id: id }) => (id === null ? [] : [id]));
  const [company, items, tiers] = [
    await loadCompany(db),
    await loadPricedItems(db, quoteTerms(quote), itemIds),
    await tierPrices(db, quote.quote_date, used, itemIds),
  ];
  const draft = {
    quote,
    lines: [...lines],
    items,
    prices: { of: '', items },
    validityDays: company.default_validity_days,
    places: pricePlacesOf(company),
  };
  return nextTiers(draft, tiers);
}

type Found = Omit<TierPrices, 'prices'> & {
  prices: { lineId: number; price: number; from: string; to: string | null }[];
};

/** Every tier of the contracts that contain one of these lines, with its prices for the items on a day. */
export async function tierPrices(db: Db, day: string, lineIds: number[], itemIds: number[]): Promise<TierPrices[]> {
  const { rows } = await sql<Found>`
    select c.id as "contractId", c.number, t.id as "tierId", t.tier_no as "tierNo", t.name as "tierName",
      t.requirement, t.needs_loc as "needsLoc",
           (select coalesce(json_agg(json_build_object('lineId', l.id, 'price', p.price, 'from', p.valid_from, 'to', p.valid_to)), '[]')
              from contract_line l join contract_line_price p on p.contract_line_id = l.id
             where l.contract_id = c.id and l.item_id = any(${itemIds}::int[]) and p.tier_id = t.id
               and p.valid_from <= ${day}::date and (p.valid_to is null or p.valid_to >= ${day}::date)) as prices
      from gpo_contract c join contract_tier t on t.contract_id = c.id
     where c.id in (select contract_id from contract_line where id = any(${lineIds}::int[]))
     order by c.id, t.tier_no`.execute(db);
  return rows.map((row) => ({ ...row, prices: new Map(row.prices.map((price) => [price.lineId, price])) }));
}
