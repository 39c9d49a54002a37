// Saves the quote's own fields with any number of lines: a new quote, or a changed facility, people, dates and terms.
import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { type FieldError, forbidden, HttpError, invalid } from '#platform/api/http-error.ts';
import type { Contact, Facility } from '#platform/db/tables.ts';
import { looksOf, PLAIN } from '#core/catalog/items/item-look.server.ts';
import { today } from '#platform/company/company.server.ts';
import { inactiveSentence } from '#core/customers/facilities/facilities.server.ts';
import { columnOf, QUOTE_TEXTS } from '#core/quoting/quotes/quote-fields.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { inSight, requireQuote, seesAllQuotes } from '#core/quoting/quotes/sight.server.ts';
import { servingRepsRead, servingRepsRows } from '#core/territories/territories/serving-reps.server.ts';
import { addMonths, type IsoDate } from '#platform/shared/dates.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { type Role, seesInternalFigures } from '#platform/shared/roles.ts';
import type { Address } from '#platform/shared/wire.ts';
import { applyLines } from './lines/line-items.server.ts';
import { blankQuote, repsToChooseFrom } from './make/blank-quote.server.ts';
import type { QuoteEdit, QuoteEditData, QuoteInput, SavedQuote } from './quote-edit.contract.ts';
import { loadNewQuoteFacts, type Made } from './settle/edit-facts.server.ts';
import {
  closeEdit,
  type Edit,
  type Edited,
  userNames,
  openEdit,
  requireRight,
  staleError,
  editableCopy,
  beginEdit,
} from './settle/edit-quote.server.ts';
import { valuesOf } from './facility/facility-values.server.ts';
import { boardOf, readQuote, viewOf } from './view/load-quote.server.ts';
import { openQuotesRead, openQuotesValue, type QuoteFacts } from './view/quote-facts.server.ts';
import { wholeAddress, type ReadContext } from './view/quote-view.server.ts';

export type Header = z.output<typeof QuoteInput>;

/**
 * Creates (id 0) or saves a quote with any number of its lines, all or nothing (specification section 7). Throws 404 when the user cannot see it, 409
 * for a stale version or a locked quote, and 422 with errors by field. For a new quote whose key was used before, returns the existing quote.
 */
export async function saveQuote(
  context: ReadContext,
  input: ParsedInputOf<typeof QuoteEdit.SaveSalesRepQuote>,
): Promise<SavedQuote> {
  const { quote: header, items = [], sinceVersion } = input;
  const isNew = header.id === 0;
  const newLines = items.filter((item) => item.id === 0).length;
  const edit = isNew
    ? await newQuote(context, { newLines, clientKey: header.clientKey, content: contentOf(header, items) })
    : await openEdit(context, header.id, { newLines });
  if (isMade(edit)) return readMade(context, edit);
  const { edited, savedIds } = await save(edit, header, items);
  if (isNew) return boardOf(context, await factsOfNew(edit, edited), viewOf(context.user));
  const others = sinceVersion === undefined ? undefined : { after: sinceVersion, upTo: edit.before.quote.version };
  const saved = await readQuote(context, edited.quote, viewOf(context.user), others);
  return newLines > 0 ? { ...saved, savedIds } : saved;
}

/** Saves fields of an existing quote as `saveQuote` does, without reading everything that a board shows. Returns the quote before and after. */
export async function saveFields(
  context: ReadContext,
  header: Header,
): Promise<{ before: QuoteRecord; after: QuoteRecord }> {
  const edit = await openEdit(context, header.id);
  const { edited } = await save(edit, header, []);
  return { before: edit.before.quote, after: edited.quote };
}

async function save(
  edit: Edit,
  header: Header,
  items: NonNullable<ParsedInputOf<typeof QuoteEdit.SaveSalesRepQuote>['items']>,
): Promise<{ edited: Edited; savedIds: number[] }> {
  const isNew = header.id === 0;
  if (!isNew && header.version !== undefined && header.version !== edit.before.quote.version) {
    throw await staleError(edit, 'quote');
  }
  await applyHeader(edit, header, isNew);
  const savedIds = await applyLines(edit, items, (index) => `items.${index}.`);
  const edited = await closeEdit(edit, isNew ? created(edit) : { action: 'Edit' });
  await requireStillInSight(edit);
  return { edited, savedIds };
}

/** The content of a request for a new quote, without the keys of its lines, which may differ in a repeated request. */
function contentOf(header: Header, items: readonly object[]): unknown {
  return [header, items.map((item) => ({ ...item, clientKey: undefined }))];
}

export const isMade = (edit: Edit | Made): edit is Made => 'madeAlready' in edit;

/** Reads the quote that the first request with this key created, in its current state. Throws 409 if that request had different content. */
export async function readMade(context: ReadContext, { madeAlready, num, isSame }: Made): Promise<QuoteEditData> {
  const quote = await requireQuote(context.db, context.user, madeAlready);
  if (!isSame) {
    const detail = `This key already created quote ${num} with different content. Change that quote, or send another key.`;
    throw new HttpError(409, detail);
  }
  return readQuote(context, quote, viewOf(context.user));
}

/**
 * Opens an empty quote of this user, with id and number, for its first edit. The end of the edit stores it. If a quote with the same key exists,
 * returns that one instead.
 */
export async function newQuote(
  context: ReadContext,
  input: { clonedFrom?: number; newLines: number; clientKey: string | null | undefined; content: unknown },
): Promise<Edit | Made> {
  const { db, user, services } = context;
  const contentHash = createHash('sha256').update(JSON.stringify(input.content)).digest('hex');
  const key = input.clientKey ? { userId: user.id, clientKey: input.clientKey, contentHash } : null;
  const facts = await loadNewQuoteFacts(db, input.newLines, key);
  if (facts.made) return facts.made;
  const quoteDate = today(services, { time_zone: facts.timeZone });
  const now = services.clock.now().toISOString();
  const quote: QuoteRecord = {
    ...blankQuote(user, quoteDate, facts.validityDays, now),
    id: facts.quoteId,
    num: facts.num,
    cloned_from: input.clonedFrom ?? null,
  };
  const edit = await beginEdit(context, quote, facts);
  requireRight(edit, 'commercial');
  return { ...edit, key };
}

/** Everything that a board shows of a new quote, from memory, because the edit has read or written all of it. */
async function factsOfNew(edit: Edit, { quote, lines, rules, items, event }: Edited): Promise<QuoteFacts> {
  const { context, names, known, openQuotes, alike } = edit;
  const { db, services, user } = context;
  const people = [quote.sales_rep_id, quote.cs_rep_id, quote.is_rep_id, quote.owner_id].filter((id) => id !== null);
  const unnamed = people.filter((id) => !names.has(id));
  if (unnamed.length > 0) for (const [id, name] of await userNames(db, unnamed)) names.set(id, name);
  const products = [...items].flatMap(([id, { product_id }]) => (product_id === null ? [] : [id]));
  const looks = await looksOf(db, user, products);
  return {
    quote,
    lines,
    request: undefined,
    approvers: [],
    rules,
    people: people.map((id) => ({ id, name: names.get(id) ?? '', active: true })),
    files: [],
    revisions: [],
    openQuotes,
    alike,
    items: new Map(
      [...items].map(([id, { status, visible, units, class_id: classId, promotions = [] }]) => [
        id,
        { status, visible, units, classId, promotions, ...(looks.get(id) ?? PLAIN) },
      ]),
    ),
    provisional: null,
    events: event ? [event] : [],
    itemsWait: false,
    offersModels: known.offersModels ?? false,
    today: today(services, { time_zone: known.timeZone }),
  };
}

/** The history's event for a new quote. */
export function created({ draft }: Edit, comment = ''): Parameters<typeof closeEdit>[1] {
  const lines = draft.lines.filter(({ type }) => type !== 'free').length;
  return {
    action: 'Create',
    to: draft.quote.status_id,
    comment,
    changes: [
      { field: 'Facility', before: '', after: draft.quote.facility_name },
      ...(lines > 0 ? [{ field: 'Lines', before: '', after: String(lines) }] : []),
    ].filter((changeFields) => changeFields.after !== ''),
  };
}

/**
 * The maximum distance of a quote date from today. A date beyond it is a typing error, such as 2072 for 2027, and would use the prices of that day.
 */
const MAX_YEARS = 10;

const isSlip = (day: IsoDate, today: IsoDate): boolean =>
  day < addMonths(today, -12 * MAX_YEARS) || day > addMonths(today, 12 * MAX_YEARS);

/** Applies the quote's own fields to the draft. */
export async function applyHeader(edit: Edit, values: Header, isNew: boolean): Promise<void> {
  const { quote } = edit.draft;
  const input = withoutUntouched(values, quote);
  const errors: FieldError[] = [];
  const currencyBefore = currencyOf(quote.currn_idx);
  if (input.quoteDate !== undefined && input.quoteDate !== quote.quote_date) {
    if (isSlip(input.quoteDate, edit.context.services.clock.now().toISOString().slice(0, 10))) {
      const message = `The quote date must be within ${MAX_YEARS} years of today.`;
      errors.push({ path: 'quote.quoteDate', message });
    }
    changeFields(edit, { quote_date: input.quoteDate });
    edit.reprice = 'all';
  }
  if (input.facilityId !== undefined && input.facilityId !== quote.facility_id) {
    requireRight(edit, 'commercial');
    errors.push(...(await changeFacility(edit, input.facilityId)));
  }
  errors.push(...(await changeReps(edit, input)));
  changeFields(edit, {
    bill_to: sameAddress(input.billTo, quote.bill_to),
    ship_to: sameAddress(input.shipTo, quote.ship_to),
    tax_rate: input.taxRate,
    tax_exempt: input.taxExempt,
    discount_pct: input.discountPct,
  });
  changeFields(edit, { discount_reason: quote.discount_pct > 0 ? input.discountReason : '' });
  if (input.currnIdx !== undefined && input.currnIdx !== quote.currn_idx) {
    changeFields(edit, { currn_idx: input.currnIdx });
    edit.reprice = 'all';
  }
  if (currencyOf(quote.currn_idx) !== currencyBefore && !isNew) dropTypedAmounts(edit);
  changeFields(edit, { freight_amount: input.freightAmount });
  if (input.validUntil !== undefined && input.validUntil !== quote.valid_until) {
    changeFields(edit, { valid_until: input.validUntil, valid_until_typed: true });
  }
  if (quote.valid_until_typed && quote.valid_until < quote.quote_date) {
    errors.push({ path: 'quote.validUntil', message: 'Valid until must not be before the quote date.' });
  }
  for (const text of QUOTE_TEXTS) {
    if (text.name === 'discountReason') continue;
    const value = input[text.name];
    if (text.reader !== 'internal' || seesInternalFigures(edit.context.user)) {
      changeFields(edit, { [columnOf(text)]: value }, 'commercial' in text ? 'commercial' : 'notes');
    } else if (value) throw forbidden();
  }
  if (isNew && quote.sales_rep_id === null && repsToChooseFrom(edit.context.user) !== null) {
    errors.push({ path: 'quote.salesRepId', message: 'Choose the sales representative.' });
  }
  if (errors.length > 0) throw invalid(errors);
}

/**
 * When the facility changes, drops fields that the caller only sends back unchanged. A call with every field that a facility sets sends back what it
 * read, so only the differences are intended. In a call with only some of these fields, each one is intended, even when it equals the value of a
 * blank form (docs/decisions/0007).
 */
function withoutUntouched(input: Header, quote: QuoteRecord): Header {
  if (input.facilityId === undefined || input.facilityId === quote.facility_id) return input;
  const isSentBack = Object.keys(BROUGHT_BY_FACILITY).every((field) => input[field as keyof Header] !== undefined);
  if (!isSentBack) return input;
  const remaining = Object.entries(input).filter(([field, value]) => {
    const column = BROUGHT_BY_FACILITY[field as keyof Header];
    if (column === undefined) return true;
    const was = quote[column];
    return column === 'bill_to' || column === 'ship_to' ? sameAddress(value as Address, was) !== was : value !== was;
  });
  return { id: input.id, ...Object.fromEntries(remaining) };
}

const BROUGHT_BY_FACILITY: Partial<Record<keyof Header, keyof QuoteRecord>> = {
  billTo: 'bill_to',
  shipTo: 'ship_to',
  contactName: 'contact_name',
  contactEmail: 'contact_email',
  phone: 'phone',
  salesRepId: 'sales_rep_id',
  csRepId: 'cs_rep_id',
  isRepId: 'is_rep_id',
  currnIdx: 'currn_idx',
  paymentTerms: 'payment_terms',
  freightTerms: 'freight_terms',
  taxRate: 'tax_rate',
  taxExempt: 'tax_exempt',
};

/** Applies the given fields that differ, and requires the right to edit only for these fields. */
function changeFields(edit: Edit, fields: Partial<QuoteRecord>, kind: 'commercial' | 'notes' = 'commercial'): void {
  const { quote } = edit.draft;
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === quote[name as keyof QuoteRecord]) continue;
    requireRight(edit, kind);
    Object.assign(quote, { [name]: value });
  }
}

/** Returns the stored address when the given one is equal. */
function sameAddress(input: Address | undefined, stored: unknown): unknown {
  if (input === undefined) return undefined;
  const was = wholeAddress(stored);
  return (Object.keys(was) as (keyof Address)[]).every((part) => was[part] === input[part]) ? stored : input;
}

/** Copies the facility's addresses, terms, tax, currency and representatives to the quote, and reprices it (design 2 and 4). */
export async function changeFacility(edit: Edit, facilityId: number | null): Promise<FieldError[]> {
  const { db, user } = edit.context;
  const { quote } = edit.draft;
  edit.reprice = 'all';
  if (facilityId === null) {
    Object.assign(quote, { facility_id: null, facility_name: '', facility_acct_no: '', bill_to: {}, ship_to: {} });
    Object.assign(quote, { region_id: null, territory_id: null, contact_name: '', contact_email: '', phone: '' });
    quote.facility_values = null;
    return [];
  }
  const isDeputy = user.deputyFor.length > 0;
  const { rows } = await sql<{
    facility: Selectable<Facility>;
    contacts: Pick<Selectable<Contact>, 'name' | 'email' | 'phone'>[];
    serving: Parameters<typeof servingRepsRead>[0];
    openQuotes: Parameters<typeof openQuotesRead>[1];
    alike: string[];
  }>`select to_json(f) as facility,
            (select to_json(s) from (${servingRepsRows(facilityId, quote.quote_date)}) s) as serving,
            (select coalesce(json_agg(c), '[]')
            from (select name, email, phone from contact where facility_id = f.id limit 2) c) as contacts,
            ${openQuotesValue(sql`f.id`, { id: sql`${quote.id}::int`, date: sql`${quote.quote_date}::date` }, isDeputy)} as "openQuotes",
            alike_with_prices(f.id) as alike
       from facility f where f.id = ${facilityId}`.execute(db);
  const [result] = rows;
  if (!result) return [{ path: 'quote.facilityId', message: 'This facility does not exist.' }];
  const { facility, contacts } = result;
  if (!facility.active) return [{ path: 'quote.facilityId', message: await inactiveSentence(db, facility.id) }];
  const [contact] = contacts.length === 1 ? contacts : [];
  const serving = servingRepsRead(result.serving);
  edit.openQuotes = openQuotesRead(user, result.openQuotes);
  edit.alike = result.alike;
  for (const rep of [serving.salesRep, serving.csRep, serving.isRep]) if (rep) edit.names.set(rep.id, rep.name);
  const reps = repsToChooseFrom(user);
  const salesRep = serving.salesRep?.id ?? null;
  Object.assign(quote, {
    facility_id: facility.id,
    facility_name: facility.name,
    facility_acct_no: facility.acct_no,
    bill_to: {
      line1: facility.bill_to_line1,
      line2: facility.bill_to_line2,
      city: facility.bill_to_city,
      state: facility.bill_to_state,
      zip: facility.bill_to_zip,
    },
    ship_to: {
      line1: facility.ship_to_line1,
      line2: facility.ship_to_line2,
      city: facility.ship_to_city,
      state: facility.ship_to_state,
      zip: facility.ship_to_zip,
    },
    contact_name: contact?.name ?? '',
    contact_email: contact?.email ?? '',
    phone: contact?.phone ?? '',
    currn_idx: facility.currn_idx,
    payment_terms: facility.payment_terms,
    freight_terms: facility.freight_terms,
    tax_rate: facility.tax_rate,
    tax_exempt: facility.tax_exempt,
    region_id: serving.region?.id ?? null,
    territory_id: serving.territory?.id ?? null,
    sales_rep_id: salesRep !== null && (reps === null || reps.includes(salesRep)) ? salesRep : quote.sales_rep_id,
    cs_rep_id: serving.csRep?.id ?? null,
    is_rep_id: serving.isRep?.id ?? null,
    facility_values: valuesOf(facility, contact ?? null, serving),
  } satisfies Partial<QuoteRecord>);
  return [];
}

const REPS = [
  ['salesRepId', 'sales_rep_id', 'salesrep'],
  ['csRepId', 'cs_rep_id', 'csrep'],
  ['isRepId', 'is_rep_id', 'insiderep'],
] as const satisfies [keyof Header, keyof QuoteRecord, Role][];

/** Applies the representatives. They must be active and have the role. Public users may choose only from their own. */
async function changeReps(edit: Edit, input: Header): Promise<FieldError[]> {
  const { draft, context } = edit;
  const errors: FieldError[] = [];
  for (const [field, column, role] of REPS) {
    const id = input[field];
    if (id === undefined || id === draft.quote[column]) continue;
    const path = `quote.${field}`;
    if (column === 'sales_rep_id') {
      const reps = repsToChooseFrom(context.user);
      if (reps !== null && (id === null || !reps.includes(id))) {
        errors.push({ path, message: 'Choose yourself or a representative you support.' });
        continue;
      }
    }
    const person =
      id !== null &&
      (await context.db
        .selectFrom('app_user')
        .innerJoin('user_role', 'user_role.user_id', 'app_user.id')
        .select(['app_user.id', 'app_user.full_name'])
        .where('app_user.id', '=', id)
        .where('app_user.active', '=', true)
        .where('user_role.role', '=', role)
        .executeTakeFirst());
    if (person) edit.names.set(person.id, person.full_name);
    if (person || id === null) changeFields(edit, { [column]: id }, 'notes');
    else errors.push({ path, message: 'This person does not have that role or is no longer active.' });
  }
  return errors;
}

/** Drops typed amounts, which have no meaning in another currency. */
function dropTypedAmounts(edit: Edit): void {
  for (const read of edit.draft.lines) {
    if (read.manual_price === null && read.manual_discount_amount === null) continue;
    const line = editableCopy(edit, read);
    line.manual_price = null;
    line.manual_discount_amount = null;
    line.typed_as = null;
    line.price_reason = '';
  }
  edit.draft.quote.freight_amount = 0;
}

/** Rejects a save after which the user could no longer see the quote. */
export async function requireStillInSight({ context, before, draft }: Edit): Promise<void> {
  const MOVES = ['region_id', 'sales_rep_id'] as const;
  if (seesAllQuotes(context.user)) return;
  if (MOVES.every((name) => before.quote[name] === draft.quote[name])) return;
  const seen = await context.db
    .selectFrom('quote')
    .select(sql`1`.as('seen'))
    .where('id', '=', draft.quote.id)
    .where(inSight(context.user))
    .executeTakeFirst();
  if (!seen) {
    throw new HttpError(422, 'You would no longer see this quote: the facility or representative is not yours.', {
      errors: [{ path: 'quote.facilityId', message: 'This facility or representative is not yours.' }],
    });
  }
}
