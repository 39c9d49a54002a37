// Formats a count with its noun.

/** Returns '1 line', '1,200 lines', '2 facilities'. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`;
}
