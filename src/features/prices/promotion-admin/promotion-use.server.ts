// Finds the quotes that use a promotion.
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import { inSight, type Viewer } from '#features/quoting/quotes/sight.server.ts';
import { quoteNumber, StatusId } from '#features/quoting/quotes/status.ts';
import type { PromotionUse } from './promotion-admin.contract.ts';

export async function useOf(db: Db, user: Viewer, promotionId: number): Promise<PromotionUse> {
  const using = db
    .selectFrom('quote')
    .where(inSight(user))
    .where('quote.id', 'in', (eb) =>
      eb.selectFrom('quote_item').select('quote_id').where('promotion_id', '=', promotionId),
    );
  const counts = await using
    .select(['status_id', sql<number>`count(*)`.as('quotes')])
    .groupBy('status_id')
    .execute();
  const count = (counted: (status: StatusId) => boolean) =>
    counts.reduce((sum, row) => sum + (counted(StatusId.parse(row.status_id)) ? row.quotes : 0), 0);
  const latest = await using
    .select(['id', 'num', 'revision', 'status_id', 'facility_name'])
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  const isClosed = (status: StatusId) => status === 'Lost' || status === 'Cancelled';
  return {
    open: count((status) => status !== 'SentToCustomer' && status !== 'Won' && !isClosed(status)),
    sent: count((status) => status === 'SentToCustomer'),
    won: count((status) => status === 'Won'),
    closed: count(isClosed),
    quotes: latest.map((quote) => ({
      id: quote.id,
      number: quoteNumber(quote.num, quote.revision),
      statusId: StatusId.parse(quote.status_id),
      facilityName: quote.facility_name,
    })),
  };
}
