import { addonServer } from '#platform/addons/addon.server.ts';
import { facilityDuplicates } from './addon.ts';
import { facilityDuplicateAnswers } from './facility-duplicates.server.ts';

export const facilityDuplicatesServer = addonServer(facilityDuplicates, {
  answers: { FacilityDuplicates: facilityDuplicateAnswers },
});
