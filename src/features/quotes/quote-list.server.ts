// The list of quotes: what is searched for, in which order, which page of it; made to stay fast at half a million quotes.
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import { contains, wordsOf } from '#db/contains.ts';
import type { Tables } from '#db/tables.ts';
import { isExpired } from '#features/company/company.server.ts';
import type { IsoDate } from '#shared/dates.ts';
import type { QuoteCriteria, QuoteRow, QuoteSortField } from './quotes.contract.ts';
import { inSight, type Viewer } from './sight.server.ts';
import { StatusId } from './status.ts';

const QUOTE_NUMBER = /^#?\s*(\d{1,9})(?:\s*-?\s*R\d{1,4})?$/i;

/** The number in `104512`, `104512-R2` or `#104512`; null when there is none, so that nothing is found. The revision does not narrow. */
export function typedNumber(typed: string | number): number | null {
  const match = QUOTE_NUMBER.exec(String(typed).trim());
  return match ? Number(match[1]) : null;
}

/**
 * The conditions of the criteria on `quote`, within the person's sight; null, blank and empty mean any. Account #, Facility Name (each
 * word) and Item # match parts, without regard to case (names also to punctuation); dates include both ends.
 */
export function quotesMatching(user: Viewer, criteria: Omit<QuoteCriteria, 'page' | 'pageSize'>): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'quote'>();
  const all: Expression<SqlBool>[] = [inSight(user)];
  const { num, facilityAccountNo, facilityName, itemNum, dateFrom, dateTo, regionId, territoryId, qtStatuses } =
    criteria;
  if (num !== null && num !== undefined && num !== '') {
    const number = typedNumber(num);
    all.push(number === null ? eb.lit(false) : eb('quote.num', '=', number));
  }
  if (criteria.facilityId) all.push(eb('quote.facility_id', '=', criteria.facilityId));
  // search_text is 'name#account'.
  const found = (pattern: RawBuilder<string>) => all.push(eb('quote.search_text', 'like', pattern));
  if (facilityAccountNo) found(sql`'%#' || plain_text(${contains(facilityAccountNo)})`);
  for (const word of wordsOf(facilityName ?? '')) found(sql`plain_text(${contains(word)}) || '#%'`);
  if (itemNum) {
    all.push(
      eb(
        'quote.id',
        'in',
        eb
          .selectFrom('quote_item')
          .select('quote_item.quote_id')
          .where(sql<string>`lower(quote_item.item_number)`, 'like', sql<string>`lower(${contains(itemNum)})`),
      ),
    );
  }
  if (dateFrom) all.push(eb('quote.quote_date', '>=', dateFrom));
  if (dateTo) all.push(eb('quote.quote_date', '<=', dateTo));
  if (regionId) all.push(eb('quote.region_id', '=', regionId));
  if (territoryId) all.push(eb('quote.territory_id', '=', territoryId));
  if (qtStatuses && qtStatuses.length > 0) all.push(eb('quote.status_id', 'in', qtStatuses));
  if (criteria.salesRepId) all.push(eb('quote.sales_rep_id', '=', criteria.salesRepId));
  if (criteria.csRepId) all.push(eb('quote.cs_rep_id', '=', criteria.csRepId));
  return eb.and(all);
}

const COLUMNS = [
  'quote.id',
  'quote.num',
  'quote.revision',
  'quote.status_id',
  'quote.valid_until',
  'quote.facility_name',
  'quote.facility_acct_no',
  'quote.quote_date',
  'quote.total_amount',
  'quote.currn_idx',
  'quote.contact_name',
  'quote.phone',
] as const;

/** What a column sorts by. */
const SORTS: Record<Exclude<QuoteSortField, 'salesRep' | 'csRep' | 'isRep'>, Expression<unknown>> = {
  num: sql.ref('quote.num'),
  statusId: sql.ref('quote.status_id'),
  facilityName: sql`plain_text(quote.facility_name)`,
  quoteDate: sql.ref('quote.quote_date'),
  totalAmount: sql.ref('quote.total_amount'),
  facilityAcctNo: sql`plain_text(quote.facility_acct_no)`,
  contactName: sql`lower(quote.contact_name)`,
  phone: sql.ref('quote.phone'),
};

/** These sort by where the name stands among all names: comparing half a million numbers is far quicker than names. */
const REP_COLUMNS = { salesRep: 'quote.sales_rep_id', csRep: 'quote.cs_rep_id', isRep: 'quote.is_rep_id' } as const;

/**
 * Ids of the quotes that match, sorted (newest first by default; ties newest first, nobody after everybody), from `offset`. Ids alone,
 * because a sort that carries whole rows takes five times as long.
 */
export async function listQuotes(
  db: Db,
  matching: Expression<SqlBool>,
  order: QuoteCriteria['sort'],
  range: { offset: number; limit: number },
): Promise<number[]> {
  const { field: by, dir } = order ?? { field: 'quoteDate', dir: 'desc' };
  const ties = by === 'quoteDate' ? dir : 'desc';
  const found = await db
    .selectFrom('quote')
    .select('quote.id')
    .where(matching)
    .$if(by in REP_COLUMNS, (query) =>
      query
        .leftJoin(
          (eb) =>
            eb
              .selectFrom('app_user')
              .select(['id', sql<number>`dense_rank() over (order by lower(full_name))`.as('place')])
              .as('rep'),
          (join) => join.onRef('rep.id', '=', REP_COLUMNS[by as keyof typeof REP_COLUMNS]),
        )
        .orderBy(sql`rep.place ${sql.raw(dir)} nulls last`),
    )
    .$if(!(by in REP_COLUMNS), (query) => query.orderBy(SORTS[by as keyof typeof SORTS], dir))
    .$if(by !== 'quoteDate', (query) => query.orderBy('quote.quote_date', ties))
    .orderBy('quote.id', ties)
    .offset(range.offset)
    .limit(range.limit)
    .execute();
  return found.map(({ id }) => id);
}

/** The list rows of quotes, in the order of `ids`; `date` is today, for what has expired. */
export async function quoteRows(db: Db, ids: number[], date: IsoDate): Promise<QuoteRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('quote')
    .leftJoin('app_user as sales', 'sales.id', 'quote.sales_rep_id')
    .leftJoin('app_user as cs', 'cs.id', 'quote.cs_rep_id')
    .leftJoin('app_user as inside', 'inside.id', 'quote.is_rep_id')
    .select(COLUMNS)
    .select(['sales.full_name as sales_rep', 'cs.full_name as cs_rep', 'inside.full_name as is_rep'])
    .where('quote.id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const inOrder = ids.flatMap((id) => byId.get(id) ?? []);
  return inOrder.map((row) => ({
    id: row.id,
    num: row.num,
    revision: row.revision,
    statusId: StatusId.parse(row.status_id),
    expired: isExpired(row, date),
    facilityName: row.facility_name,
    facilityAcctNo: row.facility_acct_no,
    quoteDate: row.quote_date,
    totalAmount: row.total_amount,
    currnIdx: row.currn_idx,
    totalAmountCurrnIdx: row.currn_idx,
    contactName: row.contact_name,
    phone: row.phone,
    salesRep: { name: row.sales_rep ?? '' },
    csRep: { name: row.cs_rep ?? '' },
    isRep: { name: row.is_rep ?? '' },
  }));
}

/** How many match. */
export async function countQuotes(db: Db, matching: Expression<SqlBool>): Promise<number> {
  const { total } = await db
    .selectFrom('quote')
    .where(matching)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
