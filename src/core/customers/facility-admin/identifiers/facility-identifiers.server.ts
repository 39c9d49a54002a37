// Reads and saves the dated identifiers of a facility. On any day, a number belongs to at most one facility.
import { sql } from 'kysely';
import type { z } from 'zod';
import { type FieldError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { requireFresh } from '#platform/history/record-change.server.ts';
import { keptIn, recordPart, wrongDays } from '#platform/history/record-kit.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';
import { todayOf } from '#core/territories/territory-admin/territory-list.server.ts';
import { endingOf } from '#core/territories/territory-admin/zips/territory-zips.server.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { FacilityIdentifier, IdentifierInput } from '../facility-admin.contract.ts';
import { daysInWords } from '../facility-words.ts';
import { type Context, readFacility } from '../record/facility-record.server.ts';
import { bareIdentifier, wrongIdentifier } from './identifier.ts';

/** All identifiers of a facility, by kind, latest first. */
export async function identifiersOf(db: Db, facilityId: number): Promise<FacilityIdentifier[]> {
  const { rows } = await sql<FacilityIdentifier>`
    select i.id, i.kind, i.value, coalesce(i.valid_from::text, '') as "from", i.valid_to as "to",
           case when gpo.id is null then null else json_build_object('id', gpo.id, 'name', gpo.name) end as gpo
      from facility_identifier i left join gpo on gpo.id = i.gpo_id
     where i.facility_id = ${facilityId} order by i.kind desc, gpo.name, i.valid_from desc nulls last, i.id desc`.execute(
    db,
  );
  return rows;
}

/**
 * Throws 409 if another user changed it. Throws 422 for an invalid number, or for one that a facility (named in the message) already has on the same
 * days.
 */
export async function saveIdentifier(
  { db, user }: Context,
  fields: z.output<typeof IdentifierInput>,
): Promise<FacilityIdentifier> {
  const facility = await readFacility(db, fields.facilityId, 'lock');
  const before = (await identifiersOf(db, facility.id)).find(({ id }) => id === fields.id);
  if (fields.id !== 0 && !before) throw notFound('identifier');
  if (before) {
    const current = { ...before, gpoId: before.gpo?.id ?? null, facilityId: facility.id, version: facility.version };
    await requireFresh(db, 'facility', facility, fields.version, { ...current, to: before.to ?? '' });
  }
  const { gpo: issuer, from = '', to = null } = before ?? {};
  const input = keptIn(fields, { gpoId: issuer?.id ?? null, from, to });
  const { kind } = input;
  const gpoId = kind === 'GPO member' ? input.gpoId : null;
  const value = bareIdentifier(kind, input.value);
  const errors: FieldError[] = wrongDays(input);
  const wrong = wrongIdentifier(kind, value);
  if (wrong) errors.push({ path: 'value', message: wrong });
  if (kind === 'GPO member') {
    const gpo = await db
      .selectFrom('gpo')
      .select('id')
      .where('id', '=', gpoId ?? 0)
      .executeTakeFirst();
    if (!gpo) errors.push({ path: 'gpoId', message: 'Choose the GPO.' });
  }
  const holder = await holderOf(db, { ...input, gpoId, value });
  if (holder) {
    const days = `${holder.from ? `from ${formatDate(holder.from)}` : 'from the start'}${holder.to ? ` to ${formatDate(holder.to)}` : ''}`;
    const who = holder.facilityId === facility.id ? 'This facility' : `${holder.name} (account ${holder.acctNo})`;
    errors.push({ path: 'value', message: `${who} has this number ${days}.` });
  }
  if (errors.length > 0) throw invalid(errors);
  const values = {
    facility_id: facility.id,
    kind,
    gpo_id: gpoId,
    value,
    valid_from: input.from || null,
    valid_to: input.to || null,
  };
  const { id } = await (before
    ? db
        .updateTable('facility_identifier')
        .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
        .where('id', '=', before.id)
        .returning('id')
    : db.insertInto('facility_identifier').values(values).returning('id')
  ).executeTakeFirstOrThrow();
  const saved = (await identifiersOf(db, facility.id)).find((identifier) => identifier.id === id);
  if (!saved) throw notFound('identifier');
  const [was, is] = [before ? identifierInWords(before) : '', identifierInWords(saved)];
  if (was !== is)
    await recordIdentifier({ db, user }, facility, before ? 'Change identifier' : 'Add identifier', was, is);
  return saved;
}

/** Sets the last day, or removes an identifier that begins after it. Throws 409 if another user changed it. */
export async function endIdentifier(
  { db, user, services }: Context,
  input: { facilityId: number; id: number; lastDay: IsoDate; version: number },
) {
  const facility = await readFacility(db, input.facilityId, 'lock');
  await requireFresh(db, 'facility', facility, input.version);
  const rows = (await identifiersOf(db, facility.id)).filter(({ id }) => id === input.id);
  const named = rows.map((row) => ({ ...row, name: `${row.kind} ${row.value}` }));
  const { ended, removed } = endingOf(named, input.lastDay, await todayOf(db, services));
  for (const entry of ended) {
    await db.updateTable('facility_identifier').set({ valid_to: input.lastDay }).where('id', '=', entry.id).execute();
    await recordIdentifier(
      { db, user },
      facility,
      'End identifier',
      identifierInWords(entry),
      identifierInWords({ ...entry, to: input.lastDay }),
    );
  }
  for (const entry of removed) {
    await db.deleteFrom('facility_identifier').where('id', '=', entry.id).execute();
    await recordIdentifier({ db, user }, facility, 'Remove identifier', identifierInWords(entry), '');
  }
  return { ended: ended.length, removed: removed.length };
}

type Wanted = {
  id: number;
  kind: string;
  gpoId: number | null;
  value: string;
  from: string;
  to?: string | null | undefined;
};

/** Finds the facility that has the number on any of the days, and locks the number until the transaction ends. */
async function holderOf(db: Db, { id, kind, gpoId, value, from, to }: Wanted) {
  await sql`select pg_advisory_xact_lock(hashtext(${`identifier ${kind}`}), hashtext(${value.toLowerCase()}))`.execute(
    db,
  );
  const { rows } = await sql<{
    facilityId: number;
    name: string;
    acctNo: string;
    from: IsoDate | null;
    to: IsoDate | null;
  }>`
    select f.id as "facilityId", f.name, f.acct_no as "acctNo", i.valid_from as "from", i.valid_to as "to"
      from facility_identifier i join facility f on f.id = i.facility_id
     where i.kind = ${kind} and i.value = ${value} and i.gpo_id is not distinct from ${gpoId} and i.id <> ${id}
       and (i.valid_to is null or ${from || null}::date is null or i.valid_to >= ${from || null}::date)
       and (i.valid_from is null or ${to || null}::date is null or i.valid_from <= ${to || null}::date)
     limit 1`.execute(db);
  return rows[0];
}

function recordIdentifier(
  context: Pick<Context, 'db' | 'user'>,
  facility: Named,
  action: RecordAction,
  before: string,
  after: string,
) {
  return recordPart(context, 'facility', facility, action, { field: 'Identifier', before, after });
}

function identifierInWords({ kind, gpo, value, from, to }: FacilityIdentifier): string {
  return `${kind}${gpo ? ` of ${gpo.name}` : ''} ${value}, ${daysInWords({ from, to })}`;
}
