// Finds the quotes that use a price of a contract and that a user may see, within 200 ms among half a million quotes.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { COUNTED, countedPages, direction } from '#platform/db/page.server.ts';
import { inSight, seesAllQuotes, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber, StatusId } from '#core/quoting/quotes/status.ts';
import type { Sort } from '#platform/shared/wire.ts';
import type { ContractQuote, QuotesCriteria } from '../contracts.contract.ts';

/** With more quote lines than this, a contract is on so many quotes that reading quotes in order fills a page quickly. */
const FEW_LINES = 20_000;

type Using = { few: boolean; condition: RawBuilder<boolean> };

/** The condition that `quote` contains a line with a price of the contract. Its form depends on the number of such lines. */
async function using(db: Db, contractId: number): Promise<Using> {
  // Reads line by line, because a join would read the lines of all contracts.
  const lines = sql`select used.quote_id from contract_line line
    cross join lateral (select quote_id from quote_item where contract_line_id = line.id offset 0) used
    where line.contract_id = ${contractId}`;
  const { rows } = await sql<{
    lines: number;
    quotes: number;
  }>`select count(*)::int as lines, count(distinct quote_id)::int as quotes
    from (${lines} limit ${sql.lit(FEW_LINES + 1)}) first_lines`.execute(db);
  const { lines: result = 0, quotes = 0 } = rows[0] ?? {};
  // A few long quotes can have many lines.
  const few = result <= FEW_LINES || quotes <= COUNTED;
  return {
    few,
    // The array and the subquery with a limit force the planner to use the intended plan.
    condition: few
      ? sql<boolean>`quote.id = any(array(select distinct quote_id from (${lines}) used))`
      : sql<boolean>`(select true from quote_item i join contract_line line on line.id = i.contract_line_id
          where i.quote_id = quote.id and line.contract_id = ${contractId} limit 1)`,
  };
}

/** An index covers each order in both directions. */
function orderBy(sort: Sort | null | undefined): RawBuilder<unknown> {
  const dir = direction(sort?.dir ?? 'desc');
  const back = direction(sort?.dir === 'asc' ? 'desc' : 'asc');
  if (sort?.field === 'number') return sql`quote.num ${dir}`;
  if (sort?.field === 'facilityName') return sql`plain_text(quote.facility_name) ${dir}, quote.id ${dir}`;
  if (sort?.field === 'statusId') return sql`quote.status_id ${dir}, quote.quote_date ${back}, quote.id ${back}`;
  return sql`quote.quote_date ${dir}, quote.id ${dir}`;
}

/** The total of the quote's lines from the contract that are included in the quote's total. */
const contractAmount = (contractId: number) => sql<number>`(select coalesce(sum(i.line_total), 0) from quote_item i
  join contract_line line on line.id = i.contract_line_id and line.contract_id = ${contractId}
  where i.quote_id = quote.id and i.active and not i.optional)`;

export async function contractQuotes(db: Db, user: Viewer, { contractId, page, pageSize, sort }: QuotesCriteria) {
  const used = await using(db, contractId);
  const counts = countedPages(await countUpTo(db, user, used), pageSize);
  const offset = (page - 1) * pageSize;
  if (offset >= counts.total && !counts.more) return { ...counts, records: [] };
  // Reads the ids first, so that the query reads amounts and names for only one page.
  const ids = db
    .selectFrom('quote')
    .select('quote.id')
    .where(inSight(user))
    .where(used.condition)
    .orderBy(orderBy(sort))
    .offset(offset)
    .limit(pageSize);
  const records = await db
    .selectFrom('quote')
    .leftJoin('app_user as owner', 'owner.id', 'quote.owner_id')
    .select(['quote.id', 'quote.num', 'quote.revision', 'quote.facility_name as facilityName'])
    .select(['quote.status_id', 'quote.quote_date as quoteDate', 'quote.currn_idx as currnIdx'])
    .select(['owner.full_name as ownerName', contractAmount(contractId).as('amount')])
    .where('quote.id', '=', sql<number>`any(array(${ids}))`)
    .orderBy(orderBy(sort))
    .execute();
  return {
    ...counts,
    records: records.map(
      ({ num, revision, status_id, ownerName, ...row }): ContractQuote => ({
        ...row,
        number: quoteNumber(num, revision),
        statusId: StatusId.parse(status_id),
        ownerName: ownerName ?? '',
      }),
    ),
  };
}

/** Counts the quotes up to `COUNTED`. `more` is true if there are more. */
export async function countQuotes(
  db: Db,
  user: Viewer,
  contractId: number,
): Promise<{ quotes: number; more: boolean }> {
  const result = await countUpTo(db, user, await using(db, contractId));
  return { quotes: Math.min(result, COUNTED), more: result > COUNTED };
}

/** Counts up to `COUNTED` + 1. */
async function countUpTo(db: Db, user: Viewer, { few, condition }: Using): Promise<number> {
  // A user who sees all quotes sees more than `COUNTED` here.
  if (!few && seesAllQuotes(user)) return COUNTED + 1;
  const subset = await db
    .selectFrom('quote')
    .select('quote.id')
    .where(inSight(user))
    .where(condition)
    .limit(COUNTED + 1)
    .execute();
  return subset.length;
}
