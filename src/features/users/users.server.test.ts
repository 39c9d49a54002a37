// Looking users up.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aUser } from '#testing/factories.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { UserEdit } from './users.contract.ts';
import { activeUsersWithRole } from './users.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('GetAllRoles names the eight roles to an administrator, and to nobody else', async () => {
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  const roles = await server.ok(UserEdit.GetAllRoles, {}, { as: admin });
  expect(roles).toHaveLength(8);
  expect(roles).toContainEqual({ id: 'salesQuoteManager', name: 'Sales quote manager' });
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  expect((await server.call(UserEdit.GetAllRoles, {}, { as: rep })).status).toBe(403);
  expect((await server.call(UserEdit.GetAllRoles, {})).status).toBe(401);
});

it('activeUsersWithRole finds each active one once, by name', async () => {
  const both = await aUser(server.db, { roles: ['csrep', 'insiderep'], fullName: 'Zoe Both' });
  const one = await aUser(server.db, { roles: ['insiderep'], fullName: 'Amy One' });
  await aUser(server.db, { roles: ['insiderep'], active: false });
  expect(await activeUsersWithRole(server.db, 'csrep', 'insiderep')).toEqual([
    { id: one.id, name: 'Amy One' },
    { id: both.id, name: 'Zoe Both' },
  ]);
});
