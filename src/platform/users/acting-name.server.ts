// Returns the name of the actor: a user, or a program with an API key on the user's behalf (docs/decisions/0043).
import { type RawBuilder, sql } from 'kysely';

/** SQL for 'Olive Owner', or 'Olive Owner (Order interface)' for a key. Null without a user. */
export function actingName(userId: RawBuilder<unknown>, keyId: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(select full_name || coalesce((select ' (' || name || ')' from api_key where id = ${keyId}), '')
    from app_user where id = ${userId})`;
}

/** SQL for the actor that is stored in a column such as `quote_file.uploaded_by` and its companion `uploaded_by_key`. Empty without a user. */
export function whoDid(column: string): RawBuilder<string> {
  return sql<string>`coalesce(${actingName(sql.ref(column), sql.ref(`${column}_key`))}, '')`;
}
