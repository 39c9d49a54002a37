// Tests the first start on an empty database: the company gets its name, and the first administrator gets a link that works once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Auth } from '#platform/auth/auth.contract.ts';
import { Invitation } from '#platform/auth/invitations/invitation.contract.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { firstStart } from './first-start.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { firstAdmin: 'ada@example.com', companyName: 'Northern Supply' } });
});
afterAll(() => server.close());

it('creates one administrator, only once, who chooses a password through the link', async () => {
  const links = await Promise.all([firstStart(server.services), firstStart(server.services)]);
  const [link = ''] = links.filter((candidate) => candidate !== null);
  expect(links.filter((candidate) => candidate === null)).toHaveLength(1);
  expect(await firstStart(server.services)).toBeNull();
  await server.drain();
  expect(server.mails).toMatchObject([{ to: ['ada@example.com'], text: expect.stringContaining(link) as string }]);

  const token = link.split('invite=')[1] ?? '';
  await server.ok(Invitation.AcceptInvitation, { token, newPassword: 'A-long-enough-1' });
  const { body } = await server.call(Auth.Token, {
    UserName: 'ada@example.com',
    Password: 'A-long-enough-1',
    grant_type: 'password',
  });
  expect(body).toMatchObject({ roles: ['systemadmin'], fullName: 'ada' });
  expect(await server.db.selectFrom('company').select('name').execute()).toEqual([{ name: 'Northern Supply' }]);
});

it('does not rename a company that has a name', async () => {
  await server.db.updateTable('company').set({ name: 'Renamed' }).execute();
  await firstStart(server.services);
  expect(await server.db.selectFrom('company').select('name').execute()).toEqual([{ name: 'Renamed' }]);
});
