// Defines the calls that find facilities: the Customers group of the specification (section 7).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Address, Id, Named, Text } from '#platform/shared/wire.ts';

export const FacilityHit = z.object({
  id: z.number().int(),
  acctNo: z.string(),
  name: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
});
export type FacilityHit = z.infer<typeof FacilityHit>;

export const Contact = z.object({
  id: z.number().int(),
  name: z.string(),
  title: z.string(),
  email: z.string(),
  phone: z.string(),
});
export type Contact = z.infer<typeof Contact>;

export const FacilityData = FacilityHit.extend({
  phone: z.string(),
  classOfTrade: z.string(),
  billTo: Address,
  shipTo: Address,
  parent: Named.nullable(),
  currnIdx: z.number().int(),
  priceLevel: z.string(),
  taxExempt: z.boolean(),
  taxRate: z.number(),
  paymentTerms: z.string(),
  freightTerms: z.string(),
  active: z.boolean(),
  version: z.number().int(),
  contacts: z.array(Contact),
  memberships: z.array(
    z.object({
      gpo: z.string(),
      memberId: z.string(),
      primary: z.boolean(),
      from: z.string(),
      to: z.string().nullable(),
    }),
  ),
  /** Who serves the facility today, by the account override or else by the ship-to ZIP. */
  reps: z.object({
    territory: Named.nullable(),
    region: Named.nullable(),
    salesRep: Named.nullable(),
    csRep: Named.nullable(),
    isRep: Named.nullable(),
    /** What decides the territory: an account override, the ship-to ZIP, or nothing. */
    why: z.enum(['override', 'zip', 'none']),
  }),
});
export type FacilityData = z.infer<typeof FacilityData>;

export const FacilitySearch = {
  GetFacilitiesByKeyWord: post(
    '/api/FacilitySearch/GetFacilitiesByKeyWord',
    z.object({ keyword: Text(200).default('') }),
    z.array(FacilityHit),
    { access: 'user', summary: 'The best 20 by name parts, account number or ZIP; none for an empty keyword.' },
  ),
  GetFacilityDataById: post('/api/FacilitySearch/GetFacilityDataById', z.object({ id: Id }), FacilityData, {
    access: 'user',
  }),
};
