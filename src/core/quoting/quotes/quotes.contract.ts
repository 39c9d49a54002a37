// The API calls for lists of quotes: the Quote search group of the specification (sections 3 and 7).
import { z } from 'zod';
import { Bytes, Nothing, post } from '#platform/api/endpoint.ts';
import { RequestedRule } from '#core/quoting/approvals/approval-shapes.ts';
import { Choice, Id, PageInput, pageOf, Text, TypedDate } from '#platform/shared/wire.ts';
import { Openings } from './customer-views.ts';
import { StatusId } from './status.ts';

const RepName = z.object({ name: z.string() });

export const QuoteRow = z.object({
  id: z.number().int(),
  num: z.number().int(),
  revision: z.number().int(),
  /** The version to send back when changing the quote. */
  version: z.number().int(),
  statusId: StatusId,
  expired: z.boolean(),
  facilityName: z.string(),
  facilityAcctNo: z.string(),
  quoteDate: z.string(),
  totalAmount: z.number(),
  currnIdx: z.number().int(),
  totalAmountCurrnIdx: z.number().int(),
  contactName: z.string(),
  phone: z.string(),
  salesRep: RepName,
  csRep: RepName,
  isRep: RepName,
  /** The number of unanswered customer questions. */
  openQuestions: z.number().int(),
  /** The number of mails that failed completely or partly, or that have been waiting too long for their PDF. */
  mailTrouble: z.number().int(),
  /** The customer's openings of the page of this revision. Null when it has not been opened. */
  opened: Openings.nullable(),
});
export type QuoteRow = z.infer<typeof QuoteRow>;

/** A row of 'Approve Discount', with the reason why it is waiting. */
export const ApprovalRow = QuoteRow.extend({
  approval: z.object({
    requestedBy: z.string(),
    requestedAt: z.string(),
    /** 'Discount 18% > 15%', one entry per rule. */
    reasons: z.array(z.string()),
    /** The same rules in detail: the outcome of each, who must still decide it, and whether this user may. */
    rules: z.array(RequestedRule),
  }),
});
export type ApprovalRow = z.infer<typeof ApprovalRow>;

const blankAsNone = Text(200).nullish();

/** The columns of the list, all sortable. */
export const QUOTE_SORT_FIELDS = [
  'num',
  'statusId',
  'facilityName',
  'quoteDate',
  'totalAmount',
  'facilityAcctNo',
  'contactName',
  'phone',
  'salesRep',
  'csRep',
  'isRep',
] as const;
export type QuoteSortField = (typeof QUOTE_SORT_FIELDS)[number];

export const WAITS_FOR = ['question', 'expiry'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/** The search criteria. Null and empty match anything. */
export const QuoteCriteria = PageInput.extend({
  sort: z.object({ field: z.enum(QUOTE_SORT_FIELDS), dir: z.enum(['asc', 'desc']) }).nullish(),
  num: z.union([z.number().int(), Text(40)]).nullish(),
  /** Matches exactly this facility. The next two fields match parts. */
  facilityId: Id.nullish(),
  facilityAccountNo: blankAsNone,
  facilityName: blankAsNone,
  itemNum: blankAsNone,
  /** Words in comments on the quote. All of them must be in one comment. */
  comment: blankAsNone,
  dateFrom: TypedDate.or(z.literal('')).nullish(),
  dateTo: TypedDate.or(z.literal('')).nullish(),
  regionId: Id.nullish(),
  territoryId: Id.nullish(),
  qtStatuses: z.array(StatusId).max(10).nullish(),
  salesRepId: Id.nullish(),
  csRepId: Id.nullish(),
  /** Only quotes with an unanswered customer question, or with mail that failed. */
  needsFollowUp: z.boolean().nullish(),
  /**
   * Only quotes that are waiting for this user: with an open question, or sent and expiring within a week. For users who see all quotes, only quotes
   * in which they have a part.
   */
  waitsFor: z.enum(WAITS_FOR).nullish(),
});
export type QuoteCriteria = z.infer<typeof QuoteCriteria>;

export const WRONG_ORDER = 'Date To is before Date From';
/** For `refine`. Dates in the wrong order would find nothing, which would look like a valid result. */
const DATES_IN_ORDER = [
  ({ dateFrom, dateTo }: Pick<QuoteCriteria, 'dateFrom' | 'dateTo'>) => !dateFrom || !dateTo || dateFrom <= dateTo,
  { message: WRONG_ORDER, path: ['dateTo'] },
] satisfies [unknown, unknown];

export const QuoteSearch = {
  SearchQuotesForSalesRep: post(
    '/api/QuoteSearch/SearchQuotesForSalesRep',
    QuoteCriteria.extend({
      /** The screen for which to remember the criteria: Find Quote or the home screen. 'none' for other uses. */
      remember: z.enum(['find', 'home', 'none']).default('find'),
    }).refine(...DATES_IN_ORDER),
    pageOf(QuoteRow),
    { access: 'user', summary: 'Quotes that the user can see.' },
  ),
  SearchQuotesForApproval: post('/api/QuoteSearch/SearchQuotesForApproval', Nothing, pageOf(ApprovalRow), {
    access: 'user',
    summary: 'Quotes with an undecided approval rule that the user may decide.',
  }),
  CountWaiting: post(
    '/api/QuoteSearch/CountWaiting',
    Nothing,
    z.object({ question: z.number().int(), expiry: z.number().int() }),
    { access: 'user', summary: 'How many quotes `waitsFor` finds; counting stops at 1,001.' },
  ),
  GetUserDefaultQuoteSearchCriteria: post(
    '/api/QuoteSearch/GetUserDefaultQuoteSearchCriteria',
    Nothing,
    QuoteCriteria,
    {
      access: 'user',
    },
  ),
  GetUserDefaultQuoteSearchLookups: post(
    '/api/QuoteSearch/GetUserDefaultQuoteSearchLookups',
    Nothing,
    z.object({
      salesReps: z.array(Choice),
      csReps: z.array(Choice),
      regions: z.array(Choice),
      territories: z.array(Choice.extend({ regionId: z.number().int().nullable() })),
      statuses: z.array(z.object({ id: StatusId, name: z.string() })),
      /** What an empty company lacks before its first quote, and who can help. */
      setup: z.object({
        missing: z.array(z.enum(['people', 'facilities', 'items'])),
        administrators: z.array(z.string()),
      }),
      /** The last filter of the home screen's 'Open Quotes' card. */
      home: z.object({ salesRepId: z.number().int().nullable(), csRepId: z.number().int().nullable() }),
    }),
    { access: 'user' },
  ),
  ExportQuotes: post(
    '/api/QuoteSearch/ExportQuotes',
    QuoteCriteria.extend({
      /** Exports only these of the matching quotes. */
      ids: z.array(Id).max(500).nullish(),
    }).refine(...DATES_IN_ORDER),
    Bytes,
    { access: 'user', file: 'text/csv', summary: 'The whole result as CSV, at most 50,000 rows.' },
  ),
};
