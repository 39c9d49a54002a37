// Converts typed text into LIKE patterns that match it literally, ignoring case and accents.
import { type Expression, type RawBuilder, sql } from 'kysely';

/** SQL for whether `text` contains the typed text, ignoring case and accents. */
export function holds(text: Expression<unknown>, typed: string): RawBuilder<boolean> {
  return foldedHolds(folded(text), typed);
}

/** Like `holds`, for a column that is stored folded, such as `item.search_text`, so that its trigram index is used. */
export function foldedHolds(text: Expression<unknown>, typed: string): RawBuilder<boolean> {
  return sql`${text} like ${folded(contains(typed))}`;
}

/** SQL that folds a text to lower case without accents, the form that every search compares. `plain_text` also removes punctuation. */
export function folded(text: Expression<unknown> | string): RawBuilder<string> {
  return sql`folded_text(${text})`;
}

/** Returns `%text%` with the wildcards of LIKE escaped. */
export function contains(text: string): string {
  return `%${escapeLike(text)}%`;
}

/** Returns `text%` with the wildcards of LIKE escaped. */
export function startsWith(text: string): string {
  return `${escapeLike(text)}%`;
}

/** Returns the words of a keyword, at most ten. */
export function wordsOf(keyword: string): string[] {
  return keyword.split(/\s+/).filter(Boolean).slice(0, 10);
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
