// Saves and removes the contacts of a facility. Quotes store their contact's name, email and phone, so a contact can be removed.
import { sql } from 'kysely';
import type { z } from 'zod';
import { invalid, notFound } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Contact } from '#core/customers/facilities/facilities.contract.ts';
import { requireFresh } from '#platform/history/record-change.server.ts';
import { keptIn, recordPart } from '#platform/history/record-kit.server.ts';
import { CLOSED_STATUSES } from '#core/quoting/quotes/status.ts';
import type { ContactInput } from '../facility-admin.contract.ts';
import { type Context, readFacility } from '../record/facility-record.server.ts';

/**
 * Throws 409 if another user changed it. Throws 422 for the name of another contact of the facility, because imports find contacts by account and
 * name.
 */
export async function saveContact({ db, user }: Context, input: z.output<typeof ContactInput>): Promise<Contact> {
  const facility = await readFacility(db, input.facilityId, 'lock');
  const before = input.id === 0 ? null : await readContact(db, facility.id, input.id);
  if (before) {
    const current = { ...before, facilityId: facility.id, version: facility.version };
    await requireFresh(db, 'facility', facility, input.version, current);
  }
  const taken = await db
    .selectFrom('contact')
    .select('id')
    .where('facility_id', '=', facility.id)
    .where(sql`lower(name)`, '=', input.name.toLowerCase())
    .where('id', '!=', input.id)
    .executeTakeFirst();
  if (taken) throw invalid([{ path: 'name', message: `This facility already has a contact named ${input.name}.` }]);

  const { name, title, email, phone } = keptIn(input, {
    title: before?.title ?? '',
    email: before?.email ?? '',
    phone: before?.phone ?? '',
  });
  const values = { facility_id: facility.id, name, title, email, phone };
  const { id } = await (before
    ? db.updateTable('contact').set(values).where('id', '=', before.id).returning('id')
    : db.insertInto('contact').values(values).returning('id')
  ).executeTakeFirstOrThrow();
  const saved = { id, name, title, email, phone };
  const change = { field: 'Contact', before: before ? contactInWords(before) : '', after: contactInWords(saved) };
  const action = before ? 'Change contact' : 'Add contact';
  if (change.before !== change.after) await recordPart({ db, user }, 'facility', facility, action, change);
  return saved;
}

export async function contactUse(db: Db, { facilityId, id }: { facilityId: number; id: number }) {
  const { name } = await readContact(db, facilityId, id);
  return db
    .selectFrom('quote')
    .select(sql<number>`count(*)`.as('openQuotes'))
    .where('facility_id', '=', facilityId)
    .where('status_id', 'not in', CLOSED_STATUSES)
    .where(sql`lower(contact_name)`, '=', name.toLowerCase())
    .executeTakeFirstOrThrow();
}

/** Throws 409 if another user changed it. */
export async function removeContact({ db, user }: Context, input: { facilityId: number; id: number; version: number }) {
  const facility = await readFacility(db, input.facilityId, 'lock');
  await requireFresh(db, 'facility', facility, input.version);
  const contact = await readContact(db, facility.id, input.id);
  await db.deleteFrom('contact').where('id', '=', contact.id).execute();
  const change = { field: 'Contact', before: contactInWords(contact), after: '' };
  return { id: contact.id, version: await recordPart({ db, user }, 'facility', facility, 'Remove contact', change) };
}

async function readContact(db: Db, facilityId: number, id: number): Promise<Contact> {
  const contact = await db
    .selectFrom('contact')
    .select(['id', 'name', 'title', 'email', 'phone'])
    .where('facility_id', '=', facilityId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!contact) throw notFound('contact');
  return contact;
}

function contactInWords({ name, title, email, phone }: Contact): string {
  return [name, title, email, phone].filter(Boolean).join(', ');
}
