// Tests signing in over HTTP at a real provider on loopback: accepted, refused, forged, ended.
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Auth } from '#platform/auth/auth.contract.ts';
import { SignOn } from '#platform/auth/sign-on/sign-on.contract.ts';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { PASSWORD } from '#testing/sign-ins.server.ts';
import type { ForgedSignature, Person, SignOnProvider } from '#testing/sign-on-provider.server.ts';
import { startSignOn } from '#testing/sign-on.server.ts';
import { SignOnAdmin } from './single-sign-on.contract.ts';

const {
  server,
  provider,
  admin,
  withPassword,
  from,
  save,
  aPersonThere,
  travel,
  finish,
  come,
  bearer,
  ask,
  rolesHere,
  close,
} = await startSignOn();
afterAll(close);
beforeEach(() => Object.assign(provider, { fault: 'none', forge: null }));

const FORGED: ForgedSignature[] = ['another key', 'an unknown key', 'none', 'the client secret', 'the public key'];

describe('signing in', () => {
  it('creates a user on the first sign-in, with the roles of the claims, and recognizes them again', async () => {
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
    // An earlier session also has the new roles.
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

  it('says why it refuses a person who has no role there, is inactive here, or has too many groups', async () => {
    const person = aPersonThere({ groups: ['nothing'] });
    expect(await come(person.sub)).toMatchObject({
      status: 403,
      detail: expect.stringMatching(/it gives you no role/),
    });
    person.groups = ['reps'];
    const { body } = await come(person.sub);
    person.groups = [];
    expect((await come(person.sub)).status).toBe(403);
    person.groups = ['reps'];
    await server.db.updateTable('app_user').set({ active: false }).where('id', '=', body.id).execute();
    expect(await come(person.sub)).toMatchObject({ status: 403, detail: expect.stringMatching(/inactive/) });
    const many = aPersonThere();
    provider.forge = { claims: ({ groups: _none, ...claims }) => ({ ...claims, _claim_names: { groups: 'src1' } }) };
    const { groups: _groups, ...rest } = many;
    provider.people.splice(provider.people.indexOf(many), 1, rest as Person);
    expect(await come(many.sub)).toMatchObject({ status: 403, detail: expect.stringMatching(/app roles/) });
  });

  it('never takes over an account by its email address', async () => {
    const here = await aUser(server.db, { userName: 'taken@example.com' });
    const person = aPersonThere({ email: here.userName.toUpperCase() });
    expect(await come(person.sub)).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/already exists/),
    });
    expect(await rolesHere(here.id)).toEqual(['salesrep']);
  });

  it('takes a second subject with the address of a first for somebody else, whether that address is verified or not', async () => {
    const first = aPersonThere();
    const { body } = await come(first.sub);
    for (const email_verified of [true, false, 'false'])
      expect((await come(aPersonThere({ email: first.email, email_verified, groups: ['it'] }).sub)).status).toBe(
        email_verified === true ? 409 : 403,
      );
    expect(await rolesHere(body.id)).toEqual(['salesrep']);
    expect((await come(first.sub)).body.id).toBe(body.id);
  });

  it('makes no user without a verified address, or when the settings do not allow it', async () => {
    for (const claims of [
      { email: '' },
      { email: 'no address' },
      { email: undefined },
      ...[false, 'false', null, 0, ''].map((email_verified) => ({ email_verified })),
    ])
      expect([claims, (await come(aPersonThere(claims as Partial<Person>).sub)).status]).toEqual([claims, 403]);
    expect((await come(aPersonThere({ email_verified: 'true' }).sub)).status).toBe(200);
    await save({ makesPeople: false });
    expect(await come(aPersonThere().sub)).toMatchObject({
      status: 403,
      detail: expect.stringMatching(/No account is linked/),
    });
    await save();
  });

  it('removes regions along with the role for them, and keeps the last system administrator', async () => {
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

describe('invalid or failed sign-ins', () => {
  it('accepts an answer once, in the browser that began the sign-in, within ten minutes', async () => {
    const person = aPersonThere();
    const first = await travel(person.sub);
    const other = await travel(person.sub);
    const NOT_OURS = { status: 400, detail: expect.stringMatching(/started in another browser/) };
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

  it('refuses a code of another sign-in, and an answer from another issuer', async () => {
    const person = aPersonThere();
    const [first, two] = [await travel(person.sub), await travel(person.sub)];
    const codeOf = (search: string) => new URLSearchParams(search).get('code') ?? '';
    const mixed = new URLSearchParams(two.search);
    mixed.set('code', codeOf(first.search));
    // The verifier of the second does not match the code of the first.
    expect(await finish({ search: `?${mixed.toString()}`, browser: two.browser })).toMatchObject({
      status: 400,
      detail: 'This sign-in has expired. Sign in again.',
    });
    const three = await travel(person.sub);
    mixed.set('state', new URLSearchParams(three.search).get('state') ?? '');
    mixed.set('iss', 'https://elsewhere.example.com');
    expect((await finish({ search: `?${mixed.toString()}`, browser: three.browser })).status).toBe(400);
    // The provider declares that its answers always contain its name, so an answer without a name comes from another one.
    const nameless = await travel(person.sub);
    const search = new URLSearchParams(nameless.search);
    search.delete('iss');
    expect((await finish({ search: `?${search.toString()}`, browser: nameless.browser })).status).toBe(400);
  });

  it('accepts an answer once when it arrives twice at the same moment', async () => {
    const returned = await travel(aPersonThere().sub);
    const answers = await Promise.all([finish(returned), finish(returned), finish(returned)]);
    expect(answers.map(({ status }) => status).toSorted((a, two) => a - two)).toEqual([200, 400, 400]);
  });

  it.each<[string, NonNullable<SignOnProvider['forge']>]>([
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
    ['no audience', { claims: ({ aud: _none, ...claims }: { aud?: unknown }) => claims }],
    ['no end', { claims: ({ exp: _none, ...claims }: { exp?: unknown }) => claims }],
    ['a beginning to come', { claims: (claims: object) => ({ ...claims, nbf: 9_000_000_000 }) }],
    ...FORGED.map((signature): [string, object] => [`a signature by ${signature}`, { signature }]),
  ])('refuses an ID token with %s', async (_what, forge) => {
    const returned = await travel(aPersonThere().sub);
    provider.forge = forge;
    const { status, detail } = await finish(returned);
    expect({ status, detail }).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/sent an invalid response/),
    });
  });

  it('says why the provider refused', async () => {
    expect(await come('')).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/sign-in was canceled/),
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
      detail: 'The provider rejected the sign-in: <b>Odd</b>  thing',
    });
  });

  it('reports a provider that is down, broken, hanging or answering nonsense, and works when it is late or back', async () => {
    const person = aPersonThere();
    const inFull = AbortSignal.timeout.bind(AbortSignal);
    for (const [fault, status, words] of [
      ['down', 503, /cannot be reached/],
      ['broken', 503, /has a problem/],
      ['garbage', 400, /invalid/],
      ['hang', 503, /did not answer in time/],
    ] as const) {
      const returned = await travel(person.sub);
      provider.fault = fault;
      // The provider never answers, so a tenth of the time limit proves the same.
      const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => inFull(ms / 10));
      expect([fault, await finish(returned)]).toMatchObject([fault, { status, detail: expect.stringMatching(words) }]);
      limit.mockRestore();
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

  it('survives a new button text, refuses a sign-in begun with another client, and reports a wrong client secret', async () => {
    const rotated = await travel(aPersonThere().sub);
    await save({ button: 'Changed' });
    expect((await finish(rotated)).status).toBe(200);
    const returned = await travel(aPersonThere().sub);
    await save({ clientId: 'another' });
    expect(await finish(returned)).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/sign-in settings have changed/),
    });
    await save({ secret: 'not the secret' });
    expect(await come(aPersonThere().sub)).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/rejected the client ID/),
    });
    await save();
  });
});

describe('linking', () => {
  const begin = (password: string, as: { id: number }) =>
    server.call(SignOn.BeginLink, { password }, { as, headers: from() });

  it('links an account for its owner, who enters the password, and signs in to it from then on', async () => {
    const user = await aUser(server.db, { roles: ['insiderep'] });
    await withPassword(user.id);
    const person = aPersonThere({ email: user.userName });
    expect((await begin('wrong', user)).status).toBe(422);
    const { body } = await begin(PASSWORD, user);
    const returned = { search: (await provider.signIn(body.address, person.sub)).search, browser: body.browser };
    // Neither a sign-in nor another user can finish it.
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

  it('lets a system administrator link and unlink, and ends the sessions that came through the link', async () => {
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

  it('ends the session immediately: the next call is 401 and nothing refreshes; the token works once', async () => {
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
    // A token without a session ends all sessions of the user.
    expect((await logout(await provider.logoutToken({ sub: person.sub }))).status).toBe(200);
    expect((await ask(elsewhere.access_token)).status).toBe(401);
  });

  it('ends no session of other people, and none begun with a password', async () => {
    const [person, two] = [aPersonThere(), aPersonThere()];
    const [first, second] = [(await come(person.sub)).body, (await come(two.sub)).body];
    const own = await server.tokenOf(first.id);
    await logout(await provider.logoutToken({ sub: person.sub }));
    expect((await ask(second.access_token)).status).toBe(200);
    expect((await ask(own)).status).toBe(200);
    expect((await logout(await provider.logoutToken({ sub: 'nobody we know' }))).status).toBe(200);
  });

  it('accepts a token only once when it arrives twice at the same moment', async () => {
    const token = await provider.logoutToken({ sub: 'twice' });
    const answers = await Promise.all([logout(token), logout(token)]);
    expect(answers.map(({ status }) => status).toSorted((a, two) => a - two)).toEqual([200, 400]);
  });

  const now = () => Math.floor(Date.now() / 1000);
  it.each<[string, () => object, ForgedSignature?]>([
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
    ...FORGED.map((signature): [string, () => object, ForgedSignature] => [
      `a signature by ${signature}`,
      () => ({}),
      signature,
    ]),
  ])('refuses a token with %s', async (_what, claims, signature) => {
    const person = aPersonThere();
    const { body } = await come(person.sub);
    const answer = await logout(await provider.logoutToken({ sub: person.sub, ...claims() }, signature));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.stringMatching(/./) },
    });
    expect((await ask(body.access_token)).status).toBe(200);
  });

  it('refuses text that is not a token', async () => {
    for (const token of ['', 'x', 'a.b.c', 'e30.e30.'])
      expect(await logout(token)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});
