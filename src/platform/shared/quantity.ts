// Parses a quantity as users type or paste it: '1,200', '2.5'. Refuses any other text with a sentence and never guesses a number.
import { hasMoreDecimals, plainNumber } from './typed-number.ts';

export type ReadQuantity = { qty: number; problem: '' } | { qty: null; problem: string };

const MOST = 9_999_999;

/** Parses the text of a field. The messages are the same as those of `Quantity` in wire.ts. */
export function readQuantity(text: string): ReadQuantity {
  const typed = text.trim();
  if (typed === '') return { qty: null, problem: 'This field is required' };
  const qty = plainNumber(typed);
  if (qty === null) return { qty: null, problem: `'${typed}' is not a quantity` };
  if (!(qty > 0)) return { qty: null, problem: 'The quantity must be above 0' };
  if (qty > MOST) return { qty: null, problem: 'The quantity is at most 9,999,999' };
  if (hasMoreDecimals(typed, 4)) return { qty: null, problem: 'At most four decimals' };
  return { qty, problem: '' };
}
