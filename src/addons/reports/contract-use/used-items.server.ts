// Finds the items quoted, won and lost most, with the spread of their prices over facilities.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { amountFrom, ITEM_SUMS } from '../facts/kept-sums.server.ts';
import { type Months, sumsOf } from '../facts/whole-months.server.ts';
import { type Asked, isQuoted, linesSelected, selected, type Terms } from '../facts/selection.server.ts';
import type { ContractUseReport, UsedItem } from '../reports.contract.ts';
import { sliceText } from '../slices.ts';
import { MOST_ITEMS } from './contract-use.definitions.ts';

type Sums = {
  itemId: number;
  itemNumber: string;
  description: string;
  quoted: number;
  quotedAmount: number;
  won: number;
  wonAmount: number;
  lost: number;
  lostAmount: number;
};

export async function mostOf(
  { db }: Asked,
  terms: Terms,
  months: Months | null,
): Promise<Pick<ContractUseReport, 'mostQuoted' | 'mostWon' | 'mostLost'>> {
  const ranks = ['quoted', 'won', 'lost'] as const;
  const { rows } = await sql<Sums & Record<`${(typeof ranks)[number]}Rank`, number>>`
    with amounts as (
      select item_id, ${amountFrom('quoted')} as quoted, ${amountFrom('won')} as won,
        ${amountFrom('lost')} as lost, sum(quoted_quotes)::int as quoted_quotes,
          sum(won_quotes)::int as won_quotes, sum(lost_quotes)::int as lost_quotes
      from (${sumsOf(ITEM_SUMS, terms, months)}) sums group by item_id),
    best as materialized (select * from (select *, ${sql.join(
      ranks.map(
        (rank) => sql`row_number() over (order by ${sql.ref(rank)} desc, item_id) as ${sql.ref(`${rank}_rank`)}`,
      ),
    )} from amounts where quoted_quotes > 0) ranked where least(quoted_rank, won_rank, lost_rank) <= ${sql.lit(MOST_ITEMS)})
    select best.item_id as "itemId", item.item_number as "itemNumber", item.description,
      best.quoted as "quotedAmount", best.won as "wonAmount", best.lost as "lostAmount",
      quoted_rank::int as "quotedRank", won_rank::int as "wonRank", lost_rank::int as "lostRank",
      quoted_quotes as quoted, won_quotes as won, lost_quotes as lost
    from best join item on item.id = best.item_id`.execute(db);
  const prices = await pricesOf(
    db,
    terms,
    rows.map(({ itemId }) => itemId),
  );
  const best = (rank: (typeof ranks)[number]) =>
    rows
      .filter((row) => row[`${rank}Rank`] <= MOST_ITEMS && row[rank] > 0)
      .toSorted((a, b) => a[`${rank}Rank`] - b[`${rank}Rank`])
      .map((row) => usedItem(row, prices.get(row.itemId) ?? null));
  return { mostQuoted: best('quoted'), mostWon: best('won'), mostLost: best('lost') };
}

function usedItem(row: Sums, price: UsedItem['price']): UsedItem {
  const { itemId, itemNumber, description, quoted, quotedAmount, won, wonAmount, lost, lostAmount } = row;
  const slice = (outcome: 'quoted' | 'won' | 'lost') => sliceText({ kind: 'item', outcome, key: String(itemId) });
  return {
    itemId,
    itemNumber,
    description,
    quoted,
    quotedAmount,
    quotedSlice: slice('quoted'),
    won,
    wonAmount,
    wonSlice: slice('won'),
    lost,
    lostAmount,
    lostSlice: slice('lost'),
    price,
  };
}

/** The net prices of each item in the unit quoted most, one for each facility: that of its newest quote. */
async function pricesOf(db: Db, terms: Terms, itemIds: number[]): Promise<Map<number, NonNullable<UsedItem['price']>>> {
  if (itemIds.length === 0) return new Map();
  const { rows } = await sql<{ itemId: number; unit: string; spread: number[]; facilities: number }>`
    with priced as (
      select line.item_id, line.unit, line.net_price, quote.facility_id, quote.quote_date, line.line_id
      from report_counted_line line join report_quote quote on quote.id = line.quote_id
      where line.item_id = any(${itemIds}::int[]) and line.net_price is not null and ${selected(terms)}
        and ${isQuoted(terms)} and ${linesSelected(terms)}),
    usual as (select distinct on (item_id) item_id, unit from priced group by item_id, unit order by item_id, count(*) desc, unit),
    newest as (select distinct on (item_id, facility_id) item_id, unit, net_price from priced join usual using (item_id, unit)
      order by item_id, facility_id, quote_date desc, line_id desc)
    select item_id as "itemId", unit,
      percentile_disc(array[0.0, 0.5, 1.0]) within group (order by net_price) as spread, count(*)::int as facilities
    from newest group by item_id, unit`.execute(db);
  return new Map(
    rows.map(({ itemId, unit, spread: [low = 0, median = 0, high = 0], facilities }) => [
      itemId,
      { unit, low, median, high, facilities },
    ]),
  );
}
