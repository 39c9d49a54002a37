// The contracts that a facility may buy under on a day (our own call).
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { LETTER_STATES } from '#features/prices/rosters/rosters.contract.ts';
import { Id, TypedDate } from '#shared/wire.ts';

export const FacilityContract = z.object({
  id: z.number().int(),
  number: z.string(),
  /** Null: a local agreement. */
  gpoName: z.string().nullable(),
  to: z.string(),
  /** How it comes to the contract: a row of a roster, its own or a parent's, or its membership; or why it does not. */
  by: z.enum(['roster', 'members', 'excluded']),
  /** The parent whose row it is; empty: its own. */
  parent: z.string(),
  tierNo: z.number().int().nullable(),
  tierName: z.string(),
  /** Days of the row or of the membership. */
  listedFrom: z.string(),
  listedTo: z.string().nullable(),
  needsLoc: z.boolean(),
  /** The letter of commitment for the tier that counts, approved on the day, else the newest. */
  letter: z.enum(LETTER_STATES).nullable(),
});
export type FacilityContract = z.infer<typeof FacilityContract>;

export const FacilityContracts = {
  GetFacilityContracts: post(
    '/api/Contract/GetFacilityContracts',
    z.object({ facilityId: Id, /** Empty: today. */ day: TypedDate.or(z.literal('')).nullish() }),
    z.object({ day: z.string(), contracts: z.array(FacilityContract) }),
    {
      access: 'user',
      summary: 'Where a facility stands in contracts on a day, by the rule of prices; for who serves it or reads all.',
    },
  ),
};
