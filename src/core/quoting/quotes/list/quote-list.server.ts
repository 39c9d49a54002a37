// The list of quotes: filters, order, and pages, fast at half a million quotes.
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { contains, foldedHolds, holds, wordsOf } from '#platform/db/contains.server.ts';
import { type Db, ONE_PLAN } from '#platform/db/database.server.ts';
import { COUNTED, direction } from '#platform/db/page.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import { today } from '#platform/company/company.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { QuoteCriteria, QuoteRow, QuoteSortField } from '../quotes.contract.ts';
import { openingsOf } from '../customer-views.server.ts';
import type { Openings } from '../customer-views.ts';
import { type ColumnOf, columnOf, EXPORTED_TEXTS, type ExportedText, textsOf } from '../quote-fields.ts';
import type { QuoteRecord } from '../quote-rows.ts';
import { inSight, type Viewer } from '../sight.server.ts';
import { isExpired, StatusId } from '../status.ts';
import { FOLLOW_UP_COUNTS, type FollowUpCounts, NEEDS_FOLLOW_UP, waitsForMe } from './waits-for.server.ts';

const QUOTE_NUMBER = /^#?\s{0,5}(\d{1,9})(?:\s{0,5}-?\s{0,5}R\d{1,4})?$/i;

/**
 * Reads the number in `104512`, `104512-R2` or `#104512`, ignoring the revision. Returns null when there is none, so that the search finds nothing.
 */
export function typedNumber(typed: string | number): number | null {
  const match = QUOTE_NUMBER.exec(String(typed).trim());
  return match ? Number(match[1]) : null;
}

/**
 * The condition on `quote` for the criteria, limited to quotes that the user can see. Null, blank and empty match anything. Account #, Facility Name
 * (each word) and Item # match parts and ignore case (names also ignore punctuation). Dates include both ends.
 */
export function quotesMatching(
  user: Viewer,
  criteria: Omit<QuoteCriteria, 'page' | 'pageSize'>,
  now = new Date(),
): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'quote'>();
  const all: Expression<SqlBool>[] = [inSight(user)];
  const { num, facilityAccountNo, facilityName, itemNum, dateFrom, dateTo, regionId, territoryId, qtStatuses } =
    criteria;
  if (num !== null && num !== undefined && num !== '') {
    const number = typedNumber(num);
    all.push(number === null ? eb.lit(false) : eb('quote.num', '=', number));
  }
  if (criteria.facilityId) all.push(eb('quote.facility_id', '=', criteria.facilityId));
  const names = [
    ...(facilityAccountNo ? [sql<string>`'%#' || plain_text(${contains(facilityAccountNo)})`] : []),
    ...wordsOf(facilityName ?? '').map((word) => sql<string>`plain_text(${contains(word)}) || '#%'`),
  ];
  if (names.length > 0) all.push(eb('quote.name_id', 'in', namesLike(names)));
  if (itemNum) {
    all.push(
      eb(
        'quote.id',
        'in',
        eb
          .selectFrom('quote_item')
          .select('quote_item.quote_id')
          .where((line) => holds(line.ref('quote_item.item_number'), itemNum)),
      ),
    );
  }
  const words = wordsOf(criteria.comment ?? '');
  if (words.length > 0) {
    const saying = eb
      .selectFrom('quote_comment')
      .select('quote_comment.quote_id')
      .where((comment) =>
        comment.and(words.map((word) => foldedHolds(comment.ref('quote_comment.search_text'), word))),
      );
    all.push(eb('quote.id', 'in', saying));
  }
  if (dateFrom) all.push(eb('quote.quote_date', '>=', dateFrom));
  if (dateTo) all.push(eb('quote.quote_date', '<=', dateTo));
  if (regionId) all.push(eb('quote.region_id', '=', regionId));
  if (territoryId) all.push(eb('quote.territory_id', '=', territoryId));
  if (qtStatuses && qtStatuses.length > 0) all.push(eb('quote.status_id', 'in', qtStatuses));
  if (criteria.salesRepId) all.push(eb('quote.sales_rep_id', '=', criteria.salesRepId));
  if (criteria.csRepId) all.push(eb('quote.cs_rep_id', '=', criteria.csRepId));
  if (criteria.needsFollowUp) all.push(NEEDS_FOLLOW_UP);
  if (criteria.waitsFor) all.push(waitsForMe(criteria.waitsFor, user, now));
  return eb.and(all);
}

/** The ids of the quote names, written 'name#account' in plain text, that match every pattern. */
export function namesLike(patterns: RawBuilder<string>[]) {
  const eb = expressionBuilder<Tables, 'quote_name'>();
  return eb
    .selectFrom('quote_name')
    .select('quote_name.id')
    .where(eb.and(patterns.map((pattern) => eb('quote_name.search_text', 'like', pattern))));
}

/** The sort expression of a column. Columns with users need the join of `sorted`. */
export const SORT_KEYS: Record<QuoteSortField, RawBuilder<unknown>> = {
  num: sql`quote.num`,
  statusId: sql`quote.status_id`,
  facilityName: sql`plain_text(quote.facility_name)`,
  quoteDate: sql`quote.quote_date`,
  totalAmount: sql`quote.total_amount`,
  facilityAcctNo: sql`plain_text(quote.facility_acct_no)`,
  contactName: sql`lower(quote.contact_name)`,
  phone: sql`quote.phone`,
  salesRep: sql`rep.place`,
  csRep: sql`rep.place`,
  isRep: sql`rep.place`,
};
/** The columns with users. */
export const SORT_REPS: Partial<Record<QuoteSortField, RawBuilder<unknown>>> = {
  salesRep: sql`quote.sales_rep_id`,
  csRep: sql`quote.cs_rep_id`,
  isRep: sql`quote.is_rep_id`,
};

type Order = QuoteCriteria['sort'];
type Range = { offset: number; limit: number };

/** Orders by `key` in the requested direction, ties newest first, missing names last. */
function orderBy(order: Order): RawBuilder<unknown> {
  const { field, dir } = order ?? { field: 'quoteDate', dir: 'desc' };
  const ties = direction(field === 'quoteDate' ? dir : 'desc');
  return sql`key ${direction(dir)}${SORT_REPS[field] ? sql` nulls last` : sql``}, quote_date ${ties}, id ${ties}`;
}

/**
 * One range of the matching quotes, with their sort keys. It selects only ids, because sorting whole rows takes five times as long. Columns with
 * users are sorted by the user's rank among all names, because comparing half a million numbers is far faster than comparing names.
 */
function sorted(matching: Expression<SqlBool>, order: Order, { offset, limit }: Range, total = sql<number>`0`) {
  const field = order?.field ?? 'quoteDate';
  const rep = SORT_REPS[field];
  const places = sql`left join (select id, dense_rank() over (order by lower(full_name)) as place from app_user) rep on rep.id = ${rep}`;
  // A separate count query keeps the planner from scanning an index in order to get the first few rows.
  return sql<{ id: number; total: number }>`select id, quote_date, key, total
    from (select quote.id, quote.quote_date, ${SORT_KEYS[field]} as key, ${total} as total
      from quote ${rep ? places : sql``} where ${matching}) found
    order by ${orderBy(order)} offset ${offset} limit ${limit}`;
}

/** The ids of one range of the matching quotes. */
export async function listQuotes(db: Db, matching: Expression<SqlBool>, order: Order, range: Range): Promise<number[]> {
  const { rows } = await sorted(matching, order, range).execute(db);
  return rows.map(({ id }) => id);
}

const ROW = sql`quote.id, quote.num, quote.revision, quote.version, quote.status_id, quote.valid_until, quote.facility_name,
  quote.facility_acct_no, quote.quote_date, quote.total_amount, quote.currn_idx, quote.contact_name, quote.phone,
  ${sql.join(EXPORTED_TEXTS.map((text) => sql.ref(`quote.${columnOf(text)}`)))},
  sales.full_name as sales_rep, cs.full_name as cs_rep, inside.full_name as is_rep,
  ${FOLLOW_UP_COUNTS},
  (select ${openingsOf('r')} from quote_revision r where r.quote_id = quote.id and r.revision = quote.revision) as opened`;
const PEOPLE = sql`left join app_user sales on sales.id = quote.sales_rep_id left join app_user cs on cs.id = quote.cs_rep_id
  left join app_user inside on inside.id = quote.is_rep_id`;
type Row = Pick<
  QuoteRecord,
  | 'id'
  | 'num'
  | 'revision'
  | 'version'
  | 'status_id'
  | 'valid_until'
  | 'facility_name'
  | 'facility_acct_no'
  | 'quote_date'
  | 'total_amount'
  | 'currn_idx'
  | 'contact_name'
  | 'phone'
  | ColumnOf<ExportedText>
> & {
  sales_rep: string | null;
  cs_rep: string | null;
  is_rep: string | null;
  opened: Openings | null;
} & FollowUpCounts;

/**
 * A page of the matching quotes and their number, which is exact up to `COUNTED`. When the criteria probably match few quotes, one statement with one
 * plan counts and sorts them in one pass. Otherwise the count stops early, and a first statement, planned for these criteria, finds only the page's
 * ids. A second statement reads their rows. It reuses its plan, because planning its joins takes longer than reading the rows.
 */
export async function quotePage(
  db: Db,
  services: Pick<Services, 'clock'>,
  user: Viewer,
  criteria: QuoteCriteria,
): Promise<{ records: QuoteRow[]; total: number }> {
  const { page, pageSize, sort, facilityName, facilityAccountNo, qtStatuses, dateFrom, salesRepId, csRepId } = criteria;
  const matching = quotesMatching(user, criteria, services.clock.now());
  const few = Boolean((facilityName || facilityAccountNo) && (qtStatuses?.length || dateFrom || salesRepId || csRepId));
  const total = few ? sql<number>`count(*) over ()` : sql<number>`(${countedUpTo(matching)})`;
  const result = sorted(matching, sort, { offset: (page - 1) * pageSize, limit: pageSize }, total);
  const { rows } = few
    ? await sql<Row & Counted>`
        select ${ROW}, page.total, ${TIME_ZONE} from (${result}) page join quote on quote.id = page.id ${PEOPLE}
        order by ${orderBy(sort)} ${ONE_PLAN}`.execute(db)
    : { rows: await rowsOf(db, (await result.execute(db)).rows) };
  const [first] = rows;
  // A page past the end has no row, and therefore no total.
  if (!first) {
    const past = page === 1 ? undefined : (await countedUpTo(matching).execute(db)).rows[0];
    return { records: [], total: past?.total ?? 0 };
  }
  const date = today(services, first);
  return { records: rows.map((row) => rowOf(row, date)), total: first.total };
}

type Counted = { total: number; time_zone: string };
const TIME_ZONE = sql`(select time_zone from company)`;

/** The rows of the found quotes, in their order. */
async function rowsOf(db: Db, results: readonly { id: number; total: number }[]): Promise<(Row & Counted)[]> {
  if (results.length === 0) return [];
  const ids = results.map(({ id }) => id);
  const { rows } = await sql<Row & { time_zone: string }>`
    select ${ROW}, ${TIME_ZONE} from quote ${PEOPLE} where quote.id = any(${ids}::int[])`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return results.flatMap(({ id, total }) => {
    const row = byId.get(id);
    return row ? [{ ...row, total }] : [];
  });
}

/** The list rows of quotes, in the order of `ids`. `date` is today and decides which quotes have expired. */
export async function quoteRows(db: Db, ids: number[], date: IsoDate): Promise<QuoteRow[]> {
  const rows = await rowsOf(
    db,
    ids.map((id) => ({ id, total: 0 })),
  );
  return rows.map((row) => rowOf(row, date));
}

/** A list row with the additional texts of the export. */
export type ExportedQuote = QuoteRow & Record<ExportedText['name'], string>;

/** The rows of an export, in the order of `ids`. */
export async function exportedQuotes(db: Db, ids: number[], date: IsoDate): Promise<ExportedQuote[]> {
  const rows = await rowsOf(
    db,
    ids.map((id) => ({ id, total: 0 })),
  );
  return rows.map((row) => ({ ...rowOf(row, date), ...textsOf(EXPORTED_TEXTS, row) }));
}

function rowOf(row: Row, date: IsoDate): QuoteRow {
  return {
    id: row.id,
    num: row.num,
    revision: row.revision,
    version: row.version,
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
    openQuestions: row.open_questions,
    opened: row.opened,
    mailTrouble: row.mail_trouble,
  };
}

/** The number of quotes that match each condition, up to one more than `COUNTED`, in one statement. */
export async function countEach<Name extends string>(
  db: Db,
  matching: Record<Name, Expression<SqlBool>>,
): Promise<Record<Name, number>> {
  const counts = Object.entries<Expression<SqlBool>>(matching).map(
    ([name, condition]) => sql`(${countedUpTo(condition)})::int as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<Name, number>>`select ${sql.join(counts)}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A select without a table has one row.');
  return row;
}

/** Counts the matches and stops at one more than `COUNTED`. */
function countedUpTo(matching: Expression<SqlBool>): RawBuilder<{ total: number }> {
  return sql`select count(*) as total from (select from quote where ${matching} limit ${sql.lit(COUNTED + 1)}) counted`;
}
