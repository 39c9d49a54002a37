// Finds users for other features: active users with a role, users by name.
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import { contains, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import type { Role } from '#platform/shared/roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { Users } from './users.contract.ts';

const BEST = 20;

export const usersAnswers: Answers<typeof Users> = {
  FindUsers: ({ db }, { keyword, roles, exceptId, inactive }) =>
    db
      .selectFrom('app_user')
      .select(['id', 'full_name as name', 'user_name as userName'])
      .$if(!inactive, (query) => query.where('active', '=', true))
      .where(namedLike(keyword))
      .$if(roles.length > 0, (query) => query.where(hasOneOf(roles)))
      .$if(Boolean(exceptId), (query) => query.where('id', '!=', exceptId ?? 0))
      .orderBy('full_name')
      .orderBy('id')
      .limit(BEST)
      .execute(),
};

/** Returns active users with at least one of the roles, by name. */
export function activeUsersWithRole(db: Db, ...roles: Role[]): Promise<Named[]> {
  return db
    .selectFrom('app_user')
    .select(['id', 'full_name as name'])
    .where('active', '=', true)
    .where(hasOneOf(roles))
    .orderBy('full_name')
    .orderBy('id')
    .execute();
}

type Where = (eb: ExpressionBuilder<Tables, 'app_user'>) => Expression<SqlBool>;

/** Condition that a user has at least one of the roles. */
export function hasOneOf(roles: readonly Role[]): Where {
  return (eb) =>
    eb.exists(
      eb
        .selectFrom('user_role')
        .select('role')
        .whereRef('user_role.user_id', '=', 'app_user.id')
        .where('role', 'in', roles),
    );
}

/** Condition that every word occurs in a user's name, email address or phone number, ignoring punctuation. */
export function namedLike(keyword: string | null | undefined): Where {
  const words = wordsOf(keyword ?? '');
  return (eb) => eb.and(words.map((word) => sql<boolean>`app_user.search_text like plain_text(${contains(word)})`));
}
