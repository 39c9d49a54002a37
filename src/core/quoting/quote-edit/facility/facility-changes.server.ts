// Finds what has changed at the facility of a quote, and applies or dismisses the changes before the quote is sent.
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { invalid } from '#platform/api/http-error.ts';
import { latestRequest } from '#core/quoting/approvals/content-hash.server.ts';
import { EDITABLE_STATUSES } from '#core/quoting/quote-workflow/workflow.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { requireQuote, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { repsToChooseFrom } from '../make/blank-quote.server.ts';
import type { QuoteEdit, QuoteEditData } from '../quote-edit.contract.ts';
import { applyHeader, type Header, requireStillInSight } from '../save-quote.server.ts';
import { closeEdit, openEdit, requireRight, staleError } from '../settle/edit-quote.server.ts';
import { readQuote, rightsOf, viewOf } from '../view/load-quote.server.ts';
import type { ReadContext } from '../view/quote-view.server.ts';
import { type FacilityPart, FIELDS_OF_PART, PART_WORDS } from './facility-change.ts';
import {
  changedParts,
  type FacilityNow,
  facilityNow,
  givenReps,
  takenValues,
  partWords,
  wordsOnQuote,
} from './facility-values.server.ts';

/**
 * What has changed at the facility since the quote copied its values. Empty after the quote is sent. Throws 404 when the user cannot see the quote.
 */
export async function facilityChanges(
  context: ReadContext,
  { id }: ParsedInputOf<typeof QuoteEdit.GetFacilityChanges>,
): Promise<OutputOf<typeof QuoteEdit.GetFacilityChanges>> {
  const { db, user } = context;
  const quote = await requireQuote(db, user, id);
  const isDraft = [...EDITABLE_STATUSES, 'WaitingForProcess'].includes(quote.status_id);
  const now = isDraft ? await facilityNow(context, quote) : null;
  const parts = now ? changedParts(quote, now) : [];
  if (!now || parts.length === 0) return { changes: [] };
  const request = await latestRequest(db, quote.id, quote.revision);
  const facts = { statusId: StatusId.parse(quote.status_id), pending: request?.state === 'Pending' };
  const { commercial } = rightsOf(user, { quote, facts });
  return {
    changes: parts.map((part) => ({
      part,
      quote: wordsOnQuote(part, quote, now),
      facility: partWords(part, { ...now.values, reps: givenReps(quote, now) }, now),
      isUsable: commercial && (part !== 'reps' || mayHave(user, now)),
    })),
  };
}

/** Returns whether the user may assign the quote to the representative who serves the facility now. */
function mayHave(user: Viewer, { values }: FacilityNow): boolean {
  const reps = repsToChooseFrom(user);
  return reps === null || values.reps.sales === null || reps.includes(values.reps.sales);
}

/**
 * Applies the facility's current values for these parts, as an edit of the quote. With `keep`, leaves the quote as it is and does not report these
 * changes again. New prices follow the new parent and price level. Throws 409 for a stale version, and 422 for a part that has not changed.
 */
export async function useFacilityValues(
  context: ReadContext,
  { quoteId, version, parts, keep }: ParsedInputOf<typeof QuoteEdit.UseFacilityValues>,
): Promise<QuoteEditData> {
  const edit = await openEdit(context, quoteId);
  const { quote } = edit.draft;
  if (version !== edit.before.quote.version) throw await staleError(edit, 'quote');
  requireRight(edit, 'commercial');
  const now = await facilityNow(context, quote);
  const changed = now ? changedParts(quote, now) : [];
  const wanted = [...new Set(parts)];
  const other = wanted.find((part) => !changed.includes(part));
  if (!now || other) {
    const message = `Nothing has changed at the facility: ${PART_WORDS[other ?? 'tax'].name}.`;
    throw invalid([{ path: 'parts', message }]);
  }
  const noted = wanted.filter((part) => keep || FIELDS_OF_PART[part].length === 0);
  if (noted.length > 0) {
    const taken = takenValues(quote, now);
    quote.facility_values = { ...taken, ...Object.fromEntries(noted.map((part) => [part, now.values[part]])) };
  }
  if (!keep) {
    await applyHeader(edit, headerOf(quote, wanted, now), false);
    if (noted.length > 0) edit.reprice = 'all';
  }
  const edited = await closeEdit(edit, {
    action: keep ? 'KeepFacilityValues' : 'UseFacilityValues',
    comment: wanted.map((part) => PART_WORDS[part].title).join(', '),
  });
  await requireStillInSight(edit);
  return readQuote(context, edited.quote, viewOf(context.user));
}

/** The quote fields that apply these parts. */
function headerOf(quote: QuoteRecord, parts: readonly FacilityPart[], now: FacilityNow): Header {
  const { values } = now;
  const { tax, contact } = values;
  const reps = givenReps(quote, now);
  const all: Omit<Header, 'id'> = {
    taxRate: tax.rate,
    taxExempt: tax.exempt,
    shipTo: values.shipTo,
    billTo: values.billTo,
    contactName: contact?.name,
    contactEmail: contact?.email,
    phone: contact?.phone,
    salesRepId: reps.sales,
    csRepId: reps.cs,
    isRepId: reps.is,
    currnIdx: values.currency,
    paymentTerms: values.paymentTerms,
    freightTerms: values.freightTerms,
  };
  const fields = new Set<string>(parts.flatMap((part) => FIELDS_OF_PART[part]));
  return { id: quote.id, ...Object.fromEntries(Object.entries(all).filter(([field]) => fields.has(field))) };
}
