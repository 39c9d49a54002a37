// Names who acted: a person, or a program with an API key on their behalf (docs/decisions/0043).
import { type RawBuilder, sql } from 'kysely';

/** SQL: 'Olive Owner', or 'Olive Owner (Order interface)' for a key. Null for nobody. */
export function actingName(userId: RawBuilder<unknown>, keyId: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(select full_name || coalesce((select ' (' || name || ')' from api_key where id = ${keyId}), '')
    from app_user where id = ${userId})`;
}

/** SQL: who is kept in a column such as `quote_file.uploaded_by` and in its neighbor `uploaded_by_key`. Empty for nobody. */
export function whoDid(column: string): RawBuilder<string> {
  return sql<string>`coalesce(${actingName(sql.ref(column), sql.ref(`${column}_key`))}, '')`;
}
