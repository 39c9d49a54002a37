// Strips the endings of a searched word, so that 'gloves' finds a glove and 'batteries' a battery.

/** Words that end like a plural but are not. */
const NO_PLURALS = new Set(['lens', 'gas', 'bias', 'pus', 'always', 'plus']);
const LETTERS = /^\p{L}+$/u;

/** The part that the singular and the plural of a word share. Numbers, short words and words without such an ending stay as they are. */
export function withoutPlural(word: string): string {
  const text = word.toLowerCase().replace(/['’]s$/, '');
  if (!LETTERS.test(text) || text.length < 4 || NO_PLURALS.has(text)) return text.length >= 3 ? text : word;
  if (text.endsWith('ies') && text.length >= 7) return text.slice(0, -3);
  if (/[^aeiou]y$/.test(text) && text.length >= 5) return text.slice(0, -1);
  if (/(?:x|ch|sh|ss|zz)es$/.test(text)) return text.slice(0, -2);
  if (text.endsWith('ses') && text.length >= 6) return text.slice(0, -2);
  return /[^su]s$/.test(text) && !text.endsWith('is') ? text.slice(0, -1) : text;
}

/** The word without its commonest endings, for a search that found nothing: 'suturing' and 'sutured' find a suture. */
export function withoutEnding(word: string): string {
  const text = withoutPlural(word);
  if (!LETTERS.test(text)) return text;
  const stem = text.replace(/(?:ations?|ings?|ers?|ed|es?)$/, '');
  return stem.length >= 4 ? stem.replace(/([b-df-hj-np-tv-z])\1$/, '$1') : text;
}
