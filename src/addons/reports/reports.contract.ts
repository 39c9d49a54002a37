// The calls of Reports: figures about quotes in sight, and the very list of quotes behind each figure (our own calls).
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { QUOTE_SORT_FIELDS, QuoteRow } from '#core/quoting/quotes/quotes.contract.ts';
import { RiskKind } from '#addons/quotes-at-risk/risk-kinds.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { PageInput, pageOf, Text } from '#platform/shared/wire.ts';
import { DIMENSIONS, MEASURES } from './pivot-choice.ts';
import { filtersAnd, ReportFilters } from './report-filters.ts';
import { BRIDGE_STEPS, sliceOf, WAITING_FOR, WATERFALL_STEPS } from './slices.ts';

/** Amounts are in the asked currency, with two decimals. Percentages are 0 to 100 with two decimals. Times are whole seconds. */
const Count = z.number().int();
const Money = z.number();
const Pct = z.number();
const Seconds = z.number().int();
/** The quotes behind a figure, for GetReportQuotes with the same filters: their number and their amounts add up to the figure. */
const SliceText = z.string();

/** What every report says about itself. */
const Head = z.object({
  /** The instant up to which all changes are in the figures. */
  asOf: z.string(),
  /** While the facts of an old company are filled for the first time: quotes done, of all. The figures then lack the others. */
  preparing: z.object({ done: Count, of: Count }).nullable(),
  /** The currency of the amounts. */
  currnIdx: z.number().int(),
  /** The currencies of all quotes that the other filters select, most quotes first. */
  currencies: z.array(z.object({ currnIdx: z.number().int(), count: Count })),
});
export type ReportHead = z.infer<typeof Head>;

const Figure = z.object({ count: Count, amount: Money, slice: SliceText });
export type Figure = z.infer<typeof Figure>;

/** A mark of a plot. `key`: an id, a day or the key of a bucket; 'none' for quotes without. `name`: as people read it. */
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
  /** Quotes by their status now, with their totals, in the order of the workflow; all ten statuses. */
  byStatus: z.array(Figure.extend({ statusId: StatusId })),
  /** Open quotes by age since they were created, and the same by status. */
  byAge: z.array(Mark.extend({ statuses: z.array(Figure.extend({ statusId: StatusId })) })),
  /** What happened in each week of the period: quotes for the first time created, submitted, sent, and those won. `week`: its Monday. Slices: 'week:…:sent'. */
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
   * `end`; those that leave, and `shrunk`, have negative amounts. `count` is always the number of quotes in the list.
   */
  bridge: z.object({
    since: z.string(),
    steps: z.array(Figure.extend({ step: z.enum(BRIDGE_STEPS) })),
  }),
  /** Open quotes that nobody touched for seven days. */
  untouched: Figure,
  /** Sent quotes that expire within seven days. */
  expiring: Figure,
  /** Sent quotes that have expired and are still open. */
  expired: Figure,
});
export type PipelineReport = z.infer<typeof PipelineReport>;

export const WonLostReport = Head.extend({
  total: Outcomes,
  /** Every month of the period; `key`: '2026-03'. */
  perMonth: z.array(Outcomes),
  /** Lost quotes, largest amount first. */
  byReason: z.array(Mark),
  /** Lost quotes by named competitor; 'none': nobody named one. */
  byCompetitor: z.array(Mark),
  /** The next four by decided amount, largest first, at most 100 each. */
  byRep: z.array(Outcomes),
  byRegion: z.array(Outcomes),
  byClassOfTrade: z.array(Outcomes),
  /** By discount off list, smallest first. */
  byDiscountSize: z.array(Outcomes),
  /** Lost quotes whose competitor's price is known. `gapPct`: how far our amounts were above theirs together; null without any. */
  priceGap: Figure.extend({ theirAmount: Money, gapPct: Pct.nullable(), bars: z.array(Mark) }),
  /** Whole days from first sending to decision. */
  daysToDecide: z.array(Outcomes),
});
export type WonLostReport = z.infer<typeof WonLostReport>;

/** The spread of discounts off list over quotes, and their margin. Margin fields are null for readers who may not know the cost. */
const DiscountMark = Mark.extend({
  listAmount: Money,
  /** Discount off list of all together, and the tenth, middle and ninetieth percentile over quotes (over lines of a class, to the whole percent). */
  discountPct: Pct,
  lowPct: Pct,
  medianPct: Pct,
  highPct: Pct,
  /** Margin of the lines with a known cost; null without any. */
  marginPct: Pct.nullable(),
});
export type DiscountMark = z.infer<typeof DiscountMark>;

export const DiscountMarginReport = Head.extend({
  /** From list to total. `pct`: of the list amount. `list`, `net` and `total` are levels, the others changes, negative when they lower the price. */
  waterfall: z.array(Figure.extend({ step: z.enum(WATERFALL_STEPS), pct: Pct })),
  /** Largest net amount first, at most 100 each. */
  byRep: z.array(DiscountMark),
  byClass: z.array(DiscountMark),
  /** Quotes whose discount off list is far above the usual: more than 1.5 times the middle half's width above it. */
  outliers: Figure.extend({
    /** Discounts above this are outliers; null when fewer than eight quotes were compared. */
    abovePct: Pct.nullable(),
    /** The largest discounts first, at most 20. */
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
  /** What lines are below the price that the rules gave (account, contract or list, and promotion). `pct`: of the price the rules gave. */
  leakage: Figure.extend({ lines: Count, pct: Pct, byRep: z.array(Mark), byClass: z.array(Mark) }),
  /** The margin of the lines with a known cost; null for readers who may not know it, or without such a line. */
  margin: z.object({ amount: Money, pct: Pct, costed: Money }).nullable(),
  /** Priced lines without a known cost and their net amounts, which no margin counts; null for readers who may not know the cost. */
  uncosted: Figure.extend({ lines: Count }).nullable(),
});
export type DiscountMarginReport = z.infer<typeof DiscountMarginReport>;

const Duration = z.object({
  key: z.string(),
  name: z.string(),
  count: Count,
  median: Seconds,
  /** Nine of ten were at most this long. */
  p90: Seconds,
  slice: SliceText,
});
export type Duration = z.infer<typeof Duration>;

export const SpeedReport = Head.extend({
  /** Time in each open status over the quotes created in the period that were in it and left it; several stays of a quote add up. */
  inStatus: z.array(Duration.extend({ statusId: StatusId })),
  /** Approvals requested in the period: from the request to each decision about a rule, by rule and by person. `count`: quotes. */
  approvals: z.object({ byRule: z.array(Duration), byPerson: z.array(Duration) }),
  /** Quotes created in the period by number of revisions. */
  revisions: z.array(Mark),
  /** Open quotes by whom they wait for now, whatever the period; the longest waiting first. `oldest`: seconds in their status. */
  waiting: z.array(Mark.extend({ for: z.enum(WAITING_FOR), statusId: StatusId, oldest: Seconds, median: Seconds })),
});
export type SpeedReport = z.infer<typeof SpeedReport>;

/** Counts are quotes, amounts those of the lines concerned. */
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
  /** Net unit prices over facilities, in the unit quoted most; null when it has no priced line. */
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
  /** Facilities on the roster today that no won quote of any time under the contract names; contracts with most of them first, at most 20. */
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
  /** Contracts that end within 90 days, with the open quotes under them; the first to end first. */
  expiring: z.array(
    Figure.extend({ contractId: z.number().int(), number: z.string(), title: z.string(), endsOn: z.string() }),
  ),
  /** Lines at risk by the month in which their price changes, and why. `difference`: new prices less quoted ones. */
  risks: z.array(z.object({ month: z.string(), kind: RiskKind, quotes: Count, difference: Money })),
  /** At most 20 each, largest amount first. */
  mostQuoted: z.array(UsedItem),
  mostWon: z.array(UsedItem),
  mostLost: z.array(UsedItem),
});
export type ContractUseReport = z.infer<typeof ContractUseReport>;

export const TerritorySalesReport = Head.extend({
  /** Each territory with quotes; `territoryId` null: quotes without a territory. Won and lost by the day of the decision. */
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
      /** Won in the same days a year earlier. */
      wonYearBefore: Money,
      wonCountYearBefore: Count,
      wonYearBeforeSlice: SliceText,
      /** Won compared with the year before, in percent; null when nothing was won then. */
      changePct: Pct.nullable(),
    }),
  ),
});
export type TerritorySalesReport = z.infer<typeof TerritorySalesReport>;

/** What a pivot crosses and measures, besides the filters. */
export const PivotInput = filtersAnd({
  /** What the rows are. */
  rows: z.enum(DIMENSIONS),
  /** What the columns are, if any: another dimension. */
  columns: z.enum(DIMENSIONS).nullish(),
  /**
   * `quotes`: their number. `amount`, `won`: the totals of quotes, and of those won. With classes or contracts, the net of their lines. `rate`: won of won
   * and lost by number. `discount`: net below list, in percent of list. `margin`: of lines whose cost is known, in percent of net; 403 for readers who may not know the cost.
   */
  measure: z.enum(MEASURES),
});
export type PivotInput = z.infer<typeof PivotInput>;

const Cell = z.object({
  /** The measure: a number of quotes, an amount, or a percentage. Null: nothing is behind it. */
  value: z.number().nullable(),
  /** The quotes of the list. Null where lines are added up and quotes are not counted: amounts, discounts and margins with classes or contracts. */
  count: Count.nullable(),
  /** What the list adds up to: its amounts, or what is below list, or the margin. */
  amount: Money,
  slice: SliceText,
});
export type PivotCell = z.infer<typeof Cell>;

const PivotKey = z.object({
  /** An id, a status, a month, or a text; 'none' for quotes without one. */
  key: z.string(),
  name: z.string(),
  total: Cell,
});

export const PivotReport = Head.extend({
  /** The largest ones; months and statuses in their order, others the largest first. `cells`: one for each column; null: no such quotes. */
  rows: z.array(PivotKey.extend({ cells: z.array(Cell.nullable()) })),
  columns: z.array(PivotKey),
  total: Cell,
  /** How many there are in all. More than there are in `rows` or `columns`: the totals count the others too. */
  rowCount: Count,
  columnCount: Count,
});
export type PivotReport = z.infer<typeof PivotReport>;

/** Long enough for a pivot of two texts. */
const AnySlice = Text(2000).refine((text) => sliceOf(text) !== null, 'There is no such figure in a report.');

export const REPORT_QUOTE_SORT_FIELDS = [...QUOTE_SORT_FIELDS, 'sliceAmount'] as const;

/** The columns by which the list behind a figure sorts; the quote's own amount, or its part in the figure (`sliceAmount`). */
const sliceSort = {
  sort: z.object({ field: z.enum(REPORT_QUOTE_SORT_FIELDS), dir: z.enum(['asc', 'desc']) }).nullish(),
};

export const ReportQuotesInput = filtersAnd({ ...PageInput.shape, ...sliceSort, slice: AnySlice });
export type ReportQuotesInput = z.infer<typeof ReportQuotesInput>;

/** A quote behind a figure. `sliceAmount`: what it adds to the figure. */
export const ReportQuoteRow = QuoteRow.extend({ sliceAmount: Money });
export type ReportQuoteRow = z.infer<typeof ReportQuoteRow>;

export const ReportQuotes = Head.extend(pageOf(ReportQuoteRow).shape).extend({
  /** The whole figure: the number of quotes of all pages and the sum of their parts. */
  count: Count,
  amount: Money,
  /** What the list shows: 'Won, March 2026, Dana Ruiz'. */
  title: z.string(),
  /** What `sliceAmount` is: 'Total', 'Growth in the week', 'Typed discount'. */
  amountTitle: z.string(),
});
export type ReportQuotes = z.infer<typeof ReportQuotes>;

export const Report = {
  GetPipeline: post('/api/Report/GetPipeline', ReportFilters, PipelineReport, {
    access: 'user',
    summary: 'Open quotes by status and age, what happens per week, and what changed since a week ago.',
  }),
  GetWonLost: post('/api/Report/GetWonLost', ReportFilters, WonLostReport, {
    access: 'user',
    summary:
      'Quotes won and lost in the period: per month, by reason, competitor, rep, region, class of trade, discount and time.',
  }),
  GetDiscountMargin: post('/api/Report/GetDiscountMargin', ReportFilters, DiscountMarginReport, {
    access: 'user',
    summary: 'From list to net in steps, discounts by rep and class, and what is below the price of the rules.',
  }),
  GetSpeed: post('/api/Report/GetSpeed', ReportFilters, SpeedReport, {
    access: 'user',
    summary: 'How long quotes and approvals take, and for whom quotes wait now.',
  }),
  GetContractUse: post('/api/Report/GetContractUse', ReportFilters, ContractUseReport, {
    access: 'user',
    summary: 'What is quoted and won under each contract and tier, and the items quoted, won and lost most.',
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
