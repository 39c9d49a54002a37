// Defines our own calls for facilities that look alike: pairs, merging them, undoing a merge, and marking two as not the same.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { FACILITY_KEEPERS } from '#core/customers/facility-admin/facility-admin.contract.ts';
import { Id, PageInput, pageOf, Text, Version } from '#platform/shared/wire.ts';

/** One of two facilities that are alike, with its dependent records. */
const AlikeFacility = z.object({
  id: z.number().int(),
  version: z.number().int(),
  acctNo: z.string(),
  name: z.string(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  active: z.boolean(),
  quotes: z.number().int(),
  prices: z.number().int(),
});
export type AlikeFacility = z.infer<typeof AlikeFacility>;

const AlikePair = z.object({
  first: AlikeFacility,
  second: AlikeFacility,
  /** 'Same name and ZIP' */
  why: z.string(),
});
export type AlikePair = z.infer<typeof AlikePair>;

const Moved = z.object({
  /** 'quotes', 'account prices' */
  what: z.string(),
  moved: z.number().int(),
  /** The number of records that stay behind, because the remaining facility has one for the same thing and days. */
  left: z.number().int(),
});

const Brief = z.object({ id: z.number().int(), acctNo: z.string(), name: z.string() });

const FacilityMerge = z.object({
  id: z.number().int(),
  version: z.number().int(),
  kept: Brief,
  merged: Brief,
  by: z.string(),
  at: z.string(),
  undoneBy: z.string(),
  undoneAt: z.string().nullable(),
  /** Why the merge cannot be undone now. Empty if it can. */
  notUndoable: z.string(),
});
export type FacilityMerge = z.infer<typeof FacilityMerge>;

const FacilityApart = z.object({
  id: z.number().int(),
  version: z.number().int(),
  first: Brief,
  second: Brief,
  by: z.string(),
  at: z.string(),
});
export type FacilityApart = z.infer<typeof FacilityApart>;

/** An existing facility as the caller has read it. */
const ReadFacility = z.object({ id: Id, version: Version });
const Criteria = PageInput.extend({ keyword: Text(200).nullish() });
const ACCESS = { access: FACILITY_KEEPERS } as const;

export const FacilityDuplicates = {
  SearchAlikeFacilities: post('/api/FacilityDuplicates/SearchAlikeFacilities', Criteria, pageOf(AlikePair), {
    ...ACCESS,
    summary:
      'Pairs of facilities with the same name and ZIP or street, or the same street and names alike, that are not marked as different.',
  }),
  GetFacilityMergePreview: post(
    '/api/FacilityDuplicates/GetFacilityMergePreview',
    z.object({ keptId: Id, mergedId: Id }),
    z.object({ kept: AlikeFacility, merged: AlikeFacility, parts: z.array(Moved) }),
    { ...ACCESS, summary: 'The records that a merge would move, and those that would stay behind.' },
  ),
  MergeFacilities: post(
    '/api/FacilityDuplicates/MergeFacilities',
    z.object({ kept: ReadFacility, merged: ReadFacility }),
    z.object({ merge: FacilityMerge, parts: z.array(Moved) }),
    {
      ...ACCESS,
      writes: true,
      peopleOnly: true,
      summary:
        'Moves quotes, prices, memberships, contacts and identifiers to the facility that is kept. Both account numbers find it.',
    },
  ),
  SearchFacilityMerges: post('/api/FacilityDuplicates/SearchFacilityMerges', Criteria, pageOf(FacilityMerge), ACCESS),
  UndoFacilityMerge: post(
    '/api/FacilityDuplicates/UndoFacilityMerge',
    z.object({ id: Id, version: Version }),
    FacilityMerge,
    {
      ...ACCESS,
      writes: true,
      peopleOnly: true,
      summary: 'Moves back the records that the merge moved and that are still there.',
    },
  ),
  TellFacilitiesApart: post(
    '/api/FacilityDuplicates/TellFacilitiesApart',
    z.object({ first: ReadFacility, second: ReadFacility }),
    FacilityApart,
    {
      ...ACCESS,
      writes: true,
      summary: 'Marks two facilities as not duplicates. They are no longer listed as possible duplicates.',
    },
  ),
  SearchFacilitiesApart: post('/api/FacilityDuplicates/SearchFacilitiesApart', Criteria, pageOf(FacilityApart), ACCESS),
  ForgetFacilitiesApart: post(
    '/api/FacilityDuplicates/ForgetFacilitiesApart',
    z.object({ id: Id, version: Version }),
    z.object({ id: z.number().int() }),
    { ...ACCESS, writes: true, summary: 'Removes the mark, so that the two are listed as possible duplicates again.' },
  ),
};
