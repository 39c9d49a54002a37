// Tests the settings of the sign-in provider over HTTP: tested, stored, refused, deleted, and passwords switched off.
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Auth } from '#platform/auth/auth.contract.ts';
import { SignOn } from '#platform/auth/sign-on/sign-on.contract.ts';
import { UserEdit } from '#core/people/user-admin/user-admin.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { PASSWORD } from '#testing/sign-ins.server.ts';
import { BACK, startSignOn } from '#testing/sign-on.server.ts';
import { SignOnAdmin } from './single-sign-on.contract.ts';

const { server, provider, admin, withPassword, from, typed, save, aPersonThere, come, ask, close } =
  await startSignOn();
afterAll(close);
beforeEach(() => Object.assign(provider, { fault: 'none', forge: null }));

describe('the settings', () => {
  const test = async (more: Record<string, unknown> = {}) =>
    server.call(SignOnAdmin.TestSignOn, await typed(more), { as: admin });

  it('test the connection with the entered values, and report the result in words', async () => {
    expect((await test()).body).toMatchObject({
      ok: true,
      sentence: expect.stringMatching(/responds and has 1 key.*supports back-channel logout/),
    });
    expect((await test({ issuer: `${provider.issuer}/elsewhere` })).body).toMatchObject({ ok: false });
    expect((await test({ issuer: 'http://127.0.0.1:1' })).body).toEqual({
      ok: false,
      sentence: 'The provider cannot be reached. Try again in a moment.',
    });
    provider.fault = 'garbage';
    expect((await test()).body).toMatchObject({ ok: false, sentence: expect.stringMatching(/invalid/) });
  });

  it('store the secret in unreadable form, and send it to no other issuer', async () => {
    await save();
    const stored = await save({ secret: '', button: 'Sign in with Example' });
    expect(stored.status).toBe(200);
    expect(stored.body).toMatchObject({
      hasSecret: true,
      redirectUri: BACK,
      logoutUri: 'http://quotes.test/api/SignOn/BackchannelLogout',
    });
    const all = JSON.stringify([
      stored.body,
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

  it('are for system administrators, need the current version, and refuse nonsense', async () => {
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

  it('switch passwords off for all but one administrator, who then cannot be deactivated', async () => {
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
      error: 'Signing in by password is turned off. Use "Sign in with Example".',
    });
    expect((await password(user.userName, 'wrong')).error).toMatch(/is wrong/);
    expect((await password(admin.userName)).status).toBe(200);
    const second = await aUser(server.db, { roles: ['systemadmin'] });
    await withPassword(second.id);
    expect((await password(second.userName)).status).toBe(400);
    const { user: record } = await server.ok(UserEdit.GetUserEditData, { id: admin.id }, { as: second });
    const off = { id: admin.id, active: false, version: record.version, handOver: {} };
    expect((await server.call(UserEdit.SetUserActive, off, { as: second })).status).not.toBe(200);
    // If that user is inactive, every administrator may sign in.
    await server.db.updateTable('app_user').set({ active: false }).where('id', '=', admin.id).execute();
    expect((await password(second.userName)).status).toBe(200);
    await server.db.updateTable('app_user').set({ active: true }).where('id', '=', admin.id).execute();
    await save();
    expect((await password(user.userName)).status).toBe(200);
  });

  it('are deleted when the provider is removed: its sessions end, and no sign-in can begin', async () => {
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
      body: { detail: expect.stringMatching(/not set up/) },
    });
    expect((await server.call(SignOn.BackchannelLogout, { logout_token: 'x' }, { headers: from() })).status).toBe(409);
    await save();
  });

  it('report that the secret must be entered again when TOKEN_SECRET has changed', async () => {
    const { config } = server.services;
    const before = config.tokenSecret;
    const token = await server.tokenOf(admin);
    config.tokenSecret = 'another secret of at least 32 characters';
    const begun = await server.call(SignOn.BeginSignOn, {}, { headers: from() });
    expect(begun).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/Contact your system administrator/) },
    });
    config.tokenSecret = before;
    expect((await ask(token)).status).toBe(200);
  });
});
