// Defines our own Reports calls: figures about visible quotes, and the exact list of quotes behind each figure.
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { QUOTE_SORT_FIELDS, QuoteRow } from '#core/quoting/quotes/quotes.contract.ts';
import { RiskKind } from '#addons/quotes-at-risk/risk-kinds.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { PageInput, pageOf, Text } from '#platform/shared/wire.ts';
import { DIMENSIONS, MEASURES } from './pivot-choice.ts';
import { filtersAnd, ReportFilters } from './report-filters.ts';
import { BRIDGE_STEPS, sliceOf, WAITING_FOR, WATERFALL_STEPS } from './slices.ts';

/** Amounts are in the requested currency, with two decimals. Percentages are 0 to 100 with two decimals. Times are whole seconds. */
const Count = z.number().int();
const Money = z.number();
const Pct = z.number();
const Seconds = z.number().int();
/** Identifies the quotes behind a figure, for GetReportQuotes with the same filters. Their number and their amounts add up to the figure. */
const SliceText = z.string();

/** The fields of every report. */
const Head = z.object({
  /** The instant up to which the figures include all changes. */
  asOf: z.string(),
  /**
   * While the facts of an old company are filled for the first time: the number of processed quotes, and of all. The figures do not include the rest.
   */
  preparing: z.object({ done: Count, of: Count }).nullable(),
  /** The currency of the amounts. */
  currnIdx: z.number().int(),
  /** The currencies of all quotes that the other filters select, most quotes first. */
  currencies: z.array(z.object({ currnIdx: z.number().int(), count: Count })),
});
export type ReportHead = z.infer<typeof Head>;

const Figure = z.object({ count: Count, amount: Money, slice: SliceText });
export type Figure = z.infer<typeof Figure>;

/** A mark of a plot. `key`: an id, a day or the key of a bucket; 'none' for quotes without one. `name`: the name for users. */
const Mark = Figure.extend({ key: z.string(), name: z.string() });
export type Mark = z.infer<typeof Mark>;

/** Decided quotes of a group. The rate is won of won and lost. */
const Outcomes = z.object({
  key: z.string(),
  name: z.string(),
  won: Count,
  lost: Count,
  wonAmount: Money,
  lostAmount: Money,
  wonSlice: SliceText,
  lostSlice: SliceText,
});
export type Outcomes = z.infer<typeof Outcomes>;

export const PipelineReport = Head.extend({
  /** Quotes by their current status, with their totals, in the order of the workflow. Contains all ten statuses. */
  byStatus: z.array(Figure.extend({ statusId: StatusId })),
  /** Open quotes by their age since creation, also split by status. */
  byAge: z.array(Mark.extend({ statuses: z.array(Figure.extend({ statusId: StatusId })) })),
  /**
   * The events of each week of the period: quotes created, submitted and sent for the first time, and won quotes. `week`: its Monday. Slices:
   * 'week:…:sent'.
   */
  perWeek: z.array(
    z.object({
      week: z.string(),
      created: Count,
      submitted: Count,
      sent: Count,
      won: Count,
      createdAmount: Money,
      submittedAmount: Money,
      sentAmount: Money,
      wonAmount: Money,
    }),
  ),
  /**
   * How the live quotes (open and not expired) of `since`, a week ago, became those of now, whatever the period. `start` and the changes add up to
   * `end`. Quotes that leave, and `shrunk`, have negative amounts. `count` is always the number of quotes in the list.
   */
  bridge: z.object({
    since: z.string(),
    steps: z.array(Figure.extend({ step: z.enum(BRIDGE_STEPS) })),
  }),
  /** Open quotes without a user's change for seven days. */
  untouched: Figure,
  /** Sent quotes that expire within seven days. */
  expiring: Figure,
  /** Sent quotes that have expired and are still open. */
  expired: Figure,
});
export type PipelineReport = z.infer<typeof PipelineReport>;

export const WonLostReport = Head.extend({
  total: Outcomes,
  /** Every month of the period. `key`: '2026-03'. */
  perMonth: z.array(Outcomes),
  /** Lost quotes, largest amount first. */
  byReason: z.array(Mark),
  /** Lost quotes by competitor. 'none' means that no competitor was entered. */
  byCompetitor: z.array(Mark),
  /** Decided quotes by rep. This and the next three are ordered by decided amount, largest first, at most 100 each. */
  byRep: z.array(Outcomes),
  byRegion: z.array(Outcomes),
  byClassOfTrade: z.array(Outcomes),
  /** By discount off list, smallest first. */
  byDiscountSize: z.array(Outcomes),
  /** Lost quotes with a known competitor's price. `gapPct`: how far our amounts were above theirs in total; null if there are none. */
  priceGap: Figure.extend({ theirAmount: Money, gapPct: Pct.nullable(), bars: z.array(Mark) }),
  /** Whole days from the first sending to the decision. */
  daysToDecide: z.array(Outcomes),
});
export type WonLostReport = z.infer<typeof WonLostReport>;

/** The spread of discounts off list over quotes, and their margin. Margin fields are null for readers who may not know the cost. */
const DiscountMark = Mark.extend({
  listAmount: Money,
  /**
   * The total discount off list. The next three are the tenth, fiftieth and ninetieth percentile over quotes, or over lines of a class in whole
   * percent.
   */
  discountPct: Pct,
  lowPct: Pct,
  medianPct: Pct,
  highPct: Pct,
  /** Margin of the lines with a known cost. Null if there are none. */
  marginPct: Pct.nullable(),
});
export type DiscountMark = z.infer<typeof DiscountMark>;

export const DiscountMarginReport = Head.extend({
  /**
   * From list to total. `pct`: of the list amount. `list`, `net` and `total` are levels. The others are changes, negative if they lower the price.
   */
  waterfall: z.array(Figure.extend({ step: z.enum(WATERFALL_STEPS), pct: Pct })),
  /** Largest net amount first, at most 100 each. */
  byRep: z.array(DiscountMark),
  byClass: z.array(DiscountMark),
  /** Quotes with an unusually high discount off list: above the upper quartile by more than 1.5 times the interquartile range. */
  outliers: Figure.extend({
    /** Discounts above this are outliers. Null if fewer than eight quotes were compared. */
    abovePct: Pct.nullable(),
    /** Largest discounts first, at most 20. */
    quotes: z.array(
      z.object({
        quoteId: z.number().int(),
        num: z.number().int(),
        revision: z.number().int(),
        facilityName: z.string(),
        salesRep: z.string(),
        amount: Money,
        discountPct: Pct,
        marginPct: Pct.nullable(),
      }),
    ),
  }),
  /** How far lines are below the system price (account, contract or list, and promotion). `pct`: of the system price. */
  leakage: Figure.extend({ lines: Count, pct: Pct, byRep: z.array(Mark), byClass: z.array(Mark) }),
  /** The margin of the lines with a known cost. Null for readers who may not know it, and if there is no such line. */
  margin: z.object({ amount: Money, pct: Pct, costed: Money }).nullable(),
  /** Priced lines without a known cost and their net amounts, which margins do not include. Null for readers who may not know the cost. */
  uncosted: Figure.extend({ lines: Count }).nullable(),
});
export type DiscountMarginReport = z.infer<typeof DiscountMarginReport>;

const Duration = z.object({
  key: z.string(),
  name: z.string(),
  count: Count,
  median: Seconds,
  /** The ninetieth percentile. */
  p90: Seconds,
  slice: SliceText,
});
export type Duration = z.infer<typeof Duration>;

export const SpeedReport = Head.extend({
  /** Time in each open status, over the quotes created in the period that entered and left it. Several stays of a quote are added. */
  inStatus: z.array(Duration.extend({ statusId: StatusId })),
  /** Approvals requested in the period: the time from the request to each decision on a rule, by rule and by user. `count`: quotes. */
  approvals: z.object({ byRule: z.array(Duration), byPerson: z.array(Duration) }),
  /** Quotes created in the period, by number of revisions. */
  revisions: z.array(Mark),
  /** Open quotes by the user or role they wait for now, whatever the period, longest waiting first. `oldest`: seconds in their status. */
  waiting: z.array(Mark.extend({ for: z.enum(WAITING_FOR), statusId: StatusId, oldest: Seconds, median: Seconds })),
});
export type SpeedReport = z.infer<typeof SpeedReport>;

/** Counts are quotes; amounts are those of the affected lines. */
const Use = z.object({
  quoted: Count,
  quotedAmount: Money,
  quotedSlice: SliceText,
  won: Count,
  wonAmount: Money,
  wonSlice: SliceText,
});

const UsedItem = Use.extend({
  itemId: z.number().int(),
  itemNumber: z.string(),
  description: z.string(),
  lost: Count,
  lostAmount: Money,
  lostSlice: SliceText,
  /** Net unit prices over facilities, in the most quoted unit. Null if the item has no priced line. */
  price: z.object({ unit: z.string(), low: Money, median: Money, high: Money, facilities: Count }).nullable(),
});
export type UsedItem = z.infer<typeof UsedItem>;

export const ContractUseReport = Head.extend({
  /** Contracts with lines in quotes of the period, largest quoted amount first, at most 100. */
  contracts: z.array(
    Use.extend({
      contractId: z.number().int(),
      number: z.string(),
      title: z.string(),
      /** Empty for a local agreement. */
      gpo: z.string(),
      tiers: z.array(Use.extend({ tierId: z.number().int(), name: z.string() })),
    }),
  ),
  /** Facilities on today's roster without any won quote under the contract. Contracts with most of them first, at most 20. */
  neverBought: z.array(
    z.object({
      contractId: z.number().int(),
      number: z.string(),
      title: z.string(),
      entitled: Count,
      never: Count,
      /** At most 50, by name. */
      facilities: z.array(z.object({ id: z.number().int(), name: z.string(), acctNo: z.string() })),
    }),
  ),
  /** Contracts that end within 90 days, with the open quotes under them, earliest end first. */
  expiring: z.array(
    Figure.extend({ contractId: z.number().int(), number: z.string(), title: z.string(), endsOn: z.string() }),
  ),
  /** Lines at risk by the month in which their price changes, and the kind of risk. `difference`: new prices minus quoted ones. */
  risks: z.array(z.object({ month: z.string(), kind: RiskKind, quotes: Count, difference: Money })),
  /** At most 20 each, largest amount first. */
  mostQuoted: z.array(UsedItem),
  mostWon: z.array(UsedItem),
  mostLost: z.array(UsedItem),
});
export type ContractUseReport = z.infer<typeof ContractUseReport>;

export const TerritorySalesReport = Head.extend({
  /** Each territory with quotes. `territoryId` is null for quotes without a territory. Won and lost are by the day of the decision. */
  territories: z.array(
    z.object({
      territoryId: z.number().int().nullable(),
      name: z.string(),
      regionId: z.number().int().nullable(),
      regionName: z.string(),
      won: Money,
      wonCount: Count,
      wonSlice: SliceText,
      /** Open now, whatever the period. */
      open: Money,
      openCount: Count,
      openSlice: SliceText,
      /** Won on the same days a year earlier. */
      wonYearBefore: Money,
      wonCountYearBefore: Count,
      wonYearBeforeSlice: SliceText,
      /** The change of the won amount from the year before, in percent. Null if nothing was won then. */
      changePct: Pct.nullable(),
    }),
  ),
});
export type TerritorySalesReport = z.infer<typeof TerritorySalesReport>;

/** The dimensions and the measure of a pivot, besides the filters. */
export const PivotInput = filtersAnd({
  /** The dimension of the rows. */
  rows: z.enum(DIMENSIONS),
  /** The dimension of the columns, if any. It must differ from that of the rows. */
  columns: z.enum(DIMENSIONS).nullish(),
  /**
   * `quotes`: the number of quotes. `amount`, `won`: the totals of quotes, and of won quotes; with classes or contracts, the net amounts of their
   * lines. `rate`: won in percent of won and lost quotes. `discount`: net below list, in percent of list. `margin`: of lines with a known cost, in
   * percent of net; 403 for readers who may not know the cost.
   */
  measure: z.enum(MEASURES),
});
export type PivotInput = z.infer<typeof PivotInput>;

const Cell = z.object({
  /** The measure: a number of quotes, an amount, or a percentage. Null if there is nothing to measure. */
  value: z.number().nullable(),
  /**
   * The number of quotes in the list. Null for sums over lines that do not count quotes: amounts, discounts and margins with classes or contracts.
   */
  count: Count.nullable(),
  /** The sum of the list: its amounts, the amounts below list, or the margin. */
  amount: Money,
  slice: SliceText,
});
export type PivotCell = z.infer<typeof Cell>;

const PivotKey = z.object({
  /** An id, a status, a month, or a text. 'none' for quotes without one. */
  key: z.string(),
  name: z.string(),
  total: Cell,
});

export const PivotReport = Head.extend({
  /** The largest rows, largest first; months and statuses in their own order. `cells`: one for each column, null if there are no such quotes. */
  rows: z.array(PivotKey.extend({ cells: z.array(Cell.nullable()) })),
  columns: z.array(PivotKey),
  total: Cell,
  /** The number of all rows. If it is more than in `rows`, the totals include the others, too. The same applies to `columnCount`. */
  rowCount: Count,
  columnCount: Count,
});
export type PivotReport = z.infer<typeof PivotReport>;

/** Long enough for a pivot with two texts. */
const AnySlice = Text(2000).refine((text) => sliceOf(text) !== null, 'This report figure does not exist.');

export const REPORT_QUOTE_SORT_FIELDS = [...QUOTE_SORT_FIELDS, 'sliceAmount'] as const;

/** The columns that sort the list behind a figure: those of the quote, or its amount in the figure (`sliceAmount`). */
const sliceSort = {
  sort: z.object({ field: z.enum(REPORT_QUOTE_SORT_FIELDS), dir: z.enum(['asc', 'desc']) }).nullish(),
};

export const ReportQuotesInput = filtersAnd({ ...PageInput.shape, ...sliceSort, slice: AnySlice });
export type ReportQuotesInput = z.infer<typeof ReportQuotesInput>;

/** A quote behind a figure. `sliceAmount`: the amount that it adds to the figure. */
export const ReportQuoteRow = QuoteRow.extend({ sliceAmount: Money });
export type ReportQuoteRow = z.infer<typeof ReportQuoteRow>;

export const ReportQuotes = Head.extend(pageOf(ReportQuoteRow).shape).extend({
  /** The whole figure: the number of quotes on all pages. `amount` is the sum of what they add. */
  count: Count,
  amount: Money,
  /** The title of the list: 'Won, March 2026, Dana Ruiz'. */
  title: z.string(),
  /** The heading of `sliceAmount`: 'Total', 'Increase', 'Typed prices'. */
  amountTitle: z.string(),
});
export type ReportQuotes = z.infer<typeof ReportQuotes>;

export const Report = {
  GetPipeline: post('/api/Report/GetPipeline', ReportFilters, PipelineReport, {
    access: 'user',
    summary: 'Open quotes by status and age, activity per week, and changes since a week ago.',
  }),
  GetWonLost: post('/api/Report/GetWonLost', ReportFilters, WonLostReport, {
    access: 'user',
    summary:
      'Quotes won and lost in the period: per month, by reason, competitor, rep, region, class of trade, discount and time.',
  }),
  GetDiscountMargin: post('/api/Report/GetDiscountMargin', ReportFilters, DiscountMarginReport, {
    access: 'user',
    summary: 'From list to net in steps, discounts by rep and class, and amounts below system price.',
  }),
  GetSpeed: post('/api/Report/GetSpeed', ReportFilters, SpeedReport, {
    access: 'user',
    summary: 'How long quotes and approvals take, and who open quotes are waiting for.',
  }),
  GetContractUse: post('/api/Report/GetContractUse', ReportFilters, ContractUseReport, {
    access: 'user',
    summary: 'Quoted and won amounts by contract and tier, and the most quoted, won and lost items.',
  }),
  GetTerritorySales: post('/api/Report/GetTerritorySales', ReportFilters, TerritorySalesReport, {
    access: 'user',
    summary: 'Won and open amounts by territory, compared with the year before.',
  }),
  GetPivot: post('/api/Report/GetPivot', PivotInput, PivotReport, {
    access: 'user',
    summary: 'One measure of quotes by two dimensions: cells, totals, and at most 200 rows and 60 columns.',
  }),
  GetReportQuotes: post('/api/Report/GetReportQuotes', ReportQuotesInput, ReportQuotes, {
    access: 'user',
    summary: 'The quotes behind a figure of a report, by its slice and the same filters.',
  }),
  ExportReportQuotes: post('/api/Report/ExportReportQuotes', filtersAnd({ ...sliceSort, slice: AnySlice }), Bytes, {
    access: 'user',
    file: 'text/csv',
    summary: 'The quotes behind a figure as CSV, at most 50,000 rows.',
  }),
};
