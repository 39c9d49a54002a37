// The initial values of a new quote, whether it is stored or only shown.
import { FREIGHT_TERMS, PAYMENT_TERMS } from '#core/customers/facilities/terms.ts';
import { blankTexts } from '#core/quoting/quotes/quote-fields.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import type { Viewer } from '#core/quoting/quotes/sight.server.ts';
import { addDays } from '#platform/shared/dates.ts';
import { DOLLAR_INDEX } from '#platform/shared/money.ts';
import { hasRole, seesInternalFigures } from '#platform/shared/roles.ts';

/** An empty quote of this user, without id and number. */
export function blankQuote(user: Viewer, quoteDate: string, validityDays: number, now: string): QuoteRecord {
  return {
    id: 0,
    num: 0,
    revision: 1,
    status_id: 'Editing',
    revised_from: null,
    revised_by: null,
    facility_id: null,
    facility_name: '',
    facility_acct_no: '',
    name_id: 0,
    bill_to: {},
    ship_to: {},
    owner_id: user.id,
    assignee_id: null,
    sales_rep_id: ownRep(user),
    cs_rep_id: null,
    is_rep_id: null,
    region_id: null,
    territory_id: null,
    quote_date: quoteDate,
    valid_until: addDays(quoteDate, validityDays),
    valid_until_typed: false,
    currn_idx: DOLLAR_INDEX,
    ...blankTexts(),
    payment_terms: PAYMENT_TERMS[0] ?? '',
    freight_terms: FREIGHT_TERMS[0] ?? '',
    freight_amount: 0,
    tax_rate: 0,
    tax_exempt: false,
    discount_pct: 0,
    list_total: 0,
    discount_total: 0,
    subtotal: 0,
    tax_amount: 0,
    total_amount: 0,
    savings: 0,
    fallback_total: null,
    won_by: '',
    lost_reason: '',
    lost_competitor: '',
    lost_competitor_price: null,
    template_id: null,
    cloned_from: null,
    facility_values: null,
    version: 0,
    created_at: now,
    updated_at: now,
  };
}

/**
 * The representatives that a user may choose. Public users quote for themselves or the representatives they support. Null means any representative.
 */
export function repsToChooseFrom(user: Viewer): number[] | null {
  if (seesInternalFigures(user)) return null;
  return [...(hasRole(user, 'salesrep') ? [user.id] : []), ...user.supportedRepIds];
}

/** The sales representative of this user's quotes. Null when ambiguous. */
export function ownRep(user: Viewer): number | null {
  const reps = repsToChooseFrom(user);
  if (reps === null) return hasRole(user, 'salesrep') ? user.id : null;
  return hasRole(user, 'salesrep') || reps.length === 1 ? (reps[0] ?? null) : null;
}
