// Defines our own calls for requests for a place or a tier in a contract: a quote's options, requesting, deciding, and the effect in money.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { MAX_QUOTE_LINES } from '#core/quoting/quotes/quote-rows.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { QUOTING_ROLES } from '#platform/shared/roles.ts';
import { Id, PageInput, pageOf, Text, TypedDate, Version } from '#platform/shared/wire.ts';
import { REQUEST_STATES, RequestState, StepName } from './request-steps.ts';

/** NotOnRoster: no place in the contract. NeedsLetter: the tier lacks an approved letter of commitment. OtherTier: not the tier of the place. */
export const OPTION_KINDS = ['NotOnRoster', 'NeedsLetter', 'OtherTier'] as const;

const ContractOf = z.object({
  id: z.number().int(),
  number: z.string(),
  title: z.string(),
  /** Empty for a local agreement. */
  gpo: z.string(),
});

const TierOf = z.object({
  id: z.number().int(),
  no: z.number().int(),
  name: z.string(),
  requirement: z.string(),
  needsLoc: z.boolean(),
  /** True if a quote may show the tier's price while a request for it is open. */
  provisionalAllowed: z.boolean(),
});

/** A tier of a contract that a quote can request. */
export const RequestOption = z.object({
  kind: z.enum(OPTION_KINDS),
  contract: ContractOf,
  tier: TierOf,
  /** The lines whose items have a price in the tier. */
  lineIds: z.array(z.number().int()),
  /** The GPO in which the facility needs a primary membership before a price of the contract applies. Empty if it needs none. */
  needsMembershipIn: z.string(),
  /** The request that is already waiting. Null if there is none. `joined`: whether this quote waits for it. */
  open: z.object({ id: z.number().int(), state: RequestState, joined: z.boolean() }).nullable(),
  /** The quote's total in the tier, and the saving. Null if the user may not see the prices, or no price would apply. */
  total: z.number().nullable(),
  saving: z.number().nullable(),
});
export type RequestOption = z.infer<typeof RequestOption>;

/** A request that a quote waits for. */
export const QuoteRequest = z.object({
  id: z.number().int(),
  state: RequestState,
  contract: ContractOf.pick({ id: true, number: true }),
  tier: TierOf.pick({ id: true, no: true, name: true }),
  /** Who must act now, in words. Empty if the request is settled. */
  waitsFor: z.string(),
  /** When it entered the state. */
  stateAt: z.string(),
  reason: z.string(),
  /** The approved tier. Null if nothing was approved. */
  decided: z.object({ tierNo: z.number().int(), tierName: z.string(), firmFrom: z.string() }).nullable(),
  /** True if other quotes wait for it, too, so that this quote can leave it. */
  shared: z.boolean(),
  /** True if prices of the quote still depend on it, although it was settled without an approval, or with another tier or price. */
  leftOver: z.boolean(),
});
export type QuoteRequest = z.infer<typeof QuoteRequest>;

export const RequestRow = z.object({
  id: z.number().int(),
  state: RequestState,
  contract: ContractOf,
  tier: TierOf.pick({ id: true, no: true, name: true }),
  facility: z.object({
    id: z.number().int(),
    name: z.string(),
    acctNo: z.string(),
    city: z.string(),
    state: z.string(),
  }),
  wantedFrom: z.string(),
  note: z.string(),
  requestedBy: z.object({ id: z.number().int(), name: z.string() }),
  requestedAt: z.string(),
  stateAt: z.string(),
  /** The number of days since then. */
  days: z.number().int(),
  overdue: z.boolean(),
  waitsFor: z.string(),
  reason: z.string(),
  decided: z
    .object({ tierId: z.number().int(), tierNo: z.number().int(), tierName: z.string(), firmFrom: z.string() })
    .nullable(),
  /** The number of quotes that wait for it. */
  quotes: z.number().int(),
  version: z.number().int(),
});
export type RequestRow = z.infer<typeof RequestRow>;

/** The total of a quote after each possible decision. */
export const QuoteMeaning = z.object({
  id: z.number().int(),
  number: z.string(),
  statusId: StatusId,
  quoteDate: z.string(),
  currnIdx: z.number().int(),
  /** Whether the quote waits for the request. */
  joined: z.boolean(),
  /** The current total. */
  total: z.number(),
  /** The total if the request is refused. Null if a line would have no price. */
  refused: z.number().nullable(),
  /** The total in each tier of the contract, better or worse. `less` is the difference to `refused`. It is below 0 for a worse tier. */
  tiers: z.array(z.object({ tierId: z.number().int(), total: z.number(), less: z.number().nullable() })),
});
export type QuoteMeaning = z.infer<typeof QuoteMeaning>;

export const AllowedStep = z.object({
  action: StepName,
  label: z.string(),
  /** What the user must write for the step. Empty if nothing. */
  asks: z.string(),
});

export const RequestDetail = z.object({
  /** Today, in the company's time zone. */
  today: z.string(),
  request: RequestRow,
  /** The contract's tiers by rank. */
  tiers: z.array(TierOf),
  /** The facility's place in the contract on the requested day, in words. */
  place: z.string(),
  /** The facility's newest signed or pending letter of commitment for the requested tier. Null if there is none. */
  letter: z
    .object({ id: z.number().int(), state: z.string(), signer: z.string(), signedOn: z.string().nullable() })
    .nullable(),
  /** The GPO in which the facility lacks a primary membership on the requested day. Empty if it has one, or needs none. */
  needsMembershipIn: z.string(),
  /** The quotes that wait for it and that the user sees, then other open quotes of the facility with items of the contract. */
  quotes: z.array(QuoteMeaning),
  /** The number of other affected quotes. */
  moreQuotes: z.number().int(),
  allowedActions: z.array(AllowedStep),
  history: z.array(
    z.object({
      id: z.number().int(),
      at: z.string(),
      actor: z.string(),
      /** The words that follow the actor's name. */
      words: z.string(),
      comment: z.string(),
      changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
    }),
  ),
});
export type RequestDetail = z.infer<typeof RequestDetail>;

export const AGES = ['Overdue', 'Over7', 'Over30'] as const;

export const RequestCriteria = PageInput.extend({
  /** 'Waiting' includes every state that waits for a decision. */
  state: z.enum([...REQUEST_STATES, 'Waiting']).nullish(),
  /** Searches the facility's name, account number, city and ZIP, and the contract's number and title. */
  keyword: Text(200).nullish(),
  contractId: Id.nullish(),
  facilityId: Id.nullish(),
  /** Only requests that the user made or joined, or that the user's quotes wait for. */
  mine: z.boolean().default(false),
  /** The days since the last step. */
  age: z.enum(AGES).nullish(),
  pageSize: z.number().int().min(1).max(200).default(50),
});
export type RequestCriteria = z.infer<typeof RequestCriteria>;

export const EligibilityRequestInput = z.object({
  quoteId: Id,
  lineIds: z.array(Id).min(1, 'Choose at least one line.').max(MAX_QUOTE_LINES),
  contractId: Id,
  tierId: Id,
  wantedFrom: TypedDate,
  note: Text(2_000).default(''),
  /** Stores a draft for its author, without sending it. */
  draft: z.boolean().default(false),
  /** The quote's version. */
  version: Version,
});

/** The result of a request. */
export const Asked = z.object({
  id: z.number().int(),
  state: RequestState,
  /** True if another quote had already requested the same. */
  wasThere: z.boolean(),
  /** True if the lines of the quote now show the price of the tier. */
  repriced: z.boolean(),
  /** What happened, in a sentence. */
  text: z.string(),
  /** The quote as it is now. */
  quote: z.object({ version: z.number().int(), totalAmount: z.number(), fallbackTotal: z.number().nullable() }),
});
export type Asked = z.infer<typeof Asked>;

/** A quote that no longer waits for a request. */
export const LeaveInput = z.object({
  /** The request's id. */
  id: Id,
  quoteId: Id,
  /** The quote's version. */
  version: Version,
});

export const Left = z.object({
  /** True if lines lost the request's price, and now have the price without it. */
  repriced: z.boolean(),
  /** The quote as it is now. */
  quote: Asked.shape.quote,
});
export type Left = z.infer<typeof Left>;

const Day = TypedDate.or(z.literal('')).nullish();

export const Decision = z.object({
  id: Id,
  action: StepName,
  /** Approve: a tier other than the requested one. */
  tierId: Id.nullish(),
  /** Approve: the first day; by default the requested day. */
  firmFrom: Day,
  /** Approve: the last day, if there is one. Revoke: the last day on which the approval applies. */
  to: Day,
  reason: Text(2_000).default(''),
  /** Approve a tier that needs a letter of commitment: who signed it, and when. */
  signer: Text(200).default(''),
  signedOn: Day,
  version: Version,
});
export type Decision = z.infer<typeof Decision>;

export const Eligibility = {
  Options: post(
    '/api/Eligibility/Options',
    z.object({ quoteId: Id }),
    z.object({
      /** Today, in the company's time zone. */
      today: z.string(),
      options: z.array(RequestOption),
      /** The number of further options. */
      more: z.number().int(),
      /** Contracts with these items that exclude the facility. */
      excluded: z.array(ContractOf),
    }),
    { access: QUOTING_ROLES, summary: 'The contract tiers that a quote can request.' },
  ),
  OfQuote: post('/api/Eligibility/OfQuote', z.object({ quoteId: Id }), z.array(QuoteRequest), {
    access: 'user',
    summary: 'The requests that a quote waits for or waited for, newest first.',
  }),
  Request: post('/api/Eligibility/Request', EligibilityRequestInput, Asked, {
    access: QUOTING_ROLES,
    writes: true,
    summary: 'Requests a contract tier, or adds the quote to the request that is already waiting.',
  }),
  Leave: post('/api/Eligibility/Leave', LeaveInput, Left, {
    access: QUOTING_ROLES,
    writes: true,
    summary: 'Removes a quote from a request that other quotes also wait for.',
  }),
  Decide: post('/api/Eligibility/Decide', Decision, RequestRow, {
    access: 'user',
    writes: true,
    summary: 'Takes a step on a request, such as approving it.',
  }),
  SearchRequests: post(
    '/api/Eligibility/SearchRequests',
    RequestCriteria,
    pageOf(RequestRow).extend({
      /** The number of requests in each state, among those that meet the other criteria. */
      counts: z.array(z.object({ state: RequestState, count: z.number().int() })),
      overdue: z.number().int(),
    }),
    {
      access: 'user',
      summary: 'Searches requests. Representatives get the requests of their quotes and of the facilities they serve.',
    },
  ),
  Get: post('/api/Eligibility/Get', z.object({ id: Id }), RequestDetail, {
    access: 'user',
    summary: 'A request with the price impact of each decision.',
  }),
};
