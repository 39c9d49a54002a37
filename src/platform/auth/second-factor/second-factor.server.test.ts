// Tests the second factor over HTTP: setting up, the second step of signing in, lock-out, recovery codes, rules and reset.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Audit } from '#core/company/audit/audit.contract.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { PASSWORD, signIns } from '#testing/sign-ins.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Auth } from '../auth.contract.ts';
import { SecondFactor } from './second-factor.contract.ts';
import { SecondFactorAdmin } from './second-factor-admin.contract.ts';

let server: TestServer;
let admin: { id: number };
const { aPerson, signIn, callWith, from, pass, fromElsewhere, codeOf, enrolled } = signIns(() => server);

beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: 1 } });
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
});
afterAll(() => server.close());
beforeEach(fromElsewhere);

async function challengeOf(userName: string, device = '') {
  const { status, refusal } = await signIn(userName, PASSWORD, from(), device);
  expect(status).toBe(403);
  expect(refusal.error).toBe('mfa_required');
  return (refusal as unknown as { mfa_token: string }).mfa_token;
}

async function confirm(challenge: string, code: string) {
  const answer = await server.call(SecondFactor.ConfirmSignIn, { challenge, code }, { headers: from() });
  return { ...answer, detail: (answer.body as unknown as { detail: string }).detail };
}

async function requireOf(roles: string[]) {
  const { version } = await server.ok(SecondFactorAdmin.GetSecondFactorRules, {}, { as: admin });
  return server.ok(
    SecondFactorAdmin.SaveSecondFactorRules,
    { roles: roles as [], sessionDays: 30, version },
    { as: admin },
  );
}

describe('signing in', () => {
  it('asks for a code after the password, accepts it once, and signs in as usual', async () => {
    const { user, secret } = await enrolled({ roles: ['csrep'] });
    const { refusal } = await signIn(user.userName);
    expect(Object.keys(refusal)).toEqual(['error', 'error_description', 'mfa_token']);
    const challenge = await challengeOf(user.userName);
    const code = codeOf(secret);
    const { status, body } = await confirm(challenge, code);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'bearer', id: user.id, roles: ['csrep'] });
    expect((await callWith(body.access_token)).status).toBe(200);
    // Both the challenge and the code are used up.
    expect(await confirm(challenge, codeOf(secret, 1))).toMatchObject({ status: 410 });
    expect(await confirm(await challengeOf(user.userName), code)).toMatchObject({ status: 400 });
    expect((await confirm(await challengeOf(user.userName), codeOf(secret, 1))).status).toBe(200);
  });

  it('accepts a code only once when it is typed twice at the same moment', async () => {
    const { user, secret } = await enrolled();
    const tokens = [await challengeOf(user.userName), await challengeOf(user.userName)];
    const answers = await Promise.all(tokens.map((token) => confirm(token, codeOf(secret))));
    expect(answers.map(({ status }) => status).toSorted((a, two) => a - two)).toEqual([200, 400]);
  });

  it('refuses codes that are too old, too new, or nothing like a code', async () => {
    const { user, secret } = await enrolled();
    const challenge = await challengeOf(user.userName);
    for (const code of [codeOf(secret, 5), codeOf(secret, -5), '000', '<b>1</b>'])
      expect(await confirm(challenge, code)).toMatchObject({
        status: 400,
        detail: expect.stringMatching(/^This code is wrong/),
      });
    expect((await confirm(challenge, '')).status).toBe(422);
    expect((await confirm(challenge, '1'.repeat(41))).status).toBe(422);
    expect((await confirm(challenge, codeOf(secret, 1))).status).toBe(200);
  });

  it('ends a challenge after five minutes, and when the person is deactivated', async () => {
    const { user, secret } = await enrolled();
    const late = await challengeOf(user.userName);
    pass(301);
    expect(await confirm(late, codeOf(secret))).toMatchObject({
      status: 410,
      detail: expect.stringMatching(/password again/),
    });
    const off = await challengeOf(user.userName);
    await server.db.updateTable('app_user').set({ active: false }).where('id', '=', user.id).execute();
    expect((await confirm(off, codeOf(secret))).status).toBe(410);
    expect((await confirm('nothing', '123456')).status).toBe(410);
  });

  it('locks out after wrong codes, even when the password is typed again each time', async () => {
    const { user, secret } = await enrolled();
    for (let n = 0; n < 5; n++) expect((await confirm(await challengeOf(user.userName), '000000')).status).toBe(400);
    // Both steps are blocked, even for the right answers.
    expect((await signIn(user.userName)).status).toBe(429);
    pass(61);
    const challenge = await challengeOf(user.userName);
    expect((await confirm(challenge, '000000')).status).toBe(400);
    const { status, headers } = await confirm(challenge, codeOf(secret));
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(60);
    pass(121);
    expect((await confirm(await challengeOf(user.userName), codeOf(secret))).status).toBe(200);
    expect((await confirm(await challengeOf(user.userName), '000000')).status).toBe(400);
  });

  it('allows at most five of many simultaneous guesses', async () => {
    const { user, secret } = await enrolled();
    const challenge = await challengeOf(user.userName);
    const guesses = ['000001', '000002', '000003', '000004', '000005', codeOf(secret), '000006', codeOf(secret)];
    const answers: number[] = [];
    for (const code of guesses.slice(0, 5)) answers.push((await confirm(challenge, code)).status);
    const more = await Promise.all(guesses.slice(5).map((code) => confirm(challenge, code)));
    expect([...answers, ...more.map(({ status }) => status)]).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
  });

  it('still accepts a code from a known device while others guess the password', async () => {
    const { user, secret } = await enrolled();
    const { body } = await confirm(await challengeOf(user.userName), codeOf(secret));
    for (let n = 0; n < 5; n++) await signIn(user.userName, 'wrong');
    pass(30);
    const challenge = await challengeOf(user.userName, body.device);
    expect((await confirm(challenge, codeOf(secret))).status).toBe(200);
  });

  it('accepts each recovery code once, however it is typed, and records it', async () => {
    const { user, recoveryCodes } = await enrolled({ fullName: 'Rita Recovers' });
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = '', other = ''] = recoveryCodes;
    expect((await confirm(await challengeOf(user.userName), first)).status).toBe(200);
    expect((await confirm(await challengeOf(user.userName), first)).status).toBe(400);
    expect((await confirm(await challengeOf(user.userName), other.toLowerCase().replaceAll('-', ' '))).status).toBe(
      200,
    );
    expect(await server.ok(SecondFactor.GetSecondFactor, {}, { as: user })).toMatchObject({ recoveryCodesLeft: 8 });
    const { records } = await server.ok(Audit.SearchAudit, { userIds: [user.id] } as never, { as: admin });
    expect(records.map(({ action }) => action)).toContain('Use recovery code');
  });

  it('refuses another person’s codes', async () => {
    const { recoveryCodes, secret } = await enrolled();
    const { user } = await enrolled();
    const challenge = await challengeOf(user.userName);
    expect((await confirm(challenge, recoveryCodes[0] ?? '')).status).toBe(400);
    expect((await confirm(challenge, codeOf(secret))).status).toBe(400);
  });

  it('does not store the secret or the codes in readable form', async () => {
    const { secret, recoveryCodes, user } = await enrolled();
    const rows = JSON.stringify([
      await server.db.selectFrom('second_factor').selectAll().where('user_id', '=', user.id).execute(),
      await server.db.selectFrom('recovery_code').selectAll().where('user_id', '=', user.id).execute(),
      await server.db.selectFrom('record_event').selectAll().execute(),
    ]);
    for (const hidden of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(rows).not.toContain(hidden);
  });
});

describe('setting up', () => {
  it('needs the password, and a first code within fifteen minutes', async () => {
    const user = await aPerson();
    const begin = (overrides: object) => server.call(SecondFactor.BeginSecondFactor, { ...overrides }, { as: user });
    expect((await begin({ password: 'wrong' })).status).toBe(422);
    expect((await begin({})).status).toBe(422);
    expect((await server.call(SecondFactor.ConfirmSecondFactor, { code: '123456' }, { as: user })).status).toBe(409);
    const { secret, address } = await server.ok(SecondFactor.BeginSecondFactor, { password: PASSWORD }, { as: user });
    expect(address).toBe(
      `otpauth://totp/Quoteboard:${encodeURIComponent(user.userName)}?secret=${secret}&issuer=Quoteboard`,
    );
    const confirmed = (code: string) => server.call(SecondFactor.ConfirmSecondFactor, { code }, { as: user });
    expect((await confirmed('000000')).status).toBe(422);
    // The factor is not active yet.
    expect((await signIn(user.userName)).status).toBe(200);
    pass(901);
    expect((await confirmed(codeOf(secret))).status).toBe(409);
    const again = await server.ok(SecondFactor.BeginSecondFactor, { password: PASSWORD }, { as: user });
    expect((await confirmed(codeOf(secret))).status).toBe(422);
    expect((await confirmed(codeOf(again.secret))).status).toBe(200);
    expect((await confirmed(codeOf(again.secret, 1))).status).toBe(409);
  });

  it('replaces the first app only with one of its codes', async () => {
    const { user, secret } = await enrolled();
    const begin = (code?: string) =>
      server.call(SecondFactor.BeginSecondFactor, { password: PASSWORD, ...(code ? { code } : {}) }, { as: user });
    expect((await begin()).status).toBe(422);
    expect((await begin('000000')).status).toBe(422);
    const { body } = await begin(codeOf(secret));
    pass(30);
    // The first app stays valid until the other one is confirmed.
    expect((await confirm(await challengeOf(user.userName), codeOf(secret))).status).toBe(200);
    await server.ok(SecondFactor.ConfirmSecondFactor, { code: codeOf(body.secret) }, { as: user });
    pass(30);
    expect((await confirm(await challengeOf(user.userName), codeOf(secret))).status).toBe(400);
    expect((await confirm(await challengeOf(user.userName), codeOf(body.secret))).status).toBe(200);
  });

  it('makes new recovery codes and removes the factor, each with password and code', async () => {
    const { user, secret, recoveryCodes } = await enrolled();
    const renew = (code: string, password = PASSWORD) =>
      server.call(SecondFactor.RenewRecoveryCodes, { password, code }, { as: user });
    expect((await renew(codeOf(secret), 'wrong')).status).toBe(422);
    expect((await renew('000000')).status).toBe(422);
    const { body } = await renew(codeOf(secret));
    expect(body.recoveryCodes).toHaveLength(10);
    expect((await confirm(await challengeOf(user.userName), recoveryCodes[0] ?? '')).status).toBe(400);
    const remove = (code: string) =>
      server.call(SecondFactor.RemoveSecondFactor, { password: PASSWORD, code }, { as: user });
    expect((await remove('000000')).status).toBe(422);
    expect((await remove(body.recoveryCodes[0] ?? '')).status).toBe(200);
    expect((await signIn(user.userName)).status).toBe(200);
    expect(await server.ok(SecondFactor.GetSecondFactor, {}, { as: user })).toEqual({
      since: null,
      passkeys: 0,
      recoveryCodesLeft: 0,
      required: false,
      hasPassword: true,
    });
  });

  it('limits guesses by someone who borrows a signed-in screen', async () => {
    const { user } = await enrolled();
    const remove = () =>
      server.call(SecondFactor.RemoveSecondFactor, { password: PASSWORD, code: '000000' }, { as: user });
    for (let n = 0; n < 5; n++) expect((await remove()).status).toBe(422);
    expect((await remove()).status).toBe(429);
  });

  it('refuses a person who has no password', async () => {
    const user = await aUser(server.db);
    expect((await server.call(SecondFactor.BeginSecondFactor, { password: PASSWORD }, { as: user })).status).toBe(409);
  });
});

describe('required by role', () => {
  it('lets a person do nothing else after the next sign-in, until it is set up', async () => {
    const user = await aPerson({ roles: ['insiderep'] });
    const before = (await signIn(user.userName)).body;
    await requireOf(['insiderep', 'contractdept']);
    // The earlier session continues. A new one must set up the factor first.
    expect((await callWith(before.access_token)).status).toBe(200);
    const { body } = await signIn(user.userName);
    expect(body.mustEnroll).toBe(true);
    const headers = { authorization: `Bearer ${body.access_token}` };
    const list = () => server.call(Region.GetActiveRegionsSimpleData, {}, { headers });
    expect(await list()).toMatchObject({ status: 403, body: { detail: 'Set up your second factor first.' } });
    expect((await server.call(Auth.GetSignedInUser, {}, { headers })).body).toMatchObject({ mustEnroll: true });
    const begun = await server.call(SecondFactor.BeginSecondFactor, { password: PASSWORD }, { headers });
    await server.call(SecondFactor.ConfirmSecondFactor, { code: codeOf(begun.body.secret) }, { headers });
    expect((await list()).status).toBe(200);
    pass(30);
    const code = codeOf(begun.body.secret);
    const removed = await server.call(SecondFactor.RemoveSecondFactor, { password: PASSWORD, code }, { headers });
    expect(removed.status).toBe(409);
    await requireOf([]);
    const again = { password: PASSWORD, code: codeOf(begun.body.secret) };
    expect((await server.call(SecondFactor.RemoveSecondFactor, again, { headers })).status).toBe(200);
  });

  it('asks nobody for it once the rule is removed', async () => {
    const user = await aPerson({ roles: ['contractdept'] });
    await requireOf(['contractdept']);
    const { body } = await signIn(user.userName);
    await requireOf([]);
    expect((await callWith(body.access_token)).status).toBe(200);
    expect((await signIn(user.userName)).body).not.toHaveProperty('mustEnroll');
  });

  it('keeps its rules with a version, and lets only system administrators change them', async () => {
    const { version } = await requireOf([]);
    const save = (roles: unknown, as: { id: number } = admin, target = version) =>
      server.call(SecondFactorAdmin.SaveSecondFactorRules, { roles, sessionDays: 30, version: target }, { as });
    expect((await save(['csrep'], await aUser(server.db, { roles: ['salesadmin'] }))).status).toBe(403);
    expect((await save(['emperor'])).status).toBe(422);
    expect((await save(['csrep'])).body).toEqual({ roles: ['csrep'], sessionDays: 30, version: version + 1 });
    expect(await save([])).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/Ada Admin changed these sign-in rules/) },
    });
    await requireOf([]);
  });
});

it('is reset by a system administrator for a person who has lost it', async () => {
  const { user } = await enrolled();
  const waiting = await challengeOf(user.userName);
  const reset = (as: { id: number }, id = user.id) => server.call(SecondFactorAdmin.ResetSecondFactor, { id }, { as });
  expect((await reset(user)).status).toBe(403);
  expect((await reset(admin, 999_999)).status).toBe(404);
  expect((await reset(admin)).status).toBe(200);
  expect((await reset(admin)).status).toBe(409);
  expect((await confirm(waiting, '000000')).status).toBe(410);
  expect((await signIn(user.userName)).status).toBe(200);
  const events = await server.db
    .selectFrom('record_event')
    .select(['actor', 'action'])
    .where('record_id', '=', user.id)
    .execute();
  expect(events).toContainEqual({ actor: 'Ada Admin', action: 'Reset second factor' });
});

it('asks for a recovery code when TOKEN_SECRET has changed since setup', async () => {
  const { user, secret, recoveryCodes } = await enrolled();
  const { config } = server.services;
  const challenge = await challengeOf(user.userName);
  const before = config.tokenSecret;
  config.tokenSecret = 'another secret of at least 32 characters';
  expect(await confirm(challenge, codeOf(secret))).toMatchObject({
    status: 409,
    detail: expect.stringMatching(/Use a recovery code/),
  });
  expect((await confirm(challenge, recoveryCodes[3] ?? '')).status).toBe(200);
  config.tokenSecret = before;
});
