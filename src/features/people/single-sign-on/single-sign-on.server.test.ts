// Signing in at a provider over HTTP, against a real one on loopback: let in, refused, forged, ended.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Auth } from '#features/people/auth/auth.contract.ts';
import { hashPassword } from '#features/people/auth/passwords/password.server.ts';
import { SignOn } from '#features/people/auth/sign-on/sign-on.contract.ts';
import { UserEdit } from '#features/people/user-admin/user-admin.contract.ts';
import { Region } from '#features/territories/regions/regions.contract.ts';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { type Person, type SignOnProvider, startSignOnProvider } from '#testing/sign-on-provider.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { SignOnAdmin } from './single-sign-on.contract.ts';

const PASSWORD = 'correct horse battery';
const BACK = 'http://quotes.test/login';
const hash = await hashPassword(PASSWORD, { memory: 8, passes: 1 });

let server: TestServer;
let provider: SignOnProvider;
let admin: { id: number; userName: string };
let n = 0;

beforeAll(async () => {
  provider = await startSignOnProvider({
    client: { redirectUri: BACK, logoutUri: 'http://quotes.test/api/SignOn/BackchannelLogout' },
    people: [],
  });
  server = await startTestServer({ config: { trustProxy: 1, publicUrl: 'http://quotes.test', outsideLoopback: true } });
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  await withPassword(admin.id);
  await save();
});
afterAll(async () => {
  await server.close();
  await provider.close();
});
beforeEach(() => Object.assign(provider, { fault: 'none', forge: null }));

const withPassword = (id: number) =>
  server.db.updateTable('app_user').set({ password_hash: hash }).where('id', '=', id).execute();
const from = () => ({ 'x-forwarded-for': `10.1.${++n >> 8}.${n & 255}` });
const row = (value: string, ...roles: string[]) => ({ claim: 'groups', value, roles });

async function typed(more: Record<string, unknown> = {}) {
  const {
    version,
    secret: _none,
    ...now
  } = (await server.ok(SignOnAdmin.GetSignOnSettings, {}, { as: admin })) as never as Record<string, unknown>;
  return {
    ...now,
    version,
    issuer: provider.issuer,
    clientId: provider.client.id,
    secret: provider.client.secret,
    scopes: 'openid email profile',
    button: 'Sign in with Example',
    makesPeople: true,
    localOff: false,
    localAdminId: null,
    rows: [
      row('reps', 'salesrep'),
      row('service', 'csrep'),
      row('managers', 'salesQuoteManager'),
      row('it', 'systemadmin'),
    ],
    ...more,
  };
}

async function save(more: Record<string, unknown> = {}, as: { id: number } = admin) {
  return server.call(SignOnAdmin.SaveSignOnSettings, await typed(more), { as });
}

function aPersonThere(given: Partial<Person> = {}): Person {
  const sub = `sub-${++n}`;
  const person = { sub, name: `Person ${n} There`, email: `there${n}@example.com`, groups: ['reps'], ...given };
  provider.people.push(person);
  return person;
}

/** There and back: what the browser has afterwards. */
async function travel(sub: string) {
  const { body, status } = await server.call(SignOn.BeginSignOn, {}, { headers: from() });
  expect(status).toBe(200);
  return { search: (await provider.signIn(body.address, sub)).search, browser: body.browser };
}
async function finish(returned: { search: string; browser: string }) {
  const answer = await server.call(SignOn.CompleteSignOn, returned, { headers: from() });
  return { ...answer, detail: (answer.body as unknown as { detail?: string }).detail };
}
const come = async (sub: string) => finish(await travel(sub));
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}`, ...from() } });
const ask = (token: string) => server.call(Region.GetActiveRegionsSimpleData, {}, bearer(token));
const rolesHere = async (id: number) =>
  (await server.db.selectFrom('user_role').select('role').where('user_id', '=', id).orderBy('role').execute()).map(
    ({ role }) => role,
  );

describe('signing in', () => {
  it('makes a person on the first sign-in, with the roles of the claims, and knows them again', async () => {
    const person = aPersonThere({ groups: ['reps', 'other'] });
    const { status, body } = await come(person.sub);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      userName: person.email,
      fullName: person.name,
      roles: ['salesrep'],
      token_type: 'bearer',
    });
    expect((await ask(body.access_token)).status).toBe(200);
    person.groups = ['service', 'reps'];
    person.email = 'another.address@example.com';
    const again = (await come(person.sub)).body;
    expect(again).toMatchObject({ id: body.id, userName: body.userName, roles: ['salesrep', 'csrep'] });
    // A session of before has the new roles, too.
    expect((await server.call(Auth.GetSignedInUser, {}, bearer(body.access_token))).body.roles).toEqual([
      'salesrep',
      'csrep',
    ]);
    const events = await server.db
      .selectFrom('record_event')
      .select(['action', 'actor', 'comment'])
      .where('record_type', '=', 'user')
      .where('record_id', '=', body.id)
      .orderBy('id')
      .execute();
    expect(events.map(({ action, actor }) => [action, actor])).toEqual([
      ['Create', 'Quoteboard'],
      ['Edit', 'Quoteboard'],
    ]);
  });

  it('refuses who has no role there, is switched off here, or has too many groups, in words', async () => {
    const person = aPersonThere({ groups: ['nothing'] });
    expect(await come(person.sub)).toMatchObject({
      status: 403,
      detail: expect.stringMatching(/nothing there gives you a role/),
    });
    person.groups = ['reps'];
    const { body } = await come(person.sub);
    person.groups = [];
    expect((await come(person.sub)).status).toBe(403);
    person.groups = ['reps'];
    await server.db.updateTable('app_user').set({ active: false }).where('id', '=', body.id).execute();
    expect(await come(person.sub)).toMatchObject({ status: 403, detail: expect.stringMatching(/not active/) });
    const many = aPersonThere();
    provider.forge = { claims: ({ groups: _none, ...claims }) => ({ ...claims, _claim_names: { groups: 'src1' } }) };
    const { groups: _groups, ...rest } = many;
    provider.people.splice(provider.people.indexOf(many), 1, rest as Person);
    expect(await come(many.sub)).toMatchObject({ status: 403, detail: expect.stringMatching(/app roles/) });
  });

  it('never takes over an account by its e-mail address', async () => {
    const here = await aUser(server.db, { userName: `taken${n}@example.com` });
    const person = aPersonThere({ email: here.userName.toUpperCase() });
    expect(await come(person.sub)).toMatchObject({ status: 409, detail: expect.stringMatching(/There is an account/) });
    expect(await rolesHere(here.id)).toEqual(['salesrep']);
  });

  it('makes nobody without a verified address, or where people are not made', async () => {
    for (const claims of [{ email: '' }, { email: 'no address' }, { email_verified: false }, { email: undefined }])
      expect((await come(aPersonThere(claims as Partial<Person>).sub)).status).toBe(403);
    await save({ makesPeople: false });
    expect(await come(aPersonThere().sub)).toMatchObject({
      status: 403,
      detail: expect.stringMatching(/no account here/),
    });
    await save();
  });

  it('drops regions with the role for them, and keeps the last system administrator', async () => {
    const person = aPersonThere({ groups: ['managers'] });
    const { body } = await come(person.sub);
    const region = await aRegion(server.db);
    await server.db.insertInto('user_region').values({ user_id: body.id, region_id: region.id }).execute();
    person.groups = ['it'];
    expect((await come(person.sub)).body.roles).toEqual(['systemadmin']);
    expect(await server.db.selectFrom('user_region').selectAll().where('user_id', '=', body.id).execute()).toEqual([]);
    await server.db.updateTable('app_user').set({ active: false }).where('id', '=', admin.id).execute();
    person.groups = ['reps'];
    expect((await come(person.sub)).body.roles).toEqual(['systemadmin', 'salesrep']);
    await server.db.updateTable('app_user').set({ active: true }).where('id', '=', admin.id).execute();
    expect((await come(person.sub)).body.roles).toEqual(['salesrep']);
  });

  it('tells public users that the public site is locked', async () => {
    const person = aPersonThere();
    await server.db
      .updateTable('company')
      .set({ public_site_locked: true, public_site_message: 'Back at noon.' })
      .execute();
    expect(await come(person.sub)).toMatchObject({ status: 403, detail: 'Back at noon.' });
    await server.db.updateTable('company').set({ public_site_locked: false }).execute();
  });
});

describe('what does not fit', () => {
  it('is good once, in the browser that began, within ten minutes', async () => {
    const person = aPersonThere();
    const first = await travel(person.sub);
    const other = await travel(person.sub);
    const NOT_OURS = { status: 400, detail: expect.stringMatching(/not begun in this browser/) };
    expect(await finish({ search: first.search, browser: other.browser })).toMatchObject(NOT_OURS);
    expect(await finish({ search: first.search, browser: '' })).toMatchObject(NOT_OURS);
    const twoStates = `${first.search}&state=another`;
    expect((await finish(first)).status).toBe(200);
    expect(await finish(first)).toMatchObject(NOT_OURS);
    expect(await finish({ search: twoStates, browser: first.browser })).toMatchObject(NOT_OURS);
    expect(await finish({ search: '', browser: 'x' })).toMatchObject(NOT_OURS);
    await server.db
      .updateTable('sign_on_attempt')
      .set({ expires_at: new Date(0) })
      .execute();
    expect(await finish(other)).toMatchObject(NOT_OURS);
  });

  it('refuses a code of another sign-in, and one that was used', async () => {
    const person = aPersonThere();
    const [one, two] = [await travel(person.sub), await travel(person.sub)];
    const codeOf = (search: string) => new URLSearchParams(search).get('code') ?? '';
    const mixed = new URLSearchParams(two.search);
    mixed.set('code', codeOf(one.search));
    // The verifier of the second does not fit the code of the first.
    expect(await finish({ search: `?${mixed.toString()}`, browser: two.browser })).toMatchObject({
      status: 400,
      detail: 'The provider does not accept this sign-in any more. Begin again.',
    });
    const three = await travel(person.sub);
    mixed.set('state', new URLSearchParams(three.search).get('state') ?? '');
    mixed.set('iss', 'https://elsewhere.example.com');
    expect((await finish({ search: `?${mixed.toString()}`, browser: three.browser })).status).toBe(400);
  });

  it.each([
    ['a wrong nonce', { claims: (claims: object) => ({ ...claims, nonce: 'other' }) }],
    ['no nonce', { claims: ({ nonce: _none, ...claims }: { nonce?: unknown }) => claims }],
    ['another issuer', { claims: (claims: object) => ({ ...claims, iss: 'https://elsewhere.example.com' }) }],
    ['another audience', { claims: (claims: object) => ({ ...claims, aud: 'another-client' }) }],
    [
      'several audiences',
      { claims: (claims: object) => ({ ...claims, aud: ['quoteboard', 'another'], azp: 'another' }) },
    ],
    ['an end in the past', { claims: (claims: object) => ({ ...claims, exp: 1000 }) }],
    ['another subject than userinfo', { claims: (claims: object) => ({ ...claims, sub: 'somebody-else' }) }],
    ['no subject', { claims: ({ sub: _none, ...claims }: { sub?: unknown }) => claims }],
  ])('refuses an ID token with %s', async (_what, forge) => {
    const returned = await travel(aPersonThere().sub);
    provider.forge = forge as SignOnProvider['forge'];
    const { status, detail } = await finish(returned);
    expect({ status, detail }).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/answer of the provider is not good/),
    });
  });

  it('says in words what the provider refuses', async () => {
    expect(await come('')).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/was cancelled at the provider/),
    });
    const { browser, search } = await travel('');
    const state = new URLSearchParams(search).get('state') ?? '';
    const words = new URLSearchParams({
      error: 'odd',
      error_description: '<b>Odd</b>\u0007 thing',
      state,
      iss: provider.issuer,
    });
    expect(await finish({ search: `?${words.toString()}`, browser })).toMatchObject({
      status: 400,
      detail: 'The provider refuses: <b>Odd</b>  thing',
    });
  });

  it('says so when the provider is down, broken, hangs or answers nonsense, and works when it is late or back', async () => {
    const person = aPersonThere();
    for (const [fault, status, words] of [
      ['down', 503, /cannot be reached/],
      ['broken', 503, /has a fault/],
      ['garbage', 400, /not good/],
      ['hang', 503, /did not answer in time/],
    ] as const) {
      const returned = await travel(person.sub);
      provider.fault = fault;
      expect([fault, await finish(returned)]).toMatchObject([fault, { status, detail: expect.stringMatching(words) }]);
      provider.fault = 'none';
    }
    const returned = await travel(person.sub);
    provider.fault = 'late';
    expect((await finish(returned)).status).toBe(200);
  }, 60_000);

  it('cannot begin while the provider is down and was never reached with these settings', async () => {
    await save({ button: 'Another' });
    provider.fault = 'down';
    const begun = await server.call(SignOn.BeginSignOn, {}, { headers: from() });
    expect(begun).toMatchObject({ status: 503, body: { detail: expect.stringMatching(/cannot be reached/) } });
    provider.fault = 'none';
    await save();
    expect((await come(aPersonThere().sub)).status).toBe(200);
  });

  it('ends ways that began at another client, goes on over a new secret, and says that one is wrong', async () => {
    const rotated = await travel(aPersonThere().sub);
    await save({ button: 'Changed' });
    expect((await finish(rotated)).status).toBe(200);
    const returned = await travel(aPersonThere().sub);
    await save({ clientId: 'another' });
    expect(await finish(returned)).toMatchObject({ status: 400, detail: expect.stringMatching(/changed meanwhile/) });
    await save({ secret: 'not the secret' });
    expect(await come(aPersonThere().sub)).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/does not accept the client id/),
    });
    await save();
  });
});

describe('linking', () => {
  const begin = (password: string, as: { id: number }) =>
    server.call(SignOn.BeginLink, { password }, { as, headers: from() });

  it('links an account by its owner, who proves the password, and signs it in from then on', async () => {
    const user = await aUser(server.db, { roles: ['insiderep'] });
    await withPassword(user.id);
    const person = aPersonThere({ email: user.userName });
    expect((await begin('wrong', user)).status).toBe(422);
    const { body } = await begin(PASSWORD, user);
    const returned = { search: (await provider.signIn(body.address, person.sub)).search, browser: body.browser };
    // Neither a sign-in nor another person finishes it.
    expect((await finish(returned)).status).toBe(400);
    const other = await aUser(server.db);
    expect((await server.call(SignOn.CompleteLink, returned, { as: other })).status).toBe(400);
    expect((await server.call(SignOn.CompleteLink, returned, { as: user })).status).toBe(200);
    expect(await server.ok(SignOn.GetOwnSignOn, {}, { as: user })).toMatchObject({
      button: 'Sign in with Example',
      linkedAt: expect.any(String),
      hasPassword: true,
    });
    expect((await come(person.sub)).body).toMatchObject({ id: user.id, roles: ['salesrep'] });
    await withPassword(other.id);
    const second = await begin(PASSWORD, other);
    const taken = {
      search: (await provider.signIn(second.body.address, person.sub)).search,
      browser: second.body.browser,
    };
    expect((await server.call(SignOn.CompleteLink, taken, { as: other })).status).toBe(409);
  });

  it('links and unlinks by a system administrator, and ends the sessions that came by the link', async () => {
    const user = await aUser(server.db);
    const person = aPersonThere({ email: 'else@example.com' });
    const set = (subject: string, as = admin, id = user.id) =>
      server.call(SignOnAdmin.LinkUserSignOn, { id, subject }, { as });
    expect((await set(person.sub, await aUser(server.db, { roles: ['salesadmin'] }))).status).toBe(403);
    expect((await set('  ')).status).toBe(422);
    expect((await set(person.sub)).body.links).toHaveLength(1);
    expect((await set('another')).status).toBe(409);
    expect((await set(person.sub, admin, (await aUser(server.db)).id)).status).toBe(409);
    const { body } = await come(person.sub);
    expect(body.id).toBe(user.id);
    const remove = () =>
      server.call(
        SignOnAdmin.UnlinkUserSignOn,
        { id: user.id, issuer: provider.issuer, subject: person.sub },
        { as: admin },
      );
    expect((await remove()).body.links).toEqual([]);
    expect((await remove()).status).toBe(409);
    expect((await ask(body.access_token)).status).toBe(401);
  });
});

describe('back-channel logout', () => {
  const logout = (token: string) => server.call(SignOn.BackchannelLogout, { logout_token: token }, { headers: from() });
  const sidOf = async (token: string) => {
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
    return server.db.selectFrom('session').selectAll().where('id', '=', sid).executeTakeFirstOrThrow();
  };

  it('ends the session at once; the token comes once, the next call is 401 and nothing refreshes', async () => {
    const person = aPersonThere();
    const { body } = await come(person.sub);
    const { body: elsewhere } = await come(person.sub);
    const { sign_on_sid: sid } = await sidOf(body.access_token);
    expect(sid).toMatch(/./);
    const token = await provider.logoutToken({ sub: person.sub, sid });
    expect((await ask(body.access_token)).status).toBe(200);
    expect((await logout(token)).status).toBe(200);
    expect((await ask(body.access_token)).status).toBe(401);
    expect((await ask(elsewhere.access_token)).status).toBe(200);
    expect(await logout(token)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const refresh = {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      client_id: 'quoteboard-web',
      client_secret: 'quoteboard-web',
    };
    expect((await server.call(Auth.token, refresh, { headers: from() })).status).toBe(401);
    // Without a session it means all of the person's.
    expect((await logout(await provider.logoutToken({ sub: person.sub }))).status).toBe(200);
    expect((await ask(elsewhere.access_token)).status).toBe(401);
  });

  it('ends no session of others, nor those by password', async () => {
    const [one, two] = [aPersonThere(), aPersonThere()];
    const [first, second] = [(await come(one.sub)).body, (await come(two.sub)).body];
    const own = await server.tokenOf(first.id);
    await logout(await provider.logoutToken({ sub: one.sub }));
    expect((await ask(second.access_token)).status).toBe(200);
    expect((await ask(own)).status).toBe(200);
    expect((await logout(await provider.logoutToken({ sub: 'nobody we know' }))).status).toBe(200);
  });

  it('takes one token that comes twice at the same moment once', async () => {
    const token = await provider.logoutToken({ sub: 'twice' });
    const answers = await Promise.all([logout(token), logout(token)]);
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 400]);
  });

  const now = () => Math.floor(Date.now() / 1000);
  it.each<[string, () => Record<string, unknown>, { otherKey?: boolean; alg?: string }?]>([
    ['another issuer', () => ({ iss: 'https://elsewhere.example.com' })],
    ['another audience', () => ({ aud: 'another' })],
    ['no audience', () => ({ aud: undefined })],
    ['no time', () => ({ iat: undefined })],
    ['an old time', () => ({ iat: now() - 4000 })],
    ['a time to come', () => ({ iat: now() + 4000 })],
    ['an end in the past', () => ({ exp: now() - 400 })],
    ['no jti', () => ({ jti: undefined })],
    ['an empty jti', () => ({ jti: '' })],
    ['no events', () => ({ events: undefined })],
    ['another event', () => ({ events: { 'https://example.com/other': {} } })],
    ['an event that is no object', () => ({ events: { 'http://schemas.openid.net/event/backchannel-logout': 'yes' } })],
    ['events that are a list', () => ({ events: ['http://schemas.openid.net/event/backchannel-logout'] })],
    ['a nonce', () => ({ nonce: 'n' })],
    ['neither sub nor sid', () => ({ sub: undefined })],
    ['a sub that is a number', () => ({ sub: 7 })],
    ['a signature of another key', () => ({}), { otherKey: true }],
    ['no signature', () => ({}), { alg: 'none' }],
    ['a signature by the client secret', () => ({}), { alg: 'HS256' }],
  ])('refuses a token with %s', async (_what, claims, options) => {
    const person = aPersonThere();
    const { body } = await come(person.sub);
    const answer = await logout(await provider.logoutToken({ sub: person.sub, ...claims() }, options));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.stringMatching(/./) },
    });
    expect((await ask(body.access_token)).status).toBe(200);
  });

  it('refuses what is no token at all', async () => {
    for (const token of ['', 'x', 'a.b.c', 'e30.e30.'])
      expect(await logout(token)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});

describe('the settings', () => {
  const test = async (more: Record<string, unknown> = {}) =>
    server.call(SignOnAdmin.TestSignOn, await typed(more), { as: admin });

  it('test the connection by what is typed, in words', async () => {
    expect((await test()).body).toMatchObject({
      ok: true,
      sentence: expect.stringMatching(/answers and has 1 key.*can end sessions/),
    });
    expect((await test({ issuer: `${provider.issuer}/elsewhere` })).body).toMatchObject({ ok: false });
    expect((await test({ issuer: 'http://127.0.0.1:1' })).body).toEqual({
      ok: false,
      sentence: 'The provider cannot be reached. Try again in a moment.',
    });
    provider.fault = 'garbage';
    expect((await test()).body).toMatchObject({ ok: false, sentence: expect.stringMatching(/not good/) });
  });

  it('keep the secret where nobody reads it, and send it to no other issuer', async () => {
    await save();
    const kept = await save({ secret: '', button: 'Sign in with Example' });
    expect(kept.status).toBe(200);
    expect(kept.body).toMatchObject({
      hasSecret: true,
      redirectUri: BACK,
      logoutUri: 'http://quotes.test/api/SignOn/BackchannelLogout',
    });
    const all = JSON.stringify([
      kept.body,
      await server.db.selectFrom('sign_on_provider').selectAll().execute(),
      await server.db.selectFrom('record_event').selectAll().execute(),
      await server.db.selectFrom('sign_on_attempt').selectAll().execute(),
    ]);
    expect(all).not.toContain(provider.client.secret);
    for (const more of [{ issuer: 'https://evil.example.com' }, { clientId: 'another' }]) {
      const refused = { status: 422, body: { errors: [{ path: 'secret' }] } };
      expect(await save({ ...more, secret: '' })).toMatchObject(refused);
      expect(await test({ ...more, secret: '' })).toMatchObject(refused);
    }
  });

  it('are for system administrators, over the version that was read, and take no nonsense', async () => {
    expect((await save({}, await aUser(server.db, { roles: ['salesadmin'] }))).status).toBe(403);
    expect((await save({ version: 1 })).status).toBe(409);
    for (const more of [
      { issuer: 'http://login.example.com' },
      { issuer: 'https://login.example.com/?a=1' },
      { issuer: 'nonsense' },
      { scopes: 'email' },
      { button: '' },
      { rows: [{ claim: 'groups', value: 'x', roles: [] }] },
      { rows: [{ claim: '', value: 'x', roles: ['csrep'] }] },
      { rows: [{ claim: 'groups', value: 'x', roles: ['emperor'] }] },
    ])
      expect([more, (await save(more)).status]).toEqual([more, 422]);
  });

  it('switch the form off for all but one administrator, who cannot be taken away then', async () => {
    const user = await aUser(server.db);
    await withPassword(user.id);
    expect((await save({ localOff: true })).status).toBe(422);
    expect((await save({ localOff: true, localAdminId: user.id })).status).toBe(422);
    expect((await save({ localOff: true, localAdminId: admin.id })).status).toBe(200);
    const password = async (userName: string, Password = PASSWORD) => {
      const input = { UserName: userName, Password, grant_type: 'password' };
      const { status, body } = await server.call(Auth.Token, input, { headers: from() });
      return { status, error: (body as unknown as { error_description?: string }).error_description };
    };
    expect(await password(user.userName)).toEqual({
      status: 400,
      error: 'Passwords no longer sign in here. Use "Sign in with Example".',
    });
    expect((await password(user.userName, 'wrong')).error).toMatch(/is wrong/);
    expect((await password(admin.userName)).status).toBe(200);
    const second = await aUser(server.db, { roles: ['systemadmin'] });
    await withPassword(second.id);
    expect((await password(second.userName)).status).toBe(400);
    const { user: record } = await server.ok(UserEdit.GetUserEditData, { id: admin.id }, { as: second });
    const off = { id: admin.id, active: false, version: record.version, handOver: {} };
    expect((await server.call(UserEdit.SetUserActive, off, { as: second })).status).not.toBe(200);
    // Should that one be gone all the same, every administrator comes in.
    await server.db.updateTable('app_user').set({ active: false }).where('id', '=', admin.id).execute();
    expect((await password(second.userName)).status).toBe(200);
    await server.db.updateTable('app_user').set({ active: true }).where('id', '=', admin.id).execute();
    await save();
    expect((await password(user.userName)).status).toBe(200);
  });

  it('are forgotten when the provider is removed: sessions end, the button goes', async () => {
    const { body } = await come(aPersonThere().sub);
    const { version } = await server.ok(SignOnAdmin.GetSignOnSettings, {}, { as: admin });
    expect((await server.call(SignOnAdmin.RemoveSignOn, { version: version - 1 }, { as: admin })).status).toBe(409);
    expect((await server.call(SignOnAdmin.RemoveSignOn, { version }, { as: admin })).body).toMatchObject({
      issuer: '',
      hasSecret: false,
    });
    expect((await ask(body.access_token)).status).toBe(401);
    expect(await server.call(SignOn.BeginSignOn, {}, { headers: from() })).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/No sign-in of a provider/) },
    });
    expect((await server.call(SignOn.BackchannelLogout, { logout_token: 'x' }, { headers: from() })).status).toBe(409);
    await save();
  });

  it('ask for the secret again under another TOKEN_SECRET, and say so', async () => {
    const { config } = server.services;
    const before = config.tokenSecret;
    const token = await server.tokenOf(admin);
    config.tokenSecret = 'another secret of at least 32 characters';
    const begun = await server.call(SignOn.BeginSignOn, {}, { headers: from() });
    expect(begun).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/Tell your system administrator/) },
    });
    config.tokenSecret = before;
    expect((await ask(token)).status).toBe(200);
  });
});
