// Reads the lines of a contract with their prices on a day.
import { type RawBuilder, sql } from 'kysely';
import { foldedHolds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { ContractLine, LineCriteria, TierPrice } from '../contracts.contract.ts';
import { perEach } from './per-each.ts';

/** The number of base units in the line's unit. */
export const FACTOR = sql<number | null>`case when contract_line.unit = item.base_unit then 1 else
  (select factor from item_unit where item_id = contract_line.item_id and unit = contract_line.unit) end`;

const ORDER = {
  sorts: {
    itemNumber: sql`lower(item.item_number)`,
    description: sql`lower(item.description)`,
    sellingRank: sql`item.selling_rank_num`,
    unit: sql`contract_line.unit`,
    from: sql`contract_line.valid_from`,
    to: sql`contract_line.valid_to`,
  },
  key: sql`contract_line.id`,
  first: { field: 'itemNumber', dir: 'asc' as const },
};

type PriceRow = Omit<TierPrice, 'perEach'>;

/** The prices of one line that end on or after a day, in order, limited to the given tiers, if any. */
function pricesFrom(day: IsoDate, tierIds: readonly number[] | null): RawBuilder<PriceRow[]> {
  const seen = tierIds === null ? sql`` : sql`and p.tier_id = any(${[...tierIds]}::int[])`;
  return sql<
    PriceRow[]
  >`(select coalesce(json_agg(json_build_object('id', p.id, 'tierId', p.tier_id, 'price', p.price, 'from', p.valid_from,
      'to', p.valid_to, 'version', p.version) order by p.tier_id, p.valid_from), '[]')
    from contract_line_price p where p.contract_line_id = contract_line.id and (p.valid_to is null or p.valid_to >= ${day}::date) ${seen})`;
}

/**
 * Reads a page of lines. `tierIds` are the tiers whose prices the user can see. Null means all. `running` keeps only lines that are valid on the day.
 */
export async function linePage(
  db: Db,
  { contractId, keyword, running = false, ...page }: Omit<LineCriteria, 'day'> & { running?: boolean },
  day: IsoDate,
  tierIds: readonly number[] | null,
) {
  const query = db
    .selectFrom('contract_line')
    .innerJoin('item', 'item.id', 'contract_line.item_id')
    .select([
      'contract_line.id',
      'contract_line.item_id as itemId',
      'item.item_number as itemNumber',
      'item.description',
      'item.selling_rank as sellingRank',
      'contract_line.unit',
      'item.base_unit as baseUnit',
      FACTOR.as('perUnit'),
      'contract_line.valid_from as from',
      'contract_line.valid_to as to',
      'contract_line.version',
      pricesFrom(day, tierIds).as('known'),
    ])
    .where('contract_line.contract_id', '=', contractId)
    .$if(running, (lines) =>
      lines.where(
        sql<boolean>`coalesce(contract_line.valid_from, ${day}::date) <= ${day}::date
          and coalesce(contract_line.valid_to, ${day}::date) >= ${day}::date`,
      ),
    )
    .$if(Boolean(keyword), (lines) => lines.where((eb) => foldedHolds(eb.ref('item.search_text'), keyword ?? '')));
  const { records, ...counts } = await pageFrom(query, page, ORDER);
  return { records: records.map((row) => lineWithPrices(row, day)), ...counts };
}

/** The price of each tier on the day, and each tier's first price that begins after it. */
function lineWithPrices(
  { known, ...line }: Omit<ContractLine, 'prices' | 'coming'> & { known: PriceRow[] },
  day: IsoDate,
): ContractLine {
  const all = known.map((price) => ({ ...price, perEach: perEach(price.price, line.perUnit) }));
  const later = all.filter(({ from }) => from > day);
  return {
    ...line,
    prices: all.filter(({ from }) => from <= day),
    coming: later.filter((price) => later.find(({ tierId }) => tierId === price.tierId) === price),
  };
}
