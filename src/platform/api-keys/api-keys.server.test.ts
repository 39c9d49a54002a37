// Tests API keys over HTTP: what a program may do with one, and when it no longer may.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { Mailbox } from '#platform/mail/mailbox.contract.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { ApprovalAbsences } from '#core/quoting/approvals/absence/absence.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { anApprovalRequest, aPricedQuote, aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ApiKey } from './api-keys.contract.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
});
beforeEach(() => server.setNow('2026-11-10T15:00:00Z'));
afterAll(() => server.close());

let named = 0;
async function aKey(ownerId: number, scopes: string[], more: object = {}) {
  const input = { name: `Program ${++named}`, ownerId, scopes, ...more };
  const created = await server.ok(ApiKey.SaveApiKey, input, { as: admin });
  return { ...created, headers: { authorization: `Bearer ${created.key}` } };
}
type Key = Awaited<ReturnType<typeof aKey>>;
const listQuotes = (key: Pick<Key, 'headers'>) =>
  server.call(QuoteSearch.SearchQuotesForSalesRep, { page: 1 }, { headers: key.headers });
const detailOf = ({ body }: { body: unknown }) => (body as { detail: string }).detail;

it('a program sees what its owner sees, and no more', async () => {
  const [rep, other] = [
    await aUser(server.db, { roles: ['salesrep'] }),
    await aUser(server.db, { roles: ['salesrep'] }),
  ];
  const own = await aQuote(server.db, { ownerId: rep.id, salesRepId: rep.id });
  await aQuote(server.db, { ownerId: other.id, salesRepId: other.id });
  const key = await aKey(rep.id, ['QuoteSearch:read']);
  expect(key.key).toMatch(/^qbk_[a-z2-7]{12}_[\w-]{43}$/);
  const result = await listQuotes(key);
  expect(result.status).toBe(200);
  expect(result.body.records.map(({ id }) => id)).toEqual([own.id]);
});

it('the secret is returned once and stored nowhere', async () => {
  const key = await aKey(admin.id, ['Region:read']);
  // The secret may contain an underscore.
  const secret = key.key?.slice(-43) ?? '';
  expect(secret).toHaveLength(43);
  const { records } = await server.ok(ApiKey.SearchApiKeys, { keyword: key.name }, { as: admin });
  const again = await server.ok(ApiKey.SaveApiKey, { ...key, callsPerMinute: 10 }, { as: admin });
  const row = await server.db.selectFrom('api_key').selectAll().where('id', '=', key.id).executeTakeFirstOrThrow();
  const history = await server.ok(History.GetHistory, { type: 'apiKey', id: key.id }, { as: admin });
  expect(again.key).toBeNull();
  expect(JSON.stringify([records, again, row, history])).not.toContain(secret);
});

it('a call outside the scopes is refused, naming the scope; a write scope does not allow reading', async () => {
  const key = await aKey(admin.id, ['Region:write']);
  const read = await server.call(Region.GetAllRegions, {}, { headers: key.headers });
  expect([read.status, detailOf(read)]).toEqual([
    403,
    'This API key lacks the scope Region:read. It has: Region:write.',
  ]);
  expect((await server.call(Region.SaveRegion, { name: 'Made by a program' }, { headers: key.headers })).status).toBe(
    200,
  );
});

it('a program hears which fields a call ignored, and may have such a call refused', async () => {
  const key = await aKey(admin.id, ['QuoteEdit:write', 'QuoteSearch:read']);
  const save = (more: object, headers: Record<string, string> = key.headers) => {
    const quote = { currency: 'EUR', facilityId: null };
    const items = [1, 2].map((n) => ({ itemNumber: `X-${n}`, description: 'Custom', qty: n, uom: 'CS', ...more }));
    return server.call(QuoteEdit.SaveSalesRepQuote, { quote, items }, { headers });
  };
  const created = await save({});
  expect([created.status, created.headers['ignored-fields']]).toEqual([200, 'quote.currency, items.uom']);
  const strict = await save({}, { ...key.headers, prefer: 'return=minimal, handling=strict' });
  expect([strict.status, (strict.body as unknown as { errors: unknown }).errors]).toEqual([
    422,
    [
      { path: 'quote.currency', message: 'quote.currency is not a field of this call.' },
      { path: 'items.uom', message: 'items.uom is not a field of this call.' },
    ],
  ]);
  const hostile = await save({ uom: undefined, ['\r\nset-cookie: é']: 1 });
  expect(hostile.headers['ignored-fields']).toBe('quote.currency, items.%0D%0Aset-cookie%3A%20%C3%A9');
  const result = await server.call(QuoteSearch.SearchQuotesForSalesRep, { statuses: ['Won'] }, key);
  expect([result.status, result.headers['ignored-fields']]).toEqual([200, 'statuses']);
  expect((await listQuotes(key)).headers).not.toHaveProperty('ignored-fields');
  const person = await server.call(QuoteSearch.SearchQuotesForSalesRep, { statuses: 1 }, { as: admin });
  expect(person.headers).not.toHaveProperty('ignored-fields');
});

it('the history names the program that made a change', async () => {
  const owner = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Olive Owner' });
  const key = await aKey(owner.id, ['Region:read', 'Region:write']);
  const { body: region } = await server.call(Region.SaveRegion, { name: 'By key' }, { headers: key.headers });
  const [event] = await server.ok(History.GetHistory, { type: 'region', id: region.id }, { as: admin });
  expect(event?.actor).toBe(`Olive Owner (${key.name})`);
});

it('a key loses a role at the next call after its owner does', async () => {
  const owner = await aUser(server.db, { roles: ['salesadmin'] });
  const key = await aKey(owner.id, ['Region:read']);
  const read = () => server.call(Region.GetAllRegions, {}, { headers: key.headers });
  expect((await read()).status).toBe(200);
  await server.db.updateTable('user_role').set({ role: 'salesrep' }).where('user_id', '=', owner.id).execute();
  expect((await read()).status).toBe(403);
  await server.db.updateTable('app_user').set({ active: false }).where('id', '=', owner.id).execute();
  const left = await read();
  expect([left.status, detailOf(left)]).toEqual([401, expect.stringContaining('is no longer active')]);
});

it('a revoked key stops immediately, an expired one after its last day, and both refusals say so', async () => {
  const key = await aKey(admin.id, ['QuoteSearch:read'], { expiresOn: '11/12/2026' });
  expect((await listQuotes(key)).status).toBe(200);
  server.setNow('2026-11-13T04:00:00Z');
  expect((await listQuotes(key)).status).toBe(200);
  server.setNow('2026-11-14T15:00:00Z');
  const expired = await listQuotes(key);
  expect([expired.status, detailOf(expired)]).toEqual([401, 'This API key expired on 11/12/2026.']);
  const extended = await server.ok(ApiKey.SaveApiKey, { ...key, expiresOn: '' }, { as: admin });
  expect((await listQuotes(key)).status).toBe(200);
  expect((await server.call(ApiKey.RevokeApiKey, { id: key.id, version: key.version }, { as: admin })).status).toBe(
    409,
  );
  await server.ok(ApiKey.RevokeApiKey, extended, { as: admin });
  const revoked = await listQuotes(key);
  expect([revoked.status, detailOf(revoked)]).toEqual([401, 'This API key was revoked on 11/14/2026.']);
  const { records } = await server.ok(ApiKey.SearchApiKeys, { keyword: key.name }, { as: admin });
  expect(records).toMatchObject([{ state: 'Revoked' }]);
  const after = await server.call(ApiKey.SaveApiKey, { ...extended, version: extended.version + 1 }, { as: admin });
  expect([after.status, detailOf(after)]).toEqual([409, 'This key is revoked. Create a new one.']);
});

it('a save without a field leaves it as it was', async () => {
  const created = await aKey(admin.id, ['QuoteSearch:read'], { callsPerMinute: 20, expiresOn: '11/12/2026' });
  const { id, ownerId, scopes, version } = created;
  const input = { id, ownerId, scopes, version, name: 'Kept program' };
  const { key: _key, ...saved } = await server.ok(ApiKey.SaveApiKey, input, { as: admin });
  expect(saved).toEqual({
    ...input,
    callsPerMinute: 20,
    expiresOn: '2026-11-12',
    version: version + 1,
  });
  const endless = await server.ok(ApiKey.SaveApiKey, { ...input, version: 2, expiresOn: null }, { as: admin });
  expect(endless).toMatchObject({ callsPerMinute: 20, expiresOn: '' });
});

it('a forged or cut key is refused without saying which part is wrong', async () => {
  const { key } = await aKey(admin.id, ['QuoteSearch:read']);
  const other = await aKey(admin.id, ['QuoteSearch:read']);
  const [, prefix] = (key ?? '').split('_');
  const secretOfOther = other.key?.split('_').slice(2).join('_');
  for (const forged of [
    `${key}x`,
    key?.slice(0, -1),
    `qbk_${prefix}_${secretOfOther}`,
    'qbk_',
    `qbk_${'a'.repeat(12)}_${'b'.repeat(43)}`,
  ]) {
    const answer = await listQuotes({ headers: { authorization: `Bearer ${forged}` } });
    expect([answer.status, detailOf(answer)]).toEqual([401, 'This API key does not exist.']);
  }
});

it('roles that its owner gets later never reach a key, not even when it is saved again', async () => {
  const owner = await aUser(server.db, { roles: ['salesrep'] });
  const key = await aKey(owner.id, ['Region:read', 'QuoteSearch:read']);
  const theirs = await aQuote(server.db, { ownerId: admin.id });
  await server.db.insertInto('user_role').values({ user_id: owner.id, role: 'systemadmin' }).execute();
  const renamed = await server.ok(ApiKey.SaveApiKey, { ...key, name: 'Renamed program' }, { as: admin });
  expect((await server.call(Region.GetAllRegions, {}, { headers: key.headers })).status).toBe(403);
  expect((await listQuotes(key)).body.records.map(({ id }) => id)).not.toContain(theirs.id);
  const offered = await server.ok(ApiKey.GetScopesOf, { ownerId: owner.id, id: key.id }, { as: admin });
  expect(offered.map(({ group }) => group)).not.toContain('Audit');
  const more = await server.call(ApiKey.SaveApiKey, { ...renamed, scopes: ['Audit:read'] }, { as: admin });
  expect(more).toMatchObject({ status: 422, body: { errors: [{ path: 'scopes' }] } });
  // A new key has the roles.
  const other = await aKey(owner.id, ['Region:read']);
  expect((await server.call(Region.GetAllRegions, {}, { headers: other.headers })).status).toBe(200);
  await server.db.deleteFrom('user_role').where('user_id', '=', owner.id).where('role', '=', 'salesrep').execute();
  const lost = await listQuotes(key);
  expect([lost.status, detailOf(lost)]).toEqual([403, expect.stringContaining('no longer has any of the roles')]);
});

it('a key of a deputy sees and decides nothing of the absent colleague', async () => {
  const away = await aUser(server.db, { roles: ['salesadmin'] });
  const deputy = await aUser(server.db, { roles: ['salesQuoteManager'] });
  const key = await aKey(deputy.id, ['QuoteSearch:read', 'QuoteWorkflow:write']);
  const quote = await aPricedQuote(server.db, { statusId: 'Processing' });
  await anApprovalRequest(server.db, { quoteId: quote.id, requestedBy: admin.id, roles: ['salesadmin'] });
  await server.ok(
    ApprovalAbsences.SaveAbsence,
    { userId: away.id, deputyId: deputy.id, from: '2026-11-01', to: '2026-11-30' },
    { as: admin },
  );
  const asPerson = await server.ok(QuoteSearch.SearchQuotesForSalesRep, { page: 1 }, { as: deputy });
  expect(asPerson.records.map(({ id }) => id)).toEqual([quote.id]);
  expect((await listQuotes(key)).body.records).toEqual([]);
  const approve = { quoteId: quote.id, action: 'ApproveDiscount' as const, version: 1 };
  const { headers } = key;
  expect((await server.call(QuoteWorkflow.PerformWorkflowAction, approve, { headers })).status).toBe(404);
  // This applies even to a quote that the user may see.
  await server.db.updateTable('quote').set({ owner_id: deputy.id }).where('id', '=', quote.id).execute();
  expect((await server.call(QuoteWorkflow.PerformWorkflowAction, approve, { headers })).status).toBe(403);
  // The user may, and is refused only because the lines are not those of the request.
  expect((await server.call(QuoteWorkflow.PerformWorkflowAction, approve, { as: deputy })).status).toBe(409);
});

it('a key makes and changes regions, but not who manages them', async () => {
  const manager = await aUser(server.db, { roles: ['salesQuoteManager'] });
  const key = await aKey(admin.id, ['Region:write']);
  const save = (input: Record<string, unknown>) => server.call(Region.SaveRegion, input, { headers: key.headers });
  const refused = await save({ name: 'With a manager', managerIds: [manager.id] });
  expect([refused.status, detailOf(refused)]).toEqual([403, expect.stringContaining('who manages a region')]);
  const created = await server.ok(Region.SaveRegion, { name: 'Managed', managerIds: [manager.id] }, { as: admin });
  const renamed = await save({ ...created, name: 'Managed still' });
  expect(renamed).toMatchObject({ status: 200, body: { managerIds: [manager.id] } });
  expect((await save({ ...renamed.body, managerIds: [] })).status).toBe(403);
});

it('no key signs in, manages people, makes keys or reads mail, whatever its owner may do', async () => {
  const refused = ['ApiKey:write', 'UserEdit:write', 'User:read', 'Account:write', 'Mailbox:read', 'Mailbox:write'];
  const answer = await server.call(
    ApiKey.SaveApiKey,
    { name: 'Too much', ownerId: admin.id, scopes: refused },
    { as: admin },
  );
  expect(answer.status).toBe(422);
  const scopes = await server.ok(ApiKey.GetScopesOf, { ownerId: admin.id }, { as: admin });
  expect(scopes.map(({ group }) => group)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:ApiKey|Mailbox|User|UserEdit|Account|SignIn|SignOn|Auth)$/)]),
  );
  expect(scopes.find(({ group }) => group === 'Webhook')?.write).not.toContain('SaveWebhook');
  expect(scopes.find(({ group }) => group === 'QuoteEdit')?.write).toContain('SaveQuoteItem');
  // Even a stored scope does not allow the call.
  const key = await aKey(admin.id, ['Region:read']);
  await server.db
    .updateTable('api_key')
    .set({ scopes: [...refused, 'ApiKey:read'] })
    .where('id', '=', key.id)
    .execute();
  for (const call of [
    server.call(ApiKey.SearchApiKeys, {}, { headers: key.headers }),
    server.call(Auth.SignOut, {}, { headers: key.headers }),
    server.call(Mailbox.SearchMail, {}, { headers: key.headers }),
    server.call(Mailbox.GetMail, { id: 1 }, { headers: key.headers }),
    server.call(Mailbox.ReleaseMail, {}, { headers: key.headers }),
  ])
    expect((await call).status).toBe(403);
});

it('scopes are a subset of what the owner may do', async () => {
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  const scopes = await server.ok(ApiKey.GetScopesOf, { ownerId: rep.id }, { as: admin });
  expect(scopes.find(({ group }) => group === 'Region')).toEqual({
    group: 'Region',
    read: ['GetActiveRegionsSimpleData'],
    write: [],
  });
  const answer = await server.call(
    ApiKey.SaveApiKey,
    { name: 'Beyond', ownerId: rep.id, scopes: ['Region:write'] },
    { as: admin },
  );
  expect(answer).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'scopes', message: expect.stringContaining('Region:write') as string }] },
  });
  const own = await server.call(
    ApiKey.SaveApiKey,
    { name: 'By a rep', ownerId: rep.id, scopes: ['QuoteEdit:read'] },
    { as: rep },
  );
  expect(own.status).toBe(403);
});

it('calls beyond the limit per minute must wait, and other keys continue', async () => {
  const [slow, quick] = [
    await aKey(admin.id, ['QuoteSearch:read'], { callsPerMinute: 2 }),
    await aKey(admin.id, ['QuoteSearch:read']),
  ];
  const answers = [await listQuotes(slow), await listQuotes(slow), await listQuotes(slow)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await listQuotes(quick)).status).toBe(200);
});

it('a key is refused when its owner is: a locked public site, a password that must be changed', async () => {
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  const key = await aKey(rep.id, ['QuoteSearch:read']);
  await server.db
    .updateTable('company')
    .set({ public_site_locked: true, public_site_message: 'Back at noon.' })
    .execute();
  const locked = await listQuotes(key);
  expect([locked.status, detailOf(locked)]).toEqual([403, 'Back at noon.']);
  await server.db.updateTable('company').set({ public_site_locked: false, public_site_message: '' }).execute();
  await server.db.updateTable('app_user').set({ must_change_password: true }).where('id', '=', rep.id).execute();
  expect((await listQuotes(key)).status).toBe(403);
});
