// The answers of Region.
import type { Answers } from '#api/serve.server.ts';
import type { Region } from './regions.contract.ts';

export const regionAnswers: Answers<typeof Region> = {
  /** Active regions by name. */
  GetActiveRegionsSimpleData: ({ db }) =>
    db.selectFrom('region').select(['id', 'name']).where('active', '=', true).orderBy('name').execute(),
};
