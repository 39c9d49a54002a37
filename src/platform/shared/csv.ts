// Formats CSV that spreadsheets open as data, never as formulas.

const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** Characters that make a spreadsheet evaluate a cell, also after spaces and in their full-width forms. */
const FORMULA_START = /^\s*[=+\-@\t\r＝＋－＠]/;

export type CsvValue = string | number | boolean | null | undefined;

/** Returns one value as CSV, quoted if needed. Text that starts like a formula gets a leading apostrophe; a plain number does not. */
export function csvCell(value: CsvValue): string {
  const safe = safeText(value);
  return /[",\r\n;\t|]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns one value for the clipboard, where tabs separate cells. A tab in a text becomes a space. */
export function tsvCell(value: CsvValue): string {
  const safe = safeText(value).replaceAll('\t', ' ');
  return /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function safeText(value: CsvValue): string {
  const text = String(value ?? '');
  return FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

/** Returns one row of a CSV file with its line ending. */
export function csvLine(cells: readonly CsvValue[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
