// The quotes that have a price of a contract, of those that a person sees.
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import { COUNTED, pageFrom } from '#db/page.server.ts';
import { inSight, type Viewer } from '#features/quoting/quotes/sight.server.ts';
import { quoteNumber, StatusId } from '#features/quoting/quotes/status.ts';
import type { ContractQuote, QuotesCriteria } from '../contracts.contract.ts';

/** The quotes with a line of the contract. */
function using(contractId: number) {
  return sql<boolean>`quote.id in (select used.quote_id from contract_line line
    join quote_item used on used.contract_line_id = line.id where line.contract_id = ${contractId})`;
}

/** What the quote's lines of the contract come to. */
const amountOf = (contractId: number) => sql<number>`(select coalesce(sum(i.line_total), 0) from quote_item i
  join contract_line line on line.id = i.contract_line_id and line.contract_id = ${contractId}
  where i.quote_id = quote.id and i.active)`;

const ORDER = {
  sorts: {
    quoteDate: sql`quote.quote_date`,
    number: sql`quote.num`,
    facilityName: sql`plain_text(quote.facility_name)`,
    statusId: sql`quote.status_id`,
  },
  key: sql`quote.id`,
  first: { field: 'quoteDate', dir: 'desc' as const },
  stopsCounting: true,
};

export async function contractQuotes(db: Db, user: Viewer, { contractId, ...page }: QuotesCriteria) {
  const quotes = db
    .selectFrom('quote')
    .leftJoin('app_user as owner', 'owner.id', 'quote.owner_id')
    .select(['quote.id', 'quote.num', 'quote.revision', 'quote.facility_name as facilityName'])
    .select(['quote.status_id', 'quote.quote_date as quoteDate', 'quote.currn_idx as currnIdx'])
    .select(['owner.full_name as ownerName', amountOf(contractId).as('amount')])
    .where(inSight(user))
    .where(using(contractId));
  const { records, ...counts } = await pageFrom(quotes, page, ORDER);
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
  const some = await db
    .selectFrom('quote')
    .select('quote.id')
    .where(inSight(user))
    .where(using(contractId))
    .limit(COUNTED + 1)
    .execute();
  return { quotes: Math.min(some.length, COUNTED), more: some.length > COUNTED };
}
