// The fields of a new quote: the user's choices, the values that follow from the facility, and the errors.
import { HttpError } from '#platform/api/http-error.ts';
import type { FacilityHit } from '#core/customers/facilities/facilities.contract.ts';
import type { QuoteEdit, QuoteInput } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { type AskedText, QUOTE_LABELS, QUOTE_TEXTS } from '#core/quoting/quotes/quote-fields.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { addDays, dateProblem, formatDate, parseDate } from '#platform/shared/dates.ts';
import type { Named } from '#platform/shared/wire.ts';

/** The texts that the form prompts for because no facility provides them. */
export const ASKED_TEXTS = QUOTE_TEXTS.filter((text): text is AskedText => 'onNewQuote' in text);
const ASKED: readonly string[] = ASKED_TEXTS.map(({ name }) => name);

/** The user's choices. Fields not in it follow the facility. */
export type Chosen = Partial<
  Pick<QuoteInput, 'contactName' | 'contactEmail' | 'phone' | 'quoteDate' | 'validUntil' | AskedText['name']> & {
    salesRepId: number | null;
    csRepId: number | null;
    isRepId: number | null;
  }
>;

/** The values that the form shows. */
export type Fields = {
  contactName: string;
  contactEmail: string;
  phone: string;
  quoteDate: string;
  validUntil: string;
} & Record<'salesRepId' | 'csRepId' | 'isRepId', number | null | undefined>;

/** The contacts and representatives of a facility. */
export type People = OutputOf<typeof QuoteEdit.PopulateQuoteEditLookups>;
type Start = OutputOf<typeof QuoteEdit.PopulateNewQuote>['quote'];

/** `people` are those of the facility. Undefined until they are loaded. */
export function fieldsOf(
  chosen: Chosen,
  start: Start,
  facility: FacilityHit | null,
  people: People | undefined,
): Fields {
  const [only] = facility && people?.contacts.length === 1 ? people.contacts : [];
  const quoteDate = chosen.quoteDate ?? start.quoteDate;
  return {
    contactName: chosen.contactName ?? only?.name ?? '',
    contactEmail: chosen.contactEmail ?? only?.email ?? '',
    phone: chosen.phone ?? only?.phone ?? '',
    // After the user clears a choice, the field returns to the representative of the facility's territory.
    salesRepId: chosen.salesRepId ?? (facility ? people?.defaults.salesRepId : start.salesRepId),
    csRepId: chosen.csRepId ?? (facility ? people?.defaults.csRepId : null),
    isRepId: chosen.isRepId ?? (facility ? people?.defaults.isRepId : null),
    quoteDate,
    validUntil: chosen.validUntil ?? shifted(start, quoteDate),
  };
}

/** The end of validity for another quote date. The number of days stays the same. */
function shifted(first: { quoteDate: string; validUntil: string }, quoteDate: string): string {
  const date = parseDate(quoteDate);
  const days = (Date.parse(first.validUntil) - Date.parse(first.quoteDate)) / 86_400_000;
  return date ? addDays(date, days) : first.validUntil;
}

/** Describes the prefilled values, for a screen that hides their fields. */
export function fieldsInWords(fields: Fields, people: People): string {
  const nameOf = (list: Named[], id: number | null | undefined) =>
    list.find((candidate) => candidate.id === id)?.name ?? 'nobody';
  return [
    fields.contactEmail,
    fields.phone,
    `${QUOTE_LABELS.salesRepId} ${nameOf(people.salesReps, fields.salesRepId)}`,
    `${QUOTE_LABELS.csRepId} ${nameOf(people.csReps, fields.csRepId)}`,
    `${QUOTE_LABELS.isRepId} ${nameOf(people.isReps, fields.isRepId)}`,
    `${formatDate(fields.quoteDate)} to ${formatDate(fields.validUntil)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

export type Errors = Record<string, string | undefined>;

export function ownErrors(facility: FacilityHit | null, { quoteDate, validUntil }: Fields): Errors {
  return {
    ...(facility ? {} : { facilityId: 'This field is required' }),
    ...(parseDate(quoteDate) ? {} : { quoteDate: dateProblem(quoteDate) }),
    ...(parseDate(validUntil) ? {} : { validUntil: dateProblem(validUntil) }),
    ...(parseDate(quoteDate) && parseDate(validUntil) && validUntil < quoteDate
      ? { validUntil: 'Valid until is before the quote date' }
      : {}),
  };
}

/** The fields that show their own errors. */
export const FIELDS = [
  'facilityId',
  'contactName',
  'contactEmail',
  'phone',
  'salesRepId',
  'csRepId',
  'isRepId',
  'quoteDate',
  'validUntil',
  ...ASKED,
];

/** The choices that remain valid when the user chooses another facility, which has other people. */
export function apartFromPeople(chosen: Chosen): Chosen {
  const staying = ['quoteDate', 'validUntil', ...ASKED];
  return Object.fromEntries(Object.entries(chosen).filter(([field]) => staying.includes(field)));
}

/** Returns whether the field is in the part of the form that is folded on a phone. */
export const isFolded = (field: string) => !['facilityId', 'contactName', ...ASKED].includes(field);

export const fieldOf = (path: string) => path.replace(/^quote\./, '');

/** The server's refusals, by field. */
export function serverErrors(error: Error | null): Errors {
  if (!(error instanceof HttpError)) return {};
  return Object.fromEntries((error.errors ?? []).map(({ path, message }) => [fieldOf(path), message]));
}
