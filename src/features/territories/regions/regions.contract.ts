// Regions: the simple list that filters use, and their administration (specification section 7).
import { z } from 'zod';
import { Bytes, Nothing, post } from '#api/endpoint.ts';
import type { Role } from '#shared/roles.ts';
import { changesOverVersion, Id, Named, PageInput, pageOf, RequiredText, Text, Version } from '#shared/wire.ts';

const ADMINISTRATORS: readonly Role[] = ['systemadmin', 'salesadmin'];

export const RegionRow = z.object({
  id: z.number().int(),
  name: z.string(),
  active: z.boolean(),
  /** The users who manage the region, with the role salesQuoteManager. */
  managers: z.array(Named),
  activeTerritories: z.number().int(),
  version: z.number().int(),
});
export type RegionRow = z.infer<typeof RegionRow>;

export const RegionInput = z
  .object({
    /** 0 for a new region. */
    id: Id.or(z.literal(0)).default(0),
    name: RequiredText(100),
    active: z.boolean().optional(),
    managerIds: z.array(Id).max(50).optional(),
    version: Version.optional(),
  })
  .check(changesOverVersion);

/** A region as its form reads it; a new one is still blank. */
export const RegionEdit = z.object({
  id: z.number().int(),
  name: z.string(),
  active: z.boolean(),
  managerIds: z.array(z.number().int()),
  version: z.number().int(),
});
export type RegionEdit = z.infer<typeof RegionEdit>;

export const RegionCriteria = PageInput.extend({
  keyword: Text(100).nullish(),
  /** Null for active and inactive regions. */
  active: z.boolean().nullish(),
});

export const Region = {
  GetActiveRegionsSimpleData: post('/api/Region/GetActiveRegionsSimpleData', Nothing, z.array(Named), {
    access: 'user',
  }),
  GetAllRegions: post('/api/Region/GetAllRegions', RegionCriteria, pageOf(RegionRow), {
    access: ADMINISTRATORS,
    summary: 'Regions with their managers and how many active territories each has.',
  }),
  ExportRegions: post('/api/Region/ExportRegions', RegionCriteria, Bytes, { access: ADMINISTRATORS, file: 'text/csv' }),
  PopulateRegionEditModel: post(
    '/api/Region/PopulateRegionEditModel',
    z.object({ id: z.coerce.number().int().min(0).max(2_147_483_647).optional() }),
    z.object({
      region: RegionEdit,
      /** The users who may manage a region. */
      managers: z.array(Named),
      /** Its active territories. Nobody can deactivate the region while it has any. */
      territories: z.array(Named),
    }),
    { access: ADMINISTRATORS, in: 'query', summary: 'A region to edit; without an id a new one.' },
  ),
  SaveRegion: post('/api/Region/SaveRegion', RegionInput, RegionEdit, { access: ADMINISTRATORS, writes: true }),
};
