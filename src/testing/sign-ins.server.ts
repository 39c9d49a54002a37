// Signs people in over HTTP, sets up second factors, refreshes, and returns later; each test uses its own address.
import { Auth } from '#platform/auth/auth.contract.ts';
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { SecondFactor } from '#platform/auth/second-factor/second-factor.contract.ts';
import { codeAt, stepAt, unbase32 } from '#platform/auth/second-factor/totp.server.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { aUser } from './factories/people.server.ts';
import type { TestServer } from './test-server.server.ts';

export const PASSWORD = 'correct horse battery';
export const CLIENT = { client_id: 'quoteboard-web', client_secret: 'quoteboard-web' };

/** Keeps hashing cheap. Verification reads these costs from the hash. */
const QUICK = { memory: 8, passes: 1 };

type Refusal = { error: string; error_description: string };

/** `server` returns the test file's server, which exists once its tests run and trusts one proxy. */
export function signIns(server: () => TestServer) {
  let hash: string | undefined;
  let now = Date.parse('2026-11-21T12:00:00Z');
  let address = 0;

  function pass(seconds: number) {
    now += seconds * 1000;
    server().setNow(new Date(now).toISOString());
  }

  /** Each test comes from its own address, an hour later, so that the failures of one do not block another. */
  function fromElsewhere() {
    address++;
    pass(3600);
  }

  const from = (last = address) => ({ 'x-forwarded-for': `10.0.${last >> 8}.${last & 255}` });

  async function aPerson(input: Parameters<typeof aUser>[1] = {}) {
    const { db } = server();
    hash ??= await hashPassword(PASSWORD, QUICK);
    const user = await aUser(db, input);
    await db.updateTable('app_user').set({ password_hash: hash }).where('id', '=', user.id).execute();
    return user;
  }

  async function signIn(userName: string, password = PASSWORD, headers = from(), device = '') {
    const response = await server().call(
      Auth.Token,
      { UserName: userName, Password: password, grant_type: 'password', device },
      { headers },
    );
    return { ...response, refusal: response.body as unknown as Refusal };
  }

  const refresh = (refresh_token: string) =>
    server().call(Auth.token, { grant_type: 'refresh_token', refresh_token, ...CLIENT });

  /** Makes a call that every signed-in user may make. */
  const callWith = (token: string) =>
    server().call(Region.GetActiveRegionsSimpleData, {}, { headers: { authorization: `Bearer ${token}` } });

  /** The code that an authenticator app shows now, or some steps later. */
  const codeOf = (secret: string, later = 0) => codeAt(unbase32(secret), stepAt(server().services.clock.now()) + later);

  /** Sets up an app, or a second app with a code of the first. Its next code works immediately. */
  async function enroll(user: { id: number }, code = '') {
    const { secret } = await server().ok(SecondFactor.BeginSecondFactor, { password: PASSWORD, code }, { as: user });
    const first = { code: codeOf(secret) };
    const { recoveryCodes } = await server().ok(SecondFactor.ConfirmSecondFactor, first, { as: user });
    pass(30);
    return { secret, recoveryCodes };
  }

  async function enrolled(input: Parameters<typeof aPerson>[0] = {}) {
    const user = await aPerson(input);
    return { user, ...(await enroll(user)) };
  }

  return { aPerson, signIn, refresh, callWith, from, pass, fromElsewhere, codeOf, enroll, enrolled };
}
