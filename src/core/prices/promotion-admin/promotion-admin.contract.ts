// Defines the API calls with which administrators manage the promotions of items (specification sections 3 and 7).
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { PriceProof } from '#core/prices/pricing/price-proof.ts';
import { kindOf, PROMOTION_KINDS } from '#core/prices/promotions/promotion.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { DOLLAR_INDEX } from '#platform/shared/money.ts';
import { day, dayOrNone, declareRecord, field, FormQuery, flag, requiredText, text } from '#platform/shared/record.ts';
import { SALES_ADMINISTRATORS as access } from '#platform/shared/roles.ts';
import {
  changesOverVersion,
  Decimal,
  Id,
  Named,
  PageInput,
  pageOf,
  Quantity,
  QueryId,
  Text,
  Version,
} from '#platform/shared/wire.ts';

export const PROMOTION_STATES = ['Running', 'Coming', 'Ended', 'Off'] as const;
export type PromotionState = (typeof PROMOTION_STATES)[number];

const amount = (label: string) => field(label, Decimal.min(0, 'This cannot be negative'), z.number(), 0);

/** A new promotion begins today and has no end. `blank` does not contain the first day. */
export const PROMOTION = declareRecord({
  promotionType: text('Type', 40, 'FixedPrice'),
  itemNumber: requiredText('Item #', 100),
  buyXGetYFreeBuyQty: amount('Buy'),
  buyXGetYFreeGetQty: amount('Get free'),
  promotionAmt: amount('Amount'),
  minQty: amount('Min. quantity'),
  /** 0 or less means unlimited. */
  maxQty: field('Max. quantity', Decimal, z.number(), 0),
  /** Empty means any unit. */
  uom: text('Unit', 20),
  name: text('Name', 100),
  currnIdx: field('Currency', Id, z.number().int(), DOLLAR_INDEX),
  validFrom: day('From'),
  /** The last day. Null means no end. */
  validTo: dayOrNone('To'),
  active: flag('Active', true),
});
type Fields = z.infer<typeof PROMOTION.Whole>;
export type PromotionEdit = z.infer<typeof PROMOTION.Edit>;

/** A complete, consistent promotion. The form and the server use the same checks. */
export const WholePromotion = PROMOTION.Whole.superRefine((promotion, context) => {
  for (const [path, message] of Object.entries(faultsOf(promotion)))
    context.addIssue({ code: 'custom', path: [path], message });
});

/**
 * Types that are probably misspelled. Any type other than DiscountPct or BuyXGetYFree is a fixed price, so a misspelled 15% off would become a price
 * of 15.00.
 */
const MISWRITTEN = /^(disc(ount)?)?(pct|percent(age)?)?(off|disc(ount)?)?$|^buy.*(get|free)/;

function faultsOf(input: Fields): Partial<Record<keyof Fields, string>> {
  const { minQty, maxQty, validFrom, validTo, promotionAmt } = input;
  const kind = kindOf(input);
  const above = 'Enter a number above 0';
  const letters = input.promotionType
    .replaceAll('%', 'pct')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();
  const isMiswritten = kind === 'FixedPrice' && letters !== '' && MISWRITTEN.test(letters);
  return {
    ...(isMiswritten ? { promotionType: 'Enter DiscountPct, BuyXGetYFree or FixedPrice' } : {}),
    ...(kind === 'BuyXGetYFree' && input.buyXGetYFreeBuyQty <= 0 ? { buyXGetYFreeBuyQty: above } : {}),
    ...(kind === 'BuyXGetYFree' && input.buyXGetYFreeGetQty <= 0 ? { buyXGetYFreeGetQty: above } : {}),
    ...(kind === 'DiscountPct' && (promotionAmt <= 0 || promotionAmt > 100)
      ? { promotionAmt: 'Enter a percentage above 0, at most 100' }
      : {}),
    ...(kind === 'FixedPrice' && promotionAmt <= 0 ? { promotionAmt: 'Enter a price above 0' } : {}),
    ...(maxQty > 0 && maxQty < minQty ? { maxQty: 'The max. quantity is below the min. quantity' } : {}),
    ...(validTo !== null && validTo < validFrom ? { validTo: 'The last day is before the first' } : {}),
  };
}

export const PromotionRow = PROMOTION.Edit.extend({ description: z.string(), state: z.enum(PROMOTION_STATES) });
export type PromotionRow = z.infer<typeof PromotionRow>;

export const PromotionCriteria = PageInput.extend({
  /** Searches item number, description and name. */
  keyword: Text(100).nullish(),
  promotionType: z.enum(PROMOTION_KINDS).nullish(),
  state: z.enum(PROMOTION_STATES).nullish(),
  classId: Id.nullish(),
});
export type PromotionCriteria = z.infer<typeof PromotionCriteria>;

const PromotionUse = z.object({
  /** The numbers of quotes with a line that uses it. `open` is the number of quotes not sent yet. */
  open: z.number().int(),
  sent: z.number().int(),
  won: z.number().int(),
  closed: z.number().int(),
  /** The latest of these quotes. */
  quotes: z.array(z.object({ id: z.number().int(), number: z.string(), statusId: StatusId, facilityName: z.string() })),
});
export type PromotionUse = z.infer<typeof PromotionUse>;

export const ItemPromotion = {
  searchItemPromotionAdvanced: post(
    '/api/ItemPromotion/searchItemPromotionAdvanced',
    PromotionCriteria,
    pageOf(PromotionRow),
    { access, summary: 'Promotions by item, type, state and class.' },
  ),
  ExportItemPromotions: post('/api/ItemPromotion/ExportItemPromotions', PromotionCriteria, Bytes, {
    access,
    file: 'text/csv',
  }),
  PopulateItemPromotionEdit: post(
    '/api/ItemPromotion/PopulateItemPromotionEdit',
    FormQuery,
    z.object({
      promotion: PROMOTION.Edit,
      /** Null for a new promotion. */
      item: z.object({ description: z.string(), units: z.array(z.string()) }).nullable(),
      state: z.enum(PROMOTION_STATES),
    }),
    { access, in: 'query', summary: 'A promotion to edit; without an id a new one.' },
  ),
  GetItemPromotionFilters: post(
    '/api/ItemPromotion/GetItemPromotionFilters',
    z.object({}),
    z.object({ classes: z.array(Named) }),
    { access, summary: 'Item classes that promotions are filtered by.' },
  ),
  PreviewItemPromotion: post(
    '/api/ItemPromotion/PreviewItemPromotion',
    z.object({
      promotion: PROMOTION.Input,
      qty: Quantity,
      /** Empty means the promotion's unit, or else the item's base unit. */
      unit: Text(20).default(''),
    }),
    z.object({
      /** The message to the sales representative. */
      message: z.string(),
      /** A line with the sample quantity at the list price, on a day when the promotion is valid. */
      sample: z.object({
        date: z.string(),
        unit: z.string(),
        /** The price without the promotion. Null if there is no price. */
        before: z.number().nullable(),
        price: z.number().nullable(),
        total: z.number().nullable(),
        freeQty: z.number(),
        problem: z.string(),
        proof: PriceProof,
      }),
      /** Other active promotions of the same item, on the same days and in the same unit. */
      overlaps: z.array(PROMOTION.Edit),
    }),
    { access, summary: 'Previews the text, effect and overlaps of a promotion. Saves nothing.' },
  ),
  GetItemPromotionUse: post('/api/ItemPromotion/GetItemPromotionUse', QueryId, PromotionUse, {
    access,
    in: 'query',
    summary: 'The quotes that use it.',
  }),
  saveItemPromotion: post(
    '/api/ItemPromotion/saveItemPromotion',
    PROMOTION.Input.check(changesOverVersion),
    PROMOTION.Edit,
    {
      access,
      writes: true,
    },
  ),
  EndItemPromotion: post(
    '/api/ItemPromotion/EndItemPromotion',
    z.object({ id: Id, version: Version }),
    PROMOTION.Edit,
    {
      access,
      writes: true,
      summary: 'Ends a promotion yesterday. One that starts today or later is deactivated.',
    },
  ),
};
