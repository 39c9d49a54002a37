// Savings analyses: what a facility uses and pays, matched to our items, compared with our prices, and made into a quote.
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { FacilityHit } from '#core/customers/facilities/facilities.contract.ts';
import { REFERENCE_KINDS } from '#core/catalogue/cross-references/reference-words.ts';
import { RecordEvent } from '#platform/history/history.contract.ts';
import { FiredRule } from '#core/quoting/approvals/approval-shapes.ts';
import { MOST } from '#platform/shared/money.ts';
import { QUOTING_ROLES } from '#platform/shared/roles.ts';
import { Id, Named, PageInput, pageOf, Percent, Price, QueryId, Text, Version } from '#platform/shared/wire.ts';
import {
  ANALYSIS_STATES,
  CONFIDENCES,
  DECISIONS,
  QUOTE_QUANTITIES,
  ROWS_SHOWN,
  USAGE_FIELDS,
} from './savings-words.ts';

/** The most rows of an analysis. */
export const MOST_USAGE_ROWS = 50_000;
export const LARGEST_USAGE_FILE = 50 * 1024 * 1024;
/** The most rows that one call decides or sets. */
export const MOST_ROWS_AT_ONCE = 2_000;

const Money = z.number().nullable();

/** Sums over the rows that count: matched, with both prices and a quantity, and not left out. Money of a year, in `currnIdx`. */
export const SavingsSums = z.object({
  rows: z.number().int(),
  theirs: z.number(),
  ours: z.number(),
  /** theirs − ours: what the customer saves; below 0 when we are dearer. */
  difference: z.number(),
  /** The difference in percent of theirs; null without spend. */
  differencePct: Money,
});
export type SavingsSums = z.infer<typeof SavingsSums>;

export const SavingsTotals = SavingsSums.extend({
  currnIdx: z.number().int(),
  /** How many of these rows we are dearer in. */
  dearerRows: z.number().int(),
  /** How much of ours is at contract prices, in percent; null without spend. */
  onContractPct: Money,
  /** Internal only: absent for public readers. */
  marginPct: Money.optional(),
});

/** How many rows stand where; each row is in one of taken, toLookAt, noMatch and noBid. */
const RowCounts = z.object({
  all: z.number().int(),
  certain: z.number().int(),
  taken: z.number().int(),
  toLookAt: z.number().int(),
  noMatch: z.number().int(),
  noBid: z.number().int(),
  /** Taken rows that are left out: by a person, or below the minimum saving. */
  leftOut: z.number().int(),
  /** Taken rows that have no comparison, because a price, a quantity or a pack size is missing. */
  notCompared: z.number().int(),
});

export const AnalysisRow = z.object({
  id: z.number().int(),
  name: z.string(),
  facility: Named,
  facilityAcctNo: z.string(),
  owner: z.object({ id: z.number().int(), name: z.string() }),
  state: z.enum(ANALYSIS_STATES),
  /** Of how many months the quantities are. */
  months: z.number().int(),
  rowCount: z.number().int(),
  theirs: z.number(),
  ours: z.number(),
  difference: z.number(),
  currnIdx: z.number().int(),
  createdAt: z.string(),
  version: z.number().int(),
});
export type AnalysisRow = z.infer<typeof AnalysisRow>;

export const UsageColumn = z.object({
  heading: z.string(),
  samples: z.array(z.string()),
  field: z.enum(USAGE_FIELDS).nullable(),
});

export const Analysis = AnalysisRow.extend({
  fileName: z.string(),
  /** Why the state is 'failed' or 'columns', in a sentence; else empty. */
  problem: z.string(),
  /** What a person should know about how the file was read. */
  notes: z.array(z.string()),
  sheet: z.string(),
  sheets: z.array(z.string()),
  headerLine: z.number().int(),
  columns: z.array(UsageColumn),
  /** While reading: the step in words, how many rows are done, and of how many (0: not known yet). */
  step: z.string(),
  done: z.number().int(),
  total: z.number().int(),
  counts: RowCounts,
  totals: SavingsTotals,
  byClass: z.array(SavingsSums.extend({ name: z.string() })),
  byMaker: z.array(SavingsSums.extend({ name: z.string() })),
  /** Rows that save less, in percent, are left out; null: none are. */
  minimumSavingPct: Money,
  /** The day whose prices are compared. */
  priceDate: z.string(),
  /** The freight terms that a quote of the facility has; empty when it has none. Freight is never in the figures. */
  freightTerms: z.string(),
  /** Whether this person may have the internal sheet. */
  mayReadInternal: z.boolean(),
});
export type Analysis = z.infer<typeof Analysis>;

/** An item that a row may mean. */
export const MatchCandidate = z.object({
  itemId: z.number().int(),
  itemNumber: z.string(),
  description: z.string(),
  /** The unit of ours that is compared; '' when a person must choose. */
  unit: z.string(),
  units: z.array(z.object({ unit: z.string(), factor: z.number() })),
  confidence: z.enum(CONFIDENCES),
  /** 0 to 100. */
  score: z.number(),
  /** Why, in sentences. */
  reasons: z.array(z.string()),
});
export type MatchCandidate = z.infer<typeof MatchCandidate>;

export const SavingsRow = z.object({
  id: z.number().int(),
  /** The line of the file. */
  rowNo: z.number().int(),
  /** 1, 2, … of a row that is split; 0 of a whole one. */
  part: z.number().int(),
  itemNo: z.string(),
  distributor: z.string(),
  catalogNo: z.string(),
  maker: z.string(),
  makerNo: z.string(),
  description: z.string(),
  unit: z.string(),
  /** The number of eaches in their unit; null if unknown. */
  eachesPerUnit: z.number().nullable(),
  pack: z.string(),
  /** How many of their units a year takes. */
  qtyPerYear: z.number().nullable(),
  /** What they pay for their unit. */
  price: Money,
  gtin: z.string(),
  /** What does not fit together in the row, a sentence each, with both readings. */
  doubts: z.array(z.string()),
  match: z.object({
    confidence: z.enum(CONFIDENCES),
    itemId: z.number().int().nullable(),
    itemNumber: z.string(),
    description: z.string(),
    /** Our unit that is compared. */
    unit: z.string(),
    eachesPerUnit: z.number().nullable(),
    score: z.number(),
    reasons: z.array(z.string()),
  }),
  decision: z.enum(DECISIONS),
  /** Why there is no bid; else empty. */
  noBidReason: z.string(),
  decidedBy: z.string(),
  decidedAt: z.string().nullable(),
  /** Certain and open, or accepted. */
  taken: z.boolean(),
  /** A person may leave a taken row out. */
  included: z.boolean(),
  /** It counts in the totals and goes into the quote: taken, included, and above the minimum saving. */
  counts: z.boolean(),
  /** A price for our unit that a person typed, and why. Null: the system's price. */
  typedPrice: Money,
  priceReason: z.string(),
  /** The approval rules that the typed price breaks, each with who decides: 'Below floor → Contract department'. */
  approvals: z.array(z.string()),
  /** Our price for our unit today, as a new quote line would get it; null without one. */
  ourPrice: Money,
  priceSource: z.string(),
  /** Why there is no price or no comparison, in a sentence; else empty. */
  problem: z.string(),
  theirPerEach: Money,
  ourPerEach: Money,
  theirYear: Money,
  ourYear: Money,
  /** theirYear − ourYear. */
  difference: Money,
  differencePct: Money,
  /** Internal only: absent for public readers. Cost of our unit. */
  cost: Money.optional(),
  marginPct: Money.optional(),
  version: z.number().int(),
});
export type SavingsRow = z.infer<typeof SavingsRow>;

/** What another tier of a contract that prices rows which count would save in a year, over its rows without a typed price. */
const ContractTiers = z.object({
  contractId: z.number().int(),
  number: z.string(),
  /** How many rows it prices, and what they come to in a year. */
  rows: z.number().int(),
  ours: z.number(),
  /** The tiers that price them. */
  now: z.array(z.object({ tierNo: z.number().int(), tierName: z.string() })),
  /** Only tiers that save, the smallest saving first. */
  tiers: z.array(
    z.object({
      tierId: z.number().int(),
      tierNo: z.number().int(),
      tierName: z.string(),
      /** How a facility reaches the tier, in words. Empty when the contract does not say. */
      requirement: z.string(),
      needsLoc: z.boolean(),
      /** How many rows would have another price. */
      rows: z.number().int(),
      saving: z.number(),
    }),
  ),
});
export type ContractTiers = z.infer<typeof ContractTiers>;

/** A quote that was made of an analysis, and what came of the saving that it promised. */
const QuoteMade = z.object({
  /** Null for a quote out of this person's sight. */
  id: z.number().int().nullable(),
  number: z.string(),
  statusId: z.string(),
  totalAmount: z.number(),
  /** The next four are null for quotes made before they were kept. */
  quantities: z.enum(QUOTE_QUANTITIES).nullable(),
  /** How many compared rows it was made of. */
  rows: z.number().int().nullable(),
  /** What they were to save in a year when it was made. */
  promised: Money,
  /** What its lines would save in a year at the prices they have now; rows that are no longer on it save nothing. */
  saving: Money,
});
export type QuoteMade = z.infer<typeof QuoteMade>;

/** What pricing an analysis again changed, for the rows that are taken. */
const PriceChanges = z.object({
  /** The figures before each time the rows were priced again, newest first. */
  earlier: z.array(SavingsSums.extend({ id: z.number().int(), priceDate: z.string() })),
  /** Since the newest of them: how many rows have another price or source, and what that comes to in a year; below 0 when we are cheaper now. */
  changed: z.number().int(),
  yearChange: z.number(),
  /** How many of them we were not dearer in before, and are now. */
  turnedDearer: z.number().int(),
  /** The rows that turned dearer, then those that change most; at most 200. */
  rows: z.array(
    z.object({
      rowId: z.number().int(),
      rowNo: z.number().int(),
      itemNumber: z.string(),
      description: z.string(),
      unit: z.string(),
      priceBefore: Money,
      priceNow: Money,
      sourceBefore: z.string(),
      sourceNow: z.string(),
      /** In a year; null without both prices or a quantity. */
      yearChange: Money,
      turnedDearer: z.boolean(),
      /** The row has a typed price, which stays. */
      typed: z.boolean(),
    }),
  ),
});
export type PriceChanges = z.infer<typeof PriceChanges>;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const RowRead = z.object({ id: Id, version: Version });
/** The rows that a call changed, and the analysis after it. */
const Changed = z.object({ rows: z.array(SavingsRow), analysis: Analysis });

export const SAVINGS_SORT_FIELDS = ['name', 'facility', 'owner', 'state', 'difference', 'createdAt'] as const;

export const AnalysisCriteria = PageInput.extend({
  sort: z.object({ field: z.enum(SAVINGS_SORT_FIELDS), dir: z.enum(['asc', 'desc']) }).nullish(),
  /** Words of the name, the facility, its account number or the owner. */
  keyword: Text(100).nullish(),
  facilityId: Id.nullish(),
  state: z.enum(ANALYSIS_STATES).nullish(),
});
export type AnalysisCriteria = z.infer<typeof AnalysisCriteria>;

export const RowCriteria = PageInput.extend({
  id: Id,
  confidence: z.enum(CONFIDENCES).nullish(),
  show: z.enum(ROWS_SHOWN).default('all'),
  /** Part of any number or of the description. */
  keyword: Text(100).nullish(),
});
export type RowCriteria = z.infer<typeof RowCriteria>;

const access = QUOTING_ROLES;

/** The most facilities that one file is divided among. */
export const MOST_FACILITIES = 50;
/** A facility as a usage file names it. */
export const NamedFacility = z.object({
  /** As in the columns of the facility; both are '' for rows that have none. */
  number: z.string(),
  name: z.string(),
  rows: z.number().int(),
  /** The facility in sight that has this account number, else this name. Null: none or several have it, and a person decides. */
  facility: FacilityHit.nullable(),
});
export type NamedFacility = z.infer<typeof NamedFacility>;
/** Whose the rows of each facility are, in the order of FindUsageFacilities: its id, or null to leave them out. */
const Decided = z.array(Id.nullable()).max(MOST_FACILITIES);

export const Savings = {
  FindUsageFacilities: post(
    '/api/Savings/FindUsageFacilities',
    z.object({ text: z.string().max(10_000).default('') }),
    z.object({ facilities: z.array(NamedFacility), more: z.boolean() }),
    {
      access,
      in: 'upload',
      bodyLimit: LARGEST_USAGE_FILE,
      fileOptional: true,
      toDisk: true,
      summary: 'The facilities that the rows of a usage file name, in the order of the file. Nothing is stored.',
    },
  ),
  UploadUsageFile: post(
    '/api/Savings/UploadUsageFile',
    z.object({
      facilityId: z.coerce.number().int().min(1).max(2_147_483_647),
      /** The quantities of the file are of so many months. */
      months: z.coerce.number().int().min(1).max(60).default(12),
      /** If empty, the name of the file. */
      name: Text(200).default(''),
      /** Pasted cells or lines, instead of a file. More than 10,000 characters are sent as a file of text. */
      text: z.string().max(10_000).default(''),
      /** 'none': all rows are of `facilityId`, whatever the file says. */
      divide: z.enum(['by-facility', 'none']).default('by-facility'),
      /** A JSON list for a file that names facilities (see FindUsageFacilities): the id of each, or null to leave its rows out. */
      facilities: z
        .string()
        .meta({ examples: ['[]'] })
        .transform((text, context) => {
          const read = Decided.safeParse(text === '' ? [] : jsonOf(text));
          if (read.success) return read.data;
          context.addIssue({ code: 'custom', message: 'Send a JSON list of ids and nulls.' });
          return z.NEVER;
        })
        .default([]),
    }),
    z.object({
      id: z.number().int(),
      state: z.enum(ANALYSIS_STATES),
      /** The analyses of the other facilities that the file names. */
      others: z.array(z.object({ id: z.number().int(), state: z.enum(ANALYSIS_STATES), facility: Named })),
    }),
    {
      access,
      in: 'upload',
      bodyLimit: LARGEST_USAGE_FILE,
      fileOptional: true,
      toDisk: true,
      summary:
        'Takes a usage file (CSV, TSV, XLSX) or pasted text, and reads and matches it in the background; one analysis for each facility it names.',
    },
  ),
  SetUsageColumns: post(
    '/api/Savings/SetUsageColumns',
    z.object({
      id: Id,
      version: Version,
      sheet: z.string().max(200).optional(),
      headerLine: z.number().int().min(1).max(1_000_000).optional(),
      /** The field of each column, in order; null: not used. Left out with another sheet or header line: recognized again. */
      fields: z.array(z.enum(USAGE_FIELDS).nullable()).max(2000).optional(),
      months: z.number().int().min(1).max(60).optional(),
    }),
    Analysis,
    {
      access,
      writes: true,
      summary:
        'Says which column is which, and reads the file again. What was decided in this analysis before is void.',
    },
  ),
  GetAnalysis: post('/api/Savings/GetAnalysis', QueryId, Analysis, { access, in: 'query' }),
  SearchAnalyses: post('/api/Savings/SearchAnalyses', AnalysisCriteria, pageOf(AnalysisRow), {
    access,
    summary: 'Savings analyses in the sight of this person, newest first.',
  }),
  SearchAnalysisRows: post('/api/Savings/SearchAnalysisRows', RowCriteria, pageOf(SavingsRow), {
    access,
    summary: 'The rows of an analysis in the order of its file.',
  }),
  GetRowCandidates: post(
    '/api/Savings/GetRowCandidates',
    z.object({ id: Id, rowId: Id }),
    z.object({ candidates: z.array(MatchCandidate) }),
    { access, summary: 'The items that a row may mean, best first, with the evidence for each.' },
  ),
  DecideRows: post(
    '/api/Savings/DecideRows',
    z
      .object({
        id: Id,
        rows: z.array(RowRead).min(1).max(MOST_ROWS_AT_ONCE),
        /** 'accept' takes the proposed item, or `itemId`; 'open' takes a decision back. */
        decision: z.enum(['accept', 'no-bid', 'open']),
        itemId: Id.nullish(),
        /** Our unit; left out: that of the proposal, or the one that has as many eaches as theirs. */
        unit: Text(20).nullish(),
        /** Why there is no bid. */
        reason: Text(500).default(''),
        /** Also all other rows of the analysis that have the same number of theirs. */
        sameNumber: z.boolean().default(false),
        /** For whom the number of the row is remembered as our item; null: for nobody. */
        remember: z.enum(['Facility', 'Everybody']).nullable().default('Facility'),
        kind: z.enum(REFERENCE_KINDS).default('Same'),
      })
      .refine(({ decision, reason }) => decision !== 'no-bid' || reason !== '', {
        path: ['reason'],
        message: 'Say why there is no bid.',
      }),
    Changed,
    { access, writes: true, summary: 'Accepts items for rows, or bids on none. An accepted number is remembered.' },
  ),
  SetRows: post(
    '/api/Savings/SetRows',
    z.object({
      id: Id,
      rows: z
        .array(
          RowRead.extend({
            included: z.boolean().optional(),
            /** A price for our unit; null: the system's. */
            typedPrice: Price.nullish(),
            priceReason: Text(500).optional(),
          }),
        )
        .max(MOST_ROWS_AT_ONCE)
        .default([]),
      /** Leaves out, or takes in again, all rows in which we are dearer. */
      dearer: z.enum(['leave-out', 'take-in']).optional(),
      /** Null: no row is left out for a small saving. */
      minimumSavingPct: Percent.nullish(),
    }),
    Changed,
    { access, writes: true, summary: 'Leaves rows out, types prices to match, and sets the minimum saving.' },
  ),
  SplitRow: post(
    '/api/Savings/SplitRow',
    z.object({
      id: Id,
      row: RowRead,
      /** How many of their units a year takes of the new part. The rest stays with the row. */
      qtyPerYear: z.number().positive().max(MOST),
    }),
    Changed,
    {
      access,
      writes: true,
      summary:
        'Splits a row that is really two items: the new part waits for a decision. Answers the row and its new part.',
    },
  ),
  JoinRow: post('/api/Savings/JoinRow', z.object({ id: Id, row: RowRead }), Changed, {
    access,
    writes: true,
    summary: 'Takes a part of a split row back: its quantity returns to the first part. Answers the first part.',
  }),
  RepriceAnalysis: post('/api/Savings/RepriceAnalysis', z.object({ id: Id, version: Version }), Analysis, {
    access,
    writes: true,
    summary: 'Prices all rows again at prices of today. Decisions and typed prices stay; the earlier figures are kept.',
  }),
  GetPriceChanges: post('/api/Savings/GetPriceChanges', QueryId, PriceChanges, {
    access,
    in: 'query',
    summary: 'What has changed since the rows were priced before: prices, sources, and rows in which we now cost more.',
  }),
  GetTierSavings: post('/api/Savings/GetTierSavings', QueryId, z.array(ContractTiers), {
    access,
    in: 'query',
    summary:
      'For each contract that prices rows which count: its tier today, and what other tiers would save in a year. Rows with a typed price stay as they are.',
  }),
  MakeQuotes: post(
    '/api/Savings/MakeQuotes',
    z.object({
      id: Id,
      quantities: z.enum(QUOTE_QUANTITIES),
      /** Only these of the rows that count. */
      rows: z.array(Id).min(1).max(MOST_USAGE_ROWS).optional(),
      /** The caller's key. Sending it again after a lost answer returns the quotes already made. */
      clientKey: Text(64).nullish(),
    }),
    z.object({ quotes: z.array(z.object({ id: z.number().int(), number: z.string(), lines: z.number().int() })) }),
    {
      access,
      writes: true,
      copies: true,
      summary: 'Makes a quote of the rows that count, in sections by class, with the item numbers of the customer.',
    },
  ),
  GetQuotesMade: post('/api/Savings/GetQuotesMade', QueryId, z.array(QuoteMade), {
    access,
    in: 'query',
    summary:
      'The quotes made from an analysis, newest first, with status, amount, and saving against what was promised.',
  }),
  PreviewQuotes: post(
    '/api/Savings/PreviewQuotes',
    z.object({
      id: Id,
      quantities: z.enum(QUOTE_QUANTITIES),
      rows: z.array(Id).min(1).max(MOST_USAGE_ROWS).optional(),
    }),
    z.object({
      quotes: z.array(
        z.object({
          lines: z.number().int(),
          totalAmount: z.number(),
          validUntil: z.string(),
          /** The rules that would fire, and who decides each: names, or the role when nobody holds it. */
          rules: z.array(FiredRule.extend({ decides: z.string() })),
        }),
      ),
    }),
    {
      access,
      summary:
        'The quotes that MakeQuotes would make, at prices of today: totals, and the approval rules that would fire.',
    },
  ),
  GetAnalysisHistory: post(
    '/api/Savings/GetAnalysisHistory',
    PageInput.omit({ sort: true }).extend({ id: Id }),
    pageOf(RecordEvent),
    { access, summary: 'What was done with an analysis, by whom and when, newest first.' },
  ),
  GetSavingsSheet: post(
    '/api/Savings/GetSavingsSheet',
    z.object({
      id: Id,
      format: z.enum(['pdf', 'xlsx']).default('pdf'),
      /** The internal sheet has cost and margin. */
      audience: z.enum(['customer', 'internal']).default('customer'),
    }),
    Bytes,
    { access, file: 'application/pdf', summary: 'The savings sheet as PDF or Excel workbook (`format`).' },
  ),
  DeleteAnalysis: post(
    '/api/Savings/DeleteAnalysis',
    z.object({ id: Id, version: Version }),
    z.object({ deleted: z.literal(true) }),
    { access, writes: true, summary: 'Deletes an analysis and its file. What it taught stays as cross-references.' },
  ),
};
