// Parses the page number of a list from an address.

/** The highest page number that a list accepts. */
export const LAST_PAGE = 1_000_000;

/** Parses a page number. Returns 1 for any other text, and at most LAST_PAGE. The list then steps back to its last page. */
export function pageNumber(text: string | undefined): number {
  const digits = text && /^\s*0*([1-9]\d*)\s*$/.exec(text)?.[1];
  return digits ? Math.min(Number(digits), LAST_PAGE) : 1;
}
