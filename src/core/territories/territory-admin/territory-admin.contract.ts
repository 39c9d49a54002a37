// Defines the calls that administer territories: list, record, ZIPs, overrides, and moving open quotes (specification section 7).
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { TerritoryRole } from '#core/territories/territories/territory-roles.ts';
import { FormQuery } from '#platform/shared/record.ts';
import type { Role } from '#platform/shared/roles.ts';
import {
  changesOverVersion,
  Id,
  Named,
  PageInput,
  pageOf,
  RequiredText,
  Text,
  TypedDate,
  Version,
  Worth,
} from '#platform/shared/wire.ts';

const ADMINISTRATORS: readonly Role[] = ['systemadmin', 'salesadmin'];

const TerritoryRow = z.object({
  id: z.number().int(),
  name: z.string(),
  region: Named,
  active: z.boolean(),
  /** Today's sales representative. */
  salesRep: Named.nullable(),
  /** The number of ZIPs assigned today. */
  zips: z.number().int(),
  overrides: z.number().int(),
  openQuotes: z.number().int(),
  openValue: Worth,
  version: z.number().int(),
});
export type TerritoryRow = z.infer<typeof TerritoryRow>;

const TerritoryCriteria = PageInput.extend({
  /** Part of the name, or a complete ZIP that the territory has today. */
  keyword: Text(100).nullish(),
  regionId: Id.nullish(),
  /** Null means both active and inactive territories. */
  active: z.boolean().nullish(),
  /** A user who serves the territory today, in any role. */
  repId: Id.nullish(),
});
export type TerritoryCriteria = z.infer<typeof TerritoryCriteria>;

/** The last day. Empty or null means no end. */
const LastDay = TypedDate.or(z.literal('')).nullish();
const notBefore = (input: { from: string; to?: string | null | undefined }) => !input.to || input.to >= input.from;
const BACKWARDS = { message: 'The last day cannot be before the first day.', path: ['to'] };

export const RepInput = z
  .object({
    /** 0 for a new assignment. */
    id: Id.or(z.literal(0)).default(0),
    role: TerritoryRole,
    userId: z.number().int().min(1, 'Choose who it is').max(2_147_483_647),
    from: TypedDate,
    to: LastDay,
  })
  .refine(notBefore, BACKWARDS);
export type RepInput = z.infer<typeof RepInput>;

export const TerritoryInput = z
  .object({
    /** 0 for a new territory. */
    id: Id.or(z.literal(0)).default(0),
    name: RequiredText(100),
    regionId: z.number().int().min(1, 'Choose the region').max(2_147_483_647),
    reps: z.array(RepInput).max(200).optional(),
    version: Version.optional(),
  })
  .check(changesOverVersion);

const Rep = z.object({
  id: z.number().int(),
  role: TerritoryRole,
  userId: z.number().int(),
  userName: z.string(),
  from: z.string(),
  /** '' means no end. */
  to: z.string(),
});
export type Rep = z.infer<typeof Rep>;

/** A territory as its form shows it. A new one is blank, with regionId 0. */
const TerritoryEdit = z.object({
  id: z.number().int(),
  name: z.string(),
  regionId: z.number().int(),
  reps: z.array(Rep),
  version: z.number().int(),
});
export type TerritoryEdit = z.infer<typeof TerritoryEdit>;

/** What a territory has today. Deactivating it affects all of this. */
const TerritoryFacts = z.object({
  zips: z.number().int(),
  /** The number of its ZIPs that no other active territory has. */
  zipsAlone: z.number().int(),
  overrides: z.number().int(),
  openQuotes: z.number().int(),
  openValue: Worth,
});
export type TerritoryFacts = z.infer<typeof TerritoryFacts>;

const TerritoryEditData = z.object({
  territory: TerritoryEdit,
  active: z.boolean(),
  /** The active regions, and the territory's own. */
  regions: z.array(Named),
  facts: TerritoryFacts,
  /** The company's calendar day. */
  today: z.string(),
});
export type TerritoryEditData = z.infer<typeof TerritoryEditData>;

const ZipRow = z.object({
  id: z.number().int(),
  zip: z.string(),
  city: z.string(),
  state: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  /** The territory's version. */
  version: z.number().int(),
});
export type ZipRow = z.infer<typeof ZipRow>;

/** Which assignments a list shows: current, future, past, or all. */
export const When = z.enum(['now', 'later', 'over', 'all']);
export type When = z.infer<typeof When>;

const ZipCriteria = PageInput.extend({
  territoryId: Id,
  /** The beginning of a ZIP, or part of its city. */
  keyword: Text(100).nullish(),
  when: When.default('now'),
});

const ZipsToAdd = z
  .object({
    territoryId: Id,
    /** Typed or pasted ZIPs, separated by spaces, commas or line breaks. ZIP+4 is read as its first five digits. */
    zips: RequiredText(100_000),
    from: TypedDate,
    to: LastDay,
    /** If false, the call only reports what would happen. */
    apply: z.boolean().default(false),
  })
  .refine(notBefore, BACKWARDS);

const ZipsAdded = z.object({
  applied: z.boolean(),
  added: z.array(z.string()),
  /** ZIPs that the territory already has on those days. */
  same: z.array(z.string()),
  /** ZIPs taken from other territories, where they end the day before. */
  taken: z.array(z.object({ zip: z.string(), territory: z.string() })),
  /** ZIPs that the call did not add, with the reason. */
  refused: z.array(z.object({ zip: z.string(), why: z.string() })),
  /** ZIPs that are not in the list of ZIPs; the call added them anyway. */
  unknown: z.array(z.string()),
});
export type ZipsAdded = z.infer<typeof ZipsAdded>;

const Ending = z.object({
  territoryId: Id,
  ids: z.array(Id).min(1).max(200),
  lastDay: TypedDate,
  /** The territory's version. */
  version: Version,
});
/** The call removes assignments that begin after the last day. */
const Ended = z.object({ ended: z.number().int(), removed: z.number().int() });

const Override = z.object({
  id: z.number().int(),
  facility: Named.extend({ acctNo: z.string(), city: z.string(), state: z.string(), zip: z.string() }),
  reason: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  /** The territory's version. */
  version: z.number().int(),
});
export type Override = z.infer<typeof Override>;

export const OverrideInput = z
  .object({
    /** 0 for a new override. Once it has begun, only the reason and the last day can change. */
    id: Id.or(z.literal(0)).default(0),
    territoryId: z.number().int().min(1, 'Choose the territory').max(2_147_483_647),
    facilityId: z.number().int().min(1, 'Choose the facility').max(2_147_483_647),
    reason: RequiredText(500),
    from: TypedDate,
    to: LastDay,
    /** The territory's version. */
    version: Version.optional(),
  })
  .check(changesOverVersion)
  .refine(notBefore, BACKWARDS);

/** A quote's territory and users, before the move or by today's assignment. */
const Placed = z.object({
  territory: Named.nullable(),
  region: Named.nullable(),
  salesRep: Named.nullable(),
  csRep: Named.nullable(),
  isRep: Named.nullable(),
});
export type Placed = z.infer<typeof Placed>;

const QuoteToMove = z.object({
  id: z.number().int(),
  num: z.number().int(),
  revision: z.number().int(),
  statusId: StatusId,
  facilityName: z.string(),
  totalAmount: z.number(),
  currnIdx: z.number().int(),
  version: z.number().int(),
  before: Placed,
  /** The quote keeps its own user in a role that the assignment leaves empty. */
  after: Placed,
  why: z.enum(['override', 'zip']),
});
export type QuoteToMove = z.infer<typeof QuoteToMove>;

/** The most quotes that one list shows and one call moves. */
export const MAX_MOVED = 500;

/** The users who serve a ZIP or a facility see its quotes, so API keys cannot change who serves it. */
export const TerritoryAdmin = {
  GetAllTerritories: post('/api/Territory/GetAllTerritories', TerritoryCriteria, pageOf(TerritoryRow), {
    access: ADMINISTRATORS,
    summary: 'Territories with who serves them today, their ZIPs, account overrides, and open quotes with their value.',
  }),
  ExportTerritories: post('/api/Territory/ExportTerritories', TerritoryCriteria, Bytes, {
    access: ADMINISTRATORS,
    file: 'text/csv',
  }),
  GetTerritoryFilters: post(
    '/api/Territory/GetTerritoryFilters',
    z.object({}),
    z.object({ regions: z.array(Named), reps: z.array(Named) }),
    { access: ADMINISTRATORS, summary: 'The regions that have territories, and who serves any territory today.' },
  ),
  PopulateTerritoryEditModel: post('/api/Territory/PopulateTerritoryEditModel', FormQuery, TerritoryEditData, {
    access: ADMINISTRATORS,
    in: 'query',
    summary: 'A territory to edit; without an id a new one.',
  }),
  SaveTerritory: post('/api/Territory/SaveTerritory', TerritoryInput, TerritoryEdit, {
    access: ADMINISTRATORS,
    writes: true,
    peopleOnly: true,
    summary: 'Representatives who have begun to serve get a last day and are never removed.',
  }),
  InactiveOrActiveTerritory: post(
    '/api/Territory/InactiveOrActiveTerritory',
    z.object({
      id: Id,
      /** Omitted: toggles the state. */
      active: z.boolean().optional(),
      version: Version,
    }),
    z.object({ id: z.number().int(), active: z.boolean(), version: z.number().int() }),
    { access: ADMINISTRATORS, writes: true, peopleOnly: true },
  ),
  GetTerritoryZips: post('/api/Territory/GetTerritoryZips', ZipCriteria, pageOf(ZipRow), { access: ADMINISTRATORS }),
  ExportTerritoryZips: post('/api/Territory/ExportTerritoryZips', ZipCriteria, Bytes, {
    access: ADMINISTRATORS,
    file: 'text/csv',
  }),
  AddTerritoryZips: post('/api/Territory/AddTerritoryZips', ZipsToAdd, ZipsAdded, {
    access: ADMINISTRATORS,
    writes: true,
    peopleOnly: true,
    summary: 'Adds typed or pasted ZIPs to a territory. Without `apply`, it only previews the result.',
  }),
  EndTerritoryZips: post('/api/Territory/EndTerritoryZips', Ending, Ended, {
    access: ADMINISTRATORS,
    writes: true,
    peopleOnly: true,
  }),
  GetTerritoryOverrides: post(
    '/api/Territory/GetTerritoryOverrides',
    PageInput.extend({ territoryId: Id, when: When.default('now') }),
    pageOf(Override),
    { access: ADMINISTRATORS },
  ),
  SaveTerritoryOverride: post('/api/Territory/SaveTerritoryOverride', OverrideInput, Override, {
    access: ADMINISTRATORS,
    writes: true,
    peopleOnly: true,
  }),
  EndTerritoryOverrides: post('/api/Territory/EndTerritoryOverrides', Ending, Ended, {
    access: ADMINISTRATORS,
    writes: true,
    peopleOnly: true,
  }),
  GetQuotesToMove: post(
    '/api/Territory/GetQuotesToMove',
    z.object({
      /** Quotes that are in this territory or belong there. Omitted means all territories. */
      territoryId: Id.nullish(),
    }),
    z.object({
      /** The first 500 by number. */
      quotes: z.array(QuoteToMove),
      total: z.number().int(),
      /** Quotes that also differ but stay, because they are sent or wait for an approval. */
      kept: z.object({ sent: z.number().int(), pending: z.number().int() }),
    }),
    {
      access: ADMINISTRATORS,
      summary: 'Open quotes that are not in the current territory of their facility, before and after the move.',
    },
  ),
  MoveQuotes: post(
    '/api/Territory/MoveQuotes',
    z.object({
      quotes: z
        .array(z.object({ id: Id, version: Version }))
        .min(1)
        .max(MAX_MOVED),
    }),
    z.object({
      moved: z.number().int(),
      /** Quotes that did not move, because they changed since the list, no longer differ, or do not exist (`num` is 0). */
      left: z.array(z.object({ id: z.number().int(), num: z.number().int(), why: z.string() })),
    }),
    {
      access: ADMINISTRATORS,
      writes: true,
      peopleOnly: true,
      summary: 'Moves quotes to their current territory, region and representatives.',
    },
  ),
};
