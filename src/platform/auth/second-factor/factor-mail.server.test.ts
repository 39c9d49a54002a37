// Tests the mails about a second factor: one for each change, only to the user, and without secrets.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { PASSWORD, signIns } from '#testing/sign-ins.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { SecondFactor } from './second-factor.contract.ts';
import { SecondFactorAdmin } from './second-factor-admin.contract.ts';

let server: TestServer;
const { signIn, from, fromElsewhere, codeOf, enroll, enrolled, pass } = signIns(() => server);

beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: 1 } });
});
afterAll(() => server.close());
beforeEach(fromElsewhere);

/** Returns the mails since the last call, without the program's name in their subjects. */
async function mails() {
  await server.drain();
  const results = server.mails.splice(0);
  return results.map(({ to, subject, text }) => ({
    to,
    subject: subject.replace('Quoteboard: ', ''),
    text: text ?? '',
  }));
}
const subjects = async () => (await mails()).map(({ subject }) => subject);

async function useCode(userName: string, code: string) {
  const { refusal } = await signIn(userName);
  const challenge = (refusal as unknown as { mfa_token: string }).mfa_token;
  return server.call(SecondFactor.ConfirmSignIn, { challenge, code }, { headers: from() });
}

it('tells the person about an app, another app, new codes and a removal, but not about refusals', async () => {
  const { user, secret, recoveryCodes } = await enrolled({ fullName: 'Mia Mailed' });
  const [first] = await mails();
  expect(first).toMatchObject({ to: [user.userName], subject: 'An authenticator app was set up' });
  expect(first?.text).toMatch(
    /^Hello Mia Mailed,\n\nAn authenticator app was set up\. This happened on \d\d\/\d\d\/\d{4} /,
  );
  expect(first?.text).toContain('/change-password and tell your system administrator.');
  for (const hidden of [secret, ...recoveryCodes, PASSWORD]) expect(first?.text).not.toContain(hidden);

  const again = await enroll(user, codeOf(secret));
  expect(await subjects()).toEqual(['Another authenticator app was set up']);
  const input = { password: PASSWORD, code: '000000' };
  expect((await server.call(SecondFactor.RenewRecoveryCodes, input, { as: user })).status).toBe(422);
  expect((await server.call(SecondFactor.RemoveSecondFactor, input, { as: user })).status).toBe(422);
  expect((await server.call(SecondFactor.ConfirmSecondFactor, { code: '000000' }, { as: user })).status).toBe(409);
  expect(await subjects()).toEqual([]);

  const code = () => codeOf(again.secret);
  await server.ok(SecondFactor.RenewRecoveryCodes, { password: PASSWORD, code: code() }, { as: user });
  expect(await subjects()).toEqual(['New recovery codes were created']);
  pass(30);
  await server.ok(SecondFactor.RemoveSecondFactor, { password: PASSWORD, code: code() }, { as: user });
  expect(await subjects()).toEqual(['Your second factor was removed']);
});

it('names the administrator who reset it, and does not write to people who have left', async () => {
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  const { user } = await enrolled();
  const { user: gone } = await enrolled();
  await mails();
  await server.db.updateTable('app_user').set({ active: false }).where('id', '=', gone.id).execute();
  for (const { id } of [user, gone]) await server.ok(SecondFactorAdmin.ResetSecondFactor, { id }, { as: admin });
  expect((await mails()).map(({ to, subject }) => [to, subject])).toEqual([
    [[user.userName], 'Your second factor was reset by Ada Admin'],
  ]);
});

it('warns when few recovery codes are left, wherever they are used', async () => {
  const { user, recoveryCodes } = await enrolled();
  await mails();
  for (const code of recoveryCodes.slice(0, 7)) expect((await useCode(user.userName, code)).status).toBe(200);
  expect(await subjects()).toEqual([]);
  const [eighth = '', ninth = '', tenth = ''] = recoveryCodes.slice(7);
  expect((await useCode(user.userName, eighth)).status).toBe(200);
  expect((await useCode(user.userName, eighth)).status).toBe(400);
  await server.ok(SecondFactor.BeginSecondFactor, { password: PASSWORD, code: ninth }, { as: user });
  const sent = await mails();
  expect(sent.map(({ subject }) => subject)).toEqual([
    'A recovery code was used, 2 are left',
    'A recovery code was used, one is left',
  ]);
  expect(sent[0]?.text).toMatch(/Create new ones before you run out: http\S+\/account\n/);
  // Using the last code creates ten new ones, so there is nothing to warn about.
  await server.ok(SecondFactor.RenewRecoveryCodes, { password: PASSWORD, code: tenth }, { as: user });
  expect(await subjects()).toEqual(['New recovery codes were created']);
  const { total } = await server.db
    .selectFrom('record_event')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('record_id', '=', user.id)
    .where('action', '=', 'Use recovery code')
    .executeTakeFirstOrThrow();
  expect(total).toBe(10);
});
