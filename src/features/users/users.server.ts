// Users as others look them up: who is active in a role, what the roles are called.
import type { Answers } from '#api/serve.server.ts';
import type { Db } from '#db/database.server.ts';
import { ROLE_LABELS, ROLES, type Role } from '#shared/roles.ts';
import type { Named } from '#shared/wire.ts';
import type { UserEdit } from './users.contract.ts';

export const userEditAnswers: Answers<typeof UserEdit> = {
  GetAllRoles: () => Promise.resolve(ROLES.map((id) => ({ id, name: ROLE_LABELS[id] }))),
};

/** Active users with at least one of the roles, by name. */
export function activeUsersWithRole(db: Db, ...roles: Role[]): Promise<Named[]> {
  return db
    .selectFrom('app_user')
    .select(['id', 'full_name as name'])
    .where('active', '=', true)
    .where((where) =>
      where.exists(
        where
          .selectFrom('user_role')
          .select('role')
          .whereRef('user_role.user_id', '=', 'app_user.id')
          .where('role', 'in', roles),
      ),
    )
    .orderBy('full_name')
    .orderBy('id')
    .execute();
}
