// Parses a GTIN (GTIN-8, UPC, EAN, GTIN-14) and checks its check digit.
import { type CellParser, code } from './cell-values.server.ts';
import { gtinOf } from './gtin-digits.server.ts';
import { Refusal } from './refusal.server.ts';

/** Returns fourteen digits. Restores the leading zeros that shorter numbers and spreadsheets leave out. */
export const gtin: CellParser = (text, context) => {
  const read = code(text.replace(/^'/, ''), context);
  if (typeof read !== 'string') return read;
  const digits = read.replaceAll(/[\s-]/g, '');
  if (!/^\d{7,14}$/.test(digits)) return new Refusal('is not a GTIN of 8 to 14 digits');
  return gtinOf(digits) ?? new Refusal('is not a GTIN: its last digit, the check digit, is wrong');
};
