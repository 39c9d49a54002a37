// Puts a facility into a tier of a contract from a day on, or removes it again, for features that decide about tiers.
import { invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { type Actor, recordChange } from '#platform/history/record-change.server.ts';
import { bumpRecord, storeRecord } from '#platform/history/record-kit.server.ts';
import { addDays, formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { readRosterRow, rowsOfFacility } from './read-roster.server.ts';
import { ROSTER_LABELS, refuseOverlap, rowInWords } from './rosters.server.ts';

export type Place = {
  contract: { id: number; number: string };
  facility: { id: number; name: string };
  tierId: number;
  /** The first day. */
  from: IsoDate;
};
type Keeping = { db: Db; user: Actor; today: IsoDate };

/**
 * Adds a row for the facility from a day on. Its current row ends the day before. The new row keeps its member id and whether it covers children.
 * Throws 422 under from or to if the days overlap another row or an exclusion.
 */
export async function putOnRoster(
  { db, user, today }: Keeping,
  { contract, facility, tierId, from, to }: Place & { to: IsoDate | null },
): Promise<void> {
  const rows = await rowsOfFacility(db, contract.id, facility.id);
  const running = rows.find((row) => row.from <= from && (row.to === null || row.to >= from));
  const others = rows.filter((row) => row !== running);
  if (running?.excluded)
    throw invalid([
      {
        path: 'from',
        message: `${facility.name} is excluded from ${contract.number} from ${formatDate(running.from)} on. End that row first.`,
      },
    ]);
  if (running?.from === from)
    throw invalid([
      {
        path: 'from',
        message: `The facility's row in ${running.tierName} begins on ${formatDate(from)} itself. Change that row, or choose a later day.`,
      },
    ]);
  refuseOverlap(others, from, to);
  const name = `${facility.name} in ${contract.number}`;
  const before = running ? rowInWords(running) : {};
  if (running) {
    const eve = addDays(from, -1);
    const { version } = await bumpRecord(db, 'rosterRow', running.id, { valid_to: eve });
    const changes = changesBetween(before, { ...before, to: formatDate(eve) }, ROSTER_LABELS);
    await recordChange(db, user, { type: 'rosterRow', id: running.id, name, action: 'End', version, changes });
  }
  const { id, version } = await storeRecord(db, 'rosterRow', 0, {
    contract_id: contract.id,
    facility_id: facility.id,
    tier_id: tierId,
    member_id: running?.memberId ?? '',
    covers_children: running?.coversChildren ?? false,
    excluded: false,
    valid_from: from,
    valid_to: to,
  });
  const after = rowInWords(await readRosterRow(db, id, today));
  await recordChange(db, user, {
    type: 'rosterRow',
    id,
    name,
    action: 'Create',
    version,
    changes: changesBetween(before, after, ROSTER_LABELS),
  });
}

/** Ends the facility's row in the tier that began on that day, or removes a row that has not begun. Returns whether there was one. */
export async function takeOffRoster(
  { db, user, today }: Keeping,
  { contract, facility, tierId, from, last }: Place & { last: IsoDate },
): Promise<boolean> {
  const rows = await rowsOfFacility(db, contract.id, facility.id);
  const row = rows.find((candidate) => candidate.from === from && candidate.tierId === tierId && !candidate.excluded);
  if (!row) return false;
  if (row.to !== null && row.to <= last) return true;
  const name = `${facility.name} in ${contract.number}`;
  const before = rowInWords(row);
  if (last < row.from) {
    if (row.from <= today)
      throw invalid([
        { path: 'to', message: `The place has counted since ${formatDate(row.from)}. The last day is before that.` },
      ]);
    await db.deleteFrom('contract_roster').where('id', '=', row.id).execute();
    const changes = changesBetween(before, {}, ROSTER_LABELS);
    await recordChange(db, user, { type: 'rosterRow', id: row.id, name, action: 'Remove', changes });
    return true;
  }
  const { version } = await bumpRecord(db, 'rosterRow', row.id, { valid_to: last });
  const changes = changesBetween(before, { ...before, to: formatDate(last) }, ROSTER_LABELS);
  await recordChange(db, user, { type: 'rosterRow', id: row.id, name, action: 'End', version, changes });
  return true;
}
