// Defines our own API calls for the contract department: finding contracts, their lines and prices.
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { RecordEvent } from '#platform/history/history.contract.ts';
import { Promotion } from '#core/prices/promotions/promotion.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { FormQuery } from '#platform/shared/record.ts';
import { SEES_ALL_ROLES } from '#platform/shared/roles.ts';
import { Id, Named, PageInput, pageOf, Text, TypedDate } from '#platform/shared/wire.ts';
import { CONTRACT, ContractInput, TierInput } from './contract-edit.ts';
import { CONTRACT_STATES, CONTRACT_STATUSES } from './contract-status.ts';
import { ContractLineInput, PriceInput } from './lines/line-edit.ts';
import { CONTRACT_KEEPERS } from './sight/contract-roles.ts';

export const ENDS_WITHIN = [30, 60, 90, 180] as const;

export const ContractCriteria = PageInput.extend({
  /** Searches number, title, category and GPO. */
  keyword: Text(200).nullish(),
  /** 0 means local agreements, which have no GPO. */
  gpoId: Id.or(z.literal(0)).nullish(),
  category: Text(100).nullish(),
  /** Contracts under which this facility buys: by its own roster entry, by the entry of a parent that covers it, or as a member of the GPO. */
  facilityId: Id.nullish(),
  /** Contracts that contain a line of this item. */
  itemId: Id.nullish(),
  status: z.enum(CONTRACT_STATUSES).nullish(),
  /** Contracts that are not over and end within this many days. */
  endsWithinDays: z.literal([...ENDS_WITHIN]).nullish(),
});
export type ContractCriteria = z.infer<typeof ContractCriteria>;

export const ContractRow = z.object({
  id: z.number().int(),
  number: z.string(),
  /** Null means a local agreement. */
  gpoName: z.string().nullable(),
  title: z.string(),
  category: z.string(),
  tiers: z.number().int(),
  lines: z.number().int(),
  /** The number of facilities on the roster today, or on the first day if the contract has not begun. Only for users who can read rosters. */
  roster: z.number().int().optional(),
  from: z.string(),
  /** The last day, including an extension or a termination. */
  to: z.string(),
  /** 0 on the last day, negative after it. */
  daysLeft: z.number().int(),
  status: z.enum(CONTRACT_STATUSES),
});
export type ContractRow = z.infer<typeof ContractRow>;

/** A tier's price of a line on a day, or the price that follows it. */
export const TierPrice = z.object({
  id: z.number().int(),
  tierId: z.number().int(),
  /** Per unit of the line. */
  price: z.number(),
  /** Per base unit, with four places. Null when the unit has no factor or the price is too small to show. */
  perEach: z.number().nullable(),
  from: z.string(),
  /** Null means as long as the line. */
  to: z.string().nullable(),
  version: z.number().int(),
});
export type TierPrice = z.infer<typeof TierPrice>;

export const ContractLine = z.object({
  id: z.number().int(),
  itemId: z.number().int(),
  itemNumber: z.string(),
  description: z.string(),
  sellingRank: z.string(),
  unit: z.string(),
  baseUnit: z.string(),
  /** The number of base units in one unit. Null if the item no longer has this unit. */
  perUnit: z.number().nullable(),
  /** Null means as long as the contract. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  version: z.number().int(),
  /** The price of each tier on the requested day. Tiers without a price are left out. */
  prices: z.array(TierPrice),
  /** The next price of each tier that begins later. */
  coming: z.array(TierPrice),
});
export type ContractLine = z.infer<typeof ContractLine>;

export const LineCriteria = PageInput.extend({
  contractId: Id,
  /** Searches item number and description. */
  keyword: Text(200).nullish(),
  /** The day of the prices. Empty means today. */
  day: TypedDate.or(z.literal('')).nullish(),
  pageSize: z.number().int().min(1).max(200).default(50),
});
export type LineCriteria = z.infer<typeof LineCriteria>;

export const ContractTier = z.object({
  id: z.number().int(),
  /** The rank of the tier. The lowest number is the base tier. */
  tierNo: z.number().int(),
  name: z.string(),
  /** What a facility must do to qualify for the tier. */
  requirement: z.string(),
  needsLoc: z.boolean(),
  /** The tier whose price applies until the letter is approved. */
  fallbackTierId: z.number().int().nullable(),
  /** Whether a quote may show this tier's price while a request for it is open. */
  provisionalAllowed: z.boolean(),
  version: z.number().int(),
  /** Whether this user sees its prices: either all prices, or those of tiers to which a facility they serve belongs. */
  priced: z.boolean(),
});
export type ContractTier = z.infer<typeof ContractTier>;

const Linked = z.object({ id: z.number().int(), number: z.string() });

/** The head of a contract. */
export const ContractHead = z.object({
  id: z.number().int(),
  number: z.string(),
  /** Null means a local agreement. */
  gpo: Named.nullable(),
  title: z.string(),
  category: z.string(),
  awardType: z.string(),
  /** 1009 for euros, otherwise US dollars. */
  currnIdx: z.number().int(),
  from: z.string(),
  /** The last day as agreed. */
  to: z.string(),
  extendedTo: z.string().nullable(),
  state: z.enum(CONTRACT_STATES),
  /** The last day on which a terminated contract is valid. */
  terminatedOn: z.string().nullable(),
  /** Who gets the base tier: facilities on the roster, or every member of the GPO. */
  openTo: z.enum(['roster', 'members']),
  /** In percent. Only for users who edit contracts. */
  adminFeePct: z.number().nullable().optional(),
  priceFirmUntil: z.string().nullable(),
  freightTerms: z.string(),
  paymentTerms: z.string(),
  minimumOrder: z.number().nullable(),
  returnsTerms: z.string(),
  eligibility: z.string(),
  /** The user to call at our company. */
  contact: z.object({ id: z.number().int(), name: z.string(), userName: z.string(), phone: z.string() }).nullable(),
  gpoContact: z.string(),
  /** Only for users who can read all contracts. */
  notes: z.string().optional(),
  /** The contract that this one follows, if this user can see it. */
  predecessor: Linked.nullable(),
  /** The contracts that follow this one and that this user can see. */
  successors: z.array(Linked.extend({ from: z.string(), state: z.enum(CONTRACT_STATES) })),
  /** The last day on which the contract is valid. */
  lastDay: z.string(),
  daysLeft: z.number().int(),
  status: z.enum(CONTRACT_STATUSES),
  version: z.number().int(),
});
export type ContractHead = z.infer<typeof ContractHead>;

export const QuotesCriteria = PageInput.extend({ contractId: Id });
export type QuotesCriteria = z.infer<typeof QuotesCriteria>;

/** A quote that uses a price of the contract. */
export const ContractQuote = z.object({
  id: z.number().int(),
  number: z.string(),
  facilityName: z.string(),
  statusId: StatusId,
  quoteDate: z.string(),
  /** The total of its lines from this contract. */
  amount: z.number(),
  currnIdx: z.number().int(),
  ownerName: z.string(),
});
export type ContractQuote = z.infer<typeof ContractQuote>;

/** One printable page about a contract. */
export const HotSheet = z.object({
  contract: ContractHead.omit({ adminFeePct: true, notes: true }),
  tiers: z.array(ContractTier),
  /** The best-selling items among the lines that are valid on the day. */
  lines: z.array(ContractLine),
  /** The number of lines that are valid on the day. */
  lineCount: z.number().int(),
  /** Current promotions of these items, which combine with the contract's prices. */
  promotions: z.array(Promotion.extend({ validTo: z.string().nullable() })),
  company: z.object({ name: z.string(), phone: z.string() }),
  asOf: z.string(),
});
export type HotSheet = z.infer<typeof HotSheet>;

export const Contract = {
  Search: post('/api/Contract/Search', ContractCriteria, pageOf(ContractRow), {
    access: 'user',
    summary: 'Contracts that the user may see: all, or those of the facilities that the user serves.',
  }),
  ExportContracts: post('/api/Contract/ExportContracts', ContractCriteria, Bytes, {
    access: 'user',
    file: 'text/csv',
  }),
  GetContractChoices: post(
    '/api/Contract/GetContractChoices',
    z.object({}),
    z.object({ gpos: z.array(Named), categories: z.array(z.string()) }),
    { access: 'user', summary: 'GPOs and categories of the contracts that the user may see, to filter by.' },
  ),
  GetLines: post('/api/Contract/GetLines', LineCriteria, pageOf(ContractLine).extend({ day: z.string() }), {
    access: 'user',
    summary: 'Lines of a contract with the prices of a day by tier, per unit and per each.',
  }),
  GetLinePrices: post('/api/Contract/GetLinePrices', z.object({ lineId: Id }), z.array(TierPrice), {
    access: 'user',
    summary: 'All prices of a line, by tier and day: past, current and coming.',
  }),
  GetContractQuotes: post('/api/Contract/GetContractQuotes', QuotesCriteria, pageOf(ContractQuote), {
    access: 'user',
    summary: 'The quotes with a price of the contract that the user may see, newest first.',
  }),
  GetHotSheet: post('/api/Contract/GetHotSheet', z.object({ contractId: Id }), HotSheet, {
    access: SEES_ALL_ROLES,
    summary: 'A contract on one page: tiers, best-selling items, promotions, terms, contacts.',
  }),
  GetContractHistory: post(
    '/api/Contract/GetContractHistory',
    PageInput.extend({ contractId: Id }),
    pageOf(RecordEvent.extend({ recordType: z.enum(['contract', 'contractTier', 'contractLine']), name: z.string() })),
    {
      access: SEES_ALL_ROLES,
      summary: 'What was done to a contract, its tiers and lines, newest first.',
    },
  ),
  PopulateContractEdit: post(
    '/api/Contract/PopulateContractEdit',
    FormQuery,
    z.object({
      contract: CONTRACT.Edit,
      /** Every GPO, and the categories of other contracts. */
      gpos: z.array(Named),
      categories: z.array(z.string()),
    }),
    { access: CONTRACT_KEEPERS, in: 'query', summary: 'A contract to edit; without an id a new one.' },
  ),
  Save: post('/api/Contract/Save', ContractInput, CONTRACT.Edit, {
    access: CONTRACT_KEEPERS,
    writes: true,
    summary: 'The head of a contract; its state goes from Draft to Active to Terminated.',
  }),
  SaveTier: post(
    '/api/Contract/SaveTier',
    TierInput,
    z.object({ tier: ContractTier.omit({ priced: true }).nullable() }),
    {
      access: CONTRACT_KEEPERS,
      writes: true,
      summary: 'Adds, changes or removes a tier. A tier in use cannot be removed.',
    },
  ),
  SaveLine: post(
    '/api/Contract/SaveLine',
    ContractLineInput,
    z.object({
      /** Null means the line was removed. */
      line: ContractLine.pick({
        id: true,
        itemNumber: true,
        unit: true,
        from: true,
        to: true,
        version: true,
      }).nullable(),
    }),
    {
      access: CONTRACT_KEEPERS,
      writes: true,
      summary: 'Adds a line, changes its days, or removes one that no quote uses.',
    },
  ),
  SavePrice: post('/api/Contract/SavePrice', PriceInput, z.array(TierPrice), {
    access: CONTRACT_KEEPERS,
    writes: true,
    summary:
      'Adds a price from a given day. The previous price ends the day before, and later prices stay. Nothing is overwritten.',
  }),
};
