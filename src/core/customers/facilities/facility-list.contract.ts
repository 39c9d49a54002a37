// Defines the calls for the list of facilities and its export (not in the specification). Every signed-in user may read it; it has no costs.
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { PageInput, pageOf, Text } from '#platform/shared/wire.ts';
import { FacilityHit } from './facilities.contract.ts';

export const FacilityRow = FacilityHit.extend({
  classOfTrade: z.string(),
  priceLevel: z.string(),
  active: z.boolean(),
});
export type FacilityRow = z.infer<typeof FacilityRow>;

export const FacilityCriteria = PageInput.extend({
  keyword: Text(200).nullish(),
  /** Null means both active and inactive facilities. */
  active: z.boolean().nullish(),
});

export const FacilityList = {
  GetAllFacilities: post('/api/Facility/GetAllFacilities', FacilityCriteria, pageOf(FacilityRow), {
    access: 'user',
    summary: 'Facilities by name parts, account number, city, state or ZIP.',
  }),
  ExportFacilities: post('/api/Facility/ExportFacilities', FacilityCriteria, Bytes, {
    access: 'user',
    file: 'text/csv',
  }),
};
