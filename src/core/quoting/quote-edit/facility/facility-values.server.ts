// The values that a quote copies from its facility, and what has changed at the facility since.
import { type Selectable, sql } from 'kysely';
import type { Contact, Facility } from '#platform/db/tables.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import {
  type ServingReps,
  servingRepsRead,
  servingRepsRows,
} from '#core/territories/territories/serving-reps.server.ts';
import { currencyOf, type Decimal } from '#platform/shared/money.ts';
import type { Address } from '#platform/shared/wire.ts';
import { type ReadContext, wholeAddress } from '../view/quote-view.server.ts';
import { FACILITY_PARTS, type FacilityPart } from './facility-change.ts';

type ContactValues = Pick<Selectable<Contact>, 'name' | 'email' | 'phone'>;
type Reps = { sales: number | null; cs: number | null; is: number | null };

/** The values that a facility provides to a quote, by part. The quote stores them as they were when it copied them. */
export type FacilityValues = {
  tax: { rate: Decimal; exempt: boolean };
  shipTo: Address;
  billTo: Address;
  /** The facility's only contact. Null when there are none or several. */
  contact: ContactValues | null;
  reps: Reps;
  paymentTerms: string;
  freightTerms: string;
  currency: number;
  priceLevel: string;
  parent: number | null;
};

export function valuesOf(
  facility: Selectable<Facility>,
  contact: ContactValues | null,
  serving: ServingReps,
): FacilityValues {
  const address = (kind: 'bill_to' | 'ship_to'): Address => ({
    line1: facility[`${kind}_line1`],
    line2: facility[`${kind}_line2`],
    city: facility[`${kind}_city`],
    state: facility[`${kind}_state`],
    zip: facility[`${kind}_zip`],
  });
  return {
    tax: { rate: facility.tax_rate, exempt: facility.tax_exempt },
    shipTo: address('ship_to'),
    billTo: address('bill_to'),
    contact,
    reps: { sales: serving.salesRep?.id ?? null, cs: serving.csRep?.id ?? null, is: serving.isRep?.id ?? null },
    paymentTerms: facility.payment_terms,
    freightTerms: facility.freight_terms,
    currency: facility.currn_idx,
    priceLevel: facility.price_level,
    parent: facility.parent_id,
  };
}

/** The values on the quote. Price level and parent are null, because a quote does not contain them. */
function valuesOn(quote: QuoteRecord): { [Part in FacilityPart]: FacilityValues[Part] | null } {
  return {
    tax: { rate: quote.tax_rate, exempt: quote.tax_exempt },
    shipTo: wholeAddress(quote.ship_to),
    billTo: wholeAddress(quote.bill_to),
    contact: { name: quote.contact_name, email: quote.contact_email, phone: quote.phone },
    reps: { sales: quote.sales_rep_id, cs: quote.cs_rep_id, is: quote.is_rep_id },
    paymentTerms: quote.payment_terms,
    freightTerms: quote.freight_terms,
    currency: quote.currn_idx,
    priceLevel: null,
    parent: null,
  };
}

export type FacilityNow = {
  values: FacilityValues;
  /** Names of people and facilities in `values` and in the stored values. */
  people: ReadonlyMap<number, string>;
  parents: ReadonlyMap<number, string>;
};

/**
 * The values that the facility would provide to the quote now. Null without a facility. The contact is the one whose name is on the quote, or else
 * the only one. Representatives are those who serve the facility today, or on the day of the quote if that is later.
 */
export async function facilityNow(
  { db, services }: Pick<ReadContext, 'db' | 'services'>,
  quote: QuoteRecord,
): Promise<FacilityNow | null> {
  const { facility_id: facilityId } = quote;
  if (facilityId === null) return null;
  const now = today(services, await loadCompany(db));
  const day = quote.quote_date > now ? quote.quote_date : now;
  const stored = storedValues(quote);
  const reps = [quote.sales_rep_id, quote.cs_rep_id, quote.is_rep_id].filter((id) => id !== null);
  const { rows } = await sql<{
    facility: Selectable<Facility>;
    contact: ContactValues | null;
    serving: Parameters<typeof servingRepsRead>[0];
    people: { id: number; name: string }[];
    parents: { id: number; name: string }[];
  }>`
    select to_json(f) as facility,
           (select to_json(s) from (${servingRepsRows(facilityId, day)}) s) as serving,
           (select to_json(c)
              from (select name, email, phone
                      from contact
                     where facility_id = f.id
                       and (lower(name) = lower(${quote.contact_name}) or (select count(*) from contact where facility_id = f.id) = 1)
                     order by lower(name) = lower(${quote.contact_name}) desc
                     limit 1) c) as contact,
           (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.full_name)), '[]')
              from app_user u
             where u.id = any(${reps}::int[])) as people,
           (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name)), '[]')
              from facility p
             where p.id in (f.parent_id, ${stored?.parent ?? null}::int)) as parents
      from facility f
     where f.id = ${facilityId}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const serving = servingRepsRead(row.serving);
  const people = new Map(row.people.map(({ id, name }) => [id, name]));
  for (const rep of [serving.salesRep, serving.csRep, serving.isRep]) if (rep) people.set(rep.id, rep.name);
  const parents = new Map(row.parents.map(({ id, name }) => [id, name]));
  return { values: valuesOf(row.facility, row.contact, serving), people, parents };
}

export function storedValues({ facility_values: stored }: QuoteRecord): FacilityValues | null {
  return stored as FacilityValues | null;
}

/** The quote's value for these parts says nothing about the facility: it may differ without any change there, or it does not exist on the quote. */
const NOT_TOLD_UNKNOWN: readonly FacilityPart[] = ['contact', 'reps', 'priceLevel', 'parent'];

/**
 * The values that the quote copied. A quote from before they were stored is assumed to have copied the values on it. For parts that are missing or
 * often differ, it is assumed to have copied the facility's current values.
 */
export function takenValues(quote: QuoteRecord, { values }: Pick<FacilityNow, 'values'>): FacilityValues {
  const stored = storedValues(quote);
  if (stored) return stored;
  const on = valuesOn(quote);
  const isUnknown = (part: FacilityPart) => NOT_TOLD_UNKNOWN.includes(part) || isEmpty(on[part]);
  return Object.fromEntries(
    FACILITY_PARTS.map((part) => [part, isUnknown(part) ? values[part] : on[part]]),
  ) as FacilityValues;
}

/** The parts whose current value at the facility differs both from what the quote copied and from what is on the quote. */
export function changedParts(quote: QuoteRecord, now: FacilityNow): FacilityPart[] {
  const taken = takenValues(quote, now);
  const on = valuesOn(quote);
  return FACILITY_PARTS.filter((part) => {
    const value = now.values[part];
    // Ignores a facility without a single contact or without representatives.
    if (isEmpty(value) && (part === 'contact' || part === 'reps')) return false;
    const isOnQuote =
      part === 'currency'
        ? currencyOf(now.values.currency) === currencyOf(quote.currn_idx)
        : same(on[part], part === 'reps' ? givenReps(quote, now) : value);
    return !isOnQuote && !same(taken[part], value);
  });
}

/** The representatives that the quote would have: those who serve the facility, or else the quote's own. */
export function givenReps(quote: QuoteRecord, { values: { reps } }: FacilityNow): Reps {
  return { sales: reps.sales ?? quote.sales_rep_id, cs: reps.cs ?? quote.cs_rep_id, is: reps.is ?? quote.is_rep_id };
}

/** A part of the values as text for users. */
export function partWords(part: FacilityPart, values: FacilityValues, { people, parents }: FacilityNow): string {
  switch (part) {
    case 'tax':
      return values.tax.exempt ? 'exempt' : `${values.tax.rate}%`;
    case 'shipTo':
    case 'billTo': {
      const { line1, line2, city, state, zip } = values[part];
      return [line1, line2, city, `${state} ${zip}`.trim()].filter(Boolean).join(', ');
    }
    case 'contact': {
      const { name = '', email = '', phone = '' } = values.contact ?? {};
      return [name, email, phone].filter(Boolean).join(', ');
    }
    case 'reps': {
      const { sales, cs, is } = values.reps;
      const word = (title: string, id: number | null) => (id === null ? '' : `${title} ${people.get(id) ?? ''}`);
      return [word('Sales', sales), word('CS', cs), word('IS', is)].filter(Boolean).join(', ');
    }
    case 'currency':
      return currencyOf(values.currency);
    case 'parent':
      return values.parent === null ? '' : (parents.get(values.parent) ?? '');
    default:
      return values[part];
  }
}

/** The quote's value of a part as text. If the quote does not contain the part, the copied value. */
export function wordsOnQuote(part: FacilityPart, quote: QuoteRecord, now: FacilityNow): string {
  const taken = takenValues(quote, now);
  const on = valuesOn(quote)[part];
  return partWords(part, { ...taken, ...(on === null ? {} : { [part]: on }) }, now);
}

function same(value: unknown, other: unknown): boolean {
  return canonical(value) === canonical(other);
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null || value === '';
  return Object.values(value).every((part) => part === null || part === '');
}
