// Defines our own API call for the contracts under which a facility may buy on a day.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Id, TypedDate } from '#platform/shared/wire.ts';
import { LETTER_STATES } from '../rosters/rosters.contract.ts';

export const FacilityContract = z.object({
  id: z.number().int(),
  number: z.string(),
  /** Null means a local agreement. */
  gpoName: z.string().nullable(),
  to: z.string(),
  /**
   * The source of the facility's place: a roster entry, its own or a parent's, or its GPO membership. 'excluded' means that an entry excludes the
   * facility.
   */
  by: z.enum(['roster', 'members', 'excluded']),
  /** The parent whose entry applies. Empty for the facility's own entry. */
  parent: z.string(),
  tierNo: z.number().int().nullable(),
  tierName: z.string(),
  /** The first day of the roster entry or of the membership. */
  listedFrom: z.string(),
  listedTo: z.string().nullable(),
  needsLoc: z.boolean(),
  /** The letter of commitment for the tier: the one approved on the day, or else the newest. */
  letter: z.enum(LETTER_STATES).nullable(),
  /** Why the prices of its GPO do not apply to the facility: another GPO is primary, or a user must choose. Empty when they apply. */
  notPrimary: z.string(),
});
export type FacilityContract = z.infer<typeof FacilityContract>;

export const FacilityContracts = {
  GetFacilityContracts: post(
    '/api/Contract/GetFacilityContracts',
    z.object({ facilityId: Id, /** Empty means today. */ day: TypedDate.or(z.literal('')).nullish() }),
    z.object({ day: z.string(), contracts: z.array(FacilityContract) }),
    {
      access: 'user',
      summary:
        'The contracts and tiers of a facility on a day, as used for pricing. For users who serve the facility or may read all contracts.',
    },
  ),
};
