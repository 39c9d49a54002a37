// Reads the page number of a list from an address.

/** The last page that a list may be asked for. */
export const LAST_PAGE = 1_000_000;

/** Reads a text that is no page number as page 1, and limits numbers to LAST_PAGE. The list then steps back to its own last page. */
export function pageNumber(text: string | undefined): number {
  const digits = text && /^\s*0*([1-9]\d*)\s*$/.exec(text)?.[1];
  return digits ? Math.min(Number(digits), LAST_PAGE) : 1;
}
