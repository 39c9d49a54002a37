// Moves open quotes to another territory and other representatives: writes the columns, the versions, and an event for each quote.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Named } from '#platform/shared/wire.ts';
import { type FieldChange, recordEvents } from '../events/events.server.ts';
import { QUOTE_LABELS } from '../quote-fields.ts';
import type { StatusId } from '../status.ts';

/** The open statuses in which the current revision is not yet sent. */
export const MOVABLE_STATUSES: readonly StatusId[] = [
  'Editing',
  'WaitingForProcess',
  'Processing',
  'NeedMoreInfo',
  'DiscountApproved',
  'Revising',
];

/** The fields that can move, each with its column and its name in the history. */
const PLACES = {
  territory: { column: 'territory_id', field: 'Territory' },
  region: { column: 'region_id', field: 'Region' },
  salesRep: { column: 'sales_rep_id', field: QUOTE_LABELS.salesRepId },
  csRep: { column: 'cs_rep_id', field: QUOTE_LABELS.csRepId },
  isRep: { column: 'is_rep_id', field: QUOTE_LABELS.isRepId },
} as const;
type Place = keyof typeof PLACES;
const EVERY_PLACE = Object.keys(PLACES) as Place[];

export type Move = {
  id: number;
  revision: number;
  statusId: StatusId;
  before: Record<Place, Named | null>;
  after: Record<Place, Named | null>;
};

/** Moves the given quotes. The caller must have locked them. */
export async function moveToTerritory(
  db: Db,
  services: Pick<Services, 'clock'>,
  actor: { id: number; fullName: string },
  moves: Move[],
): Promise<void> {
  if (moves.length === 0) return;
  const rows = moves.map(({ id, after }) => ({
    id,
    ...Object.fromEntries(EVERY_PLACE.map((place) => [PLACES[place].column, after[place]?.id ?? null])),
  }));
  await sql`update quote set territory_id = m.territory_id, region_id = m.region_id, sales_rep_id = m.sales_rep_id,
      cs_rep_id = m.cs_rep_id, is_rep_id = m.is_rep_id, version = quote.version + 1, updated_at = ${services.clock.now()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(id int, territory_id int, region_id int, sales_rep_id int,
      cs_rep_id int, is_rep_id int)
    where quote.id = m.id`.execute(db);
  await recordEvents(
    db,
    moves.map(({ id, revision, statusId, before, after }) => ({
      quoteId: id,
      userId: actor.id,
      actor: actor.fullName,
      action: 'MoveTerritory',
      from: statusId,
      to: statusId,
      revision,
      changes: EVERY_PLACE.flatMap((place): FieldChange[] =>
        before[place]?.id === after[place]?.id
          ? []
          : [{ field: PLACES[place].field, before: before[place]?.name ?? '', after: after[place]?.name ?? '' }],
      ),
    })),
  );
}
