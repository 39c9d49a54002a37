// The calls about requests for a place or a tier in a contract (our own): the options of a quote, asking, deciding, and the effect in money.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { MOST_QUOTE_LINES } from '#core/quoting/quotes/quote-rows.ts';
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
  /** A quote may show the tier's price while a request for it is open. */
  provisionalAllowed: z.boolean(),
});

/** A tier of a contract that a quote could ask for. */
export const RequestOption = z.object({
  kind: z.enum(OPTION_KINDS),
  contract: ContractOf,
  tier: TierOf,
  /** The lines whose items have a price in the tier. */
  lineIds: z.array(z.number().int()),
  /** The GPO in which the facility lacks a primary membership, so that no price of the contract would count. Empty when it lacks none. */
  needsMembershipIn: z.string(),
  /** The request that already waits. Null when there is none. `joined` says whether this quote waits for it. */
  open: z.object({ id: z.number().int(), state: RequestState, joined: z.boolean() }).nullable(),
  /** The quote's total in the tier, and the saving. Null when this person may not see the prices, or no price would count. */
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
  /** Who has to act now, in words. Empty when the request is settled. */
  waitsFor: z.string(),
  /** When it entered the state. */
  stateAt: z.string(),
  reason: z.string(),
  /** The approved tier. Null when nothing was approved. */
  decided: z.object({ tierNo: z.number().int(), tierName: z.string(), firmFrom: z.string() }).nullable(),
  /** Other quotes wait for it too, so this quote can leave it. */
  shared: z.boolean(),
  /** Prices of the quote still depend on it, although it is settled without an approval, or with another tier or price. */
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
  /** Days since then. */
  days: z.number().int(),
  overdue: z.boolean(),
  waitsFor: z.string(),
  reason: z.string(),
  decided: z
    .object({ tierId: z.number().int(), tierNo: z.number().int(), tierName: z.string(), firmFrom: z.string() })
    .nullable(),
  /** How many quotes wait for it. */
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
  /** The total if the request is refused. Null when a line has no price without it. */
  refused: z.number().nullable(),
  /** The total in each tier of the contract, better or worse. `less` is the difference to `refused`, below 0 for a worse tier. */
  tiers: z.array(z.object({ tierId: z.number().int(), total: z.number(), less: z.number().nullable() })),
});
export type QuoteMeaning = z.infer<typeof QuoteMeaning>;

export const AllowedStep = z.object({
  action: StepName,
  label: z.string(),
  /** What the person has to write with it. Empty when nothing. */
  asks: z.string(),
});

export const RequestDetail = z.object({
  /** Today, in the company's time zone. */
  today: z.string(),
  request: RequestRow,
  /** The contract's tiers by rank. */
  tiers: z.array(TierOf),
  /** The facility's place in the contract on the wanted day, in words. */
  place: z.string(),
  /** The facility's newest signed or pending letter of commitment for the wanted tier. Null when there is none. */
  letter: z
    .object({ id: z.number().int(), state: z.string(), signer: z.string(), signedOn: z.string().nullable() })
    .nullable(),
  /** The GPO in which the facility lacks a primary membership on the wanted day. Empty when it has one, or needs none. */
  needsMembershipIn: z.string(),
  /** The quotes in this person's sight that wait for it, then other open quotes of the facility with items of the contract. */
  quotes: z.array(QuoteMeaning),
  /** How many more quotes it concerns. */
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
  /** Only requests that this person asked for or joined, or that their quotes wait for. */
  mine: z.boolean().default(false),
  /** The days since the last step. */
  age: z.enum(AGES).nullish(),
  pageSize: z.number().int().min(1).max(200).default(50),
});
export type RequestCriteria = z.infer<typeof RequestCriteria>;

export const EligibilityRequestInput = z.object({
  quoteId: Id,
  lineIds: z.array(Id).min(1, 'Choose the lines.').max(MOST_QUOTE_LINES),
  contractId: Id,
  tierId: Id,
  wantedFrom: TypedDate,
  note: Text(2_000).default(''),
  /** Stores a draft for its writer, without sending it. */
  draft: z.boolean().default(false),
  /** The quote's version. */
  version: Version,
});

/** The answer to asking. */
export const Asked = z.object({
  id: z.number().int(),
  state: RequestState,
  /** Another quote had already asked for the same. */
  wasThere: z.boolean(),
  /** The lines of the quote now show the price of the tier. */
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
  /** Lines lost the request's price, and now have the price without it. */
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
  /** Approve: the first day. Without it, the wanted day. */
  firmFrom: Day,
  /** Approve: the last day, if there is one. Revoke: the last day on which the approval counts. */
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
      /** How many more there are. */
      more: z.number().int(),
      /** Contracts with these items that exclude the facility. */
      excluded: z.array(ContractOf),
    }),
    { access: QUOTING_ROLES, summary: 'The tiers of contracts that the quote could ask for.' },
  ),
  OfQuote: post('/api/Eligibility/OfQuote', z.object({ quoteId: Id }), z.array(QuoteRequest), {
    access: 'user',
    summary: 'The requests that a quote waits for or waited for, the newest first.',
  }),
  Request: post('/api/Eligibility/Request', EligibilityRequestInput, Asked, {
    access: QUOTING_ROLES,
    writes: true,
    summary: 'Asks for a tier of a contract, or joins the quote to the request that waits already.',
  }),
  Leave: post('/api/Eligibility/Leave', LeaveInput, Left, {
    access: QUOTING_ROLES,
    writes: true,
    summary: 'Takes a quote out of a request that other quotes wait for, too.',
  }),
  Decide: post('/api/Eligibility/Decide', Decision, RequestRow, {
    access: 'user',
    writes: true,
    summary: 'Takes a request a step further.',
  }),
  SearchRequests: post(
    '/api/Eligibility/SearchRequests',
    RequestCriteria,
    pageOf(RequestRow).extend({
      /** How many requests each state has, among those that meet the other criteria. */
      counts: z.array(z.object({ state: RequestState, count: z.number().int() })),
      overdue: z.number().int(),
    }),
    {
      access: 'user',
      summary: 'Requests; representatives get those of their quotes and of the facilities they serve.',
    },
  ),
  Get: post('/api/Eligibility/Get', z.object({ id: Id }), RequestDetail, {
    access: 'user',
    summary: 'A request with what each decision means in money.',
  }),
};
