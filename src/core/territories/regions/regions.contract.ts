// Defines the calls for regions: the simple list that filters use, and their administration (specification section 7).
import { z } from 'zod';
import { Bytes, Nothing, post } from '#platform/api/endpoint.ts';
import { declareRecord, field, FormQuery, flag, recordOf, requiredText } from '#platform/shared/record.ts';
import { SALES_ADMINISTRATORS as access } from '#platform/shared/roles.ts';
import { changesOverVersion, Id, Named, PageInput, pageOf, Text } from '#platform/shared/wire.ts';

export const REGION = declareRecord(
  {
    name: requiredText('Name', 100),
    active: flag('Active', true),
    managerIds: field('Managers', z.array(Id).max(50), z.array(z.number().int()), []),
  },
  ['name'],
);
export const RegionInput = REGION.Input.check(changesOverVersion);
export type RegionEdit = z.infer<typeof REGION.Edit>;

export const RegionRow = recordOf({
  name: z.string(),
  active: z.boolean(),
  /** The users who manage the region, with the role salesQuoteManager. */
  managers: z.array(Named),
  activeTerritories: z.number().int(),
});
export type RegionRow = z.infer<typeof RegionRow>;

export const RegionCriteria = PageInput.extend({
  keyword: Text(100).nullish(),
  /** Null means both active and inactive regions. */
  active: z.boolean().nullish(),
});

export const Region = {
  GetActiveRegionsSimpleData: post('/api/Region/GetActiveRegionsSimpleData', Nothing, z.array(Named), {
    access: 'user',
  }),
  GetAllRegions: post('/api/Region/GetAllRegions', RegionCriteria, pageOf(RegionRow), {
    access,
    summary: 'Regions with their managers and how many active territories each has.',
  }),
  ExportRegions: post('/api/Region/ExportRegions', RegionCriteria, Bytes, { access, file: 'text/csv' }),
  PopulateRegionEditModel: post(
    '/api/Region/PopulateRegionEditModel',
    FormQuery,
    z.object({
      region: REGION.Edit,
      /** The users who may manage a region. */
      managers: z.array(Named),
      /** Its active territories. The region cannot be deactivated while it has any. */
      territories: z.array(Named),
    }),
    { access, in: 'query', summary: 'A region to edit; without an id a new one.' },
  ),
  SaveRegion: post('/api/Region/SaveRegion', RegionInput, REGION.Edit, { access, writes: true }),
};
