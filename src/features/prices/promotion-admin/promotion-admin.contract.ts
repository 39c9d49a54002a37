// Defines the calls with which administrators keep the promotions of items (specification sections 3 and 7).
import { z } from 'zod';
import { Bytes, post } from '#api/endpoint.ts';
import { PriceProof } from '#features/prices/pricing/price-proof.ts';
import { kindOf, PROMOTION_KINDS, Promotion } from '#features/prices/promotions/promotion.ts';
import { StatusId } from '#features/quoting/quotes/status.ts';
import { FormQuery, type LabelsOf, recordOf, saveOf } from '#shared/record.ts';
import { SALES_ADMINISTRATORS as access } from '#shared/roles.ts';
import {
  changesOverVersion,
  Decimal,
  Id,
  Named,
  PageInput,
  pageOf,
  Quantity,
  QueryId,
  RequiredText,
  Text,
  TypedDate,
  Version,
} from '#shared/wire.ts';

export const PROMOTION_STATES = ['Running', 'Coming', 'Ended', 'Off'] as const;
export type PromotionState = (typeof PROMOTION_STATES)[number];

const NotNegative = Decimal.min(0, 'This cannot be negative');

const Fields = z.object({
  name: Text(100),
  promotionType: Text(40),
  itemNumber: RequiredText(100),
  buyXGetYFreeBuyQty: NotNegative,
  buyXGetYFreeGetQty: NotNegative,
  promotionAmt: NotNegative,
  minQty: NotNegative,
  /** 0 or less means unlimited. */
  maxQty: Decimal,
  /** Empty means any unit. */
  uom: Text(20),
  currnIdx: Id,
  validFrom: TypedDate,
  /** The last day; null means no end. */
  validTo: TypedDate.nullable(),
  active: z.boolean(),
});
type Fields = z.infer<typeof Fields>;

/** A complete, consistent promotion; the form and the server use the same checks. */
export const WholePromotion = Fields.superRefine((promotion, context) => {
  for (const [path, message] of Object.entries(faultsOf(promotion)))
    context.addIssue({ code: 'custom', path: [path], message });
});

function faultsOf(given: Fields): Partial<Record<keyof Fields, string>> {
  const { minQty, maxQty, validFrom, validTo, promotionAmt } = given;
  const kind = kindOf(given);
  const above = 'Type a number above 0';
  return {
    ...(kind === 'BuyXGetYFree' && given.buyXGetYFreeBuyQty <= 0 ? { buyXGetYFreeBuyQty: above } : {}),
    ...(kind === 'BuyXGetYFree' && given.buyXGetYFreeGetQty <= 0 ? { buyXGetYFreeGetQty: above } : {}),
    ...(kind === 'DiscountPct' && (promotionAmt <= 0 || promotionAmt > 100)
      ? { promotionAmt: 'Type a percentage above 0, at most 100' }
      : {}),
    ...(kind === 'FixedPrice' && promotionAmt <= 0 ? { promotionAmt: 'Type a price above 0' } : {}),
    ...(maxQty > 0 && maxQty < minQty ? { maxQty: 'The max. quantity is below the min. quantity' } : {}),
    ...(validTo !== null && validTo < validFrom ? { validTo: 'The last day is before the first' } : {}),
  };
}

/** Fields left out keep their value. A new promotion begins today and has no end. */
export const PromotionInput = saveOf(Fields.partial().shape);

/** A promotion as its form reads it; for a new promotion the fields are blank. */
export const PromotionEdit = recordOf({
  ...Promotion.shape,
  name: z.string(),
  currnIdx: z.number().int(),
  validFrom: z.string(),
  validTo: z.string().nullable(),
  active: z.boolean(),
});
export type PromotionEdit = z.infer<typeof PromotionEdit>;

export const PROMOTION_LABELS: LabelsOf<PromotionEdit> = {
  name: 'Name',
  promotionType: 'Type',
  itemNumber: 'Item #',
  buyXGetYFreeBuyQty: 'Buy',
  buyXGetYFreeGetQty: 'Get free',
  promotionAmt: 'Amount',
  minQty: 'Min. quantity',
  maxQty: 'Max. quantity',
  uom: 'Unit',
  currnIdx: 'Currency',
  validFrom: 'From',
  validTo: 'To',
  active: 'Active',
};

export const PromotionRow = PromotionEdit.extend({ description: z.string(), state: z.enum(PROMOTION_STATES) });
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
  /** The numbers of quotes with a line that uses it. `open` counts quotes not sent yet. */
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
      promotion: PromotionEdit,
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
      promotion: PromotionInput,
      qty: Quantity,
      /** Empty means the promotion's unit, or else the item's base unit. */
      unit: Text(20).default(''),
    }),
    z.object({
      /** The message that a rep reads. */
      message: z.string(),
      /** A line with the sample quantity at the list price, on a day when the promotion runs. */
      sample: z.object({
        date: z.string(),
        unit: z.string(),
        /** The price without the promotion; null if there is no price. */
        before: z.number().nullable(),
        price: z.number().nullable(),
        total: z.number().nullable(),
        freeQty: z.number(),
        problem: z.string(),
        proof: PriceProof,
      }),
      /** Other active promotions of the same item, on the same days and in the same unit. */
      overlaps: z.array(PromotionEdit),
    }),
    { access, summary: 'What a promotion would say and give, and what it overlaps; nothing is saved.' },
  ),
  GetItemPromotionUse: post('/api/ItemPromotion/GetItemPromotionUse', QueryId, PromotionUse, {
    access,
    in: 'query',
    summary: 'The quotes that have it applied.',
  }),
  saveItemPromotion: post(
    '/api/ItemPromotion/saveItemPromotion',
    PromotionInput.check(changesOverVersion),
    PromotionEdit,
    {
      access,
      writes: true,
    },
  ),
  EndItemPromotion: post('/api/ItemPromotion/EndItemPromotion', z.object({ id: Id, version: Version }), PromotionEdit, {
    access,
    writes: true,
    summary: 'Yesterday becomes its last day; one that began today or later is switched off.',
  }),
};
