// The page of a list as an address has it.

/** No list is asked for a page after this one. */
export const LAST_PAGE = 1_000_000;

/** What is no page number is the first page; what is past the last possible one, that one. The list then steps back to its own last. */
export function pageNumber(text: string | undefined): number {
  const digits = text && /^\s*0*([1-9]\d*)\s*$/.exec(text)?.[1];
  return digits ? Math.min(Number(digits), LAST_PAGE) : 1;
}
