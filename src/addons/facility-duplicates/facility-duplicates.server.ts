// Answers the FacilityDuplicates calls.
import type { Answers } from '#platform/api/serve.server.ts';
import { alikeAnswers } from './alike.server.ts';
import type { FacilityDuplicates } from './facility-duplicates.contract.ts';
import { mergeAnswers } from './merge-facilities.server.ts';
import { mergesPage } from './merge-history.server.ts';

export const facilityDuplicateAnswers: Answers<typeof FacilityDuplicates> = {
  ...alikeAnswers,
  ...mergeAnswers,
  SearchFacilityMerges: ({ db }, criteria) => mergesPage(db, criteria),
};
