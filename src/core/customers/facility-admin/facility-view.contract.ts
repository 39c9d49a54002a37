// Defines the calls for the other tabs of a facility's page (not in the specification): quote figures and prices, never a cost.
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { PRICE_SOURCES } from '#core/prices/pricing/price-proof.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { Id, PageInput, pageOf, Text, TypedDate } from '#platform/shared/wire.ts';

/** The quotes in one status and currency that the user may see. */
export const QuotesInStatus = z.object({
  statusId: StatusId,
  /** 1009 means euros; every other index means US dollars. */
  currnIdx: z.number().int(),
  count: z.number().int(),
  amount: z.number(),
});
export type QuotesInStatus = z.infer<typeof QuotesInStatus>;

/** An item with the facility's price for one base unit. */
export const FacilityPrice = z.object({
  id: z.number().int(),
  itemNumber: z.string(),
  description: z.string(),
  className: z.string(),
  unit: z.string(),
  currnIdx: z.number().int(),
  listPrice: z.number().nullable(),
  /** The contract price, else the account price, else the list price. Null if there is none; `problem` then explains why. */
  price: z.number().nullable(),
  priceSource: z.enum(PRICE_SOURCES).or(z.literal('')),
  /** The source in words: 'Contract V-2231, tier 2 (Vizient)'. */
  source: z.string(),
  problem: z.string(),
  /** The last day of the price. Null means no end. */
  priceEnds: z.string().nullable(),
  /** How far the price is below the list price. Negative if it is above, null if either price is missing. */
  saving: z.number().nullable(),
  savingPct: z.number().nullable(),
  /** Promotions that run on the day. A quote line gets a promotion only when a user applies it. */
  promotions: z.array(z.object({ offer: z.string(), price: z.number().nullable() })),
});
export type FacilityPrice = z.infer<typeof FacilityPrice>;

export const FacilityPriceCriteria = PageInput.extend({
  facilityId: Id,
  keyword: Text(200).default(''),
  classId: Id.nullish(),
  /** The day of the prices. Empty means today. */
  date: TypedDate.or(z.literal('')).nullish(),
  pageSize: z.number().int().min(1).max(200).default(50),
});
export type FacilityPriceCriteria = z.infer<typeof FacilityPriceCriteria>;

export const FacilityView = {
  GetFacilityPrices: post(
    '/api/FacilityView/GetFacilityPrices',
    FacilityPriceCriteria,
    pageOf(FacilityPrice).extend({ date: z.string() }),
    { access: 'user', summary: 'Offered items with their price for a facility on a day, by item number.' },
  ),
  ExportFacilityPrices: post('/api/FacilityView/ExportFacilityPrices', FacilityPriceCriteria, Bytes, {
    access: 'user',
    file: 'text/csv',
    summary: 'The whole price list as CSV, at most 200,000 rows.',
  }),
  GetFacilityQuoteFigures: post(
    '/api/FacilityView/GetFacilityQuoteFigures',
    z.object({ facilityId: Id }),
    z.array(QuotesInStatus),
    {
      access: 'user',
      summary: 'The number and value of the quotes of a facility that the user may see, by status.',
    },
  ),
};
