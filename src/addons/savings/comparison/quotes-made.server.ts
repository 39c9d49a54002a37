// The quotes that were made of an analysis: their status and amount, and the saving of their lines against what was promised.
import { sql } from 'kysely';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { requireAnalysis } from '../analysis-sight.server.ts';
import type { QuoteMade } from '../savings.contract.ts';

type Found = Omit<QuoteMade, 'number'> & { num: number; revision: number };

/** Newest first. 404 for an analysis out of sight. */
export async function getQuotesMade({ db, user }: { db: Db; user: Caller }, id: number): Promise<QuoteMade[]> {
  await requireAnalysis(db, user, id);
  // A line is that of a row by item, unit and the customer's number; lines carry no row, as a person may change them.
  const { rows } = await sql<Found>`
    select case when ${inSight(user)} then quote.id end as id, quote.num, quote.revision,
           quote.status_id as "statusId", quote.total_amount as "totalAmount", s.quantities,
           cardinality(s.row_ids) as rows, s.promised, case when s.row_ids is not null then coalesce(kept.saving, 0) end as saving
      from savings_quote s join quote on quote.id = s.quote_id, lateral (
        select sum(r.their_year - round(line.net * r.qty_year * r.their_eaches / r.our_eaches, 2)) as saving
          from savings_row r join lateral (
            select i.line_total / i.qty as net from quote_item i
             where i.quote_id = quote.id and i.type = 'item' and i.active and not i.optional and i.qty > 0 and i.unit_price is not null
               and i.item_id = r.item_id and i.unit = r.our_unit
               and i.customer_item_number = coalesce(nullif(r.item_no, ''), nullif(r.catalog_no, ''), r.maker_no)
             order by i.line_no limit 1) line on true
         where r.id = any(s.row_ids) and r.their_year is not null and r.our_eaches > 0) kept
     where s.analysis_id = ${id} order by s.quote_id desc`.execute(db);
  return rows.map(({ num, revision, ...quote }) => ({ ...quote, number: quoteNumber(num, revision) }));
}
