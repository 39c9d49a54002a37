// Territory plans, the specification's saved maps: drawn, weighed, published and rolled back (specification section 7; docs/decisions/0204).
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import type { Role } from '#shared/roles.ts';
import {
  Id,
  Named,
  PageInput,
  pageOf,
  QueryId,
  RequiredText,
  SEND_VERSION,
  Text,
  TypedDate,
  Version,
} from '#shared/wire.ts';

/** Who has plans. Sales support has them on the internal site; which ones, and which moves, depends on the person. */
const PLANNERS: readonly Role[] = ['systemadmin', 'salesadmin', 'salessupport', 'salesQuoteManager'];
const PUBLISHERS: readonly Role[] = ['systemadmin', 'salesadmin'];

export const PLAN_STATES = ['Draft', 'Published', 'RolledBack', 'Archived'] as const;
export const PlanState = z.enum(PLAN_STATES);
export type PlanState = z.infer<typeof PlanState>;

/** At most this many ZIPs move in one plan: all there are. */
export const MOST_MOVES = 50_000;
/** At most this many moves travel in one save. */
export const MOST_SAVED = 10_000;

const Zip = z.string().regex(/^\d{5}$/, 'A ZIP has five digits');

const Asked = z.object({ by: Named, at: z.string(), comment: z.string() });

/** A job that publishes or rolls back a plan of many moves. */
export const PlanWork = z.object({
  action: z.enum(['Publish', 'RollBack']),
  /** Of publishing: the day from which its moves are to hold. */
  effectiveDay: z.string().nullable(),
  /** Who asked for it. */
  by: z.string(),
  /** ZIPs written so far, of all; 0 where it is not known. */
  done: z.number().int(),
  total: z.number().int(),
  /** Why it did not come about; '' while it waits or runs. */
  error: z.string(),
});
export type PlanWork = z.infer<typeof PlanWork>;

const SavedMapRow = z.object({
  id: z.number().int(),
  name: z.string(),
  note: z.string(),
  state: PlanState,
  owner: Named,
  /** Whether it is the caller's own. */
  own: z.boolean(),
  sharedWith: z.number().int(),
  effectiveDay: z.string(),
  moves: z.number().int(),
  /** Moves of a draft that cannot be published as they are; 0 once it is published. */
  conflicts: z.number().int(),
  /** A request to publish it that nobody has answered. */
  asked: Asked.nullable(),
  /** What a job does with it at the moment. */
  working: PlanWork.shape.action.nullable(),
  changedAt: z.string(),
  changedBy: z.string(),
  version: z.number().int(),
});
export type SavedMapRow = z.infer<typeof SavedMapRow>;

const Reader = z.object({ user: Named, mayEdit: z.boolean() });

export const SavedMap = z.object({
  id: z.number().int(),
  name: z.string(),
  note: z.string(),
  state: PlanState,
  owner: Named,
  readers: z.array(Reader),
  /** The day against whose assignments it was begun. */
  baseDay: z.string(),
  /** The day from which its moves are to hold, or do. */
  effectiveDay: z.string(),
  /** The version of the areas it is drawn on; '': those that came with the program. */
  geoVersion: z.string(),
  asked: Asked.nullable(),
  publishedAt: z.string().nullable(),
  publishedBy: z.string(),
  /** Null: no job works on it, and none failed since the last step. */
  work: PlanWork.nullable(),
  version: z.number().int(),
});
export type SavedMap = z.infer<typeof SavedMap>;

export const Move = z.object({
  zip: z.string(),
  city: z.string(),
  state: z.string(),
  county: z.string(),
  /** The territory that had it when it was planned; null: none. */
  from: Named.nullable(),
  /** Null: it is to have none. */
  to: Named.nullable(),
  changedBy: z.string(),
});
export type Move = z.infer<typeof Move>;

export const PlanConflict = z.object({
  zip: z.string(),
  /**
   * moved: another territory has it on the effective day than when it was planned. later: it is assigned from a later day. begins: its assignment
   * begins on the effective day or has begun since. inactive: the territory it goes to is switched off.
   */
  kind: z.enum(['moved', 'later', 'begins', 'inactive']),
  /** Who has it on the effective day, or from the later day. */
  now: Named.nullable(),
  from: Named.nullable(),
  to: Named.nullable(),
  text: z.string(),
});
export type PlanConflict = z.infer<typeof PlanConflict>;

const Money = z.array(z.object({ currnIdx: z.number().int(), amount: z.number() }));
const Holding = z.object({
  /** Of them, those without an area of their own: PO boxes and single buildings. */
  zips: z.number().int(),
  pointZips: z.number().int(),
  /** By account override, else by ship-to ZIP. */
  facilities: z.number().int(),
  /** Within the caller's sight. */
  openQuotes: z.number().int(),
  openValue: Money,
});
export type Holding = z.infer<typeof Holding>;

export const PlanEffect = z.object({
  /** Null: what no territory has. */
  territory: Named.nullable(),
  /** Today's sales representative. */
  rep: Named.nullable(),
  region: Named.nullable(),
  before: Holding,
  after: Holding,
});
export type PlanEffect = z.infer<typeof PlanEffect>;

const Weight = z.object({
  /** Moves of a draft that cannot be published as they are, in order of ZIP. */
  conflicts: z.array(PlanConflict),
  /** Of every territory that a move touches, in order of name. */
  effects: z.array(PlanEffect),
  /** Facilities in moved ZIPs that stay where they are, because an account override says so. */
  overridden: z.number().int(),
  /** Who gains or loses facilities, by what they would have: the sales representatives of those territories. */
  reps: z.array(
    z.object({
      rep: Named,
      facilitiesBefore: z.number().int(),
      facilitiesAfter: z.number().int(),
      openQuotesBefore: z.number().int(),
      openQuotesAfter: z.number().int(),
    }),
  ),
});
export type Weight = z.infer<typeof Weight>;

const WeighedMap = Weight.extend({
  /** The version of the plan that was weighed. */
  version: z.number().int(),
});

const PlanRecord = z.object({
  map: SavedMap,
  allowed: z.object({
    edit: z.boolean(),
    share: z.boolean(),
    publish: z.boolean(),
    ask: z.boolean(),
    rollBack: z.boolean(),
    archive: z.boolean(),
  }),
  /** The company's calendar day. */
  today: z.string(),
});

/** A plan, and its moves that were written or taken back since a version; of a new plan all. */
export const PlanChanges = PlanRecord.extend({
  /** In order of ZIP. */
  moves: z.array(Move),
  /** ZIPs that move no more. */
  takenBack: z.array(z.string()),
});
export type PlanChanges = z.infer<typeof PlanChanges>;

export const LoadedMap = PlanRecord.extend({
  /** All, in order of ZIP. */
  moves: z.array(Move),
}).extend(Weight.shape);
export type LoadedMap = z.infer<typeof LoadedMap>;

const MoveInput = z.object({
  zip: Zip,
  /** Who had it in the eyes of the planner; left out: who has it now. */
  from: Id.nullish(),
  to: Id.nullish(),
  /** True: the move is taken back. */
  gone: z.boolean().default(false),
});
export type MoveInput = z.input<typeof MoveInput>;

export const MapFields = z.object({
  /** 0: a new one. */
  id: Id.or(z.literal(0)).default(0),
  name: RequiredText(100).optional(),
  note: Text(2000).optional(),
  /** From today on. */
  effectiveDay: TypedDate.optional(),
  readers: z
    .array(z.object({ userId: Id, mayEdit: z.boolean().default(false) }))
    .max(100)
    .optional(),
});

const DryRun = z.object({
  applied: z.boolean(),
  /** A job publishes it; the plan's `work` says how far that is. */
  queued: z.boolean(),
  /** ZIPs that change hands. */
  moves: z.number().int(),
  conflicts: z.array(PlanConflict),
  effects: z.array(PlanEffect),
  /** Begun assignments that get a last day, and new ones. */
  ends: z.number().int(),
  begins: z.number().int(),
  version: z.number().int(),
});
export type DryRun = z.infer<typeof DryRun>;

export const TerritoryPlans = {
  getSavedMaps: post(
    '/api/TazApi/getSavedMaps',
    PageInput.extend({
      /** Part of the name, the note or the owner's name. */
      keyword: Text(100).nullish(),
      /** Null: all but the archived ones. */
      state: PlanState.nullish(),
      own: z.boolean().nullish(),
    }),
    pageOf(SavedMapRow),
    { access: PLANNERS, summary: "One's own plans and those shared; administrators see all." },
  ),
  loadSavedMap: post('/api/TazApi/loadSavedMap', QueryId, LoadedMap, {
    access: PLANNERS,
    in: 'query',
    summary: 'A plan with its moves, what stands against publishing it, and its effect by territory.',
  }),
  changesOfSavedMap: post('/api/TazApi/changesOfSavedMap', z.object({ id: Id, version: Version }), PlanChanges, {
    access: PLANNERS,
    summary: 'A plan, and what anybody changed of its moves since a version.',
  }),
  weighSavedMap: post('/api/TazApi/weighSavedMap', QueryId, WeighedMap, {
    access: PLANNERS,
    in: 'query',
    summary: 'What stands against publishing a plan, and its effect by territory, without its moves.',
  }),
  saveSavedMap: post(
    '/api/TazApi/saveSavedMap',
    z
      .object({
        map: MapFields,
        /** Those that change; the others stay. */
        moves: z.array(MoveInput).max(MOST_SAVED).default([]),
        /** The version that was read; left out for a new plan. */
        version: Version.optional(),
      })
      .refine(({ map, version }) => map.id === 0 || version !== undefined, {
        path: ['version'],
        message: SEND_VERSION,
      }),
    PlanChanges,
    {
      access: PLANNERS,
      writes: true,
      bodyLimit: 2 * 1024 * 1024,
      summary:
        'Makes or changes a plan; answers what changed since the version. Moves of different ZIPs by two people both stand; 409 for the same ZIP or field.',
    },
  ),
  copySavedMap: post('/api/TazApi/copySavedMap', z.object({ id: Id, name: RequiredText(100) }), PlanChanges, {
    access: PLANNERS,
    writes: true,
    summary: "A draft with the same moves against today's assignments.",
  }),
  archiveSavedMap: post(
    '/api/TazApi/archiveSavedMap',
    z.object({ id: Id, version: Version, archived: z.boolean() }),
    z.object({ id: z.number().int(), state: PlanState, version: z.number().int() }),
    {
      access: PLANNERS,
      writes: true,
      summary: 'Puts a plan away, or takes it out again. Published moves stay as they are.',
    },
  ),
  askToPublish: post(
    '/api/TazApi/askToPublish',
    z.object({ id: Id, version: Version, comment: Text(1000).default('') }),
    PlanChanges,
    { access: PLANNERS, writes: true, summary: 'Asks the sales administrators to publish a plan.' },
  ),
  sendBackSavedMap: post(
    '/api/TazApi/sendBackSavedMap',
    z.object({ id: Id, version: Version, comment: RequiredText(1000) }),
    PlanChanges,
    { access: PUBLISHERS, writes: true, summary: 'Answers a request to publish with no, and why.' },
  ),
  publishSavedMap: post(
    '/api/TazApi/publishSavedMap',
    z.object({
      id: Id,
      version: Version,
      effectiveFrom: TypedDate,
      /** False: only say what it would do. */
      apply: z.boolean().default(false),
    }),
    DryRun,
    {
      access: PUBLISHERS,
      writes: true,
      summary:
        'Writes the moves as assignments from a day on, all or none; more than 2,000 by a job. 409 with conflicts.',
    },
  ),
  rollbackSavedMap: post('/api/TazApi/rollbackSavedMap', z.object({ id: Id, version: Version }), PlanChanges, {
    access: PUBLISHERS,
    writes: true,
    summary: 'Restores the assignments that publishing changed; 409 where something was built on them since.',
  }),
};
