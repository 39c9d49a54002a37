// Tests a change of TOKEN_SECRET without downtime: sessions, devices, pictures and everything sealed stay valid, and at the end nothing needs the old
// secret.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectionOf } from '#addons/crm/connection.server.ts';
import { sealSecret, secretsOf } from '#addons/webhooks/secrets.server.ts';
import { SecondFactor } from '#platform/auth/second-factor/second-factor.contract.ts';
import { knownDevice } from '#platform/auth/sessions/known-device.server.ts';
import { providerOf } from '#addons/single-sign-on/provider.server.ts';
import { seal } from '#platform/outside/sealed.server.ts';
import { signIns } from '#testing/sign-ins.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { resealSecrets } from './reseal.server.ts';

const [OLD, NEW] = ['old-secret-of-at-least-32-characters', 'new-secret-of-at-least-32-characters'];
let server: TestServer;
const { aPerson, signIn, refresh, callWith, from, pass, fromElsewhere, enrolled, codeOf } = signIns(() => server);

beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: 1 } });
  use(OLD);
});
afterAll(() => server.close());
beforeEach(fromElsewhere);

/** Configures the server as if it were started with these secrets. */
const use = (tokenSecret: string, otherTokenSecret?: string) =>
  Object.assign(server.services.config, { tokenSecret, otherTokenSecret });

async function keepSecrets() {
  const { db, services } = server;
  const { id } = await db
    .insertInto('webhook_endpoint')
    .values({ address: 'https://example.com/', description: 'ERP', events: [] })
    .returning('id')
    .executeTakeFirstOrThrow();
  const until = new Date(services.clock.now().getTime() + 3_600_000);
  const [secret, old_secret] = ['whsec_new', 'whsec_old'].map((entry) => sealSecret(services, id, entry));
  await db
    .updateTable('webhook_endpoint')
    .set({ secret, old_secret, old_secret_until: until })
    .where('id', '=', id)
    .execute();
  const crm = { address: 'https://company.my.salesforce.com', secret: seal(services.config, 'crm', 'key of the CRM') };
  await db.updateTable('crm_connection').set(crm).execute();
  const provider = { issuer: 'https://login.example.com', secret: seal(services.config, 'sign-on', 'client secret') };
  await db.updateTable('sign_on_provider').set(provider).execute();
}

/** Returns what the server reads of its sealed data; null if it cannot be opened. */
async function opened() {
  const { db, services } = server;
  const crm = connectionOf(services, await db.selectFrom('crm_connection').selectAll().executeTakeFirstOrThrow());
  const provider = providerOf(services, await db.selectFrom('sign_on_provider').selectAll().executeTakeFirstOrThrow());
  const webhook = await db.selectFrom('webhook_endpoint').selectAll().executeTakeFirstOrThrow();
  return [
    crm.login?.method === 'ClientCredentials' ? crm.login.clientSecret : null,
    provider.login?.clientSecret ?? null,
    secretsOf(services, webhook),
  ];
}
const ALL = ['key of the CRM', 'client secret', ['whsec_new', 'whsec_old']];

it('keeps working through a change of TOKEN_SECRET in three steps', async () => {
  await keepSecrets();
  const { user: guarded, secret } = await enrolled();
  const user = await aPerson();
  const before = (await signIn(user.userName)).body;
  const code = async () => {
    pass(30);
    const { refusal } = await signIn(guarded.userName);
    const challenge = (refusal as unknown as { mfa_token: string }).mfa_token;
    const input = { challenge, code: codeOf(secret) };
    return (await server.call(SecondFactor.ConfirmSignIn, input, { headers: from() })).status;
  };

  // 1. All servers know the new secret, and none uses it yet.
  use(OLD, NEW);
  expect(await resealSecrets(server.services)).toBe(0);
  expect([await opened(), (await callWith(before.access_token)).status]).toEqual([ALL, 200]);

  // 2. The servers use it one after the other; those of step 1 accept what it signs and open what it seals.
  use(NEW, OLD);
  const during = (await signIn(user.userName)).body;
  expect((await callWith(before.access_token)).status).toBe(200);
  expect(await knownDevice(server.services, user.id, before.device)).not.toBeNull();
  expect([await opened(), await code()]).toEqual([ALL, 200]);
  expect(await resealSecrets(server.services)).toBe(5);
  expect(await resealSecrets(server.services)).toBe(0);
  use(OLD, NEW);
  expect((await callWith(during.access_token)).status).toBe(200);
  expect([await opened(), await code()]).toEqual([ALL, 200]);

  // 3. The old secret is removed.
  use(NEW);
  expect([await opened(), await code()]).toEqual([ALL, 200]);
  expect((await callWith(during.access_token)).status).toBe(200);
  // Verified signatures are cached until they expire, so a different token shows what is accepted now.
  use(OLD);
  const late = (await signIn(user.userName)).body;
  use(NEW);
  expect((await callWith(late.access_token)).status).toBe(401);
  expect((await refresh(late.refresh_token)).status).toBe(200);
  expect(await knownDevice(server.services, user.id, late.device)).toBeNull();
  use(OLD);
  expect(await opened()).toEqual([null, null, null]);
});
