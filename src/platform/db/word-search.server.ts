// Converts typed text into a search of stored words (`event_words` in the database).
import { type RawBuilder, sql } from 'kysely';

/** SQL for the tsquery as text, or null if there is no word. Short words must match whole words, because very many words begin with '1'. */
export function wordsTyped(text: string): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select string_agg(quote_literal(lexeme) || case when length(lexeme) > 2 then ':*' else '' end, ' & ')
    from unnest(event_words(${text})))`;
}
