// The API calls that build a quote: the Quote edit group of the specification (section 7), with its records and ours (design 5 and 6).
import { Provisional } from '#core/quoting/provisional/provisional.ts';
import { z } from 'zod';
import { Nothing, type OutputOf, post } from '#platform/api/endpoint.ts';
import { Contact } from '#core/customers/facilities/facilities.contract.ts';
import { Approval, Asked, FiredRule } from '#core/quoting/approvals/approval-shapes.ts';
import { AllowedAction } from '#core/quoting/quote-workflow/workflow.ts';
import { Openings } from '#core/quoting/quotes/customer-views.ts';
import { byName, INTERNAL_TEXTS, OPEN_TEXTS, QUOTE_TEXTS } from '#core/quoting/quotes/quote-fields.ts';
import { MAX_QUOTE_LINES } from '#core/quoting/quotes/quote-rows.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { FieldChange } from '#platform/shared/conflict.ts';
import { QUOTING_ROLES } from '#platform/shared/roles.ts';
import {
  Address,
  Amount,
  Choice,
  changesOverVersion,
  Id,
  Named,
  Percent,
  Quantity,
  QueryId,
  RequiredText,
  SEND_VERSION,
  Text,
  TypedDate,
  Version,
} from '#platform/shared/wire.ts';
import { LinePromotion, QuoteItem, QuoteItemInput } from './lines/quote-item.ts';
import { FACILITY_PARTS, FacilityChange, FacilityPart } from './facility/facility-change.ts';
import { FoundRow, MAX_PROPOSED, PastedRow, PricedRow, RowToPrice, UnknownRow } from './paste/pasted-row.ts';

export const QuoteTotals = z.object({
  listTotal: z.number(),
  discountTotal: z.number(),
  subtotal: z.number(),
  freightAmount: z.number(),
  taxAmount: z.number(),
  totalAmount: z.number(),
  savings: z.number(),
  /** The total without the eligibility requests that prices depend on. Null when no price depends on one, or when a line has no other price. */
  fallbackTotal: z.number().nullable(),
  /** Whether `validUntil` is the day on which the first price or promotion of a line ends. */
  endsWithPrice: z.boolean(),
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
  /** Computed: whether validUntil has passed in the company's time zone. Only while SentToCustomer. */
  expired: z.boolean(),
  currnIdx: z.number().int(),
  ...byName(OPEN_TEXTS, () => z.string()),
  /** Absent for public users. */
  ...byName(INTERNAL_TEXTS, () => z.string().optional()),
  taxRate: z.number(),
  taxExempt: z.boolean(),
  discountPct: z.number(),
  /** The id of the public document of the current revision. Null until the quote is sent. */
  docId: z.string().nullable(),
  version: z.number().int(),
});
export type Quote = z.infer<typeof Quote>;

/** A quote to save. Id 0 is a new quote. Omitted fields keep their value. The server ignores derived and unknown fields. */
export const QuoteInput = z.object({
  id: z.number().int().min(0).default(0),
  /** The caller's key for a new quote. Sending it again after a lost response returns the existing quote. */
  clientKey: RequiredText(64).nullish(),
  version: Version.optional(),
  facilityId: Id.nullish(),
  billTo: Address.optional(),
  shipTo: Address.optional(),
  salesRepId: Id.nullish(),
  csRepId: Id.nullish(),
  isRepId: Id.nullish(),
  quoteDate: TypedDate.optional(),
  validUntil: TypedDate.optional(),
  currnIdx: z.number().int().min(0).max(1_000_000).optional(),
  freightAmount: Amount.optional(),
  taxRate: Percent.optional(),
  taxExempt: z.boolean().optional(),
  discountPct: Percent.optional(),
  /** The reason for the discount is dropped when there is no discount. */
  ...byName(QUOTE_TEXTS, ({ longest }) => Text(longest).optional()),
});
export type QuoteInput = z.input<typeof QuoteInput>;
/** The changed fields of the quote itself. */
export type QuotePatch = Omit<QuoteInput, 'id' | 'version'>;

/** The maximum body size of a call that accepts all lines of a quote. */
const MAX_LINES_BYTES = 4 * 1024 * 1024;

/** A save of lines alone contains the quote's id but not its version, because each line has its own version. */
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
  /** The first 60 of `changeCount`. */
  changes: z.array(FieldChange),
  changeCount: z.number().int(),
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
  /** How often the customer has opened its page. */
  opened: Openings.nullable(),
});
export type QuoteRevision = z.infer<typeof QuoteRevision>;

/** Everything that a board shows. */
export const QuoteEditData = z.object({
  quote: Quote,
  items: z.array(QuoteItem),
  allowedActions: z.array(AllowedAction),
  /** What this user may edit now. If not everything, `reason` explains why in a sentence. */
  editable: z.object({ commercial: z.boolean(), notes: z.boolean(), promotions: z.boolean(), reason: z.string() }),
  /** The newest request of this revision. */
  approval: Approval.nullable(),
  /** The rules that would require approval for the current quote. */
  approvalNeeded: z.array(FiredRule),
  /** The state of the eligibility requests that prices depend on. Null when no price depends on one. */
  provisional: Provisional.nullable(),
  files: z.array(QuoteFile),
  events: z.array(QuoteEvent),
  revisions: z.array(QuoteRevision),
  /** Quotes of the same facility, newest first. A quote has an id only if this user can see it. Empty after the quote is closed. */
  otherOpenQuotes: z.array(z.object({ id: z.number().int().nullable(), number: z.string() })),
  /** Other facts that a user should know, such as a contract price above the account price. */
  warnings: z.array(z.string()),
  /** Whether a client needs the configurator calls. */
  configurator: z.object({
    /** Whether a configurator has left items for the quote. */
    waits: z.boolean(),
    /** Whether the user may configure a model, or one has been configured for this quote. */
    offers: z.boolean(),
    /** Whether an external configurator is connected to this installation. */
    connected: z.boolean(),
  }),
  /** The events since the caller's version, newest first. Absent when the caller sends no version. */
  changedSince: z.array(QuoteEvent).optional(),
});
export type QuoteEditData = z.infer<typeof QuoteEditData>;

/**
 * `savedIds` contains the ids of the call's lines, in their order, when a call adds lines to an existing quote. For a repeated key, it is the id of
 * the line that the first call added.
 */
const SavedQuote = QuoteEditData.extend({ savedIds: z.array(z.number().int()).optional() });
export type SavedQuote = z.infer<typeof SavedQuote>;

export const QuoteTemplate = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  /** Whether the template is only for the caller, who may rename or end it. */
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
      /** Whether the line cannot be added because its item is discontinued, its class is hidden, or its unit no longer exists. */
      gone: z.boolean(),
    }),
  ),
});
export type QuoteTemplate = z.infer<typeof QuoteTemplate>;

/**
 * A template line to add, identified by its position or only by its item. An item alone means the first line of that item that no other choice has
 * named.
 */
const TemplateChoice = z
  .object({
    /** Counted from 1 over all lines. */
    position: z.number().int().min(1).max(500).optional(),
    /** With a position, the item expected there. Null for a section or note. */
    itemId: Id.nullish(),
    /** If omitted, the template's quantity. */
    qty: Quantity.optional(),
  })
  .refine(({ position, itemId }) => position || itemId, {
    path: ['itemId'],
    message: 'Enter the item or its position.',
  });

const write = { access: QUOTING_ROLES, writes: true } as const;

/** The version of the quote on the caller's screen. If the stored one is newer, the response contains the whole quote. */
const SinceVersion = z.number().int().min(0).max(2_147_483_647);

export const QuoteEdit = {
  PopulateNewQuote: post('/api/QuoteEdit/PopulateNewQuote', Nothing, QuoteEditData, {
    access: QUOTING_ROLES,
    summary: 'Quote edit data with defaults and id 0; nothing is stored yet.',
  }),
  PopulateQuoteEditDataForSalesRep: post('/api/QuoteEdit/PopulateQuoteEditDataForSalesRep', QueryId, QuoteEditData, {
    access: 'user',
    in: 'query',
    summary: 'Never includes cost, margin or internal notes.',
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
      /** What the user should know before choosing this facility, in a sentence. Empty when there is nothing. */
      warning: z.string(),
      paymentTerms: z.array(z.string()),
      freightTerms: z.array(z.string()),
      classes: z.array(Named),
      units: z.array(z.string()),
      /** The representatives of the facility's territory, as initial values for a new quote. */
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
      items: z.array(QuoteItemInput.check(changesOverVersion)).max(MAX_QUOTE_LINES).optional(),
      sinceVersion: SinceVersion.optional(),
    }),
    SavedQuote,
    {
      ...write,
      bodyLimit: MAX_LINES_BYTES,
      summary: 'Creates (id 0) or saves a quote with any number of its lines, all or nothing.',
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
      /** Other lines that the save changed: free lines, shares of the quote discount. The lines in `removedIds` no longer exist. */
      changedItems: z.array(QuoteItem),
      removedIds: z.array(z.number().int()),
      /** The actions allowed after the save, which may have voided an approval or moved the status. */
      allowedActions: z.array(AllowedAction),
      approval: Approval.nullable(),
      approvalNeeded: z.array(FiredRule),
      /** The whole quote after the save, only if another user had changed it after `sinceVersion`. */
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
      summary: "Applies a promotion to a line (version: the line's); null removes it.",
    },
  ),
  ResolvePastedItems: post(
    '/api/QuoteEdit/ResolvePastedItems',
    z.object({
      quoteId: Id.nullish(),
      /** Without a quote, the facility whose item numbers are recognized. */
      facilityId: Id.nullish(),
      rows: z.array(PastedRow).min(1).max(MAX_QUOTE_LINES),
    }),
    z.array(FoundRow),
    {
      access: QUOTING_ROLES,
      bodyLimit: MAX_LINES_BYTES,
      summary: 'Finds the items that pasted rows refer to. Returns one result per row, in order.',
    },
  ),
  ProposePastedItems: post(
    '/api/QuoteEdit/ProposePastedItems',
    z.object({ rows: z.array(UnknownRow).min(1).max(MAX_PROPOSED) }),
    z.array(FoundRow.shape.candidates),
    {
      access: QUOTING_ROLES,
      summary:
        'Suggests items for pasted rows with an unknown number: items that share the most words, best first. The user chooses.',
    },
  ),
  PricePastedItems: post(
    '/api/QuoteEdit/PricePastedItems',
    z.object({ quoteId: Id, rows: z.array(RowToPrice).min(1).max(MAX_QUOTE_LINES) }),
    z.array(PricedRow),
    {
      access: QUOTING_ROLES,
      bodyLimit: MAX_LINES_BYTES,
      summary: 'What lines would cost on a quote, in its currency; nothing is stored.',
    },
  ),
  CloneQuote: post(
    '/api/QuoteEdit/CloneQuote',
    z.object({ id: Id, prices: z.enum(['keep', 'reprice']), clientKey: QuoteInput.shape.clientKey }),
    QuoteEditData,
    {
      ...write,
      copies: true,
      summary: 'Creates a new quote with the lines of another. Approvals, dates and files are not copied.',
    },
  ),
  RepriceQuote: post(
    '/api/QuoteEdit/RepriceQuote',
    z.object({ quoteId: Id, version: Version, itemIds: z.array(Id).max(MAX_QUOTE_LINES).optional() }),
    QuoteEditData,
    { ...write, summary: 'Reprices lines at the quote date; typed prices stay.' },
  ),
  GetFacilityChanges: post(
    '/api/QuoteEdit/GetFacilityChanges',
    QueryId,
    z.object({ changes: z.array(FacilityChange) }),
    {
      access: 'user',
      in: 'query',
      summary:
        'What has changed at the facility since its values were copied to the quote. Empty once the quote is sent.',
    },
  ),
  UseFacilityValues: post(
    '/api/QuoteEdit/UseFacilityValues',
    z.object({
      quoteId: Id,
      version: Version,
      parts: z.array(FacilityPart).min(1).max(FACILITY_PARTS.length),
      /** Leaves the quote as it is and does not report these changes again. */
      keep: z.boolean().default(false),
    }),
    QuoteEditData,
    { ...write, summary: "Applies changed values of the facility, or keeps the quote's." },
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
      items: z.array(TemplateChoice).max(500).optional(),
    }),
    QuoteEditData,
    {
      ...write,
      copies: true,
      summary: "Adds a template's lines to a quote: all, or those named with their quantities.",
    },
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
    {
      access: QUOTING_ROLES,
      summary: 'Up to 20 quotes this user may add lines to: own quotes first, then newest first.',
    },
  ),
  GetQuoteActivity: post(
    '/api/QuoteEdit/GetQuoteActivity',
    z.object({ quoteId: Id, internal: z.boolean().default(false) }),
    z.object({ version: z.number().int(), events: z.array(QuoteEvent), files: z.array(QuoteFile) }),
    {
      access: 'user',
      summary:
        'The events of a quote up to its version, newest first, and its files. A board reloads them after it saves single lines or when a change did not raise the version.',
    },
  ),
  GetQuoteChanges: post(
    '/api/QuoteEdit/GetQuoteChanges',
    z.object({ quoteId: Id, since: SinceVersion, internal: z.boolean().default(false) }),
    z.object({
      unchanged: z.boolean(),
      version: z.number().int(),
      /** Whether a configurator has left items for the quote. This does not raise the version. */
      itemsWait: z.boolean(),
      whole: QuoteEditData.optional(),
    }),
    {
      access: 'user',
      summary: 'Whether a quote has changed since a version. If so, returns the whole quote and who changed what.',
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
          qty: z.number(),
          unit: z.string(),
          /** What the customer pays for the line, after its share of the quote discount. */
          lineTotal: z.number(),
          rules: z.array(z.string()),
          systemPrice: z.number().nullable(),
          unitPrice: z.number().nullable(),
          /** What the customer pays per unit after the quote discount, and the percentage by which that is below systemPrice. */
          netPrice: z.number().nullable(),
          netDiscountPct: z.number(),
          discountPct: z.number(),
          /** Why the price was set manually. Empty when it was not. */
          reason: z.string(),
          marginPct: z.number().nullable(),
          underFloor: z.boolean(),
          floorPrice: z.number().nullable(),
          contractPrice: z.number().nullable(),
          /**
           * The last three approved or won prices of this item at this facility and its parent, after their quotes' discounts, in the
           * line's unit.
           */
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
      /** The effect of the request, over the lines that are included in the total. */
      asked: Asked,
      quoteMarginPct: z.number().nullable(),
      discountTotal: z.number(),
      totalAmount: z.number(),
    }),
    { access: ['csrep', 'insiderep', 'systemadmin', 'salesQuoteManager', 'salesadmin', 'contractdept'], in: 'query' },
  ),
};

/** The response to a saved line: the line, and everything that changed with it. */
export type SavedQuoteItem = OutputOf<typeof QuoteEdit.SaveQuoteItem>;
