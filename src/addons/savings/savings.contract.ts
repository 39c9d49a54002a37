// Defines the calls for savings analyses: a facility's usage and prices, matched to our items, compared with our prices, and quoted.
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { FacilityHit } from '#core/customers/facilities/facilities.contract.ts';
import { REFERENCE_KINDS } from '#core/catalog/cross-references/reference-words.ts';
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
export const MAX_USAGE_ROWS = 50_000;
export const LARGEST_USAGE_FILE = 50 * 1024 * 1024;
/** The most rows that one call decides or sets. */
export const MAX_ROWS_AT_ONCE = 2_000;

const Money = z.number().nullable();

/** Sums over the included rows: matched, with both prices and a quantity, and not left out. Amounts are per year, in `currnIdx`. */
export const SavingsSums = z.object({
  rows: z.number().int(),
  theirs: z.number(),
  ours: z.number(),
  /** theirs − ours: the customer's saving. Negative if we are more expensive. */
  difference: z.number(),
  /** The difference in percent of theirs. Null without spend. */
  differencePct: Money,
});
export type SavingsSums = z.infer<typeof SavingsSums>;

export const SavingsTotals = SavingsSums.extend({
  currnIdx: z.number().int(),
  /** The number of these rows in which we are more expensive. */
  dearerRows: z.number().int(),
  /** The part of our amount at contract prices, in percent. Null without spend. */
  onContractPct: Money,
  /** Internal only: absent for public readers. */
  marginPct: Money.optional(),
});

/** The number of rows in each state. Each row is in one of taken, toLookAt, noMatch and noBid. */
const RowCounts = z.object({
  all: z.number().int(),
  certain: z.number().int(),
  taken: z.number().int(),
  toLookAt: z.number().int(),
  noMatch: z.number().int(),
  noBid: z.number().int(),
  /** Taken rows that are left out, by the user or below the minimum saving. */
  leftOut: z.number().int(),
  /** Taken rows without a comparison, because a price, a quantity or a pack size is missing. */
  notCompared: z.number().int(),
});

export const AnalysisRow = z.object({
  id: z.number().int(),
  name: z.string(),
  facility: Named,
  facilityAcctNo: z.string(),
  owner: z.object({ id: z.number().int(), name: z.string() }),
  state: z.enum(ANALYSIS_STATES),
  /** The number of months that the quantities cover. */
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
  /** A sentence that explains the state 'failed' or 'columns'; else empty. */
  problem: z.string(),
  /** Notes for the user about how the file was read. */
  notes: z.array(z.string()),
  sheet: z.string(),
  sheets: z.array(z.string()),
  headerLine: z.number().int(),
  columns: z.array(UsageColumn),
  /** While reading: the step in words. `done` of `total` rows are finished; 0 means not known yet. */
  step: z.string(),
  done: z.number().int(),
  total: z.number().int(),
  counts: RowCounts,
  totals: SavingsTotals,
  byClass: z.array(SavingsSums.extend({ name: z.string() })),
  byMaker: z.array(SavingsSums.extend({ name: z.string() })),
  /** Rows that save less, in percent, are left out. Null if there is no limit. */
  minimumSavingPct: Money,
  /** The day whose prices are compared. */
  priceDate: z.string(),
  /** The freight terms of the facility's quotes. Empty if it has none. The figures never include freight. */
  freightTerms: z.string(),
  /** Whether the user may have the internal sheet. */
  mayReadInternal: z.boolean(),
});
export type Analysis = z.infer<typeof Analysis>;

/** An item that a row may mean. */
export const MatchCandidate = z.object({
  itemId: z.number().int(),
  itemNumber: z.string(),
  description: z.string(),
  /** Our unit for the comparison. '' if the user must choose. */
  unit: z.string(),
  units: z.array(z.object({ unit: z.string(), factor: z.number() })),
  confidence: z.enum(CONFIDENCES),
  /** 0 to 100. */
  score: z.number(),
  /** The reasons, in sentences. */
  reasons: z.array(z.string()),
});
export type MatchCandidate = z.infer<typeof MatchCandidate>;

export const SavingsRow = z.object({
  id: z.number().int(),
  /** The line of the file. */
  rowNo: z.number().int(),
  /** 1, 2, … for the parts of a split row. 0 for a whole row. */
  part: z.number().int(),
  itemNo: z.string(),
  distributor: z.string(),
  catalogNo: z.string(),
  maker: z.string(),
  makerNo: z.string(),
  description: z.string(),
  unit: z.string(),
  /** The number of eaches in the customer's unit. Null if unknown. */
  eachesPerUnit: z.number().nullable(),
  pack: z.string(),
  /** The customer's quantity per year, in the customer's units. */
  qtyPerYear: z.number().nullable(),
  /** What the customer pays for the customer's unit. */
  price: Money,
  gtin: z.string(),
  /** Inconsistencies in the row, one sentence each, with both readings. */
  doubts: z.array(z.string()),
  match: z.object({
    confidence: z.enum(CONFIDENCES),
    itemId: z.number().int().nullable(),
    itemNumber: z.string(),
    description: z.string(),
    /** Our unit for the comparison. */
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
  /** True if certain and open, or accepted. */
  taken: z.boolean(),
  /** False if the user left the row out. */
  included: z.boolean(),
  /** True if the totals and the quote include the row: it is taken, included, and not below the minimum saving. */
  counts: z.boolean(),
  /** A price for our unit that the user typed. `priceReason`: why. Null means the system's price. */
  typedPrice: Money,
  priceReason: z.string(),
  /** The approval rules that the typed price breaks, each with the role that decides: 'Below floor → Contract department'. */
  approvals: z.array(z.string()),
  /** Our price for our unit today, as on a new quote line. Null if there is none. */
  ourPrice: Money,
  priceSource: z.string(),
  /** A sentence that explains why there is no price or no comparison; else empty. */
  problem: z.string(),
  theirPerEach: Money,
  ourPerEach: Money,
  theirYear: Money,
  ourYear: Money,
  /** theirYear − ourYear. */
  difference: Money,
  differencePct: Money,
  /** The cost of our unit. Internal only: absent for public readers. */
  cost: Money.optional(),
  marginPct: Money.optional(),
  version: z.number().int(),
});
export type SavingsRow = z.infer<typeof SavingsRow>;

/** What other tiers of a contract that prices included rows would save in a year, over its rows without a typed price. */
const ContractTiers = z.object({
  contractId: z.number().int(),
  number: z.string(),
  /** The number of rows that it prices. `ours`: their amount per year. */
  rows: z.number().int(),
  ours: z.number(),
  /** The tiers that price them now. */
  now: z.array(z.object({ tierNo: z.number().int(), tierName: z.string() })),
  /** Only tiers that save, smallest saving first. */
  tiers: z.array(
    z.object({
      tierId: z.number().int(),
      tierNo: z.number().int(),
      tierName: z.string(),
      /** How a facility reaches the tier, in words. Empty if the contract does not say. */
      requirement: z.string(),
      needsLoc: z.boolean(),
      /** The number of rows whose price would change. */
      rows: z.number().int(),
      saving: z.number(),
    }),
  ),
});
export type ContractTiers = z.infer<typeof ContractTiers>;

/** A quote that was made from an analysis, with its promised and its current saving. */
const QuoteMade = z.object({
  /** Null if the user does not see the quote. */
  id: z.number().int().nullable(),
  number: z.string(),
  statusId: z.string(),
  totalAmount: z.number(),
  /** This and the next three fields are null for quotes made before they were stored. */
  quantities: z.enum(QUOTE_QUANTITIES).nullable(),
  /** The number of compared rows from which it was made. */
  rows: z.number().int().nullable(),
  /** The saving per year that was calculated when it was made. */
  promised: Money,
  /** The saving per year of its lines at their current prices. Rows that are no longer on it save nothing. */
  saving: Money,
});
export type QuoteMade = z.infer<typeof QuoteMade>;

/** The changes from pricing an analysis again, for the taken rows. */
const PriceChanges = z.object({
  /** The figures before each repricing, newest first. */
  earlier: z.array(SavingsSums.extend({ id: z.number().int(), priceDate: z.string() })),
  /** Since the newest of them: the number of rows with another price or source. `yearChange`: the change per year, negative if we became cheaper. */
  changed: z.number().int(),
  yearChange: z.number(),
  /** The number of these rows in which we have become more expensive than the customer's price. */
  turnedDearer: z.number().int(),
  /** The rows that turned more expensive, then those that changed most. At most 200. */
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
      /** Per year. Null without both prices or a quantity. */
      yearChange: Money,
      turnedDearer: z.boolean(),
      /** True if the row has a typed price, which stays. */
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
/** The rows that a call changed, and the resulting analysis. */
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

/** The most facilities among which one file can be divided. */
export const MAX_FACILITIES = 50;
/** A facility as a usage file names it. */
export const NamedFacility = z.object({
  /** As in the facility columns. Both fields are '' for rows without a facility. */
  number: z.string(),
  name: z.string(),
  rows: z.number().int(),
  /** The visible facility with this account number, or else with this name. Null if none or several match, so that the user must decide. */
  facility: FacilityHit.nullable(),
});
export type NamedFacility = z.infer<typeof NamedFacility>;
/** The facility for the rows of each named facility, in the order of FindUsageFacilities: its id, or null to leave the rows out. */
const Decided = z.array(Id.nullable()).max(MAX_FACILITIES);

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
      summary: 'The facilities named in a usage file, in the order of the file. Nothing is stored.',
    },
  ),
  UploadUsageFile: post(
    '/api/Savings/UploadUsageFile',
    z.object({
      facilityId: z.coerce.number().int().min(1).max(2_147_483_647),
      /** The number of months that the file's quantities cover. */
      months: z.coerce.number().int().min(1).max(60).default(12),
      /** Empty means the name of the file. */
      name: Text(200).default(''),
      /** Pasted cells or lines, instead of a file. Text of more than 10,000 characters must be sent as a text file. */
      text: z.string().max(10_000).default(''),
      /** 'none': all rows belong to `facilityId`, whatever the file contains. */
      divide: z.enum(['by-facility', 'none']).default('by-facility'),
      /** A JSON list for a file that names facilities (see FindUsageFacilities): the id for each, or null to leave its rows out. */
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
        'Uploads a usage file (CSV, TSV, XLSX) or pasted text, and reads and matches it in the background. Creates one analysis for each facility it names.',
    },
  ),
  SetUsageColumns: post(
    '/api/Savings/SetUsageColumns',
    z.object({
      id: Id,
      version: Version,
      sheet: z.string().max(200).optional(),
      headerLine: z.number().int().min(1).max(1_000_000).optional(),
      /** The field of each column, in order. Null means not used. If omitted with another sheet or header line, the fields are recognized again. */
      fields: z.array(z.enum(USAGE_FIELDS).nullable()).max(2000).optional(),
      months: z.number().int().min(1).max(60).optional(),
    }),
    Analysis,
    {
      access,
      writes: true,
      summary: 'Sets how the columns are read, and reads the file again. Earlier decisions of this analysis are lost.',
    },
  ),
  GetAnalysis: post('/api/Savings/GetAnalysis', QueryId, Analysis, { access, in: 'query' }),
  SearchAnalyses: post('/api/Savings/SearchAnalyses', AnalysisCriteria, pageOf(AnalysisRow), {
    access,
    summary: 'The savings analyses that the user may see, newest first.',
  }),
  SearchAnalysisRows: post('/api/Savings/SearchAnalysisRows', RowCriteria, pageOf(SavingsRow), {
    access,
    summary: 'The rows of an analysis in the order of its file.',
  }),
  GetRowCandidates: post(
    '/api/Savings/GetRowCandidates',
    z.object({ id: Id, rowId: Id }),
    z.object({ candidates: z.array(MatchCandidate) }),
    { access, summary: 'The possible items for a row, best first, each with its evidence.' },
  ),
  DecideRows: post(
    '/api/Savings/DecideRows',
    z
      .object({
        id: Id,
        rows: z.array(RowRead).min(1).max(MAX_ROWS_AT_ONCE),
        /** 'accept' accepts the proposed item, or `itemId`. 'open' undoes a decision. */
        decision: z.enum(['accept', 'no-bid', 'open']),
        itemId: Id.nullish(),
        /** Our unit. By default that of the proposal, or the one with as many eaches as the customer's unit. */
        unit: Text(20).nullish(),
        /** Why there is no bid. */
        reason: Text(500).default(''),
        /** Also applies to all other rows of the analysis with the same number. */
        sameNumber: z.boolean().default(false),
        /** For whom the number of the row is remembered as our item. Null means for no one. */
        remember: z.enum(['Facility', 'Everybody']).nullable().default('Facility'),
        kind: z.enum(REFERENCE_KINDS).default('Same'),
      })
      .refine(({ decision, reason }) => decision !== 'no-bid' || reason !== '', {
        path: ['reason'],
        message: 'Enter a reason for the no bid.',
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
            /** A price for our unit. Null means the system's price. */
            typedPrice: Price.nullish(),
            priceReason: Text(500).optional(),
          }),
        )
        .max(MAX_ROWS_AT_ONCE)
        .default([]),
      /** Leaves out, or includes again, all rows in which we are more expensive. */
      dearer: z.enum(['leave-out', 'take-in']).optional(),
      /** Null means that no row is left out for a small saving. */
      minimumSavingPct: Percent.nullish(),
    }),
    Changed,
    { access, writes: true, summary: 'Leaves rows out, types prices to match, and sets the minimum savings.' },
  ),
  SplitRow: post(
    '/api/Savings/SplitRow',
    z.object({
      id: Id,
      row: RowRead,
      /** The quantity per year of the new part, in the customer's units. The rest stays with the row. */
      qtyPerYear: z.number().positive().max(MOST),
    }),
    Changed,
    {
      access,
      writes: true,
      summary: 'Splits a row that contains two items. The new part needs a decision. Returns the row and its new part.',
    },
  ),
  JoinRow: post('/api/Savings/JoinRow', z.object({ id: Id, row: RowRead }), Changed, {
    access,
    writes: true,
    summary: 'Rejoins a part of a split row. Its quantity returns to the first part, which is returned.',
  }),
  RepriceAnalysis: post('/api/Savings/RepriceAnalysis', z.object({ id: Id, version: Version }), Analysis, {
    access,
    writes: true,
    summary: 'Reprices all rows as of today. Decisions, typed prices and the earlier figures are kept.',
  }),
  GetPriceChanges: post('/api/Savings/GetPriceChanges', QueryId, PriceChanges, {
    access,
    in: 'query',
    summary: 'What has changed since the previous pricing: prices, sources, and rows where we now cost more.',
  }),
  GetTierSavings: post('/api/Savings/GetTierSavings', QueryId, z.array(ContractTiers), {
    access,
    in: 'query',
    summary:
      'The current tier of each contract with included rows, and what other tiers would save per year. Rows with a typed price do not change.',
  }),
  MakeQuotes: post(
    '/api/Savings/MakeQuotes',
    z.object({
      id: Id,
      quantities: z.enum(QUOTE_QUANTITIES),
      /** Only these of the included rows. */
      rows: z.array(Id).min(1).max(MAX_USAGE_ROWS).optional(),
      /** The caller's key. Sending it again after a lost answer returns the quotes already made. */
      clientKey: Text(64).nullish(),
    }),
    z.object({ quotes: z.array(z.object({ id: z.number().int(), number: z.string(), lines: z.number().int() })) }),
    {
      access,
      writes: true,
      copies: true,
      summary: 'Creates a quote from the included rows, in sections by class, with the item numbers of the customer.',
    },
  ),
  GetQuotesMade: post('/api/Savings/GetQuotesMade', QueryId, z.array(QuoteMade), {
    access,
    in: 'query',
    summary:
      'The quotes created from an analysis, newest first, with status, amount, promised savings and current savings.',
  }),
  PreviewQuotes: post(
    '/api/Savings/PreviewQuotes',
    z.object({
      id: Id,
      quantities: z.enum(QUOTE_QUANTITIES),
      rows: z.array(Id).min(1).max(MAX_USAGE_ROWS).optional(),
    }),
    z.object({
      quotes: z.array(
        z.object({
          lines: z.number().int(),
          totalAmount: z.number(),
          validUntil: z.string(),
          /** The rules that would fire, and who decides each: user names, or the role if no user has it. */
          rules: z.array(FiredRule.extend({ decides: z.string() })),
        }),
      ),
    }),
    {
      access,
      summary:
        'The quotes that MakeQuotes would create at the prices of today: totals, and the approval rules that would apply.',
    },
  ),
  GetAnalysisHistory: post(
    '/api/Savings/GetAnalysisHistory',
    PageInput.omit({ sort: true }).extend({ id: Id }),
    pageOf(RecordEvent),
    { access, summary: 'The history of an analysis, newest first.' },
  ),
  GetSavingsSheet: post(
    '/api/Savings/GetSavingsSheet',
    z.object({
      id: Id,
      format: z.enum(['pdf', 'xlsx']).default('pdf'),
      /** The internal sheet contains cost and margin. */
      audience: z.enum(['customer', 'internal']).default('customer'),
    }),
    Bytes,
    { access, file: 'application/pdf', summary: 'The savings sheet as PDF or Excel workbook (`format`).' },
  ),
  DeleteAnalysis: post(
    '/api/Savings/DeleteAnalysis',
    z.object({ id: Id, version: Version }),
    z.object({ deleted: z.literal(true) }),
    { access, writes: true, summary: 'Deletes an analysis and its file. Cross-references learned from it are kept.' },
  ),
};
