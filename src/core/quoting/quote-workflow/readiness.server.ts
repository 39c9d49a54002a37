// Checks what a quote needs before its author submits it, or performs any later step (design 2).
import { type FieldError, invalid } from '#platform/api/http-error.ts';
import type { Line } from '#core/quoting/quotes/quote-rows.ts';
import { countOf } from '#platform/shared/count-of.ts';

type Header = { facility_id: number | null; contact_name: string };

const SHOWN = 20;

/** Lists what is missing, in sentences. A quote needs a facility, a contact and an active line. Every active line needs a price and a quantity. */
export function missingFrom(quote: Header, lines: readonly Line[]): FieldError[] {
  const errors: FieldError[] = [];
  if (quote.facility_id === null) errors.push({ path: 'facilityId', message: 'Choose a facility.' });
  if (quote.contact_name === '') errors.push({ path: 'contactName', message: 'Enter a contact.' });
  const counted = lines.filter((line) => line.active && (line.type === 'item' || line.type === 'custom'));
  if (counted.length === 0) errors.push({ path: 'items', message: 'Add at least one line.' });
  const wrong = counted.flatMap((line) => {
    const problem = lineProblem(line);
    const name = `Line ${line.line_no}${line.item_number ? ` (${line.item_number})` : ''}`;
    return problem ? [{ path: `items.${line.line_no}`, message: `${name}: ${problem}` }] : [];
  });
  errors.push(...wrong.slice(0, SHOWN));
  if (wrong.length > SHOWN) {
    const more = countOf(wrong.length - SHOWN, 'more line is', 'more lines are');
    errors.push({ path: 'items', message: `${more} not complete.` });
  }
  return errors;
}

/** Throws 422 with the list of what is missing. */
export function requireReady({ state: { quote, items } }: { state: { quote: Header; items: readonly Line[] } }): void {
  const errors = missingFrom(quote, items);
  if (errors.length > 0) throw invalid(errors);
}

function lineProblem(line: Line): string {
  if (line.item_number === '' && line.description === '') return 'enter a description.';
  if (line.qty <= 0) return 'the quantity must be above 0.';
  if (line.price_problem !== '') return line.price_problem;
  if (line.unit_price === null) return 'there is no price.';
  return '';
}
