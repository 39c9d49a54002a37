// Implements the ItemPromotion calls: finding, saving and ending promotions.
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import { listFile } from '#platform/api/list-file.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { foldedHolds, holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { loadCompany, pricePlacesOf, today } from '#platform/company/company.server.ts';
import { requireFresh } from '#platform/history/record-change.server.ts';
import { changesOf, keptIn, lockForSave, type RecordKind, saveRecord } from '#platform/history/record-kit.server.ts';
import { KIND_LABELS, kindOf, promotionOffer } from '#core/prices/promotions/promotion.ts';
import { inSight, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber, StatusId } from '#core/quoting/quotes/status.ts';
import { addDays, formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { currencyOf } from '#platform/shared/money.ts';
import {
  type ItemPromotion,
  PROMOTION,
  type PromotionCriteria,
  type PromotionEdit,
  type PromotionState,
  type PromotionUse,
} from './promotion-admin.contract.ts';
import { previewOf } from './promotion-preview.server.ts';
import {
  promotedItem,
  PROMOTION_COLUMNS,
  promotionColumns,
  readPromotion,
  requireWhole,
} from './promotion-record.server.ts';

export const itemPromotionAnswers: Answers<typeof ItemPromotion> = {
  searchItemPromotionAdvanced: async ({ db, services }, criteria) =>
    pageFrom(promotionRows(db, criteria, today(services, await loadCompany(db))), criteria, ORDER),

  ExportItemPromotions: async ({ db, services }, criteria) => {
    const query = promotionRows(db, criteria, today(services, await loadCompany(db)));
    return listFile('promotions.csv', query, criteria.sort, ORDER, {
      Name: (row) => row.name,
      Type: (row) => KIND_LABELS[kindOf(row)],
      'Item number': (row) => row.itemNumber,
      Description: (row) => row.description,
      Offer: (row) => promotionOffer(row, row.currnIdx),
      'Min. quantity': (row) => row.minQty,
      'Max. quantity': (row) => (row.maxQty > 0 ? row.maxQty : 'unlimited'),
      Unit: (row) => row.uom || 'any',
      Currency: (row) => currencyOf(row.currnIdx),
      From: (row) => formatDate(row.validFrom),
      To: (row) => formatDate(row.validTo),
      State: (row) => row.state,
    });
  },

  GetItemPromotionFilters: async ({ db }) => ({
    classes: await db.selectFrom('item_class').select(['id', 'name']).orderBy('name').execute(),
  }),

  PopulateItemPromotionEdit: async ({ db, services }, { id }) => {
    const now = today(services, await loadCompany(db));
    if (!id) return { promotion: blank(now), item: null, state: 'Running' };
    const promotion = await readPromotion(db, id);
    const { description, units } = await promotedItem(db, promotion.itemNumber);
    return { promotion, item: { description, units }, state: stateOf(promotion, now) };
  },

  PreviewItemPromotion: async ({ db, services }, { promotion, qty, unit }) => {
    const company = await loadCompany(db);
    const now = today(services, company);
    const { id, whole, item } = await requireWhole(db, { ...blank(now), ...promotion });
    return previewOf(db, { ...whole, id }, item, { qty, unit, today: now, places: pricePlacesOf(company) });
  },

  /** Throws 404 if there is no such promotion. */
  GetItemPromotionUse: async ({ db, user }, { id }) => {
    await readPromotion(db, id);
    return useOf(db, user, id);
  },

  /** Throws 409 if another user changed it. Throws 422 for an unknown item or unit and for inconsistent values. */
  saveItemPromotion: async ({ db, user, services }, { version, ...input }) => {
    const before = await lockForSave(db, KIND, { id: input.id, version });
    const now = today(services, await loadCompany(db));
    const { whole, item } = await requireWhole(db, keptIn(input, before ?? blank(now)));
    return saveRecord({ db, user }, KIND, before, promotionColumns(whole, item));
  },

  /** Throws 409 for a promotion that has already ended or is inactive. Quotes keep an applied promotion until they are repriced. */
  EndItemPromotion: async ({ db, user, services }, input) => {
    const before = await readPromotion(db, input.id, 'lock');
    await requireFresh(db, 'promotion', before, input.version);
    const now = today(services, await loadCompany(db));
    const state = stateOf(before, now);
    if (state === 'Ended' || state === 'Off') throw new HttpError(409, 'This promotion has already ended.');
    const yesterday = addDays(now, -1);
    const ended = before.validFrom > yesterday ? { active: false } : { validTo: yesterday };
    const { whole, item } = await requireWhole(db, { ...before, ...ended });
    return saveRecord({ db, user }, KIND, before, promotionColumns(whole, item), { action: 'End' });
  },
};

const blank = (now: IsoDate): PromotionEdit => ({ ...PROMOTION.blank, validFrom: now });

function stateOf(promotion: Pick<PromotionEdit, 'active' | 'validFrom' | 'validTo'>, now: IsoDate) {
  if (!promotion.active) return 'Off';
  if (promotion.validFrom > now) return 'Coming';
  return promotion.validTo !== null && promotion.validTo < now ? 'Ended' : 'Running';
}

const LABELS = {
  name: 'Name',
  itemNumber: 'Item number',
  type: 'Type',
  offer: 'Offer',
  minQty: 'Min. quantity',
  max: 'Max. quantity',
  unit: 'Unit',
  currency: 'Currency',
  from: 'From',
  to: 'To',
  active: 'Active',
};

const KIND: RecordKind<PromotionEdit, 'promotion'> = {
  type: 'promotion',
  read: readPromotion,
  nameOf: (promotion) => promotion.name || `${promotion.itemNumber}: ${promotionOffer(promotion, promotion.currnIdx)}`,
  changes: changesOf(LABELS, historyWords),
};

/** The values as text for the history. */
function historyWords(promotion: PromotionEdit) {
  return {
    ...promotion,
    type: KIND_LABELS[kindOf(promotion)],
    offer: promotionOffer(promotion, promotion.currnIdx),
    max: promotion.maxQty > 0 ? String(promotion.maxQty) : 'unlimited',
    unit: promotion.uom || 'any',
    currency: currencyOf(promotion.currnIdx),
    from: formatDate(promotion.validFrom),
    to: promotion.validTo === null ? 'no end' : formatDate(promotion.validTo),
  };
}

/** The quotes that use a promotion. */
async function useOf(db: Db, user: Viewer, promotionId: number): Promise<PromotionUse> {
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

const TYPE = sql<string>`case
  when promotion.promotion_type in ('BuyXGetYFree', 'DiscountPct') then promotion.promotion_type
  else 'FixedPrice' end`;

const ORDER = {
  sorts: {
    name: sql`lower(promotion.name)`,
    promotionType: TYPE,
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

/** Lists promotions, each with its item and today's state. */
function promotionRows(db: Db, { keyword, promotionType, state, classId }: Criteria, today: IsoDate) {
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
    .$if(Boolean(promotionType), (query) => query.where(TYPE, '=', promotionType ?? ''))
    .$if(Boolean(state), (query) => query.where(stateNow, '=', state ?? 'Running'))
    .$if(Boolean(classId), (query) => query.where('item.class_id', '=', classId ?? 0));
}
