// Defines the calls for territory plans, the specification's saved maps: drawing, effects, publishing, rollback (section 7; docs/decisions/0027).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import type { Role } from '#platform/shared/roles.ts';
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
} from '#platform/shared/wire.ts';

/** The roles that have plans. Sales support has them on the internal site only. Which plans and moves are allowed depends on the user. */
const PLANNERS: readonly Role[] = ['systemadmin', 'salesadmin', 'salessupport', 'salesQuoteManager'];
const PUBLISHERS: readonly Role[] = ['systemadmin', 'salesadmin'];

export const PLAN_STATES = ['Draft', 'Published', 'RolledBack', 'Archived'] as const;
export const PlanState = z.enum(PLAN_STATES);
export type PlanState = z.infer<typeof PlanState>;

/** The most ZIPs that one plan can move: enough for every ZIP. */
export const MAX_MOVES = 50_000;
/** The most moves in one save. */
export const MAX_SAVED = 10_000;

const Zip = z.string().regex(/^\d{5}$/, 'A ZIP has five digits');

/** A job that publishes or rolls back a plan of many moves. */
export const PlanWork = z.object({
  action: z.enum(['Publish', 'RollBack']),
  /** The first day of the moves to publish. Null for a rollback. */
  effectiveDay: z.string().nullable(),
  /** The name of the user who started it. */
  by: z.string(),
  /** The number of ZIPs written so far, out of `total`. 0 if unknown. */
  done: z.number().int(),
  total: z.number().int(),
  /** Why the job failed. '' while it waits or runs. */
  error: z.string(),
});
export type PlanWork = z.infer<typeof PlanWork>;

const SavedMapRow = z.object({
  id: z.number().int(),
  name: z.string(),
  note: z.string(),
  state: PlanState,
  owner: Named,
  /** Whether the caller owns the plan. */
  own: z.boolean(),
  sharedWith: z.number().int(),
  effectiveDay: z.string(),
  moves: z.number().int(),
  /** The number of a draft's moves that cannot be published. 0 for a published plan. */
  conflicts: z.number().int(),
  /** The action of a running job. */
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
  /** The day of the assignments that the plan is based on. */
  baseDay: z.string(),
  /** The day on which the moves take effect, or took effect. */
  effectiveDay: z.string(),
  publishedAt: z.string().nullable(),
  publishedBy: z.string(),
  /** Null if no job is working on the plan and none has failed since the last step. */
  work: PlanWork.nullable(),
  version: z.number().int(),
});
export type SavedMap = z.infer<typeof SavedMap>;

export const Move = z.object({
  zip: z.string(),
  city: z.string(),
  state: z.string(),
  county: z.string(),
  /** The territory that had the ZIP when the move was planned. Null for none. */
  from: Named.nullable(),
  /** The territory that gets the ZIP. Null for none. */
  to: Named.nullable(),
  changedBy: z.string(),
});
export type Move = z.infer<typeof Move>;

export const PlanConflict = z.object({
  zip: z.string(),
  /**
   * moved: on the effective day the ZIP is not in the territory from which the move was planned. later: another assignment begins after the effective
   * day. begins: its assignment begins on the effective day. inactive: its new territory is inactive.
   */
  kind: z.enum(['moved', 'later', 'begins', 'inactive']),
  /** The territory that has the ZIP on the effective day, or from the later day. */
  now: Named.nullable(),
  from: Named.nullable(),
  to: Named.nullable(),
  text: z.string(),
});
export type PlanConflict = z.infer<typeof PlanConflict>;

const Money = z.array(z.object({ currnIdx: z.number().int(), amount: z.number() }));
const Holding = z.object({
  zips: z.number().int(),
  /** The ZIPs among them without their own area: PO boxes and single buildings. */
  pointZips: z.number().int(),
  /** Facilities by account override, or else by ship-to ZIP. */
  facilities: z.number().int(),
  /** Only quotes that the caller may see. */
  openQuotes: z.number().int(),
  openValue: Money,
});
export type Holding = z.infer<typeof Holding>;

export const PlanEffect = z.object({
  /** Null for the ZIPs and facilities without a territory. */
  territory: Named.nullable(),
  /** Today's sales representative. */
  rep: Named.nullable(),
  region: Named.nullable(),
  before: Holding,
  after: Holding,
});
export type PlanEffect = z.infer<typeof PlanEffect>;

const Weight = z.object({
  /** The draft's moves that cannot be published, in order of ZIP. */
  conflicts: z.array(PlanConflict),
  /** The effect on every territory that a move affects, in order of name. */
  effects: z.array(PlanEffect),
  /** Facilities in moved ZIPs that an account override keeps in their territory. */
  overridden: z.number().int(),
  /** The sales representatives of those territories who gain or lose facilities, in order of name. */
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
  /** The version of the plan that this applies to. */
  version: z.number().int(),
});

const PlanRecord = z.object({
  map: SavedMap,
  allowed: z.object({
    edit: z.boolean(),
    share: z.boolean(),
    publish: z.boolean(),
    rollBack: z.boolean(),
    archive: z.boolean(),
  }),
  /** The company's calendar day. */
  today: z.string(),
});

/** A plan, and the moves written or removed since a version. For a new plan, all moves. */
export const PlanChanges = PlanRecord.extend({
  /** In order of ZIP. */
  moves: z.array(Move),
  /** ZIPs whose moves were removed. */
  takenBack: z.array(z.string()),
});
export type PlanChanges = z.infer<typeof PlanChanges>;

/** A copy, and the number of the plan's moves that it omits. */
const PlanCopy = PlanChanges.extend({
  leftOut: z.object({
    /** Moves to a territory that is inactive. */
    inactive: z.number().int(),
    /** Moves of ZIPs that are already in the new territory. */
    there: z.number().int(),
  }),
});
export type PlanCopy = z.infer<typeof PlanCopy>;

export const LoadedMap = PlanRecord.extend({
  /** All moves in order of ZIP. */
  moves: z.array(Move),
}).extend(Weight.shape);
export type LoadedMap = z.infer<typeof LoadedMap>;

const MoveInput = z.object({
  zip: Zip,
  /** The territory of the ZIP that the user saw. Omitted means its current territory. */
  from: Id.nullish(),
  to: Id.nullish(),
  /** If true, removes the move. */
  gone: z.boolean().default(false),
});
export type MoveInput = z.input<typeof MoveInput>;

export const MapFields = z.object({
  /** 0 for a new plan. */
  id: Id.or(z.literal(0)).default(0),
  name: RequiredText(100).optional(),
  note: Text(2000).optional(),
  /** Today or later. */
  effectiveDay: TypedDate.optional(),
  readers: z
    .array(z.object({ userId: Id, mayEdit: z.boolean().default(false) }))
    .max(100)
    .optional(),
});

const DryRun = z.object({
  applied: z.boolean(),
  /** True if a job publishes the plan. Its `work` contains the progress. */
  queued: z.boolean(),
  /** The number of ZIPs that change territory. */
  moves: z.number().int(),
  conflicts: z.array(PlanConflict),
  effects: z.array(PlanEffect),
  /** The number of existing assignments that end, and of new ones that begin. */
  ends: z.number().int(),
  begins: z.number().int(),
  version: z.number().int(),
});
export type DryRun = z.infer<typeof DryRun>;

export const TerritoryPlans = {
  getSavedMaps: post(
    '/api/TazApi/getSavedMaps',
    PageInput.extend({
      /** Part of the plan's name, its note or its owner's name. */
      keyword: Text(100).nullish(),
      /** Null means all plans except archived ones. */
      state: PlanState.nullish(),
      own: z.boolean().nullish(),
    }),
    pageOf(SavedMapRow),
    { access: PLANNERS, summary: "The user's own plans and those shared with the user. Administrators see all plans." },
  ),
  loadSavedMap: post('/api/TazApi/loadSavedMap', QueryId, LoadedMap, {
    access: PLANNERS,
    in: 'query',
    summary: 'A plan with its moves, what prevents publishing it, and its effect by territory.',
  }),
  changesOfSavedMap: post('/api/TazApi/changesOfSavedMap', z.object({ id: Id, version: Version }), PlanChanges, {
    access: PLANNERS,
    summary: 'A plan with the moves that have changed since a version.',
  }),
  weighSavedMap: post('/api/TazApi/weighSavedMap', QueryId, WeighedMap, {
    access: PLANNERS,
    in: 'query',
    summary: 'What prevents publishing a plan, and its effect by territory, without its moves.',
  }),
  saveSavedMap: post(
    '/api/TazApi/saveSavedMap',
    z
      .object({
        map: MapFields,
        /** The moves that change. The others stay. */
        moves: z.array(MoveInput).max(MAX_SAVED).default([]),
        /** The version that the caller read. Omitted for a new plan. */
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
        'Creates or changes a plan, and returns what changed since the version. 409 if someone else has changed it since.',
    },
  ),
  copySavedMap: post('/api/TazApi/copySavedMap', z.object({ id: Id, name: RequiredText(100) }), PlanCopy, {
    access: PLANNERS,
    writes: true,
    summary:
      "Copies a plan as a draft with the same moves, based on today's assignments, and counts the moves that it leaves out.",
  }),
  archiveSavedMap: post(
    '/api/TazApi/archiveSavedMap',
    z.object({ id: Id, version: Version, archived: z.boolean() }),
    z.object({ id: z.number().int(), state: PlanState, version: z.number().int() }),
    {
      access: PLANNERS,
      writes: true,
      summary: 'Archives a plan, or restores it. Published moves do not change.',
    },
  ),
  publishSavedMap: post(
    '/api/TazApi/publishSavedMap',
    z.object({
      id: Id,
      version: Version,
      effectiveFrom: TypedDate,
      /** If false, the call only reports what publishing would do. */
      apply: z.boolean().default(false),
    }),
    DryRun,
    {
      access: PUBLISHERS,
      writes: true,
      peopleOnly: true,
      summary:
        'Writes the moves as assignments from a day on, all or none; more than 2,000 by a job. 409 with conflicts.',
    },
  ),
  rollbackSavedMap: post('/api/TazApi/rollbackSavedMap', z.object({ id: Id, version: Version }), PlanChanges, {
    access: PUBLISHERS,
    writes: true,
    peopleOnly: true,
    summary: 'Restores the assignments that publishing changed. 409 if ZIPs have changed since.',
  }),
};
