import { defineAddon } from '#platform/addons/addon.ts';
import { FacilityDuplicates } from './facility-duplicates.contract.ts';

export const facilityDuplicates = defineAddon({
  name: 'facility-duplicates',
  title: 'Alike facilities',
  purpose: 'Finds customers that are in the list twice and merges them.',
  calls: { FacilityDuplicates },
});
