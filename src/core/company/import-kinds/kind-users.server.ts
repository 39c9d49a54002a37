// Users, by email address. The import creates them without a password; an invitation or a reset sets one.
import { sql } from 'kysely';
import { email, phone, roles, textOf, yesNo } from '#platform/data-import/reading/cell-values.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { withWholeName } from './kind-contacts.server.ts';
import type { ImportKind } from '#platform/data-import/kinds/kind-description.server.ts';

export const users: ImportKind = {
  kind: 'users',
  singular: 'user',
  fields: {
    user_name: {
      label: 'email address',
      names: headings('user name, username, email, email address, user, login, user id'),
      parse: email,
    },
    full_name: {
      label: 'full name',
      names: headings('full name, name, display name, employee, employee name'),
      parse: textOf(200),
    },
    first_name: {
      label: 'first name',
      names: headings('first name, given name, firstname, first'),
      parse: textOf(100),
    },
    last_name: {
      label: 'last name',
      names: headings('last name, surname, family name, lastname, last'),
      parse: textOf(100),
    },
    phone: { label: 'phone', names: headings('phone number, phone, mobile, cell, work phone'), parse: phone },
    roles: { label: 'roles', names: headings('roles, role, user roles, groups'), parse: roles },
    active: { label: 'active', names: headings('active, enabled, status'), parse: yesNo },
  },
  needs: [['user_name']],
  toRecords: (values) => withWholeName(values, 'full_name'),
  columns: {
    user_name: { type: 'text' },
    full_name: { type: 'text' },
    phone: { type: 'text', fresh: sql`''` },
    active: { type: 'boolean', fresh: sql`true` },
    roles: { type: 'text[]', only: 'compare' },
  },
  key: ['user_name'],
  keyLabel: 'email address',
  repeats: 'refuse',
  resolve: [
    // Refuses rows that leave a user without a role or remove the last administrator.
    sql`update import_row r set bad_column = 'roles', reason = 'is empty: a new user needs at least one role'
     where coalesce(cardinality(roles), 0) = 0 and not exists (select from app_user t where lower(t.user_name) = r.user_name)`,
    sql`update import_row r set bad_column = 'roles', bad_value = array_to_string(r.roles, ', '),
       reason = 'would leave no active system administrator'
     from app_user t
     where lower(t.user_name) = r.user_name and t.active
       and exists (select from user_role a where a.user_id = t.id and a.role = 'systemadmin')
       and (r.active is false or not 'systemadmin' = any (coalesce(r.roles, array['systemadmin'])))
       and not exists (
         select from app_user o join user_role a on a.user_id = o.id and a.role = 'systemadmin'
         where o.active and not exists (
           select from import_row x where x.user_name = lower(o.user_name)
             and (x.active is false or not 'systemadmin' = any (coalesce(x.roles, array['systemadmin'])))))`,
  ],
  neededForNew: { column: 'full_name', label: 'full name' },
  table: 'app_user',
  from: sql`(select u.*, array(select a.role from user_role a where a.user_id = u.id
    order by a.role collate "C") as roles from app_user u) t`,
  match: sql`lower(t.user_name) = r.user_name`,
  versioned: true,
  after: [
    sql`delete from user_role a using import_row r join app_user t on lower(t.user_name) = r.user_name
     where r.outcome = 'changed' and r.roles is not null and a.user_id = t.id and not a.role = any (r.roles)`,
    sql`insert into user_role (user_id, role) select t.id, role
     from import_row r join app_user t on lower(t.user_name) = r.user_name, unnest(r.roles) as role
     where r.outcome in ('new', 'changed') on conflict do nothing`,
  ],
};
