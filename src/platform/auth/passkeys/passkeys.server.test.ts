// Tests passkeys over HTTP: adding, signing in with and without the password step, every wrong answer, removal and reset.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { History } from '#platform/history/history.contract.ts';
import { SecurityLog } from '#core/company/security-log/security-log.contract.ts';
import { aDevice } from '#testing/a-passkey.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { PASSWORD, signIns } from '#testing/sign-ins.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { SecondFactor } from '../second-factor/second-factor.contract.ts';
import { SecondFactorAdmin } from '../second-factor/second-factor-admin.contract.ts';
import { Passkeys } from './passkeys.contract.ts';

const SITE = 'https://quotes.example.com';
let server: TestServer;
let admin: { id: number };
const { aPerson, signIn, callWith, from, pass, fromElsewhere, codeOf, enroll } = signIns(() => server);

beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: 1, publicUrl: SITE } });
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
});
afterAll(() => server.close());
beforeEach(fromElsewhere);

type Device = ReturnType<typeof aDevice>;
type Person = Awaited<ReturnType<typeof aPerson>>;

/** Adds the passkey of a device. */
async function add(user: Person, device: Device, name = 'Phone', proof: object = { password: PASSWORD }) {
  const { options } = await server.ok(Passkeys.BeginAddPasskey, proof, { as: user });
  return server.ok(Passkeys.AddPasskey, { name, passkey: device.make(options) }, { as: user });
}

async function withPasskey(input: Parameters<typeof aPerson>[0] = {}) {
  const user = await aPerson(input);
  const device = aDevice(SITE);
  const { passkey, recoveryCodes } = await add(user, device);
  return { user, device, passkey, recoveryCodes };
}

/** Returns the options of the sign-in screen; after the password with its challenge. */
async function question(challenge = '') {
  const { options } = await server.ok(Passkeys.BeginPasskeySignIn, { challenge });
  if (!options) throw new Error('this person has no passkey');
  return options;
}

async function answer(passkey: ReturnType<Device['use']>, challenge = '') {
  const { status, body } = await server.call(Passkeys.SignInByPasskey, { challenge, passkey }, { headers: from() });
  return { status, body, detail: (body as unknown as { detail: string }).detail };
}

const challengeOf = async (userName: string) =>
  ((await signIn(userName)).refusal as unknown as { mfa_token: string }).mfa_token;
const actionsOf = async (id: number) => {
  const events = await server.ok(History.GetHistory, { type: 'user', id }, { as: admin });
  return events.map(({ action, comment }) => [action, comment]);
};

describe('signing in', () => {
  it('needs nothing but the passkey, once for each question', async () => {
    const { user, device } = await withPasskey({ roles: ['csrep'], fullName: 'Pia Pass' });
    const used = device.use(await question());
    const { status, body } = await answer(used);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: user.id, userName: user.userName, roles: ['csrep'] });
    expect((await callWith(body.access_token)).status).toBe(200);
    expect(await answer(used)).toMatchObject({ status: 400, detail: expect.stringContaining('no longer registered') });
    expect((await answer(device.use(await question()))).status).toBe(200);
    expect(await actionsOf(user.id)).toEqual([
      ['Use passkey', 'Phone'],
      ['Add passkey', 'Phone'],
    ]);
  });

  it('takes it as the second step after the password, beside the codes of an app', async () => {
    const { user, device, recoveryCodes } = await withPasskey();
    const { secret } = await enroll(user, recoveryCodes[0]);
    const challenge = await challengeOf(user.userName);
    expect((await answer(device.use(await question(challenge)), challenge)).status).toBe(200);
    const again = await challengeOf(user.userName);
    const byCode = { challenge: again, code: codeOf(secret) };
    expect((await server.call(SecondFactor.ConfirmSignIn, byCode, { headers: from() })).status).toBe(200);
  });

  it('does not let the password alone in any more, but a recovery code', async () => {
    const { user, recoveryCodes } = await withPasskey();
    expect(recoveryCodes).toHaveLength(10);
    const { status, refusal } = await signIn(user.userName);
    expect([status, refusal.error]).toEqual([403, 'mfa_required']);
    const challenge = await challengeOf(user.userName);
    const byCode = { challenge, code: recoveryCodes[0] ?? '' };
    expect((await server.call(SecondFactor.ConfirmSignIn, byCode, { headers: from() })).status).toBe(200);
  });

  it.each<[what: string, wrong: Parameters<Device['use']>[1]]>([
    ['another challenge', { challenge: 'bm90LWFza2Vk' }],
    ['another site', { origin: 'https://quotes.example.com.evil.example' }],
    ['plain HTTP', { origin: 'http://quotes.example.com' }],
    ['a passkey of another site', { rpId: 'example.com' }],
    ['nobody who touched or looked', { verified: false }],
    ['another person', { userHandle: 'c29tZWJvZHkgZWxzZQ' }],
  ])('refuses an answer with %s', async (_what, wrong) => {
    const { device } = await withPasskey();
    const options = await question();
    expect((await answer(device.use(options, wrong))).status).toBe(400);
    // A wrong answer uses up its challenge, unless it names another one.
    expect((await answer(device.use(options))).status).toBe(wrong?.challenge ? 200 : 400);
  });

  it('refuses a passkey that nobody has, a signature that was changed, and an answer that is none', async () => {
    const { device } = await withPasskey();
    const stranger = aDevice(SITE);
    stranger.make({ user: { id: 'YQ' }, challenge: 'YQ' });
    expect((await answer(stranger.use(await question()))).status).toBe(400);
    const good = device.use(await question());
    const signature = stranger.use({ challenge: 'YQ' }).response.signature;
    expect((await answer({ ...good, response: { ...good.response, signature } })).status).toBe(400);
    const odd = { ...good, response: { ...good.response, clientDataJSON: 'bm9uc2Vuc2U' } };
    expect((await answer(odd)).status).toBe(400);
    expect((await answer({ ...good, id: '<b>' })).status).toBe(422);
  });

  it('accepts an answer once when it arrives twice at the same moment', async () => {
    const { device } = await withPasskey();
    const used = device.use(await question());
    const answers = await Promise.all([answer(used), answer(used)]);
    expect(answers.map(({ status }) => status).toSorted((a, two) => a - two)).toEqual([200, 400]);
  });

  it('refuses an answer after five minutes', async () => {
    const { device } = await withPasskey();
    const options = await question();
    pass(301);
    expect((await answer(device.use(options))).status).toBe(400);
  });

  it('refuses the passkey of another person in the second step, and a question of another step', async () => {
    const [mine, theirs] = [await withPasskey(), await withPasskey()];
    const challenge = await challengeOf(mine.user.userName);
    expect((await answer(theirs.device.use(await question(challenge)), challenge)).status).toBe(400);
    expect((await answer(mine.device.use(await question()), challenge)).status).toBe(400);
    expect((await answer(mine.device.use(await question(challenge)))).status).toBe(400);
    expect((await answer(mine.device.use(await question(challenge)), challenge)).status).toBe(200);
    expect((await server.call(Passkeys.BeginPasskeySignIn, { challenge })).status).toBe(410);
  });

  it('refuses a copy, whose counter went back, and says so; a device that does not count is no copy', async () => {
    const { user, device } = await withPasskey();
    expect((await answer(device.use(await question()))).status).toBe(200);
    device.rewind();
    expect(await answer(device.use(await question()))).toMatchObject({
      status: 400,
      detail: expect.stringContaining('counter'),
    });
    const { records } = await server.ok(SecurityLog.SearchSecurityLog, { kind: 'SignInFailed' }, { as: admin });
    expect(records.find(({ words }) => words.includes('counter went back'))).toMatchObject({ account: user.userName });
    const phone = aDevice(SITE, 0);
    const other = await aPerson();
    await add(other, phone);
    for (let n = 0; n < 2; n++) expect((await answer(phone.use(await question()))).status).toBe(200);
  });

  it('refuses whoever is deactivated, and waits after too many wrong ones from an address', async () => {
    const { user, device } = await withPasskey();
    await server.db.updateTable('app_user').set({ active: false }).where('id', '=', user.id).execute();
    expect(await answer(device.use(await question()))).toMatchObject({
      status: 400,
      detail: expect.stringContaining('inactive'),
    });
    const { device: good } = await withPasskey();
    const wrong = { challenge: 'bm90LWFza2Vk' };
    for (let n = 0; n < 20; n++) await answer(good.use({ challenge: '' }, wrong));
    expect((await answer(good.use(await question()))).status).toBe(429);
    pass(61);
    expect((await answer(good.use(await question()))).status).toBe(200);
  });

  it('meets a role that requires a second factor', async () => {
    const { version } = await server.ok(SecondFactorAdmin.GetSecondFactorRules, {}, { as: admin });
    const rules = { roles: ['contractdept' as const], sessionDays: 30, version };
    const after = await server.ok(SecondFactorAdmin.SaveSecondFactorRules, rules, { as: admin });
    const user = await aPerson({ roles: ['contractdept'] });
    const { body } = await signIn(user.userName);
    expect(body.mustEnroll).toBe(true);
    const headers = { authorization: `Bearer ${body.access_token}` };
    const device = aDevice(SITE);
    const begun = await server.call(Passkeys.BeginAddPasskey, { password: PASSWORD }, { headers });
    const created = { name: 'Phone', passkey: device.make(begun.body.options) };
    expect((await server.call(Passkeys.AddPasskey, created, { headers })).status).toBe(200);
    expect((await callWith(body.access_token)).status).toBe(200);
    expect((await answer(device.use(await question()))).body.mustEnroll).toBeUndefined();
    const [passkey] = await server.ok(Passkeys.GetPasskeys, {}, { as: user });
    const proof = device.use((await server.ok(Passkeys.BeginPasskeyProof, {}, { as: user })).options);
    const removal = await server.call(Passkeys.RemovePasskey, { id: passkey?.id ?? 0, passkey: proof }, { as: user });
    expect(removal.status).toBe(409);
    await server.ok(SecondFactorAdmin.SaveSecondFactorRules, { ...after, roles: [] }, { as: admin });
  });
});

describe('keeping passkeys', () => {
  it('needs a proof to add and remove one, and emails both', async () => {
    const { user, device, passkey } = await withPasskey({ fullName: 'Kai Keeper' });
    await server.drain();
    expect(server.mails.at(-1)).toMatchObject({
      to: [user.userName],
      subject: expect.stringContaining('The passkey Phone was added'),
    });
    const begin = (proof: object) => server.call(Passkeys.BeginAddPasskey, proof, { as: user });
    expect((await begin({ password: 'wrong' })).status).toBe(422);
    // Someone who knows only the password cannot add a passkey.
    expect((await begin({ password: PASSWORD })).status).toBe(422);
    const proof = async () => device.use((await server.ok(Passkeys.BeginPasskeyProof, {}, { as: user })).options);
    await add(user, aDevice(SITE), 'Key on the ring', { passkey: await proof() });
    await server.ok(Passkeys.RenamePasskey, { id: passkey.id, name: 'Old phone' }, { as: user });
    expect((await server.ok(Passkeys.GetPasskeys, {}, { as: user })).map(({ name }) => name)).toEqual([
      'Old phone',
      'Key on the ring',
    ]);
    const other = await withPasskey();
    const theirs = await server.call(Passkeys.RenamePasskey, { id: passkey.id, name: 'Mine' }, { as: other.user });
    expect(theirs.status).toBe(404);
    const stolen = { id: passkey.id, passkey: other.device.use(await question()) };
    expect((await server.call(Passkeys.RemovePasskey, stolen, { as: other.user })).status).toBe(400);
    const { recoveryCodes } = await server.ok(
      SecondFactor.RenewRecoveryCodes,
      { passkey: await proof() },
      { as: user },
    );
    expect(recoveryCodes).toHaveLength(10);
    await server.ok(Passkeys.RemovePasskey, { id: passkey.id, passkey: await proof() }, { as: user });
    await server.drain();
    expect(server.mails.at(-1)?.subject).toContain('The passkey Old phone was removed');
    expect((await answer(device.use(await question()))).status).toBe(400);
    expect((await actionsOf(user.id)).map(([action]) => action)).toEqual([
      'Remove passkey',
      'Renew recovery codes',
      'Rename passkey',
      'Add passkey',
      'Use passkey',
      'Add passkey',
    ]);
  });

  it('takes a new passkey once, from this site, for the person who began', async () => {
    const user = await aPerson();
    const other = await aPerson();
    const begin = async () => (await server.ok(Passkeys.BeginAddPasskey, { password: PASSWORD }, { as: user })).options;
    const take = async (passkey: ReturnType<Device['make']>, as = user) =>
      (await server.call(Passkeys.AddPasskey, { name: 'Phone', passkey }, { as })).status;
    expect(await take(aDevice(SITE).make(await begin(), { origin: 'https://evil.example' }))).toBe(409);
    expect(await take(aDevice(SITE).make(await begin(), { verified: false }))).toBe(409);
    expect(await take(aDevice(SITE).make(await begin()), other)).toBe(409);
    const device = aDevice(SITE);
    const created = device.make(await begin());
    expect(await take(created)).toBe(200);
    expect(await take(created)).toBe(409);
    const options = await server.ok(Passkeys.BeginPasskeyProof, {}, { as: user });
    const proof = { passkey: device.use(options.options) };
    const again = await server.ok(Passkeys.BeginAddPasskey, proof, { as: user });
    expect(again.options.excludeCredentials).toMatchObject([{ id: created.id }]);
    expect(await take(device.make(again.options))).toBe(409);
  });

  it('gives no recovery codes to a person whom the password alone signs in', async () => {
    const user = await aPerson();
    const renewed = await server.call(SecondFactor.RenewRecoveryCodes, { password: PASSWORD }, { as: user });
    expect(renewed.status).toBe(409);
  });

  it('is not for a person who signs in only at the company', async () => {
    const user = await aUser(server.db);
    const begun = await server.call(Passkeys.BeginAddPasskey, { password: PASSWORD }, { as: user });
    expect(begun.status).toBe(409);
  });

  it('ends with a reset by an administrator', async () => {
    const { user, device } = await withPasskey();
    await server.ok(SecondFactorAdmin.ResetSecondFactor, { id: user.id }, { as: admin });
    expect((await answer(device.use(await question()))).status).toBe(400);
    expect((await signIn(user.userName)).status).toBe(200);
    expect((await server.call(SecondFactorAdmin.ResetSecondFactor, { id: user.id }, { as: admin })).status).toBe(409);
  });

  it('is closed to API keys', async () => {
    const { records } = await server.ok(ApiKey.SearchApiKeys, {}, { as: admin });
    expect(records).toEqual([]);
    const scopes = ['Account:read', 'Account:write'];
    const created = await server.call(ApiKey.SaveApiKey, { name: 'Robot', ownerId: admin.id, scopes }, { as: admin });
    expect(created.status).toBe(422);
  });
});
