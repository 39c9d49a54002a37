// Building a quote: the Quote edit group of the specification (section 7), its records and ours beside them (design 5 and 6).
import { Provisional } from '#features/quoting/provisional/provisional.ts';
import { z } from 'zod';
import { Nothing, post } from '#api/endpoint.ts';
import { Contact } from '#features/customers/facilities/facilities.contract.ts';
import { PRICE_SOURCES, PriceProof } from '#features/prices/pricing/price-proof.ts';
import { Promotion } from '#features/prices/promotions/promotion.ts';
import { Approval, FiredRule } from '#features/quoting/approvals/approval.ts';
import { AllowedAction } from '#features/quoting/quote-workflow/workflow.ts';
import { LINE_TYPES } from '#features/quoting/quotes/records.ts';
import { StatusId } from '#features/quoting/quotes/status.ts';
import { FieldChange } from '#shared/conflict.ts';
import { QUOTING_ROLES } from '#shared/roles.ts';
import {
  Address,
  Choice,
  changesOverVersion,
  Decimal,
  Id,
  Named,
  Percent,
  Price,
  Quantity,
  QueryId,
  RequiredText,
  SEND_VERSION,
  Text,
  TypedDate,
  Version,
} from '#shared/wire.ts';

/** A promotion on a line's item, with the words a rep reads. */
export const LinePromotion = Promotion.extend({ message: z.string(), applied: z.boolean() });
export type LinePromotion = z.infer<typeof LinePromotion>;

/** Where a line came from that a configurator made. */
export const Configured = z.object({
  configId: RequiredText(100),
  /** Within its configuration; '': the section of the configuration. */
  position: Text(100),
  /** Its item, quantity and unit are the configuration's; false: a person has unlinked it. */
  linked: z.boolean(),
  /** As it was taken from the configurator; null: the section. */
  taken: z
    .object({
      itemNumber: Text(100),
      description: Text(1000),
      qty: Quantity,
      unit: Text(20),
      optionText: Text(2000),
      price: Price.nullable(),
    })
    .nullable(),
});

const ConfiguredRead = z.object({
  configId: z.string(),
  position: z.string(),
  linked: z.boolean(),
  taken: z
    .object({
      itemNumber: z.string(),
      description: z.string(),
      qty: z.number(),
      unit: z.string(),
      optionText: z.string(),
      price: z.number().nullable(),
    })
    .nullable(),
});

/** A line as it is read. */
export const QuoteItem = z.object({
  id: z.number().int(),
  quoteId: z.number().int(),
  lineNo: z.number().int(),
  type: z.enum(LINE_TYPES),
  parentId: z.number().int().nullable(),
  itemId: z.number().int().nullable(),
  itemNumber: z.string(),
  description: z.string(),
  qty: z.number(),
  unit: z.string(),
  units: z.array(z.string()),
  notes: z.string(),
  active: z.boolean(),
  optional: z.boolean(),
  listPrice: z.number().nullable(),
  /** What the system would charge: contract, account or list price, or the applied promotion's. */
  systemPrice: z.number().nullable(),
  unitPrice: z.number().nullable(),
  /** By how many percent unitPrice lies below systemPrice. */
  discountPct: z.number(),
  /** This line's share of the quote discount; lineTotal = unitPrice × qty, rounded, less this. */
  quoteDiscount: z.number(),
  lineTotal: z.number(),
  priceSource: z.enum(PRICE_SOURCES).or(z.literal('')),
  priceProof: PriceProof,
  /** What is wrong with the price, in a sentence; empty when nothing is. */
  priceProblem: z.string(),
  priceReason: z.string(),
  /** What the line has without the eligibility request that its price hangs on; null: the price is firm. */
  fallback: z
    .object({
      requestId: z.number().int(),
      unitPrice: z.number().nullable(),
      priceSource: z.enum(PRICE_SOURCES).or(z.literal('')),
    })
    .nullable(),
  promotionId: z.number().int().nullable(),
  promotions: z.array(LinePromotion),
  /** What the item's product is called, when that says more than the item's description; else empty. */
  productName: z.string(),
  imgThumbnailUrl: z.string().nullable(),
  /** Null: no configurator made it. */
  configured: ConfiguredRead.nullable(),
  /** Internal only: absent for public readers. */
  cost: z.number().nullable().optional(),
  marginPct: z.number().nullable().optional(),
  underFloor: z.boolean().optional(),
  version: z.number().int(),
});
export type QuoteItem = z.infer<typeof QuoteItem>;

/**
 * A line as it is saved: id 0 is new. Fields left out keep their value; derived and unknown fields are ignored, so what was read may
 * be sent back. A `unitPrice` that differs from the stored one is a typed price, a `discountPct` that differs a manual discount, both
 * with a `priceReason`; `unitPrice: null` goes back to the system price.
 */
export const QuoteItemInput = z.object({
  id: z.number().int().min(0).default(0),
  /** What the caller calls a new line: sent again, because an answer was lost, it is the same line and not another one. */
  clientKey: RequiredText(64).nullish(),
  version: Version.optional(),
  lineNo: z.number().int().min(1).max(100_000).optional(),
  type: z.enum(LINE_TYPES).optional(),
  itemId: Id.nullish(),
  itemNumber: Text(100).optional(),
  description: Text(1000).optional(),
  /** 0 only for sections and notes, which have none. */
  qty: z.union([Quantity, z.literal(0)], { error: 'The quantity must be above 0' }).optional(),
  unit: Text(20).optional(),
  notes: Text(2000).optional(),
  active: z.boolean().optional(),
  optional: z.boolean().optional(),
  unitPrice: Price.nullish(),
  discountPct: Decimal.max(100, 'At most 100').optional(),
  /** Of a new line that was on the quote before and was taken off: it comes back with its promotion. Otherwise not looked at. */
  promotionId: Id.nullish(),
  /**
   * Of a line that a configurator made: `linked: false` sets its quantity free, null makes it a line like any other. Of a new line: what it
   * had before it was taken off.
   */
  configured: Configured.nullish(),
  /** An amount off the system unit price; only ever written. */
  discountAmount: Price.optional(),
  priceReason: Text(500).optional(),
  /** Takes the line off the quote. */
  remove: z.boolean().optional(),
});
export type QuoteItemInput = z.input<typeof QuoteItemInput>;

export const QuoteTotals = z.object({
  listTotal: z.number(),
  discountTotal: z.number(),
  subtotal: z.number(),
  freightAmount: z.number(),
  taxAmount: z.number(),
  totalAmount: z.number(),
  savings: z.number(),
  /** The total without the eligibility requests that prices hang on; null when none does, or one has no other price. */
  fallbackTotal: z.number().nullable(),
  /** Internal only. */
  marginPct: z.number().nullable().optional(),
});
export type QuoteTotals = z.infer<typeof QuoteTotals>;

const RepRef = z.object({ id: z.number().int().nullable(), name: z.string() });

export const Quote = QuoteTotals.extend({
  id: z.number().int(),
  num: z.number().int(),
  revision: z.number().int(),
  statusId: StatusId,
  facilityId: z.number().int().nullable(),
  facilityName: z.string(),
  facilityAcctNo: z.string(),
  billTo: Address,
  shipTo: Address,
  contactName: z.string(),
  contactEmail: z.string(),
  phone: z.string(),
  salesRep: RepRef,
  csRep: RepRef,
  isRep: RepRef,
  owner: RepRef,
  assignee: RepRef,
  salesRepId: z.number().int().nullable(),
  csRepId: z.number().int().nullable(),
  isRepId: z.number().int().nullable(),
  regionId: z.number().int().nullable(),
  territoryId: z.number().int().nullable(),
  quoteDate: z.string(),
  validUntil: z.string(),
  /** Computed: past the end of validUntil in the company's time zone, only while SentToCustomer. */
  expired: z.boolean(),
  currnIdx: z.number().int(),
  paymentTerms: z.string(),
  freightTerms: z.string(),
  taxRate: z.number(),
  taxExempt: z.boolean(),
  customerReference: z.string(),
  poNumber: z.string(),
  customerMessage: z.string(),
  /** Internal only: absent for public readers. */
  internalNotes: z.string().optional(),
  discountPct: z.number(),
  /** Of the public document of the current revision, once sent. */
  docId: z.string().nullable(),
  version: z.number().int(),
});
export type Quote = z.infer<typeof Quote>;

/** A quote as it is saved: id 0 is new. Fields left out keep their value; derived and unknown fields are ignored. */
export const QuoteInput = z.object({
  id: z.number().int().min(0).default(0),
  /** What the caller calls a new quote: sent again, because an answer was lost, it is answered as the quote that was made. */
  clientKey: RequiredText(64).nullish(),
  version: Version.optional(),
  facilityId: Id.nullish(),
  billTo: Address.optional(),
  shipTo: Address.optional(),
  contactName: Text(200).optional(),
  contactEmail: Text(320).optional(),
  phone: Text(40).optional(),
  salesRepId: Id.nullish(),
  csRepId: Id.nullish(),
  isRepId: Id.nullish(),
  quoteDate: TypedDate.optional(),
  validUntil: TypedDate.optional(),
  currnIdx: z.number().int().min(0).max(1_000_000).optional(),
  paymentTerms: Text(100).optional(),
  freightTerms: Text(100).optional(),
  freightAmount: Price.optional(),
  taxRate: Percent.optional(),
  taxExempt: z.boolean().optional(),
  customerReference: Text(100).optional(),
  poNumber: Text(100).optional(),
  customerMessage: Text(5000).optional(),
  internalNotes: Text(5000).optional(),
  discountPct: Percent.optional(),
});
export type QuoteInput = z.input<typeof QuoteInput>;

/** A save of lines alone names the quote and no version of it: the lines have their own. */
const fieldsOverVersion = z.refine<z.output<typeof QuoteInput>>(
  ({ id, clientKey: _key, version, ...fields }) =>
    id === 0 || version !== undefined || Object.values(fields).every((value) => value === undefined),
  {
    path: ['version'],
    message: SEND_VERSION,
    when: ({ value }) => typeof value === 'object' && value !== null && 'id' in value,
  },
);

export const QuoteFile = z.object({
  id: z.number().int(),
  name: z.string(),
  mediaType: z.string(),
  size: z.number().int(),
  visibleToCustomer: z.boolean(),
  uploadedBy: z.string(),
  uploadedAt: z.string(),
});
export type QuoteFile = z.infer<typeof QuoteFile>;

export const QuoteEvent = z.object({
  id: z.number().int(),
  at: z.string(),
  actor: z.string(),
  /** An action of the workflow, or Create, Edit, Upload, RemoveFile, Question, … */
  action: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  revision: z.number().int(),
  comment: z.string(),
  changes: z.array(FieldChange),
});
export type QuoteEvent = z.infer<typeof QuoteEvent>;

export const QuoteRevision = z.object({
  revision: z.number().int(),
  docId: z.string(),
  sentAt: z.string(),
  sentBy: z.string(),
  totalAmount: z.number(),
  validUntil: z.string(),
  state: z.enum(['Current', 'Superseded', 'Revoked', 'Accepted', 'Declined']),
});
export type QuoteRevision = z.infer<typeof QuoteRevision>;

/** All a board shows. */
export const QuoteEditData = z.object({
  quote: Quote,
  items: z.array(QuoteItem),
  allowedActions: z.array(AllowedAction),
  /** What this person may edit now, and if not all, why, in a sentence. */
  editable: z.object({ commercial: z.boolean(), notes: z.boolean(), promotions: z.boolean(), reason: z.string() }),
  /** The newest request of this revision. */
  approval: Approval.nullable(),
  /** The rules that would ask for approval as the quote stands. */
  approvalNeeded: z.array(FiredRule),
  /** How the eligibility requests stand that prices hang on; null when none does. */
  provisional: Provisional.nullable(),
  files: z.array(QuoteFile),
  events: z.array(QuoteEvent),
  revisions: z.array(QuoteRevision),
  /** Of the same facility, newest first; an id only in this person's sight. None once the quote is closed. */
  otherOpenQuotes: z.array(z.object({ id: z.number().int().nullable(), number: z.string() })),
  /** Other things a person should know: a contract price above the account price. */
  warnings: z.array(z.string()),
  /** Whether there is anything to ask the calls of configurators for. */
  configurator: z.object({
    /** A configurator has left items for the quote. */
    waits: z.boolean(),
    /** A model may be configured, or was for this quote. */
    offers: z.boolean(),
    /** People configure in an outside configurator. */
    connected: z.boolean(),
  }),
  /** What happened between the version that the caller holds and this call, newest first; absent when the caller names no version. */
  changedSince: z.array(QuoteEvent).optional(),
});
export type QuoteEditData = z.infer<typeof QuoteEditData>;

export const QuoteTemplate = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  /** Only who asks uses it, and may rename it or end it. */
  own: z.boolean(),
  version: z.number().int(),
  items: z.array(
    z.object({
      type: z.enum(['item', 'section', 'note']),
      itemId: z.number().int().nullable(),
      itemNumber: z.string(),
      description: z.string(),
      productName: z.string(),
      imgThumbnailUrl: z.string().nullable(),
      qty: z.number(),
      unit: z.string(),
      /** The item is discontinued or its class hidden: it cannot be added. */
      gone: z.boolean(),
    }),
  ),
});
export type QuoteTemplate = z.infer<typeof QuoteTemplate>;

export const PastedRow = z.object({ itemNumber: Text(200), qty: z.number().nullish(), unit: Text(200).nullish() });
export const FoundRow = z.object({
  itemNumber: z.string(),
  qty: z.number().nullable(),
  /** As it was pasted; each candidate says what it means there. */
  unit: z.string(),
  state: z.enum(['found', 'ambiguous', 'notFound']),
  /** What to mend, in a sentence; empty when the row can be added as it is. */
  problem: z.string(),
  candidates: z.array(
    z.object({
      itemId: z.number().int(),
      itemNumber: z.string(),
      description: z.string(),
      /** The unit of this item that is meant; '' when a person has to say. */
      unit: z.string(),
      /** How many of the base unit, which comes first, each unit holds. */
      units: z.array(z.object({ unit: z.string(), factor: z.number() })),
      /** The item is discontinued or its class hidden: it cannot be added. */
      gone: z.boolean(),
      /** Why this item, or this unit of it, cannot be taken as it is; empty when it can. */
      problem: z.string(),
    }),
  ),
});
export type FoundRow = z.infer<typeof FoundRow>;

const write = { access: QUOTING_ROLES, writes: true } as const;

/** The version of the quote that the caller has on the screen: an older one than the stored makes the answer carry the whole quote. */
const SinceVersion = z.number().int().min(0).max(2_147_483_647);

export const QuoteEdit = {
  PopulateNewQuote: post('/api/QuoteEdit/PopulateNewQuote', Nothing, QuoteEditData, {
    access: QUOTING_ROLES,
    summary: 'Quote edit data with defaults and id 0; nothing is stored yet.',
  }),
  PopulateQuoteEditDataForSalesRep: post('/api/QuoteEdit/PopulateQuoteEditDataForSalesRep', QueryId, QuoteEditData, {
    access: 'user',
    in: 'query',
    summary: 'Without cost, margin and internal notes, whoever asks.',
  }),
  PopulateQuoteEditDataForInternalRep: post(
    '/api/QuoteEdit/PopulateQuoteEditDataForInternalRep',
    QueryId,
    QuoteEditData,
    {
      access: ['csrep', 'insiderep', 'systemadmin', 'salesQuoteManager', 'salesadmin', 'contractdept'],
      in: 'query',
    },
  ),
  PopulateQuoteEditLookups: post(
    '/api/QuoteEdit/PopulateQuoteEditLookups',
    z.object({ facilityId: Id.nullish() }),
    z.object({
      salesReps: z.array(Named),
      csReps: z.array(Named),
      isReps: z.array(Named),
      contacts: z.array(Contact),
      paymentTerms: z.array(z.string()),
      freightTerms: z.array(z.string()),
      classes: z.array(Named),
      units: z.array(z.string()),
      /** Who the facility's territory names: the start values of a new quote. */
      defaults: z.object({
        salesRepId: z.number().nullable(),
        csRepId: z.number().nullable(),
        isRepId: z.number().nullable(),
      }),
      currencies: z.array(Choice),
    }),
    { access: 'user' },
  ),
  SaveSalesRepQuote: post(
    '/api/QuoteEdit/SaveSalesRepQuote',
    z.object({
      quote: QuoteInput.check(fieldsOverVersion),
      items: z.array(QuoteItemInput.check(changesOverVersion)).max(2000).optional(),
      sinceVersion: SinceVersion.optional(),
    }),
    QuoteEditData,
    {
      ...write,
      bodyLimit: 4 * 1024 * 1024,
      summary: 'Creates (id 0) or saves a quote with any number of its lines, whole or not at all.',
    },
  ),
  SaveQuoteItem: post(
    '/api/QuoteEdit/SaveQuoteItem',
    QuoteItemInput.extend({
      quoteId: Id,
      lineNo: z.number().int().min(0).max(100_000).optional(),
      sinceVersion: SinceVersion.optional(),
    }).check(changesOverVersion),
    z.object({
      item: QuoteItem,
      /** Totals and the version of the quote after the save. */
      quote: QuoteTotals.extend({
        id: z.number().int(),
        version: z.number().int(),
        statusId: StatusId,
        validUntil: z.string(),
      }),
      promotions: z.array(LinePromotion),
      /** Other lines that changed with it: free lines, shares of the quote discount; `removedIds` are gone. */
      changedItems: z.array(QuoteItem),
      removedIds: z.array(z.number().int()),
      /** Set when the save changed what may be done next (an approval fell, the status moved). */
      allowedActions: z.array(AllowedAction),
      approval: Approval.nullable(),
      approvalNeeded: z.array(FiredRule),
      /** The whole quote after the save; only when somebody had changed it after `sinceVersion`. */
      whole: QuoteEditData.optional(),
    }),
    write,
  ),
  ApplyPromotionToQuoteItem: post(
    '/api/QuoteEdit/ApplyPromotionToQuoteItem',
    z.object({ quoteItemId: Id, promotionId: Id.nullable(), version: Version }),
    QuoteEditData,
    {
      access: ['csrep', 'insiderep', 'systemadmin'],
      writes: true,
      summary: "Applies a promotion to a line (version: the line's); null takes it off.",
    },
  ),
  ResolvePastedItems: post(
    '/api/QuoteEdit/ResolvePastedItems',
    z.object({ quoteId: Id.nullish(), rows: z.array(PastedRow).min(1).max(2000) }),
    z.array(FoundRow),
    { access: QUOTING_ROLES, summary: 'Which items pasted rows mean; every row answers, in order.' },
  ),
  CloneQuote: post(
    '/api/QuoteEdit/CloneQuote',
    z.object({ id: Id, prices: z.enum(['keep', 'reprice']), clientKey: QuoteInput.shape.clientKey }),
    QuoteEditData,
    {
      ...write,
      summary: 'A new quote with the lines of another; approvals, dates and files are not copied.',
    },
  ),
  RepriceQuote: post(
    '/api/QuoteEdit/RepriceQuote',
    z.object({ quoteId: Id, version: Version, itemIds: z.array(Id).max(2000).optional() }),
    QuoteEditData,
    { ...write, summary: 'Prices lines anew at the quote date; typed prices stay.' },
  ),
  GetQuoteTemplateForQuote: post(
    '/api/QuoteEdit/GetQuoteTemplateForQuote',
    z.object({ quoteId: Id.nullish(), keyword: Text(200).nullish() }),
    z.array(QuoteTemplate),
    { access: QUOTING_ROLES },
  ),
  SaveQuoteTemplateForQuote: post(
    '/api/QuoteEdit/SaveQuoteTemplateForQuote',
    z.object({
      quoteId: Id,
      templateId: Id,
      items: z
        .array(z.object({ itemId: Id, qty: Quantity }))
        .max(500)
        .optional(),
    }),
    QuoteEditData,
    { ...write, summary: "Adds a template's lines to a quote: all, or those named with their quantities." },
  ),
  FindOpenQuotes: post(
    '/api/QuoteEdit/FindOpenQuotes',
    z.object({ keyword: Text(200).nullish() }),
    z.array(
      z.object({
        id: z.number().int(),
        number: z.string(),
        facilityName: z.string(),
        statusId: StatusId,
        totalAmount: z.number(),
        currnIdx: z.number().int(),
      }),
    ),
    { access: QUOTING_ROLES, summary: 'Quotes this person may add lines to, newest first, own first; best 20.' },
  ),
  GetQuoteActivity: post(
    '/api/QuoteEdit/GetQuoteActivity',
    z.object({ quoteId: Id, internal: z.boolean().default(false) }),
    z.object({ version: z.number().int(), events: z.array(QuoteEvent) }),
    {
      access: 'user',
      summary:
        'What happened to a quote up to its version, newest first: what a board lacks after it saved single lines.',
    },
  ),
  GetQuoteChanges: post(
    '/api/QuoteEdit/GetQuoteChanges',
    z.object({ quoteId: Id, since: SinceVersion, internal: z.boolean().default(false) }),
    z.object({
      unchanged: z.boolean(),
      version: z.number().int(),
      /** A configurator has left items for the quote, which changes no version. */
      itemsWait: z.boolean(),
      whole: QuoteEditData.optional(),
    }),
    {
      access: 'user',
      summary: 'Whether a quote has changed since a version; if so, all of it, with who changed what.',
    },
  ),
  GetApprovalImpact: post(
    '/api/QuoteEdit/GetApprovalImpact',
    QueryId,
    z.object({
      lines: z.array(
        z.object({
          lineNo: z.number().int(),
          itemNumber: z.string(),
          description: z.string(),
          rules: z.array(z.string()),
          systemPrice: z.number().nullable(),
          unitPrice: z.number().nullable(),
          discountPct: z.number(),
          marginPct: z.number().nullable(),
          floorPrice: z.number().nullable(),
          contractPrice: z.number().nullable(),
          /** The last three approved or won prices of this item at this facility and its parent, in the line's unit. */
          lastPrices: z.array(
            z.object({
              number: z.string(),
              date: z.string(),
              price: z.number(),
              unit: z.string(),
              outcome: z.string(),
            }),
          ),
        }),
      ),
      quoteMarginPct: z.number().nullable(),
      discountTotal: z.number(),
      totalAmount: z.number(),
    }),
    { access: ['csrep', 'insiderep', 'systemadmin', 'salesQuoteManager', 'salesadmin', 'contractdept'], in: 'query' },
  ),
};
