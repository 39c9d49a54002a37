// Help in planning territories: what is not in order, and moves that even territories out. Both only suggest (docs/decisions/0220).
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#shared/money.ts';
import type { Role } from '#shared/roles.ts';
import { Id, Named, QueryId } from '#shared/wire.ts';
import { FIX_KINDS } from './clean-up.ts';

/** Those who plan; sales support on the internal site only. */
const PLANNERS: readonly Role[] = ['systemadmin', 'salesadmin', 'salessupport', 'salesQuoteManager'];

/** At most this many suggestions travel at once. */
export const MOST_FIXES = 500;
/** At most this many areas move in one suggestion. */
export const MOST_BALANCED = 2000;

export const Fix = z.object({
  /** unassigned: nobody has these ZIPs. island: cut off from their territory. point: ZIPs without an area that another has than the area around them. */
  kind: z.enum(FIX_KINDS),
  from: Named.nullable(),
  /** Null: no territory that may get them lies beside them. */
  to: Named.nullable(),
  /** In order. */
  zips: z.array(z.string()),
});
export type Fix = z.infer<typeof Fix>;

const PlainOverride = z.object({
  id: z.number().int(),
  facility: Named,
  acctNo: z.string(),
  zip: z.string(),
  /** The override names it, and the ZIP leads to it as well. */
  territory: Named,
});
export type PlainOverride = z.infer<typeof PlainOverride>;

const MEASURES = ['facilities', 'openValue', 'won'] as const;
const SCOPES = ['both', 'zips', 'accounts'] as const;

const Share = z.object({
  territory: Named,
  /** What goes with its ZIPs, and what account overrides hold; only moves change the first. */
  zipsBefore: z.number(),
  zipsAfter: z.number(),
  accounts: z.number(),
  /** What counts by the scope, and how far that is from the mean: 0.25 is a quarter more. */
  before: z.number(),
  after: z.number(),
  offBefore: z.number(),
  offAfter: z.number(),
});
export type Share = z.infer<typeof Share>;

export const Balance = z.object({
  shares: z.array(Share),
  mean: z.number(),
  /** Pieces that hang together, each from one territory to one other. */
  moves: z.array(z.object({ from: Named, to: Named, zips: z.array(z.string()), amount: z.number() })),
  /** even: all are within the tolerance. stuck: no move along a border helps. limit: more would have to move than is suggested at once. */
  stopped: z.enum(['even', 'stuck', 'limit']),
  /** Amounts in other currencies, which are not counted. */
  others: z.array(z.object({ currnIdx: z.number().int(), amount: z.number() })),
});
export type Balance = z.infer<typeof Balance>;

export const PlanHelp = {
  cleanUpSavedMap: post(
    '/api/TazApi/cleanUpSavedMap',
    QueryId,
    z.object({
      fixes: z.array(Fix),
      /** All that were found; `fixes` are the first of them. */
      total: z.number().int(),
      /** The first by name. */
      overrides: z.array(PlainOverride),
      overridesTotal: z.number().int(),
    }),
    {
      access: PLANNERS,
      in: 'query',
      summary: 'What is not in order with the moves of a plan, each with a move that would mend it.',
    },
  ),
  balanceSavedMap: post(
    '/api/TazApi/balanceSavedMap',
    z.object({
      id: Id,
      /** Those that are to be evened out. */
      territoryIds: z.array(Id).min(2, 'Choose at least two territories').max(300),
      /** won: quotes won in the twelve months before today. */
      measure: z.enum(MEASURES),
      /** Of amounts; those in other currencies are not counted. */
      currnIdx: z.union([z.literal(DOLLAR_INDEX), z.literal(EURO_INDEX)]).default(DOLLAR_INDEX),
      /** What counts: facilities that go with their ZIP, those that an account override holds, or both. Moves are of ZIPs always. */
      scope: z.enum(SCOPES).default('both'),
      /** How far from the mean is even enough, in percent. */
      tolerance: z.number().int().min(1).max(100).default(5),
    }),
    Balance,
    { access: PLANNERS, summary: 'How even territories are with the moves of a plan, and moves that make them so.' },
  ),
};
