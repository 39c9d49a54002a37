// Compares two lists of words, so that a history can describe a change of many parts.

const MAX_LISTED = 20;

/** Returns the entries that only the first list has; if both have the same entries, their order. */
export function wordsApart(words: readonly string[], others: readonly string[]): string {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  const own = words.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
  if (own.length === 0 && words.length === others.length) return listed(words);
  return listed(own);
}

function listed(words: readonly string[]): string {
  const more = words.length - MAX_LISTED;
  return more > 0 ? `${words.slice(0, MAX_LISTED).join('; ')} and ${more} more` : words.join('; ');
}
