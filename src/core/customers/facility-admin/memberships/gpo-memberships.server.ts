// Reads and saves a facility's dated GPO memberships. At any time there is at most one per group, and one primary.
import { sql } from 'kysely';
import type { z } from 'zod';
import { type FieldError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { requireFresh } from '#platform/history/record-change.server.ts';
import { keptIn, recordPart, wrongDays } from '#platform/history/record-kit.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';
import { todayOf } from '#core/territories/territory-admin/territory-list.server.ts';
import { span } from '#core/territories/territory-admin/territory-record.server.ts';
import { endingOf } from '#core/territories/territory-admin/zips/territory-zips.server.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { Membership, MembershipInput } from '../facility-admin.contract.ts';
import { type Context, readFacility } from '../record/facility-record.server.ts';

type Submitted = z.output<typeof MembershipInput>;

/** All memberships of a facility, latest first. */
export function membershipsOf(db: Db, facilityId: number): Promise<Membership[]> {
  return db
    .selectFrom('gpo_membership as m')
    .innerJoin('gpo', 'gpo.id', 'm.gpo_id')
    .select(['m.id', 'member_id as memberId', 'is_primary as primary', 'valid_from as from', 'valid_to as to'])
    .select(sql<Named>`json_build_object('id', gpo.id, 'name', gpo.name)`.as('gpo'))
    .where('m.facility_id', '=', facilityId)
    .orderBy('is_primary', 'desc')
    .orderBy('valid_from', 'desc')
    .orderBy('m.id', 'desc')
    .execute();
}

/**
 * Throws 409 if another user changed it. Throws 422 for days on which the facility is already a member of that group, for a second primary, and for a
 * new group or first day of a membership that has begun, because the past must not change. A membership that is primary today replaces the current
 * primary.
 */
export async function saveMembership({ db, user, services }: Context, submitted: Submitted): Promise<Membership> {
  const date = await todayOf(db, services);
  const facility = await readFacility(db, submitted.facilityId, 'lock');
  const all = await membershipsOf(db, facility.id);
  const before = all.find(({ id }) => id === submitted.id);
  if (submitted.id !== 0 && !before) throw notFound('membership');
  if (before) {
    const current = { ...before, gpoId: before.gpo.id, facilityId: facility.id, version: facility.version };
    await requireFresh(db, 'facility', facility, submitted.version, { ...current, to: before.to ?? '' });
  }
  const { memberId = '', primary = false, to = null } = before ?? {};
  const input = keptIn(submitted, { memberId, primary, to });
  const gpo = await gpoOf(db, input);
  const overlapping = all.filter((candidate) => candidate.id !== input.id && overlap(candidate, input));
  const primaries = overlapping.filter((candidate) => input.primary && candidate.primary);
  const holds = ({ from, to }: { from: IsoDate; to?: IsoDate | null | undefined }) =>
    from <= date && (!to || to >= date);
  const giving = holds(input) ? primaries.filter(holds) : [];
  const errors: FieldError[] = wrongDays(input);
  if (before && before.from <= date && (gpo?.id !== before.gpo.id || before.from !== input.from)) {
    const message = `This began on ${formatDate(before.from)}, so only the number, the primary mark and the last day can change.`;
    errors.push({ path: gpo?.id === before.gpo.id ? 'from' : 'gpoId', message });
  }
  if (!gpo && input.gpoId) errors.push({ path: 'gpoId', message: 'This GPO does not exist.' });
  const same = overlapping.find((candidate) => candidate.gpo.id === gpo?.id);
  if (same) {
    const message = `It is already a member of ${same.gpo.name} ${span(same.from, same.to)}. End that first.`;
    errors.push({ path: input.gpoId ? 'gpoId' : 'newGpo', message });
  }
  const other = primaries.find((candidate) => !giving.includes(candidate));
  if (other) {
    const message = `${other.gpo.name} is the primary GPO ${span(other.from, other.to)}. Clear its primary mark or end it first.`;
    errors.push({ path: 'primary', message });
  }
  if (errors.length > 0) throw invalid(errors);

  const tell = historyOf({ db, user }, facility);
  for (const entry of giving) {
    await db.updateTable('gpo_membership').set({ is_primary: false }).where('id', '=', entry.id).execute();
    await tell('Change membership', membershipInWords(entry), membershipInWords({ ...entry, primary: false }));
  }
  const values = {
    facility_id: facility.id,
    gpo_id: gpo?.id ?? (await addGpo(db, input.newGpo)),
    member_id: input.memberId,
    is_primary: input.primary,
    valid_from: input.from,
    valid_to: input.to || null,
  };
  const { id } = await (before
    ? db.updateTable('gpo_membership').set(values).where('id', '=', before.id).returning('id')
    : db.insertInto('gpo_membership').values(values).returning('id')
  ).executeTakeFirstOrThrow();
  const saved = (await membershipsOf(db, facility.id)).find((membership) => membership.id === id);
  if (!saved) throw notFound('membership');
  const [was, is] = [before ? membershipInWords(before) : '', membershipInWords(saved)];
  const action = before ? 'Change membership' : 'Add membership';
  if (was !== is) await tell(action, was, is);
  return saved;
}

/** Sets the last day of a membership, or removes one that begins after it. Throws 409 if another user changed it. */
export async function endMembership(
  { db, user, services }: Context,
  input: { facilityId: number; id: number; lastDay: IsoDate; version: number },
) {
  const facility = await readFacility(db, input.facilityId, 'lock');
  await requireFresh(db, 'facility', facility, input.version);
  const rows = (await membershipsOf(db, facility.id)).filter(({ id }) => id === input.id);
  const dated = rows.map((row) => ({ ...row, name: `The membership of ${row.gpo.name}` }));
  const { ended, removed } = endingOf(dated, input.lastDay, await todayOf(db, services));
  const tell = historyOf({ db, user }, facility);
  for (const entry of ended) {
    await db.updateTable('gpo_membership').set({ valid_to: input.lastDay }).where('id', '=', entry.id).execute();
    await tell('End membership', membershipInWords(entry), membershipInWords({ ...entry, to: input.lastDay }));
  }
  for (const entry of removed) {
    await db.deleteFrom('gpo_membership').where('id', '=', entry.id).execute();
    await tell('Remove membership', membershipInWords(entry), '');
  }
  return { ended: ended.length, removed: removed.length };
}

/** Records the change of a membership in its facility's history. */
const historyOf =
  (context: Pick<Context, 'db' | 'user'>, facility: Named) =>
  (action: RecordAction, before: string, after: string): Promise<number> =>
    recordPart(context, 'facility', facility, action, { field: 'GPO membership', before, after });

export function gpos(db: Db): Promise<Named[]> {
  return db.selectFrom('gpo').select(['id', 'name']).orderBy(sql`lower(name)`).execute();
}

/** The chosen group, or the existing group with the typed name. */
async function gpoOf(db: Db, { gpoId, newGpo }: Pick<Submitted, 'gpoId' | 'newGpo'>): Promise<Named | undefined> {
  // Locks until the transaction ends. If two users add the same group at once, the second gets the group that the first added.
  if (!gpoId)
    await sql`select pg_advisory_xact_lock(hashtext('gpo-name'), hashtext(${newGpo.toLowerCase()}))`.execute(db);
  return db
    .selectFrom('gpo')
    .select(['id', 'name'])
    .$if(gpoId !== 0, (query) => query.where('id', '=', gpoId))
    .$if(gpoId === 0, (query) => query.where(sql`lower(name)`, '=', newGpo.toLowerCase()))
    .executeTakeFirst();
}

async function addGpo(db: Db, name: string): Promise<number> {
  return (await db.insertInto('gpo').values({ name }).returning('id').executeTakeFirstOrThrow()).id;
}

const overlap = (membership: Pick<Membership, 'from' | 'to'>, other: Pick<Submitted, 'from' | 'to'>) =>
  (!membership.to || membership.to >= other.from) && (!other.to || other.to >= membership.from);

function membershipInWords({ gpo, memberId, primary, from, to }: Membership): string {
  return `${gpo.name}${memberId ? ` (${memberId})` : ''}${primary ? ', primary,' : ''} ${span(from, to)}`;
}
