// Reads a quote number in the notations of users and programs.

const NUMBER = /^#?\s*(\d{1,9})(?:-R\d{1,5})?$/i;

/** Returns 104512 for '104512', '#104512' and '104512-R2', because a new revision is the same quote. Returns 0 for anything else. */
export function parseQuoteNumber(text: string): number {
  return Number(NUMBER.exec(text)?.[1] ?? 0);
}
