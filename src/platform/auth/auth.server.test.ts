// Tests signing in, refreshing and signing out over HTTP: accepted, refused, forbidden.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { CLIENT, PASSWORD, signIns } from '#testing/sign-ins.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Auth } from './auth.contract.ts';
import { SecondFactorAdmin } from './second-factor/second-factor-admin.contract.ts';
import { networkOf } from './passwords/lock-out.server.ts';
import { authenticate } from './sessions/caller.server.ts';

let server: TestServer;
const { aPerson, signIn, refresh, callWith, from, pass, fromElsewhere } = signIns(() => server);

beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: 1 } });
});
afterAll(() => server.close());
beforeEach(fromElsewhere);

const after = (seconds: number) => new Date(server.services.clock.now().getTime() + seconds * 1000).toISOString();

const detailOf = (response: { body: unknown }) => (response.body as { detail: string }).detail;

async function deactivate(id: number) {
  await server.db.updateTable('app_user').set({ active: false }).where('id', '=', id).execute();
}

describe('/Token', () => {
  it('returns tokens and the user, whatever the case of the email address', async () => {
    const user = await aPerson({ roles: ['salesrep', 'salesQuoteManager'] });
    const { status, body } = await signIn(` ${user.userName.toUpperCase()} `);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      token_type: 'bearer',
      expires_in: 900,
      id: user.id,
      userName: user.userName,
      fullName: user.fullName,
      roles: ['salesrep', 'salesQuoteManager'],
      '.issued': after(0),
      '.expires': after(900),
    });
    expect((await callWith(body.access_token)).status).toBe(200);
  });

  it('refuses a wrong password and an unknown name with the same message', async () => {
    const user = await aPerson();
    const wrong = await signIn(user.userName, 'wrong');
    const unknown = await signIn('nobody@example.com');
    expect(wrong.status).toBe(400);
    expect(wrong.refusal).toEqual({
      error: 'invalid_grant',
      error_description: 'The email address or the password is wrong.',
    });
    expect(unknown.status).toBe(400);
    expect(unknown.refusal).toEqual(wrong.refusal);
  });

  it('refuses a user who has no password yet', async () => {
    const user = await aUser(server.db);
    expect((await signIn(user.userName, '')).refusal.error).toBe('invalid_request');
    expect((await signIn(user.userName, 'anything')).refusal.error).toBe('invalid_grant');
  });

  it('tells a deactivated user that the account is not active, but only with the right password', async () => {
    const user = await aPerson({ active: false });
    expect((await signIn(user.userName)).refusal).toEqual({
      error: 'invalid_grant',
      error_description: 'This account is inactive. Contact your system administrator.',
    });
    expect((await signIn(user.userName, 'wrong')).refusal.error_description).toBe(
      'The email address or the password is wrong.',
    );
  });

  it('refuses another grant type, and unreadable input, in its own error shape', async () => {
    const other = await server.call(Auth.Token, { UserName: 'a', Password: 'b', grant_type: 'implicit' });
    expect(other.status).toBe(400);
    expect(other.body).toMatchObject({ error: 'unsupported_grant_type' });
    const empty = await server.call(Auth.Token, {});
    expect(empty.status).toBe(400);
    const send = async (url: string, payload: string, type = 'application/x-www-form-urlencoded') => {
      const answer = await server.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
      return { status: answer.status, type: answer.headers['content-type'], body: JSON.parse(answer.text) as unknown };
    };
    const refused = (status: number, sentence: string) => ({
      status,
      type: 'application/json',
      body: { error: 'invalid_request', error_description: sentence },
    });
    const twice = await send('/Token', 'UserName=a&UserName=b&Password=c&grant_type=password');
    expect(twice).toEqual(refused(400, 'UserName: Text is expected'));
    expect(await send('/Token', '{"UserName":', 'application/json')).toEqual(
      refused(400, 'The body is not valid JSON.'),
    );
    expect(await send('/Token', 'a'.repeat(2_000_000))).toEqual(refused(413, 'This request is too large.'));
    const long = await send('/Token', `UserName=${'a'.repeat(400)}&Password=b&grant_type=password`);
    expect(long).toEqual(refused(400, 'UserName: At most 320 characters'));
    const nul = await send('/Token', 'UserName=a%00b&Password=b&grant_type=password');
    expect(nul).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await send('/o/token/', '{"grant_type":', 'application/json')).toMatchObject({
      status: 400,
      body: { detail: 'The body is not valid JSON.' },
    });
  });
});

describe('lock-out', () => {
  it('blocks an account after 5 failures for a minute, then doubling, even for the right password', async () => {
    const user = await aPerson();
    for (let i = 0; i < 5; i++) expect((await signIn(user.userName, 'wrong', from(200 + i))).status).toBe(400);
    const blocked = await signIn(user.userName, PASSWORD, from(210));
    expect(blocked.status).toBe(429);
    expect(blocked.headers['retry-after']).toBe('60');
    expect(blocked.refusal).toEqual({
      error: 'temporarily_locked',
      error_description: 'Too many attempts. Try again in a minute.',
    });
    pass(61);
    expect((await signIn(user.userName, 'wrong')).status).toBe(400);
    expect((await signIn(user.userName)).headers['retry-after']).toBe('120');
    for (let i = 0; i < 8; i++) {
      pass(3601);
      await signIn(user.userName, 'wrong');
    }
    expect((await signIn(user.userName)).headers['retry-after']).toBe('3600');
    pass(3601);
    expect((await signIn(user.userName)).status).toBe(200);
    expect((await signIn(user.userName, 'wrong')).status).toBe(400);
    expect((await signIn(user.userName)).status).toBe(200);
  });

  it('blocks unknown names like known ones', async () => {
    const name = 'not-there@example.com';
    for (let i = 0; i < 5; i++) await signIn(name, 'wrong', from(220 + i));
    expect((await signIn(name, 'wrong', from(230))).status).toBe(429);
  });

  it('counts the many addresses of one IPv6 network as one', async () => {
    const user = await aPerson();
    const at = (network: string, host: number) => ({ 'x-forwarded-for': `${network}:${host.toString(16)}` });
    for (let i = 1; i <= 20; i++)
      expect((await signIn(`nobody${i}@example.com`, 'wrong', at('2001:db8:0:7:a:b:c', i))).status).toBe(400);
    expect((await signIn(user.userName, PASSWORD, at('2001:db8:0:7:', 9))).status).toBe(429);
    expect((await signIn(user.userName, PASSWORD, at('2001:db8:0:8:', 9))).status).toBe(200);
  });

  it.each([
    [undefined, 'gone'],
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.1'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ])('counts %s as %s', (input, network) => {
    expect(networkOf(input)).toBe(network);
  });

  it('blocks an address that tries many accounts, and nobody else', async () => {
    const user = await aPerson();
    for (let i = 0; i < 20; i++) await signIn(`guess-${i}@example.com`, 'wrong');
    expect((await signIn(user.userName)).status).toBe(429);
    expect((await signIn(user.userName, PASSWORD, from(240))).status).toBe(200);
    pass(61);
    expect((await signIn(user.userName)).status).toBe(200);
  });

  it('does not lock out a device that signed in before, while guessing elsewhere stays slow', async () => {
    const user = await aPerson();
    const { device } = (await signIn(user.userName)).body;
    for (let i = 0; i < 30; i++) {
      await signIn(user.userName, 'wrong', from(150 + i));
      await signIn(user.userName, 'wrong');
    }
    expect((await signIn(user.userName)).status).toBe(429);
    const again = await signIn(user.userName, PASSWORD, from(), device);
    expect(again.status).toBe(200);
    // A correct sign-in on that device gives no new tries to guesses elsewhere.
    expect((await signIn(user.userName, PASSWORD, from(205))).status).toBe(429);
    pass(300 * 86_400);
    expect((await signIn(user.userName, 'wrong', from(206), again.body.device)).status).toBe(400);
  });

  it('counts the tries of a known device across all of its marks', async () => {
    const user = await aPerson();
    const first = (await signIn(user.userName)).body.device;
    const second = (await signIn(user.userName, PASSWORD, from(), first)).body.device;
    for (let i = 0; i < 5; i++)
      expect((await signIn(user.userName, 'wrong', from(), i % 2 ? first : second)).status).toBe(400);
    expect((await signIn(user.userName, PASSWORD, from(), second)).headers['retry-after']).toBe('60');
    expect((await signIn(user.userName, PASSWORD, from(), first)).status).toBe(429);
    // It does not lock the account for other devices.
    expect((await signIn(user.userName)).status).toBe(200);
  });

  it('refuses a mark of another account, a forged or old mark, and a mark as an access token', async () => {
    const [user, other] = [await aPerson(), await aPerson()];
    const { device, access_token } = (await signIn(user.userName)).body;
    for (let i = 0; i < 5; i++) await signIn(other.userName, 'wrong', from(240 + i));
    for (const mark of [device, access_token, `${device.slice(0, -4)}AAAA`, 'rubbish', 'x'.repeat(900)])
      expect((await signIn(other.userName, PASSWORD, from(), mark)).status).toBe(429);
    expect((await callWith(device)).status).toBe(401);
    pass(366 * 86_400);
    for (let i = 0; i < 5; i++) await signIn(user.userName, 'wrong', from(240 + i));
    expect((await signIn(user.userName, PASSWORD, from(), device)).status).toBe(429);
  });

  it('accepts many simultaneous right sign-ins, and refuses a right guess after many simultaneous wrong ones', async () => {
    const user = await aPerson();
    const right = await Promise.all(Array.from({ length: 12 }, () => signIn(user.userName)));
    expect(right.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    const wrong = await Promise.all(Array.from({ length: 12 }, () => signIn(user.userName, 'wrong')));
    expect(wrong.every(({ status }) => status >= 400)).toBe(true);
    expect((await signIn(user.userName)).status).toBe(429);
  });
});

describe('/o/token/', () => {
  it('rotates a token sent as JSON, as a form, or with Basic credentials; the new token works', async () => {
    const user = await aPerson();
    const first = (await signIn(user.userName)).body;
    const byFields = await refresh(first.refresh_token);
    expect(byFields.status).toBe(200);
    expect(byFields.body).toMatchObject({
      token_type: 'bearer',
      expires_in: 900,
      '.expires': after(900),
    });
    const byForm = await server.inject({
      method: 'POST',
      url: '/o/token/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: byFields.body.refresh_token,
        ...CLIENT,
      }).toString(),
    });
    expect(byForm.status).toBe(200);
    const second = JSON.parse(byForm.text) as { refresh_token: string };
    const byBasic = await server.call(
      Auth.token,
      { grant_type: 'refresh_token', refresh_token: second.refresh_token },
      { headers: { authorization: `Basic ${Buffer.from('quoteboard-web:quoteboard-web').toString('base64')}` } },
    );
    expect(byBasic.status).toBe(200);
    expect((await callWith(byBasic.body.access_token)).status).toBe(200);
  });

  it('refuses a wrong client, a missing or unknown token and another grant, each with a detail', async () => {
    const user = await aPerson();
    const { refresh_token } = (await signIn(user.userName)).body;
    const wrongClient = await server.call(Auth.token, {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: 'quoteboard-web',
      client_secret: 'guess',
    });
    expect(wrongClient.status).toBe(401);
    expect(detailOf(wrongClient)).toBe('The client id or the client secret is wrong.');
    expect((await server.call(Auth.token, { grant_type: 'password', refresh_token, ...CLIENT })).status).toBe(400);
    expect((await server.call(Auth.token, { grant_type: 'refresh_token', ...CLIENT })).status).toBe(400);
    const unknown = await refresh('made-up');
    expect(unknown.status).toBe(401);
    expect(detailOf(unknown)).toBe('Your session has ended. Sign in again.');
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it('gives each of two tabs that refresh at the same time its own token, and both continue', async () => {
    const user = await aPerson();
    const { refresh_token } = (await signIn(user.userName)).body;
    const [first, two] = await Promise.all([refresh(refresh_token), refresh(refresh_token)]);
    expect([first.status, two.status]).toEqual([200, 200]);
    expect(first.body.refresh_token).not.toBe(two.body.refresh_token);
    pass(60);
    expect((await refresh(first.body.refresh_token)).status).toBe(200);
    expect((await refresh(two.body.refresh_token)).status).toBe(200);
  });

  it('ends the whole session when a used token is sent again later', async () => {
    const user = await aPerson();
    const first = (await signIn(user.userName)).body;
    const second = (await refresh(first.refresh_token)).body;
    const other = (await signIn(user.userName)).body;
    expect((await callWith(second.access_token)).status).toBe(200);
    pass(11);
    expect((await refresh(first.refresh_token)).status).toBe(401);
    expect((await refresh(second.refresh_token)).status).toBe(401);
    expect((await callWith(second.access_token)).status).toBe(401);
    expect((await callWith(other.access_token)).status).toBe(200);
  });

  it('ends a session that is used every day after the days that the rules allow', async () => {
    const rules = await server.ok(
      SecondFactorAdmin.GetSecondFactorRules,
      {},
      { as: await aUser(server.db, { roles: ['systemadmin'] }) },
    );
    expect(rules.sessionDays).toBe(30);
    let { refresh_token } = (await signIn((await aPerson()).userName)).body;
    const days = async (count: number) => {
      for (let day = 0; day < count; day++) {
        pass(86_400);
        ({ refresh_token } = (await refresh(refresh_token)).body);
      }
    };
    await days(29);
    pass(86_399);
    ({ refresh_token } = (await refresh(refresh_token)).body);
    await server.ok(
      SecondFactorAdmin.SaveSecondFactorRules,
      { ...rules, sessionDays: 40 },
      { as: await aUser(server.db, { roles: ['systemadmin'] }) },
    );
    await days(9);
    pass(86_401);
    expect((await refresh(refresh_token)).status).toBe(401);
  });

  it('refuses after 30 days without use and for a deactivated user', async () => {
    const user = await aPerson();
    const idle = (await signIn(user.userName)).body;
    const gone = (await signIn(user.userName)).body;
    pass(29 * 86_400);
    const used = await refresh(idle.refresh_token);
    expect(used.status).toBe(200);
    pass(2 * 86_400);
    expect((await refresh(gone.refresh_token)).status).toBe(401);
    await deactivate(user.id);
    expect((await refresh(used.body.refresh_token)).status).toBe(401);
  });
});

describe('access tokens', () => {
  it('are refused with 401 when missing, forged, expired or signed with another secret', async () => {
    const user = await aPerson();
    const { access_token } = (await signIn(user.userName)).body;
    const forged = `${access_token.slice(0, -4)}${access_token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    const [head = '', claims = ''] = access_token.split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
    for (const token of [forged, `${head}.${claims}.`, unsigned, 'rubbish'])
      expect((await callWith(token)).status).toBe(401);
    expect((await server.call(Region.GetActiveRegionsSimpleData, {})).status).toBe(401);
    expect((await callWith(access_token)).status).toBe(200);
    pass(901);
    expect((await callWith(access_token)).status).toBe(401);
  });

  it('stop working within a minute of deactivating the user, and lose a role as fast', async () => {
    const [user, demoted] = [await aPerson({ roles: ['systemadmin'] }), await aPerson({ roles: ['systemadmin'] })];
    const token = (await signIn(user.userName)).body.access_token;
    const demotedToken = (await signIn(demoted.userName)).body.access_token;
    const rolesOf = async (bearer: string) =>
      server.call(Auth.GetSignedInUser, {}, { headers: { authorization: `Bearer ${bearer}` } });
    expect((await callWith(token)).status).toBe(200);
    expect((await rolesOf(demotedToken)).body.roles).toEqual(['systemadmin']);
    await deactivate(user.id);
    await server.db.updateTable('user_role').set({ role: 'csrep' }).where('user_id', '=', demoted.id).execute();
    pass(59);
    expect((await callWith(token)).status).toBe(401);
    expect((await rolesOf(demotedToken)).body.roles).toEqual(['csrep']);
  });

  it('identify a caller with what limits their view: the regions of a manager, the reps of a support user', async () => {
    const region = await aRegion(server.db);
    const rep = await aPerson();
    const manager = await aPerson({ roles: ['salesQuoteManager'], regionIds: [region.id] });
    const support = await aPerson({ roles: ['salessupport'], supports: [rep.id] });
    const seen = await Promise.all(
      [manager, support].map(async (user) =>
        authenticate(
          server.services,
          `Bearer ${await server.tokenOf(user)}`,
          {
            path: '/api',
            group: '',
            changing: false,
            peopleOnly: false,
          },
          { address: '', userAgent: '' },
        ),
      ),
    );
    expect(seen.map(({ regionIds, supportedRepIds }) => ({ regionIds, supportedRepIds }))).toEqual([
      { regionIds: [region.id], supportedRepIds: [] },
      { regionIds: [], supportedRepIds: [rep.id] },
    ]);
  });
});

describe('SignOut and GetSignedInUser', () => {
  it('ends this session only', async () => {
    const user = await aPerson();
    const here = (await signIn(user.userName)).body;
    const there = (await signIn(user.userName)).body;
    const out = await server.call(Auth.SignOut, {}, { headers: { authorization: `Bearer ${here.access_token}` } });
    expect(out.status).toBe(200);
    expect((await callWith(here.access_token)).status).toBe(401);
    expect((await refresh(here.refresh_token)).status).toBe(401);
    expect((await callWith(there.access_token)).status).toBe(200);
  });

  it('says who is signed in, and hides the GPO tab when the configuration names the user', async () => {
    const user = await aPerson({ roles: ['csrep'] });
    expect((await server.call(Auth.GetSignedInUser, null, { as: user })).body).toEqual({
      id: user.id,
      userName: user.userName,
      fullName: user.fullName,
      roles: ['csrep'],
      gpoTabHidden: false,
      mustChangePassword: false,
    });
    server.services.config.gpoTabHiddenFor = user.userName.toUpperCase();
    expect((await server.call(Auth.GetSignedInUser, null, { as: user })).body.gpoTabHidden).toBe(true);
    server.services.config.gpoTabHiddenFor = undefined;
  });
});

describe('a locked public site', () => {
  it('refuses sign-in and every call of public users with the company’s message; others continue', async () => {
    const rep = await aPerson({ roles: ['salesrep', 'salessupport'] });
    const both = await aPerson({ roles: ['salesrep', 'csrep'] });
    const token = (await signIn(rep.userName)).body.access_token;
    const bothToken = (await signIn(both.userName)).body.access_token;
    expect((await callWith(token)).status).toBe(200);
    await server.db
      .updateTable('company')
      .set({ public_site_locked: true, public_site_message: 'Closed for stocktaking until Monday.' })
      .execute();
    pass(30);
    const refused = await callWith(token);
    expect(refused.status).toBe(403);
    expect(detailOf(refused)).toBe('Closed for stocktaking until Monday.');
    const atTheDoor = await signIn(rep.userName);
    expect(atTheDoor.status).toBe(403);
    expect(atTheDoor.refusal).toEqual({
      error: 'access_denied',
      error_description: 'Closed for stocktaking until Monday.',
    });
    expect((await signIn(rep.userName, 'wrong')).status).toBe(400);
    expect((await callWith(bothToken)).status).toBe(200);
    expect((await signIn(both.userName)).status).toBe(200);
    await server.db.updateTable('company').set({ public_site_locked: false }).execute();
    pass(30);
    expect((await callWith(token)).status).toBe(200);
  });
});
