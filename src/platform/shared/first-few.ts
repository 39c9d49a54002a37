// The beginning of a long list, as a sentence names it.

/** 'A, B and 1,200 more': the first `most` words, and how many others there are. */
export function someOf(most: number, words: readonly string[]): string {
  const more = words.length - most;
  return words.slice(0, most).join(', ') + (more > 0 ? ` and ${more.toLocaleString('en-US')} more` : '');
}
