// Text to look for as a LIKE pattern, in which what a person types means itself.

/** `%text%` with the wildcards of LIKE escaped. */
export function contains(text: string): string {
  return `%${escaped(text)}%`;
}

/** `text%` with the wildcards of LIKE escaped. */
export function startsWith(text: string): string {
  return `${escaped(text)}%`;
}

/** The words of a keyword, at most ten. */
export function wordsOf(keyword: string): string[] {
  return keyword.split(/\s+/).filter(Boolean).slice(0, 10);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
