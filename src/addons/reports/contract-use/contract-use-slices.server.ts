// The conditions on quotes and lines for the use of contracts and items. The lists behind the figures use them, too.
import { type SqlBool, sql } from 'kysely';
import { hasKey } from '../facts/buckets.server.ts';
import type { Part } from '../facts/quotes-of-figure.server.ts';
import { IS_OPEN, isQuoted, linesSelected, type Terms } from '../facts/selection.server.ts';
import type { Slice } from '../slices.ts';

const COLUMNS = { contract: 'line.contract_id', tier: 'line.tier_id', item: 'line.item_id' } as const;

type UseSlice = Extract<Slice, { kind: 'contract' | 'tier' | 'item' }>;

export function usePart(slice: UseSlice, terms: Terms): Part {
  const lines = sql`report_counted_line line where line.quote_id = quote.id and ${linesSelected(terms)}
    and ${hasKey(sql.ref(COLUMNS[slice.kind]), slice.key)}`;
  const outcome = {
    quoted: sql<SqlBool>`true`,
    won: sql<SqlBool>`quote.status_id = 'Won'`,
    lost: sql<SqlBool>`quote.status_id = 'Lost'`,
    open: IS_OPEN,
  }[slice.outcome];
  // Open quotes do not depend on the period.
  const ofPeriod = slice.outcome === 'open' ? sql<SqlBool>`true` : isQuoted(terms);
  return {
    where: sql<SqlBool>`${ofPeriod} and ${outcome} and exists (select from ${lines})`,
    amount: sql`(select sum(line.net_amount) from ${lines})`,
    amountTitle: { contract: 'Contract amount', tier: 'Tier amount', item: 'Item amount' }[slice.kind],
  };
}
