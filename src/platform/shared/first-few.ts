// Shortens a long list for a sentence.

/** Returns 'A, B and 1,200 more': the first `most` words, and the number of the others. */
export function someOf(most: number, words: readonly string[]): string {
  const more = words.length - most;
  return words.slice(0, most).join(', ') + (more > 0 ? ` and ${more.toLocaleString('en-US')} more` : '');
}
