// The answers of User: the list of users and its export.
import { sql } from 'kysely';
import type { z } from 'zod';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db, Sql } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { knownRoles } from '#platform/auth/sessions/read-caller.server.ts';
import { hasOneOf, namedLike } from '#platform/users/users.server.ts';
import { ROLE_LABELS } from '#platform/shared/roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { User, UserCriteria } from './user-admin.contract.ts';

const LAST_USED = sql<string | null>`(select max(last_used_at) from session where user_id = app_user.id)`;

const ORDER = {
  sorts: {
    fullName: sql`lower(app_user.full_name)`,
    userName: sql`lower(app_user.user_name)`,
    active: sql`app_user.active`,
    lastUsedAt: LAST_USED,
  },
  key: sql`app_user.id`,
  first: { field: 'fullName', dir: 'asc' as const },
};

export const userAnswers: Answers<typeof User> = {
  SearchUsers: async ({ db }, criteria) => {
    const { records, ...page } = await pageFrom(users(db, criteria), criteria, ORDER);
    return { ...page, records: records.map((row) => ({ ...row, roles: knownRoles(row.roles) })) };
  },

  ExportUsers: async ({ db }, criteria) => {
    const rows = await allFrom(users(db, criteria), criteria.sort, ORDER);
    const header = ['Name', 'Email', 'Phone', 'Roles', 'Active', 'Last used', 'Regions managed', 'Reps supported'];
    const names = (list: Named[]) => list.map(({ name }) => name).join('; ');
    return csvAnswer('users.csv', header, rows, (row) => [
      row.fullName,
      row.userName,
      row.phone,
      knownRoles(row.roles)
        .map((role) => ROLE_LABELS[role])
        .join('; '),
      row.active ? 'yes' : 'no',
      row.lastUsedAt ?? '',
      names(row.regions),
      names(row.reps),
    ]);
  },
};

/** SQL for the ids and names of a subquery's rows `n`, sorted by name, as one value. */
const namedList = (from: Sql) =>
  sql<Named[]>`(select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name) order by n.name), '[]')
    from (${from}) n)`;

const INVITED = sql<boolean>`exists (select from invitation where user_id = app_user.id and used_at is null)`;
/** SQL for active users who cannot sign in and were not invited, because an import created them. */
export const NOT_INVITED = sql<boolean>`active and password_hash is null and not ${INVITED}`;

type Criteria = Pick<z.infer<typeof UserCriteria>, 'keyword' | 'role' | 'active' | 'notInvited'>;

function users(db: Db, { keyword, role, active, notInvited }: Criteria) {
  return db
    .selectFrom('app_user')
    .select(['app_user.id', 'user_name as userName', 'full_name as fullName', 'phone', 'active'])
    .select([
      sql<boolean>`password_hash is not null`.as('hasPassword'),
      sql<boolean>`${INVITED}`.as('invited'),
      sql<string[]>`array(select role from user_role where user_id = app_user.id)`.as('roles'),
      LAST_USED.as('lastUsedAt'),
      namedList(
        sql`select r.id, r.name from user_region m join region r on r.id = m.region_id where m.user_id = app_user.id`,
      ).as('regions'),
      namedList(sql`select u.id, u.full_name as name from user_support s join app_user u on u.id = s.rep_id
        where s.support_id = app_user.id`).as('reps'),
    ])
    .where(namedLike(keyword))
    .$if(Boolean(role), (query) => query.where(hasOneOf(role ? [role] : [])))
    .$if(typeof active === 'boolean', (query) => query.where('active', '=', active === true))
    .$if(notInvited === true, (query) => query.where(NOT_INVITED));
}
