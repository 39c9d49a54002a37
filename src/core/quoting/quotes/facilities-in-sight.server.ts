// Decides which facilities are searched for a user: all for users who see all quotes, otherwise the ones they serve.
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '#platform/api/services.server.ts';
import { servedFacilities } from '#core/territories/territories/served-facilities.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { seesAllQuotes } from './sight.server.ts';

/** The condition on a facility's id. */
export function isServed(user: Caller, day: IsoDate, facilityId: RawBuilder<unknown>): RawBuilder<boolean> {
  return seesAllQuotes(user) ? sql<boolean>`true` : sql<boolean>`${facilityId} in (${servedFacilities(user, day)})`;
}
