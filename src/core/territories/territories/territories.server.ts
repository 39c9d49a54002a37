// Answers the Territory calls.
import type { Answers } from '#platform/api/serve.server.ts';
import type { Territory } from './territories.contract.ts';

export const territoryAnswers: Answers<typeof Territory> = {
  /** Active territories by name. */
  GetActiveTerritoriesSimpleData: ({ db }) =>
    db
      .selectFrom('territory')
      .select(['id', 'name', 'region_id as regionId'])
      .where('active', '=', true)
      .orderBy('name')
      .execute(),
};
