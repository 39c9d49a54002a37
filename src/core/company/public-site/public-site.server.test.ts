// Tests the lock of the public site over HTTP: whom it stops, its message, its automatic end, permissions.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { PublicSiteAdmin } from './public-site.contract.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
});
afterAll(() => server.close());

const home = (user: { id: number }) => server.call(QuoteSearch.GetUserDefaultQuoteSearchLookups, {}, { as: user });

it('stops public users with a sentence, ends their sessions, and lets the rest work', async () => {
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  const both = await aUser(server.db, { roles: ['salesrep', 'salesadmin'] });
  const cs = await aUser(server.db, { roles: ['csrep'] });
  const token = await server.tokenOf(rep.id);
  const withToken = () =>
    server.call(QuoteSearch.GetUserDefaultQuoteSearchLookups, {}, { headers: { authorization: `Bearer ${token}` } });
  expect((await withToken()).status).toBe(200);

  const locked = await server.ok(PublicSiteAdmin.LockPublicSite, { message: 'Closed for stocktaking.' }, { as: admin });
  expect(locked).toMatchObject({ locked: true, message: 'Closed for stocktaking.', lockedBy: 'Bea Boss', signedIn: 0 });
  expect(await withToken()).toMatchObject({ status: 401, body: { detail: 'Closed for stocktaking.' } });
  expect((await home(both)).status).toBe(200);
  expect((await home(cs)).status).toBe(200);
  expect(await server.call(PublicSiteAdmin.LockPublicSite, { message: 'Again' }, { as: admin })).toMatchObject({
    status: 409,
    body: { detail: 'Bea Boss has already locked the public site.' },
  });

  const open = await server.ok(PublicSiteAdmin.UnlockPublicSite, {}, { as: admin });
  expect(open).toMatchObject({ locked: false, lockedBy: null });
  expect((await home(await aUser(server.db, { roles: ['salesrep'] }))).status).toBe(200);
  // Ended sessions stay ended.
  expect((await withToken()).status).toBe(401);
  expect(await server.ok(History.GetHistory, { type: 'publicSite', id: 1 }, { as: admin })).toMatchObject([
    { action: 'Unlock' },
    { action: 'Lock', comment: 'Closed for stocktaking.' },
  ]);
});

it('opens by itself at its hour', async () => {
  const rep = await aUser(server.db, { roles: ['salessupport'] });
  const password_hash = await hashPassword('Open-sesame-1');
  await server.db.updateTable('app_user').set({ password_hash }).where('id', '=', rep.id).execute();
  const signIn = () =>
    server.call(Auth.Token, { UserName: rep.userName, Password: 'Open-sesame-1', grant_type: 'password' });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await server.ok(PublicSiteAdmin.LockPublicSite, { message: 'Back at noon.', until }, { as: admin });
  expect(await signIn()).toMatchObject({ status: 403, body: { error_description: 'Back at noon.' } });
  server.setNow(new Date(Date.now() + 3_600_001).toISOString());
  expect((await signIn()).status).toBe(200);
  expect(await server.ok(PublicSiteAdmin.GetPublicSiteStatus, {}, { as: admin })).toMatchObject({ locked: false });
  server.setNow(null);
  await server.ok(PublicSiteAdmin.UnlockPublicSite, {}, { as: admin });
});

it('is toggled in both directions by one call, which says the state to reach', async () => {
  const toggle = (input: object) => server.call(PublicSiteAdmin.UnlockPublicSite, { ...input }, { as: admin });
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  await server.ok(PublicSiteAdmin.UnlockPublicSite, {}, { as: admin });
  expect(await toggle({ locked: true, message: 'Closed for the move.' })).toMatchObject({
    status: 200,
    body: { locked: true, message: 'Closed for the move.', lockedBy: 'Bea Boss' },
  });
  expect((await home(rep)).status).toBe(403);
  // The same lock again changes nothing, but another message would be lost.
  expect(await toggle({ locked: true })).toMatchObject({ status: 200, body: { message: 'Closed for the move.' } });
  expect((await toggle({ locked: true, message: 'Closed until spring.' })).status).toBe(409);
  for (const input of [{ locked: false }, { locked: false }, {}])
    expect(await toggle(input)).toMatchObject({ status: 200, body: { locked: false } });
  // Without a message it uses that of the last lock.
  expect(await toggle({ locked: true })).toMatchObject({ body: { locked: true, message: 'Closed for the move.' } });
  expect(await toggle({ locked: 'yes' })).toMatchObject({ status: 422 });
  expect((await toggle({ locked: true, until: '2001-01-01T00:00:00Z' })).status).toBe(409);
  expect((await toggle({})).status).toBe(200);
  expect((await toggle({ locked: true, until: '2001-01-01T00:00:00Z' })).status).toBe(422);
});

it('wants a message and a time to come, and a system administrator', async () => {
  const past = await server.call(
    PublicSiteAdmin.LockPublicSite,
    { message: 'Too late', until: '2001-01-01T00:00:00Z' },
    { as: admin },
  );
  expect(past).toMatchObject({ status: 422, body: { errors: [{ path: 'until' }] } });
  expect((await server.call(PublicSiteAdmin.LockPublicSite, { message: ' ' }, { as: admin })).status).toBe(422);
  const salesadmin = await aUser(server.db, { roles: ['salesadmin'] });
  for (const call of [PublicSiteAdmin.UnlockPublicSite, PublicSiteAdmin.GetPublicSiteStatus]) {
    expect((await server.call(call, {}, { as: salesadmin })).status).toBe(403);
    expect((await server.call(call, {})).status).toBe(401);
  }
});
