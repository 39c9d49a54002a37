// Defines our own API calls for the roster of a contract: which facility buys in which tier, and when.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { CONTRACT_KEEPERS } from '#core/prices/contracts/sight/contract-roles.ts';
import { changesOverVersion, Id, PageInput, pageOf, Text, TypedDate, Version } from '#platform/shared/wire.ts';

export const LETTER_STATES = ['Sent', 'Received', 'Signed', 'Approved', 'Rejected', 'Revoked'] as const;
export type LetterState = (typeof LETTER_STATES)[number];

/** Filters rows by the requested day. LetterMissing: the tier needs a letter of commitment, and none is approved for the day. */
export const ROSTER_FILTERS = ['Current', 'Coming', 'Ended', 'Excluded', 'LetterMissing', 'All'] as const;
export type RosterFilter = (typeof ROSTER_FILTERS)[number];

const Place = z.object({
  id: z.number().int(),
  name: z.string(),
  acctNo: z.string(),
  city: z.string(),
  state: z.string(),
});

export const RosterRow = z.object({
  id: z.number().int(),
  contractId: z.number().int(),
  facility: Place,
  memberId: z.string(),
  /** Null means the facility is excluded. */
  tierId: z.number().int().nullable(),
  tierNo: z.number().int().nullable(),
  tierName: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  coversChildren: z.boolean(),
  /** The number of facilities below it, covered or not. */
  children: z.number().int(),
  excluded: z.boolean(),
  needsLoc: z.boolean(),
  /** The letter of commitment for the tier, its own or a parent's: the one approved on the day, or else the newest. */
  letter: z.object({ id: z.number().int(), state: z.enum(LETTER_STATES) }).nullable(),
  /** The state on the requested day. */
  state: z.enum(['Current', 'Coming', 'Ended']),
  version: z.number().int(),
});
export type RosterRow = z.infer<typeof RosterRow>;

export const RosterCriteria = PageInput.extend({
  contractId: Id,
  /** Searches name, account number, city, ZIP and member id. */
  keyword: Text(200).nullish(),
  tierId: Id.nullish(),
  /** Empty means today. */
  day: TypedDate.or(z.literal('')).nullish(),
  state: z.enum(ROSTER_FILTERS).nullish(),
  pageSize: z.number().int().min(1).max(200).default(50),
});

const LastDay = TypedDate.or(z.literal('')).nullish();

export const CHOOSE_TIER = 'Choose the tier.';

export const RosterEdit = z
  .object({
    /** 0 means a new row. */
    id: Id.or(z.literal(0)),
    contractId: Id,
    facilityId: Id,
    /** Null if and only if the facility is excluded. */
    tierId: Id.nullable(),
    memberId: Text(60).optional(),
    from: TypedDate,
    to: LastDay,
    coversChildren: z.boolean().optional(),
    /** If omitted, true when there is no tier and the row already excludes its facility. */
    excluded: z.boolean().optional(),
    /** The day from which tier, children or exclusion change. The row ends the day before, and a new one begins. */
    changeFrom: TypedDate.or(z.literal('')).nullish(),
    version: Version.optional(),
  })
  .check(changesOverVersion)
  .refine(({ tierId, excluded = tierId === null }) => excluded === (tierId === null), {
    path: ['tierId'],
    message: CHOOSE_TIER,
  })
  .refine(({ from, to }) => !to || to >= from, {
    path: ['to'],
    message: 'The last day cannot be before the first day.',
  })
  .refine(({ changeFrom, to }) => !changeFrom || !to || to >= changeFrom, {
    path: ['to'],
    message: 'The last day is before the change.',
  });
export type RosterEdit = z.infer<typeof RosterEdit>;

export const Roster = {
  GetRoster: post('/api/Contract/GetRoster', RosterCriteria, pageOf(RosterRow).extend({ day: z.string() }), {
    access: 'user',
    summary: 'The roster on a day; representatives get the rows of the facilities they serve.',
  }),
  SaveRosterRow: post('/api/Contract/SaveRosterRow', RosterEdit, RosterRow, {
    access: CONTRACT_KEEPERS,
    writes: true,
    summary: 'Adds a facility, corrects a row, or changes it from a day on.',
  }),
  RemoveRosterRow: post(
    '/api/Contract/RemoveRosterRow',
    z.object({ id: Id, version: Version }),
    z.object({ id: z.number().int() }),
    { access: CONTRACT_KEEPERS, writes: true, summary: 'Removes a row that has not begun.' },
  ),
};
