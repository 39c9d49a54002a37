// Tests that the link of an invitation works once, for its user, while it is the newest and not expired, and the user is active.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Auth } from '../auth.contract.ts';
import { Invitation } from './invitation.contract.ts';
import { invite, voidInvitation } from './invitation.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    config: { publicUrl: 'https://quotes.example.com', smtpUrl: 'smtp://mail.example.com' },
  });
});
afterAll(() => server.close());

const PASSWORD = 'a long enough one';

async function invited(overrides: { userName?: string } = {}) {
  const user = await aUser(server.db, overrides);
  return { user, token: await inviteAgain(user) };
}

async function inviteAgain(user: { id: number; userName: string; fullName: string }) {
  await invite(server.db, server.services, user, 'Ada Admin');
  await server.drain();
  const { text } = server.mails.findLast(({ to }) => to.includes(user.userName)) ?? { text: '' };
  return /^ {4}https:\/\/quotes\.example\.com\/reset-password#invite=(\S{43})$/m.exec(text)?.[1] ?? 'none';
}

const accept = (token: string) => server.call(Invitation.AcceptInvitation, { token, newPassword: PASSWORD });
const signIn = (UserName: string) => server.call(Auth.Token, { UserName, Password: PASSWORD, grant_type: 'password' });

it('lets a new person choose a password, once, and forgets the link', async () => {
  const { user, token } = await invited();
  expect(await server.ok(Invitation.GetInvitation, { token })).toEqual({
    userName: user.userName,
    fullName: user.fullName,
  });
  expect((await signIn(user.userName)).status).toBe(400);
  expect(await server.call(Invitation.AcceptInvitation, { token, newPassword: 'short' })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'newPassword', message: 'At least 12 characters' }] },
  });

  // A link that is open in two windows sets one password, not two.
  const answers = await Promise.all([accept(token), accept(token)]);
  expect(answers.map(({ status }) => status).toSorted((a, other) => a - other)).toEqual([200, 404]);
  expect(await signIn(user.userName)).toMatchObject({ status: 200, body: { mustChangePassword: false } });
  expect((await server.call(Invitation.GetInvitation, { token })).status).toBe(404);
  const [mail] = await server.db.selectFrom('mail').selectAll().orderBy('id').limit(1).execute();
  expect(mail).toMatchObject({ state: 'Sent', body: '' });
  const stored = await server.db.selectFrom('invitation').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(token);
});

it('gives the same refusal for a link that is unknown, replaced, voided, expired, or for an inactive person', async () => {
  const replaced = await invited();
  const newer = await inviteAgain(replaced.user);
  const voided = await invited();
  await voidInvitation(server.db, voided.user.id);
  const left = await invited();
  await server.db.updateTable('app_user').set({ active: false }).where('id', '=', left.user.id).execute();
  const old = await invited();
  const sentences = new Set<string>();
  const refused = async (token: string) => {
    for (const answer of [await server.call(Invitation.GetInvitation, { token }), await accept(token)]) {
      expect(answer.status).toBe(404);
      sentences.add((answer.body as unknown as { detail: string }).detail);
    }
  };
  await refused('no such link');
  await refused(replaced.token);
  await refused(voided.token);
  await refused(left.token);
  expect((await accept(newer)).status).toBe(200);
  const { expires_at } = await server.db
    .selectFrom('invitation')
    .select('expires_at')
    .where('user_id', '=', old.user.id)
    .executeTakeFirstOrThrow();
  server.setNow(expires_at);
  await refused(old.token);
  server.setNow(null);
  expect(sentences.size).toBe(1);
});

it('a password chosen otherwise ends the link', async () => {
  const { user, token } = await invited();
  await server.db.updateTable('app_user').set({ must_change_password: true }).where('id', '=', user.id).execute();
  await server.ok(Auth.ChangePassword, { newPassword: PASSWORD }, { as: user });
  expect((await accept(token)).status).toBe(404);
});
