// Tests finding users.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Users } from './users.contract.ts';
import { activeUsersWithRole } from './users.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('activeUsersWithRole finds each active one once, by name', async () => {
  const both = await aUser(server.db, { roles: ['csrep', 'insiderep'], fullName: 'Zoe Both' });
  const first = await aUser(server.db, { roles: ['insiderep'], fullName: 'Amy One' });
  await aUser(server.db, { roles: ['insiderep'], active: false });
  expect(await activeUsersWithRole(server.db, 'csrep', 'insiderep')).toEqual([
    { id: first.id, name: 'Amy One' },
    { id: both.id, name: 'Zoe Both' },
  ]);
});

it('FindUsers finds active ones by parts of name and address, in the roles asked for', async () => {
  const admin = await aUser(server.db, { roles: ['salesadmin'] });
  const rep = await aUser(server.db, { fullName: "Siobhán O'Brien-Lee", userName: 'sob@example.com' });
  await aUser(server.db, { fullName: 'Sean OBrien Lee', roles: ['csrep'] });
  await aUser(server.db, { fullName: "Gone O'Brien", active: false });
  const names = async (input: { keyword?: string; roles?: ('salesrep' | 'csrep')[]; exceptId?: number }) =>
    (await server.ok(Users.FindUsers, input, { as: admin })).map(({ name }) => name);
  expect(await names({ keyword: 'obrien lee' })).toEqual(['Sean OBrien Lee', "Siobhán O'Brien-Lee"]);
  expect(await names({ keyword: 'obrien', roles: ['salesrep'] })).toEqual(["Siobhán O'Brien-Lee"]);
  expect(await names({ keyword: 'SOB@example' })).toEqual(["Siobhán O'Brien-Lee"]);
  expect(await names({ keyword: 'obrien', exceptId: rep.id })).toEqual(['Sean OBrien Lee']);
  expect(await names({ keyword: '%' })).toEqual([]);
  expect((await server.call(Users.FindUsers, {}, { as: rep })).status).toBe(403);
});
