// Planning help: finds problems to clean up and suggests moves that balance territories. Writes nothing (docs/decisions/0202).
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#shared/money.ts';
import type { Role } from '#shared/roles.ts';
import { Id, Named, QueryId } from '#shared/wire.ts';
import { FIX_KINDS } from './clean-up.ts';

/** The roles that plan. Sales support may do so on the internal site only. */
const PLANNERS: readonly Role[] = ['systemadmin', 'salesadmin', 'salessupport', 'salesQuoteManager'];

/** An answer holds at most this many suggestions. */
export const MOST_FIXES = 500;
/** One suggestion moves at most this many areas. */
export const MOST_BALANCED = 2000;

export const Fix = z.object({
  /** unassigned: nobody has these ZIPs. island: cut off from their territory. point: no area, and not in the territory of the area around them. */
  kind: z.enum(FIX_KINDS),
  from: Named.nullable(),
  /** Null if no neighboring territory may get them. */
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
  /** The territory that both the override and the ZIP lead to. */
  territory: Named,
});
export type PlainOverride = z.infer<typeof PlainOverride>;

const MEASURES = ['facilities', 'openValue', 'won'] as const;
const SCOPES = ['both', 'zips', 'accounts'] as const;

const Share = z.object({
  territory: Named,
  /** The amounts that follow its ZIPs and that account overrides hold. Only the first changes with moves. */
  zipsBefore: z.number(),
  zipsAfter: z.number(),
  accounts: z.number(),
  /** The amount within the scope, and its distance from the mean: 0.25 is a quarter more. */
  before: z.number(),
  after: z.number(),
  offBefore: z.number(),
  offAfter: z.number(),
});
export type Share = z.infer<typeof Share>;

export const Balance = z.object({
  shares: z.array(Share),
  mean: z.number(),
  /** Connected pieces. Each one moves from one territory to another. */
  moves: z.array(z.object({ from: Named, to: Named, zips: z.array(z.string()), amount: z.number() })),
  /** even: all are within the tolerance. stuck: no move along a border helps. limit: it would take more moves than one suggestion may hold. */
  stopped: z.enum(['even', 'stuck', 'limit']),
  /** Amounts in other currencies; they do not count. */
  others: z.array(z.object({ currnIdx: z.number().int(), amount: z.number() })),
});
export type Balance = z.infer<typeof Balance>;

export const PlanHelp = {
  cleanUpSavedMap: post(
    '/api/TazApi/cleanUpSavedMap',
    QueryId,
    z.object({
      fixes: z.array(Fix),
      /** The number of all fixes found; `fixes` holds the first of them. */
      total: z.number().int(),
      /** The first overrides by name. */
      overrides: z.array(PlainOverride),
      overridesTotal: z.number().int(),
    }),
    {
      access: PLANNERS,
      in: 'query',
      summary: 'What is out of order with the moves of a plan, each with a move that would fix it.',
    },
  ),
  balanceSavedMap: post(
    '/api/TazApi/balanceSavedMap',
    z.object({
      id: Id,
      /** The territories to balance. */
      territoryIds: z.array(Id).min(2, 'Choose at least two territories').max(300),
      /** `won` counts quotes won in the twelve months before today. */
      measure: z.enum(MEASURES),
      /** The currency of amounts; amounts in other currencies do not count. */
      currnIdx: z.union([z.literal(DOLLAR_INDEX), z.literal(EURO_INDEX)]).default(DOLLAR_INDEX),
      /** Which facilities count: those that follow their ZIP, those with an account override, or both. Only ZIPs move. */
      scope: z.enum(SCOPES).default('both'),
      /** How far from the mean still counts as even, in percent. */
      tolerance: z.number().int().min(1).max(100).default(5),
    }),
    Balance,
    {
      access: PLANNERS,
      summary: 'How even territories are with the moves of a plan, and moves that would even them out.',
    },
  ),
};
