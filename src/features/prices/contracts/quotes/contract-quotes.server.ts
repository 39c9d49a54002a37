// The quotes that have a price of a contract, of those that a person sees. They are found within 200 ms among half a million, be they few or most of them.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import { COUNTED, countedPages } from '#db/page.server.ts';
import { inSight, seesAllQuotes, type Viewer } from '#features/quoting/quotes/sight.server.ts';
import { quoteNumber, StatusId } from '#features/quoting/quotes/status.ts';
import type { Sort } from '#shared/wire.ts';
import type { ContractQuote, QuotesCriteria } from '../contracts.contract.ts';

/** A contract with more quote lines than this is on so many quotes that going through the quotes in order soon finds a page of them. */
const FEW_LINES = 20_000;

type Using = { few: boolean; condition: RawBuilder<boolean> };

/** The condition on `quote` that a line of it has a price of the contract, written for how many there are. */
async function using(db: Db, contractId: number): Promise<Using> {
  // Line by line: a join would go through the lines of all contracts.
  const lines = sql`select used.quote_id from contract_line line
    cross join lateral (select quote_id from quote_item where contract_line_id = line.id offset 0) used where line.contract_id = ${contractId}`;
  const { rows } = await sql<{
    lines: number;
    quotes: number;
  }>`select count(*)::int as lines, count(distinct quote_id)::int as quotes
    from (${lines} limit ${sql.lit(FEW_LINES + 1)}) first_lines`.execute(db);
  const { lines: found = 0, quotes = 0 } = rows[0] ?? {};
  // Long quotes have many lines each; they are still few.
  const few = found <= FEW_LINES || quotes <= COUNTED;
  return {
    few,
    // An array, and a subquery with a limit, leave the planner no other way than the intended one.
    condition: few
      ? sql<boolean>`quote.id = any(array(select distinct quote_id from (${lines}) used))`
      : sql<boolean>`(select true from quote_item i join contract_line line on line.id = i.contract_line_id
          where i.quote_id = quote.id and line.contract_id = ${contractId} limit 1)`,
  };
}

/** Each order is that of an index, in both directions. */
function inOrder(sort: Sort | null | undefined): RawBuilder<unknown> {
  const dir = sql.raw(sort?.dir ?? 'desc');
  const back = sql.raw(sort?.dir === 'asc' ? 'desc' : 'asc');
  if (sort?.field === 'number') return sql`quote.num ${dir}`;
  if (sort?.field === 'facilityName') return sql`plain_text(quote.facility_name) ${dir}, quote.id ${dir}`;
  if (sort?.field === 'statusId') return sql`quote.status_id ${dir}, quote.quote_date ${back}, quote.id ${back}`;
  return sql`quote.quote_date ${dir}, quote.id ${dir}`;
}

/** What the quote's lines of the contract come to. */
const amountOf = (contractId: number) => sql<number>`(select coalesce(sum(i.line_total), 0) from quote_item i
  join contract_line line on line.id = i.contract_line_id and line.contract_id = ${contractId}
  where i.quote_id = quote.id and i.active)`;

export async function contractQuotes(db: Db, user: Viewer, { contractId, page, pageSize, sort }: QuotesCriteria) {
  const used = await using(db, contractId);
  const counts = countedPages(await countUpTo(db, user, used), pageSize);
  const offset = (page - 1) * pageSize;
  if (offset >= counts.total && !counts.more) return { ...counts, records: [] };
  // The ids first, so that amounts and names are read for one page alone.
  const ids = db
    .selectFrom('quote')
    .select('quote.id')
    .where(inSight(user))
    .where(used.condition)
    .orderBy(inOrder(sort))
    .offset(offset)
    .limit(pageSize);
  const records = await db
    .selectFrom('quote')
    .leftJoin('app_user as owner', 'owner.id', 'quote.owner_id')
    .select(['quote.id', 'quote.num', 'quote.revision', 'quote.facility_name as facilityName'])
    .select(['quote.status_id', 'quote.quote_date as quoteDate', 'quote.currn_idx as currnIdx'])
    .select(['owner.full_name as ownerName', amountOf(contractId).as('amount')])
    .where('quote.id', '=', sql<number>`any(array(${ids}))`)
    .orderBy(inOrder(sort))
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

/** How many they are, counted up to `COUNTED`; `more`: there are more than that. */
export async function countQuotes(
  db: Db,
  user: Viewer,
  contractId: number,
): Promise<{ quotes: number; more: boolean }> {
  const found = await countUpTo(db, user, await using(db, contractId));
  return { quotes: Math.min(found, COUNTED), more: found > COUNTED };
}

/** At most one more than `COUNTED`. */
async function countUpTo(db: Db, user: Viewer, { few, condition }: Using): Promise<number> {
  // Who sees all quotes sees all of the many.
  if (!few && seesAllQuotes(user)) return COUNTED + 1;
  const some = await db
    .selectFrom('quote')
    .select('quote.id')
    .where(inSight(user))
    .where(condition)
    .limit(COUNTED + 1)
    .execute();
  return some.length;
}
