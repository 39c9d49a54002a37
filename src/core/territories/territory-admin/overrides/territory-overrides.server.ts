// Saves and ends account overrides: facilities that a territory serves on some days regardless of their ZIP, with a reason.
import { sql } from 'kysely';
import type { z } from 'zod';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { type FieldError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { inactiveSentence } from '#core/customers/facilities/facilities.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { keptIn, wrongDays } from '#platform/history/record-kit.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import type { Override, OverrideInput, TerritoryAdmin } from '../territory-admin.contract.ts';
import { todayOf } from '../territory-list.server.ts';
import { readTerritory, span, wrongTerritory } from '../territory-record.server.ts';
import { endingOf, recordZips, whenOf, writeEnds } from '../zips/territory-zips.server.ts';

type Context = { db: Db; user: Caller; services: Services };

const ORDER = {
  sorts: {
    facility: sql`lower(facility.name)`,
    acctNo: sql`facility.acct_no`,
    from: sql`account_override.valid_from`,
    to: sql`account_override.valid_to`,
  },
  key: sql`account_override.id`,
  first: { field: 'facility', dir: 'asc' as const },
};

export async function overridePage(
  db: Db,
  services: Services,
  criteria: ParsedInputOf<typeof TerritoryAdmin.GetTerritoryOverrides>,
) {
  const date = await todayOf(db, services);
  const query = overrides(db)
    .where('account_override.territory_id', '=', criteria.territoryId)
    .where(whenOf(criteria.when, date));
  return pageFrom(query, criteria, ORDER);
}

/**
 * Throws 409 if another user changed it. Throws 422 for a second override of the facility on the same days, for a new first day of an override that
 * has begun, and for another facility in an inactive territory.
 */
export async function saveOverride(
  { db, user, services }: Context,
  fields: z.output<typeof OverrideInput>,
): Promise<Override> {
  const date = await todayOf(db, services);
  const territory = await readTerritory(db, fields.territoryId, 'lock');
  const before = fields.id === 0 ? null : await readOverride(db, territory.id, fields.id);
  const input = keptIn(fields, { to: before?.to ?? null });
  if (before) {
    const current = { ...before, to: before.to ?? '', facilityId: before.facility.id, territoryId: territory.id };
    await requireFresh(db, 'territory', territory, input.version, current);
  }
  // Locks the facility's overrides until the transaction ends.
  const facility = await db
    .selectFrom('facility')
    .select(['name', 'active'])
    .where('id', '=', input.facilityId)
    .forUpdate()
    .executeTakeFirst();
  const moved = before?.facility.id !== input.facilityId;
  // An existing override can still change and end.
  const errors: FieldError[] = [...wrongDays(input), ...(moved ? wrongTerritory(territory) : [])];
  if (!facility) errors.push({ path: 'facilityId', message: 'This facility does not exist.' });
  else if (moved && !facility.active)
    errors.push({ path: 'facilityId', message: await inactiveSentence(db, input.facilityId) });
  if (before && before.from <= date && (moved || before.from !== input.from)) {
    const message = `This began on ${formatDate(before.from)}, so only the reason and the last day can change.`;
    errors.push({ path: moved ? 'facilityId' : 'from', message });
  }
  const other = await overlapping(db, input);
  if (other) {
    const message = `It is already assigned to ${other.territory} ${span(other.from, other.to)}. End that first.`;
    errors.push({ path: 'facilityId', message });
  }
  if (errors.length > 0) throw invalid(errors);

  const values = {
    facility_id: input.facilityId,
    territory_id: territory.id,
    reason: input.reason,
    valid_from: input.from,
    valid_to: input.to || null,
  };
  const { id } = await (before
    ? db.updateTable('account_override').set(values).where('id', '=', before.id).returning('id')
    : db.insertInto('account_override').values(values).returning('id')
  ).executeTakeFirstOrThrow();
  const saved = await readOverride(db, territory.id, id);
  const [was, is] = [before ? overrideInWords(before) : '', overrideInWords(saved)];
  const action = before ? 'Change override' : 'Add override';
  if (was !== is) {
    saved.version = await recordZips(db, user, territory, action, was, is);
    await recordInFacility(db, user, territory, saved, action, before && !moved ? before : null, saved);
  }
  // An override that has not begun may move to another facility.
  if (before && moved) await recordInFacility(db, user, territory, before, 'Remove override', before, null);
  return saved;
}

/** Sets the last day of some overrides, and removes those that begin after it. Throws 409 if another user changed it. */
export async function endOverrides(
  { db, user, services }: Context,
  input: ParsedInputOf<typeof TerritoryAdmin.EndTerritoryOverrides>,
) {
  const territory = await readTerritory(db, input.territoryId, 'lock');
  await requireFresh(db, 'territory', territory, input.version);
  const results = await overrides(db)
    .where('account_override.territory_id', '=', territory.id)
    .where('account_override.id', 'in', input.ids)
    .orderBy('account_override.id')
    .forUpdate('account_override')
    .execute();
  const rows = results.map((result) => ({ ...result, name: `The override of ${result.facility.name}` }));
  const { ended, removed } = endingOf(rows, input.lastDay, await todayOf(db, services));
  await writeEnds(db, 'account_override', { ended, removed }, input.lastDay);
  for (const entry of ended) {
    const now = { ...entry, to: input.lastDay };
    await recordZips(db, user, territory, 'End override', overrideInWords(entry), overrideInWords(now));
    await recordInFacility(db, user, territory, entry, 'End override', entry, now);
  }
  for (const entry of removed) {
    await recordZips(db, user, territory, 'Remove override', overrideInWords(entry), '');
    await recordInFacility(db, user, territory, entry, 'Remove override', entry, null);
  }
  return { ended: ended.length, removed: removed.length };
}

function overrides(db: Db) {
  return db
    .selectFrom('account_override')
    .innerJoin('facility', 'facility.id', 'account_override.facility_id')
    .innerJoin('territory', 'territory.id', 'account_override.territory_id')
    .select(['account_override.id', 'reason', 'valid_from as from', 'valid_to as to', 'territory.version'])
    .select(
      sql<Override['facility']>`json_build_object('id', facility.id, 'name', facility.name, 'acctNo', facility.acct_no,
        'city', facility.ship_to_city, 'state', facility.ship_to_state, 'zip', facility.ship_to_zip)`.as('facility'),
    );
}

async function readOverride(db: Db, territoryId: number, id: number): Promise<Override> {
  const row = await overrides(db)
    .where('account_override.territory_id', '=', territoryId)
    .where('account_override.id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('account override');
  return row;
}

async function overlapping(
  db: Db,
  { id, facilityId, from, to }: z.output<typeof OverrideInput>,
): Promise<{ territory: string; from: IsoDate; to: IsoDate | null } | undefined> {
  return db
    .selectFrom('account_override')
    .innerJoin('territory', 'territory.id', 'territory_id')
    .select(['territory.name as territory', 'valid_from as from', 'valid_to as to'])
    .where('facility_id', '=', facilityId)
    .where('account_override.id', '!=', id)
    .where(
      sql<boolean>`valid_from <= coalesce(${to || null}::date, 'infinity') and coalesce(valid_to, 'infinity') >= ${from}::date`,
    )
    .orderBy('valid_from')
    .limit(1)
    .executeTakeFirst();
}

function overrideInWords({
  facility,
  reason,
  from,
  to,
}: Pick<Override, 'facility' | 'reason' | 'from' | 'to'>): string {
  return `${facility.name} (${facility.acctNo}) ${span(from, to)}: ${reason}`;
}

type Words = Pick<Override, 'reason' | 'from' | 'to'>;

/**
 * Also records the change in the facility's history, with the territory. The facility keeps its version, because its form does not contain overrides.
 */
async function recordInFacility(
  db: Db,
  user: Caller,
  territory: { name: string },
  { facility }: Pick<Override, 'facility'>,
  action: RecordAction,
  before: Words | null,
  after: Words | null,
): Promise<void> {
  const words = (override: Words | null) =>
    override ? `${territory.name} ${span(override.from, override.to)}: ${override.reason}` : '';
  const changes = [{ field: 'Account override', before: words(before), after: words(after) }];
  await recordChange(db, user, { type: 'facility', id: facility.id, name: facility.name, action, changes });
}
