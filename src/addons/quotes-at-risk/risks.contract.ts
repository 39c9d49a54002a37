// Defines our own calls about quotes at risk, whose lines have, or soon will have, a price other than the quoted one.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { ROLES, SEES_ALL_ROLES } from '#platform/shared/roles.ts';
import { Id, PageInput, pageOf, RequiredText, Text } from '#platform/shared/wire.ts';
import { RiskKind } from './risk-kinds.ts';

export const RiskCriteria = PageInput.extend({
  /** Quotes with a line whose old or new price comes from this contract. */
  contractId: Id.nullish(),
  kind: RiskKind.nullish(),
  /** Only quotes that the caller sells, wrote, supports or processes. */
  mine: z.boolean().nullish(),
  /** Searches the facility's name and the quote's number. */
  keyword: Text(200).nullish(),
});
export type RiskCriteria = z.infer<typeof RiskCriteria>;

/** The totals of the quotes with one kind of risk in one currency. */
const RiskTotal = z.object({
  kind: RiskKind,
  currnIdx: z.number().int(),
  quotes: z.number().int(),
  /** New prices minus quoted ones, separately for lines that become more expensive and cheaper. */
  dearer: z.number(),
  cheaper: z.number(),
});
export type RiskTotal = z.infer<typeof RiskTotal>;

export const RiskyQuote = z.object({
  quoteId: z.number().int(),
  number: z.string(),
  facilityName: z.string(),
  statusId: StatusId,
  ownerName: z.string(),
  validUntil: z.string(),
  currnIdx: z.number().int(),
  kinds: z.array(RiskKind),
  lines: z.number().int(),
  /** The number of lines that no longer have a price. */
  unpriced: z.number().int(),
  /** The first day on which one of its lines has another price. */
  day: z.string(),
  /** New prices minus quoted ones. */
  difference: z.number(),
});
export type RiskyQuote = z.infer<typeof RiskyQuote>;

export const RiskLine = z.object({
  lineId: z.number().int(),
  lineNo: z.number().int(),
  itemNumber: z.string(),
  description: z.string(),
  kind: RiskKind,
  day: z.string(),
  qty: z.number(),
  unit: z.string(),
  /** The quoted price per unit. For a typed price, the system price at that time. */
  quoted: z.number().nullable(),
  /** Null if there will be no price. `now` then explains why. */
  price: z.number().nullable(),
  /** 0 if the line does not change the total, because it is optional or its price is typed. */
  difference: z.number(),
  counts: z.boolean(),
  typed: z.boolean(),
  was: z.string(),
  now: z.string(),
});
export type RiskLine = z.infer<typeof RiskLine>;

export const QuoteRisk = z.object({
  quoteId: z.number().int(),
  number: z.string(),
  facilityName: z.string(),
  statusId: StatusId,
  version: z.number().int(),
  quoteDate: z.string(),
  validUntil: z.string(),
  currnIdx: z.number().int(),
  today: z.string(),
  /** The first day with another price. */
  day: z.string().nullable(),
  difference: z.number(),
  lines: z.array(RiskLine),
  /** A sentence that explains why the user cannot take the step. '' if the user can. */
  reprice: z.string(),
  settle: z.string(),
});
export type QuoteRisk = z.infer<typeof QuoteRisk>;

const access = ROLES;

export const QuoteRisks = {
  SearchRisks: post(
    '/api/Contract/SearchRisks',
    RiskCriteria,
    pageOf(RiskyQuote).extend({ totals: z.array(RiskTotal) }),
    {
      access,
      summary:
        'The quotes at risk that the user may see, with the totals of each kind. The largest amounts come first.',
    },
  ),
  GetQuoteRisk: post('/api/Contract/GetQuoteRisk', z.object({ quoteId: Id }), QuoteRisk, {
    access,
    summary: 'The lines of a quote whose price has changed or will change. A quote without such lines is not at risk.',
  }),
  SettleRebill: post('/api/Contract/SettleRebill', z.object({ quoteId: Id, note: RequiredText(500) }), QuoteRisk, {
    access: SEES_ALL_ROLES,
    writes: true,
    summary: 'Marks a won quote as credited and rebilled, and removes it from the list.',
  }),
};
