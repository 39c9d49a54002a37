// How a typed text is looked for: as a LIKE pattern in which it means itself, without regard to case and accents.
import { type Expression, type RawBuilder, sql } from 'kysely';

/** Whether `text` holds what was typed anywhere, without regard to case and accents. */
export function holds(text: Expression<unknown>, typed: string): RawBuilder<boolean> {
  return foldedHolds(folded(text), typed);
}

/** Same for a text that is kept folded, such as `item.search_text`: its trigram index finds it. */
export function foldedHolds(text: Expression<unknown>, typed: string): RawBuilder<boolean> {
  return sql`${text} like ${folded(contains(typed))}`;
}

/** A text in small letters without accents, as the database compares it in every search. `plain_text` drops punctuation besides. */
export function folded(text: Expression<unknown> | string): RawBuilder<string> {
  return sql`folded_text(${text})`;
}

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
