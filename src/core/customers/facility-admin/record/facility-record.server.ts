// Reads a facility for its form, saves it, and activates or deactivates it.
import { sql } from 'kysely';
import type { z } from 'zod';
import { type FieldError, HttpError, invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inactiveSentence } from '#core/customers/facilities/facilities.server.ts';
import { FREIGHT_TERMS, PAYMENT_TERMS } from '#core/customers/facilities/terms.ts';
import {
  changesOf,
  lockForSave,
  oneRecord,
  otherWithName,
  type RecordKind,
  saveRecord,
  setRecordActive,
} from '#platform/history/record-kit.server.ts';
import { CLOSED_STATUSES } from '#core/quoting/quotes/status.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import { FACILITY, type FacilityEdit, type FacilityEditData, type FacilityInput } from '../facility-admin.contract.ts';
import { fieldInWords } from '../facility-words.ts';

export type Context = { db: Db; user: Caller; services: Services };
type Given = z.output<typeof FacilityInput>;

type Facility = FacilityEdit & { active: boolean };

const KIND: RecordKind<Facility, 'facility'> = {
  type: 'facility',
  read: readFacility,
  nameOf: ({ name }) => name,
  changes: changesOf(FACILITY.labels, historyWords),
};

export async function readForEdit(db: Db, id: number | undefined): Promise<FacilityEditData> {
  const { active, ...facility } = id ? await readFacility(db, id) : { ...FACILITY.blank, active: true };
  const facts = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('quote')
        .select(sql<number>`count(*)`.as('count'))
        .where('facility_id', '=', facility.id)
        .where('status_id', 'not in', CLOSED_STATUSES)
        .as('openQuotes'),
      eb
        .selectFrom('facility')
        .select(sql<number>`count(*)`.as('count'))
        .where('parent_id', '=', facility.id)
        .where('active', '=', true)
        .as('members'),
    ])
    .executeTakeFirstOrThrow();
  const [classesOfTrade, priceLevels, paymentTerms, freightTerms] = [
    await used(db, 'class_of_trade'),
    await used(db, 'price_level'),
    await used(db, 'payment_terms'),
    await used(db, 'freight_terms'),
  ];
  return {
    facility,
    active,
    choices: {
      classesOfTrade,
      priceLevels,
      paymentTerms: [...new Set([...PAYMENT_TERMS, ...paymentTerms])],
      freightTerms: [...new Set([...FREIGHT_TERMS, ...freightTerms])],
    },
    facts: { openQuotes: facts.openQuotes ?? 0, members: facts.members ?? 0 },
  };
}

/** The values that facilities already have in a field, most common first. */
async function used(
  db: Db,
  column: 'class_of_trade' | 'price_level' | 'payment_terms' | 'freight_terms',
): Promise<string[]> {
  const rows = await db
    .selectFrom('facility')
    .select(sql.ref<string>(column).as('word'))
    .where(column, '!=', '')
    .groupBy(column)
    .orderBy(sql`count(*)`, 'desc')
    .orderBy(column)
    .limit(50)
    .execute();
  return rows.map(({ word }) => word);
}

/**
 * Throws 409 if another user changed it. Throws 422 for an account number that is in use, and for a parent that is below the facility. Existing
 * quotes keep what they copied from the facility (design 2).
 */
export async function saveFacility({ db, user }: Context, input: Given): Promise<FacilityEdit> {
  // Only one parent is saved at a time, until the transaction ends. Otherwise two users could make two facilities each other's parent. The lock comes
  // before that of the facility, because in the other order the two saves would deadlock.
  if (input.parent) await sql`select pg_advisory_xact_lock(hashtext('facility-parent'))`.execute(db);
  const before = await lockForSave(db, KIND, input);
  const next: FacilityEdit = {
    ...(before ?? FACILITY.blank),
    ...(Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<FacilityEdit>),
  };
  const errors = [
    ...(await wrongAccount(db, input)),
    ...(next.parent && next.parent.id !== before?.parent?.id ? await wrongParent(db, input.id, next.parent.id) : []),
    ...(next.currnIdx === before?.currnIdx || next.currnIdx === DOLLAR_INDEX || next.currnIdx === EURO_INDEX
      ? []
      : [{ path: 'currnIdx', message: 'Choose US dollar or euro.' }]),
  ];
  if (errors.length > 0) throw invalid(errors);

  const values = {
    acct_no: next.acctNo,
    name: next.name,
    phone: next.phone,
    ...addressColumns('bill_to', next.billTo),
    ...addressColumns('ship_to', next.shipTo),
    parent_id: next.parent?.id ?? null,
    class_of_trade: next.classOfTrade,
    price_level: next.priceLevel,
    currn_idx: next.currnIdx,
    tax_exempt: next.taxExempt,
    tax_certificate: next.taxCertificate,
    tax_rate: next.taxRate,
    payment_terms: next.paymentTerms,
    freight_terms: next.freightTerms,
  };
  return saveRecord({ db, user }, KIND, before, values);
}

/** Throws 409 if another user changed it. */
export function switchFacility(
  { db, user }: Context,
  input: { id: number; active?: boolean | undefined; version: number },
): Promise<{ id: number; active: boolean; version: number }> {
  return setRecordActive({ db, user }, KIND, input);
}

export async function readFacility(db: Db, id: number, lock?: 'lock'): Promise<Facility> {
  const facility = await oneRecord('facility', db.selectFrom('facility').selectAll().where('id', '=', id), lock);
  if (lock && facility.merged_into !== null) {
    throw new HttpError(409, `${facility.name} was merged into another facility. Change that one.`);
  }
  const parent =
    facility.parent_id === null
      ? null
      : await db
          .selectFrom('facility')
          .select(['id', 'name'])
          .where('id', '=', facility.parent_id)
          .executeTakeFirstOrThrow();
  const address = (kind: 'bill_to' | 'ship_to') => ({
    line1: facility[`${kind}_line1`],
    line2: facility[`${kind}_line2`],
    city: facility[`${kind}_city`],
    state: facility[`${kind}_state`],
    zip: facility[`${kind}_zip`],
  });
  return {
    id,
    acctNo: facility.acct_no,
    name: facility.name,
    phone: facility.phone,
    billTo: address('bill_to'),
    shipTo: address('ship_to'),
    parent,
    classOfTrade: facility.class_of_trade,
    priceLevel: facility.price_level,
    currnIdx: facility.currn_idx,
    taxExempt: facility.tax_exempt,
    taxCertificate: facility.tax_certificate,
    taxRate: facility.tax_rate,
    paymentTerms: facility.payment_terms,
    freightTerms: facility.freight_terms,
    active: facility.active,
    version: facility.version,
  };
}

function addressColumns<K extends 'bill_to' | 'ship_to'>(kind: K, address: FacilityEdit['shipTo']) {
  const columns = Object.entries(address).map(([part, value]) => [`${kind}_${part}`, value]);
  return Object.fromEntries(columns) as Record<`${K}_${keyof FacilityEdit['shipTo']}`, string>;
}

function historyWords(facility: FacilityEdit): typeof FACILITY.labels {
  const fields = Object.keys(FACILITY.labels) as (keyof typeof FACILITY.labels)[];
  return Object.fromEntries(
    fields.map((field) => [field, fieldInWords(field, facility[field])]),
  ) as typeof FACILITY.labels;
}

async function wrongAccount(db: Db, { id, acctNo }: Given): Promise<FieldError[]> {
  const taken = await otherWithName(db, 'facility', { id, name: acctNo }, { column: 'acct_no' });
  return taken ? [{ path: 'acctNo', message: `${taken.name} already has the account number ${acctNo}.` }] : [];
}

async function wrongParent(db: Db, id: number, parentId: number): Promise<FieldError[]> {
  const parent = await db
    .selectFrom('facility')
    .select(['name', 'active'])
    .where('id', '=', parentId)
    .executeTakeFirst();
  const refused = (message: string) => [{ path: 'parent', message }];
  if (!parent) return refused('This facility does not exist.');
  if (parentId === id) return refused('A facility cannot be its own parent.');
  if (!parent.active) return refused(await inactiveSentence(db, parentId));
  const { rows } = await sql`
    with recursive above as (
      select id, parent_id from facility where id = ${parentId}
      union select f.id, f.parent_id from facility f join above on f.id = above.parent_id)
    select from above where id = ${id}`.execute(db);
  return rows.length > 0 ? refused(`${parent.name} is below this facility, so it cannot be its parent.`) : [];
}
