// Tests the roles from claims: text, lists, objects, several rows, and claims that are omitted because of their size.
import { expect, it } from 'vitest';
import type { Role } from '#platform/shared/roles.ts';
import { leftOut, rolesOfClaims } from './roles-of-claims.server.ts';

const row = (claim: string, value: string, ...roles: Role[]) => ({ claim, value, roles });

it('joins the roles of all rows that fit', () => {
  const rows = [
    row('groups', 'sales', 'salesrep'),
    row('groups', 'it', 'systemadmin'),
    row('dept', '7', 'csrep', 'salesrep'),
  ];
  expect(rolesOfClaims({ groups: ['it', 'sales', 'other'] }, rows)).toEqual(['systemadmin', 'salesrep']);
  expect(rolesOfClaims({ groups: 'sales', dept: 7 }, rows)).toEqual(['salesrep', 'csrep']);
  expect(rolesOfClaims({ groups: 'a sales b' }, rows)).toEqual(['salesrep']);
  expect(rolesOfClaims({ groups: ['sales team'] }, rows)).toEqual([]);
  expect(rolesOfClaims({ groups: ['Sales', 'sale', 'sales2'] }, rows)).toEqual([]);
  expect(rolesOfClaims({ groups: 'sales team', other: 'sales' }, [row('groups', 'sales team', 'csrep')])).toEqual([
    'csrep',
  ]);
});

it('reads claims inside objects, and tries the whole name of a claim first', () => {
  const rows = [row('realm_access.roles', 'rep', 'salesrep'), row('https://example.com/roles', 'admin', 'salesadmin')];
  expect(rolesOfClaims({ realm_access: { roles: ['rep'] }, 'https://example.com/roles': ['admin'] }, rows)).toEqual([
    'salesadmin',
    'salesrep',
  ]);
  expect(rolesOfClaims({ realm_access: null, 'realm_access.roles': 'rep' }, rows)).toEqual(['salesrep']);
});

it('ignores values that are not text, numbers or booleans', () => {
  const rows = [row('groups', '[object Object]', 'systemadmin'), row('constructor.name', 'Object', 'systemadmin')];
  for (const groups of [{}, [{}], null, undefined, [null]]) expect(rolesOfClaims({ groups }, rows)).toEqual([]);
});

it('notices claims that a provider leaves out', () => {
  const rows = [row('groups', 'a', 'salesrep')];
  expect(leftOut({ _claim_names: { groups: 'src1' } }, rows)).toBe('groups');
  expect(leftOut({ groups: [], _claim_names: { groups: 'src1' } }, rows)).toBeNull();
  expect(leftOut({ _claim_names: { other: 'src1' } }, rows)).toBeNull();
  expect(leftOut({}, rows)).toBeNull();
});
