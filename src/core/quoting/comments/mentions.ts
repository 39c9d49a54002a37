// Finds '@Full Name' in a comment.

/**
 * The people whom the text mentions. The longest matching name wins: '@Sam Roeder' does not mention Sam Roe. People with the same name are all
 * included.
 */
export function mentionedIn<P extends { name: string }>(text: string, people: readonly P[]): P[] {
  if (!text.includes('@')) return [];
  const lower = text.toLowerCase();
  const names = [...new Set(people.map(({ name }) => name.trim().toLowerCase()))].filter(Boolean);
  const meant = new Set<string>();
  for (let at = lower.indexOf('@'); at !== -1; at = lower.indexOf('@', at + 1)) {
    // The @ of an email address follows a letter or a digit, so it is not a mention.
    if (/[\p{L}\p{N}]/u.test(lower[at - 1] ?? '')) continue;
    const rest = lower.slice(at + 1);
    const [longest] = names
      .filter((name) => rest.startsWith(name) && !/^[\p{L}\p{N}]/u.test(rest.slice(name.length)))
      .toSorted((a, b) => b.length - a.length);
    if (longest !== undefined) meant.add(longest);
  }
  return people.filter(({ name }) => meant.has(name.trim().toLowerCase()));
}

/** Returns the name that the user is typing after an @ at the caret: 'sa' for '@sa|'. Returns null when there is none. */
export function typedMention(text: string, caret: number): string | null {
  return /(?:^|[^\p{L}\p{N}])@([\p{L}\p{N}'’.-]*(?: [\p{L}\p{N}'’.-]*)?)$/u.exec(text.slice(0, caret))?.[1] ?? null;
}
