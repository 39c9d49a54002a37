// Implements the Roster calls. Rows are dated. A row that has begun is ended and never overwritten.
import { type FieldError, HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { bumpRecord, keptIn, storeRecord, wrongDays } from '#platform/history/record-kit.server.ts';
import { requireContract } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { addDays, formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { readRosterRow, rosterPage, rowsOfFacility } from './read-roster.server.ts';
import { CHOOSE_TIER, type Roster, type RosterRow } from './rosters.contract.ts';

export const rosterAnswers: Answers<typeof Roster> = {
  GetRoster: async (context, criteria) => {
    const { day } = await requireContract(context, criteria.contractId);
    return rosterPage(context.db, { user: context.user, day }, criteria);
  },

  /**
   * Throws 409 if another user changed the row. Throws 422 for days on which the facility has another row, which the message names, and for a change
   * of a row that has begun if the day from which the change applies is missing.
   */
  SaveRosterRow: async (context, fields) => {
    const { db, user } = context;
    const contract = await requireContract(context, fields.contractId);
    const { day } = contract;
    const before = fields.id === 0 ? null : await readRosterRow(db, fields.id, day);
    if (before && (before.contractId !== fields.contractId || before.facility.id !== fields.facilityId))
      throw invalid([
        { path: 'facilityId', message: 'The facility of a row cannot be changed. Add another row for this facility.' },
      ]);
    const others = (await rowsOfFacility(db, fields.contractId, fields.facilityId)).filter(
      ({ id }) => id !== fields.id,
    );
    // Reads the row again, now that it is locked.
    const now = before ? await readRosterRow(db, before.id, day) : null;
    if (now)
      await requireFresh(db, 'rosterRow', now, fields.version, {
        ...now,
        facilityId: now.facility.id,
        to: now.to ?? '',
      });
    const { memberId = '', coversChildren = false, to = null } = now ?? {};
    const excluded = fields.tierId === null && now?.excluded === true;
    const input = keptIn(fields, { memberId, coversChildren, excluded, to });
    const wrong = wrongDays(input);
    if (input.excluded !== (input.tierId === null)) wrong.push({ path: 'tierId', message: CHOOSE_TIER });
    if (wrong.length > 0) throw invalid(wrong);
    const facility = now?.facility ?? (await facilityNamed(db, input.facilityId));
    const tierName = await readTierName(db, input.contractId, input.tierId);
    const values = {
      contract_id: input.contractId,
      facility_id: input.facilityId,
      tier_id: input.tierId,
      member_id: input.memberId,
      covers_children: input.coversChildren,
      excluded: input.excluded,
      valid_from: input.from,
      valid_to: input.to || null,
    };
    const name = `${facility.name} in ${contract.number}`;
    const after = { ...input, tierName };
    const changed =
      now &&
      (now.tierId !== input.tierId || now.excluded !== input.excluded || now.coversChildren !== input.coversChildren);
    const begun = now !== null && now.from <= day;
    if (begun && input.from !== now.from)
      throw invalid([{ path: 'from', message: `This row began on ${formatDate(now.from)} and stays so.` }]);
    if (begun && changed && !input.changeFrom)
      throw invalid([{ path: 'changeFrom', message: 'Enter the day from which the change applies.' }]);
    if (!now || !changed || !input.changeFrom || input.changeFrom <= now.from) {
      if (begun && changed)
        throw invalid([
          { path: 'changeFrom', message: `It has counted since ${formatDate(now.from)}. Choose a later day.` },
        ]);
      refuseOverlap(others, values.valid_from, values.valid_to);
      const { id, version } = await storeRecord(db, 'rosterRow', now?.id ?? 0, values);
      await recordChange(db, user, {
        type: 'rosterRow',
        id,
        name,
        action: now ? 'Edit' : 'Create',
        version,
        changes: changesBetween(now ? rowInWords(now) : {}, rowInWords(after), ROSTER_LABELS),
      });
      return readRosterRow(db, id, day);
    }
    if (now.to !== null && now.to < input.changeFrom)
      throw invalid([
        { path: 'changeFrom', message: `This row ends on ${formatDate(now.to)}. Add a new row instead.` },
      ]);
    refuseOverlap(others, input.changeFrom, values.valid_to);
    const eve = addDays(input.changeFrom, -1);
    const { version } = await bumpRecord(db, 'rosterRow', now.id, { valid_to: eve });
    const ended = changesBetween(rowInWords(now), { ...rowInWords(now), to: formatDate(eve) }, ROSTER_LABELS);
    await recordChange(db, user, { type: 'rosterRow', id: now.id, name, action: 'End', version, changes: ended });
    const next = await storeRecord(db, 'rosterRow', 0, { ...values, valid_from: input.changeFrom });
    await recordChange(db, user, {
      type: 'rosterRow',
      id: next.id,
      name,
      action: 'Create',
      version: next.version,
      changes: changesBetween(rowInWords(now), rowInWords({ ...after, from: input.changeFrom }), ROSTER_LABELS),
    });
    return readRosterRow(db, next.id, day);
  },

  RemoveRosterRow: async (context, { id, version }) => {
    const { db, user } = context;
    const stored = await db.selectFrom('contract_roster').select('contract_id').where('id', '=', id).executeTakeFirst();
    if (!stored) throw notFound('row of the roster');
    const { day, number } = await requireContract(context, stored.contract_id);
    const row = await readRosterRow(db, id, day);
    await rowsOfFacility(db, row.contractId, row.facility.id);
    const now = await readRosterRow(db, id, day);
    await requireFresh(db, 'rosterRow', now, version);
    if (now.from <= day)
      throw new HttpError(409, `This row began on ${formatDate(now.from)}. End it instead: quotes may have its price.`);
    await db.deleteFrom('contract_roster').where('id', '=', id).execute();
    const name = `${now.facility.name} in ${number}`;
    const changes = changesBetween(rowInWords(now), {}, ROSTER_LABELS);
    await recordChange(db, user, { type: 'rosterRow', id, name, action: 'Remove', changes });
    return { id };
  },
};

export const ROSTER_LABELS = {
  tier: 'Tier',
  from: 'From',
  to: 'To',
  memberId: 'Member id',
  coversChildren: 'Covers children',
} as const;

type RosterFields = Pick<RosterRow, 'tierName' | 'from' | 'excluded' | 'memberId' | 'coversChildren'> & {
  to?: string | null | undefined;
};

export function rowInWords({ tierName, from, to, excluded, memberId, coversChildren }: RosterFields) {
  const days = { from: formatDate(from), to: formatDate(to || null) || 'no end' };
  return { tier: excluded ? 'excluded' : tierName, ...days, memberId, coversChildren };
}

export function refuseOverlap(
  others: Awaited<ReturnType<typeof rowsOfFacility>>,
  from: IsoDate,
  to: IsoDate | null,
): void {
  const errors: FieldError[] = [];
  for (const other of others) {
    if ((other.to !== null && other.to < from) || (to !== null && other.from > to)) continue;
    const what = other.excluded ? 'excluded' : `in ${other.tierName}`;
    const days = other.to
      ? `from ${formatDate(other.from)} to ${formatDate(other.to)}`
      : `from ${formatDate(other.from)} on`;
    const later = other.from > from;
    errors.push({
      path: later ? 'to' : 'from',
      message: `This facility is already ${what} ${days}. ${later ? `End this row before ${formatDate(other.from)}, or remove that one.` : 'Change that row, or end it first.'}`,
    });
  }
  if (errors[0]) throw invalid([errors[0]]);
}

async function facilityNamed(db: Db, id: number): Promise<{ name: string }> {
  const row = await db.selectFrom('facility').select(['name']).where('id', '=', id).executeTakeFirst();
  if (!row) throw invalid([{ path: 'facilityId', message: 'This facility does not exist.' }]);
  return row;
}

async function readTierName(db: Db, contractId: number, tierId: number | null): Promise<string> {
  if (tierId === null) return '';
  const tier = await db
    .selectFrom('contract_tier')
    .select('name')
    .where('id', '=', tierId)
    .where('contract_id', '=', contractId)
    .executeTakeFirst();
  if (!tier) throw invalid([{ path: 'tierId', message: 'This tier is not in the contract.' }]);
  return tier.name;
}
