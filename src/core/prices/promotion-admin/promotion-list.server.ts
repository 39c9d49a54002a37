// Lists promotions, each with its item and today's state.
import { sql } from 'kysely';
import { foldedHolds, holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { PromotionCriteria, PromotionState } from './promotion-admin.contract.ts';
import { PROMOTION_COLUMNS } from './promotion-record.server.ts';

const KIND = sql<string>`case
  when promotion.promotion_type in ('BuyXGetYFree', 'DiscountPct') then promotion.promotion_type
  else 'FixedPrice' end`;

export const ORDER = {
  sorts: {
    name: sql`lower(promotion.name)`,
    promotionType: KIND,
    itemNumber: sql`lower(item.item_number)`,
    minQty: sql`promotion.min_qty`,
    maxQty: sql`case when promotion.max_qty > 0 then promotion.max_qty end`,
    uom: sql`promotion.uom`,
    validFrom: sql`promotion.valid_from`,
    validTo: sql`promotion.valid_to`,
  },
  key: sql`promotion.id`,
  first: { field: 'validFrom', dir: 'desc' as const },
};

type Criteria = Pick<PromotionCriteria, 'keyword' | 'promotionType' | 'state' | 'classId'>;

export function promotionRows(db: Db, { keyword, promotionType, state, classId }: Criteria, today: IsoDate) {
  const stateNow = sql<PromotionState>`case when not promotion.active then 'Off' when promotion.valid_from > ${today}::date then 'Coming'
    when promotion.valid_to < ${today}::date then 'Ended' else 'Running' end`;
  return db
    .selectFrom('promotion')
    .innerJoin('item', 'item.id', 'promotion.item_id')
    .select(PROMOTION_COLUMNS)
    .select(['item.description', stateNow.as('state')])
    .$if(Boolean(keyword), (query) =>
      query.where((eb) =>
        eb.or([foldedHolds(eb.ref('item.search_text'), keyword ?? ''), holds(eb.ref('promotion.name'), keyword ?? '')]),
      ),
    )
    .$if(Boolean(promotionType), (query) => query.where(KIND, '=', promotionType ?? ''))
    .$if(Boolean(state), (query) => query.where(stateNow, '=', state ?? 'Running'))
    .$if(Boolean(classId), (query) => query.where('item.class_id', '=', classId ?? 0));
}
