// A server whose people sign in at a provider on loopback, with helpers for the trip there and back.
import { expect } from 'vitest';
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { SignOn } from '#platform/auth/sign-on/sign-on.contract.ts';
import { SignOnAdmin } from '#addons/single-sign-on/single-sign-on.contract.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { aUser } from './factories/people.server.ts';
import { PASSWORD } from './sign-ins.server.ts';
import { type Person, startSignOnProvider } from './sign-on-provider.server.ts';
import { startTestServer } from './test-server.server.ts';

export const BACK = 'http://quotes.test/login';

/** Starts the provider and a server with the provider's settings saved. `close` stops both. */
export async function startSignOn() {
  const hash = await hashPassword(PASSWORD, { memory: 8, passes: 1 });
  const provider = await startSignOnProvider({
    client: { redirectUri: BACK, logoutUri: 'http://quotes.test/api/SignOn/BackchannelLogout' },
    people: [],
  });
  const server = await startTestServer({
    config: { trustProxy: 1, publicUrl: 'http://quotes.test', reach: { networks: [], loopback: true } },
  });
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  let n = 0;

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

  function aPersonThere(overrides: Partial<Person> = {}): Person {
    const sub = `sub-${++n}`;
    const person = { sub, name: `Person ${n} There`, email: `there${n}@example.com`, groups: ['reps'], ...overrides };
    provider.people.push(person);
    return person;
  }

  /** Goes to the provider and back. Returns what the browser has afterwards. */
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

  await withPassword(admin.id);
  await save();
  const close = async () => {
    await server.close();
    await provider.close();
  };
  return {
    server,
    provider,
    admin,
    withPassword,
    from,
    row,
    typed,
    save,
    aPersonThere,
    travel,
    finish,
    come,
    bearer,
    ask,
    rolesHere,
    close,
  };
}
