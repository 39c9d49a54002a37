import { defineAddon } from '#platform/addons/addon.ts';
import { FacilityDuplicates } from './facility-duplicates.contract.ts';

export const facilityDuplicates = defineAddon({
  name: 'facility-duplicates',
  title: 'Duplicate facilities',
  purpose: 'Finds facilities that are listed twice and merges them.',
  calls: { FacilityDuplicates },
});
