// Tests the connection settings over HTTP: secrets that are never returned, hostile input, the environment, rotation, and the test.
import { generateKeyPairSync } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Audit } from '#core/company/audit/audit.contract.ts';
import { BackgroundWork } from '#platform/background-work/background-work.contract.ts';
import { History } from '#platform/history/history.contract.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startSalesforce, type TestSalesforce } from '#testing/salesforce.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Crm, QuoteCrm } from './crm.contract.ts';

const SECRET = 'hush-hush-4711';
let server: TestServer;
let salesforce: TestSalesforce;
let admin: { id: number };
const logged: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  server = await startTestServer({ config: { reach: { networks: [], loopback: true } }, log });
  salesforce = await startSalesforce();
  salesforce.rotate(SECRET);
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
});
beforeEach(async () => {
  const { connection, source } = await settings();
  if (source === 'screen') await server.ok(Crm.DisconnectCrm, { version: connection.version }, { as: admin });
});
afterAll(async () => {
  await server.close();
  await salesforce.close();
});

const settings = (target = server) => target.ok(Crm.GetCrmSettings, {}, { as: admin });
async function typed(more: Record<string, unknown> = {}) {
  const { hasSecret: _has, ...connection } = (await settings()).connection;
  return { ...connection, address: salesforce.address, clientId: salesforce.clientId, ...more };
}
const save = async (more: Record<string, unknown> = {}) =>
  server.call(Crm.SaveCrmConnection, await typed(more), { as: admin });
const test = async (more: Record<string, unknown> = {}) => server.call(Crm.TestCrm, await typed(more), { as: admin });

it('keeps the secret sealed: no answer, event, log line, or error contains it', async () => {
  const answers: { status: number; body: unknown }[] = [await test({ secret: SECRET }), await save({ secret: SECRET })];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.body).toMatchObject({ ok: true, sentence: 'Connected to Loopback Org (sandbox).' });
  const { id } = await aQuote(server.db, { facility: (await aSalesOffice(server.db)).facility });
  const cs = await aUser(server.db, { roles: ['csrep'] });
  salesforce.fail(/oauth2/, 500);
  answers.push(
    await server.call(QuoteCrm.AddQuoteAsOppotunity, { id }, { as: cs }),
    await test({ secret: `${SECRET}-wrong` }),
    await server.call(Crm.SearchCrmPushes, {}, { as: admin }),
    await server.call(QuoteCrm.GetQuoteCrm, { id }, { as: cs }),
    await server.call(BackgroundWork.GetJobs, {}, { as: admin }),
    await server.call(Audit.SearchAudit, {}, { as: admin }),
    await server.call(History.GetHistory, { type: 'crm', id: 1 }, { as: admin }),
    await save({ secret: SECRET, address: 'http://10.0.0.1' }),
    { status: 200, body: await settings() },
  );
  await server.drain();
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(SECRET);
  expect(logged.join('')).not.toContain(SECRET);
  const row = await server.db.selectFrom('crm_connection').selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(SECRET);
  expect(row.secret).toMatch(/^v1\./);
  expect((await settings()).connection).toMatchObject({ hasSecret: true });
  expect(await server.ok(History.GetHistory, { type: 'crm', id: 1 }, { as: admin })).toMatchObject([
    { action: 'Create', actor: 'Bea Boss' },
  ]);
});

it('refuses addresses outside Salesforce, a missing secret, and invalid keys', async () => {
  for (const address of [
    'http://company.my.salesforce.com',
    'https://user:pass@company.my.salesforce.com',
    'https://company.my.salesforce.com/services',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '<script>',
    "https://x' or 1=1",
  ])
    expect(await save({ address, secret: SECRET })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'address' }] },
    });
  expect(await save({})).toMatchObject({ status: 422, body: { errors: [{ path: 'secret' }] } });
  for (const secret of ['no key', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })])
    expect(await save({ method: 'JwtBearer', userName: 'u@example.com', secret })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'secret' }] },
    });
  for (const wrong of [
    { apiVersion: '../../x' },
    { keepCalls: 91 },
    { method: 'Password' },
    { priceBook: 'x'.repeat(201) },
  ])
    expect((await save({ secret: SECRET, ...wrong })).status).toBe(422);
  expect((await settings()).source).toBe('none');
});

it('never sends a stored secret to another address or with another way of signing in', async () => {
  await save({ secret: SECRET });
  const elsewhere = await startSalesforce();
  for (const more of [{ address: elsewhere.address }, { method: 'JwtBearer', userName: 'u@example.com' }])
    for (const answer of [await test(more), await save(more)])
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'secret' }] } });
  expect(elsewhere.calls).toEqual([]);
  await elsewhere.close();
  expect((await save({ priceBook: '' })).status).toBe(200);
});

it('can be changed only over the version that was read, and only by administrators', async () => {
  const input = await typed({ secret: SECRET });
  await server.ok(Crm.SaveCrmConnection, input, { as: admin });
  expect(await server.call(Crm.SaveCrmConnection, input, { as: admin })).toMatchObject({
    status: 409,
    body: { conflict: { changedBy: 'Bea Boss' } },
  });
  const cs = await aUser(server.db, { roles: ['csrep', 'salesadmin'] });
  expect((await server.call(Crm.GetCrmSettings, {}, { as: cs })).status).toBe(403);
});

it('signs in with a private key', async () => {
  const jwt = { method: 'JwtBearer', userName: salesforce.userName, secret: salesforce.privateKey };
  expect((await test(jwt)).body).toMatchObject({ ok: true });
  expect((await save(jwt)).status).toBe(200);
  expect((await test(jwt)).body).toMatchObject({ ok: true });
  expect(JSON.stringify(await settings())).not.toContain('PRIVATE KEY');
});

it('takes a new secret while the old one is still valid, without a failed sign-in', async () => {
  await save({ secret: SECRET });
  const ok = async () => (await test()).body;
  salesforce.rotate('the next secret');
  expect(await ok()).toMatchObject({ ok: true });
  expect((await save({ secret: 'the next secret' })).status).toBe(200);
  expect(await ok()).toMatchObject({ ok: true });
  salesforce.rotate('the next secret', true);
  salesforce.endTokens();
  expect(await ok()).toMatchObject({ ok: true });
  expect((await test({ secret: SECRET })).body).toMatchObject({ ok: false });
  salesforce.rotate(SECRET);
});

it('takes the key of a second app while the first one is still valid', async () => {
  const jwt = { method: 'JwtBearer', userName: salesforce.userName };
  expect((await save({ ...jwt, secret: salesforce.privateKey })).status).toBe(200);
  const second = salesforce.secondApp();
  const next = { ...jwt, clientId: second.clientId, secret: second.privateKey };
  expect((await test(jwt)).body).toMatchObject({ ok: true });
  expect((await test(next)).body).toMatchObject({ ok: true });
  expect((await save(next)).status).toBe(200);
  second.end();
  salesforce.endTokens();
  expect((await test({ ...jwt, clientId: second.clientId })).body).toMatchObject({ ok: true });
  expect((await test({ ...jwt, secret: salesforce.privateKey })).body).toMatchObject({ ok: false });
});

it('says that the secret was sealed under another TOKEN_SECRET', async () => {
  await save({ secret: SECRET });
  const stored = server.services.config.tokenSecret;
  server.services.config.tokenSecret = 'another-secret-of-at-least-32-characters';
  try {
    const admins = { as: await aUser(server.db, { roles: ['systemadmin'] }) };
    const { problem } = await server.ok(Crm.GetCrmSettings, {}, admins);
    expect(problem).toMatch(/another TOKEN_SECRET. Enter it again/);
    await server.drain();
  } finally {
    server.services.config.tokenSecret = stored;
  }
});

it('uses what the environment sets; the screen changes the rest', async () => {
  const { address, clientId } = salesforce;
  server.services.config.salesforce = { address, clientId, clientSecret: SECRET };
  try {
    const read = await settings();
    expect(read).toMatchObject({ source: 'environment', connection: { address, clientId, hasSecret: true } });
    const saved = await server.ok(
      Crm.SaveCrmConnection,
      await typed({ address: 'https://evil.example.com', priceBook: 'Ours' }),
      { as: admin },
    );
    expect(saved.connection).toMatchObject({ address, priceBook: 'Ours' });
    expect((await test()).body).toMatchObject({ ok: true });
    const off = await server.call(Crm.DisconnectCrm, { version: saved.connection.version }, { as: admin });
    expect(off).toMatchObject({ status: 409, body: { detail: expect.stringContaining('SALESFORCE_URL') } });
  } finally {
    server.services.config.salesforce = undefined;
  }
});

it('saves the mapping over its version, reports wrong rows at their fields, and names what the org does not accept', async () => {
  await save({ secret: SECRET });
  const { mapping } = await settings();
  const rows = [
    ...mapping.rows,
    { object: 'Opportunity' as const, field: 'Nowhere__c', source: 'poNumber', constant: '' },
  ];
  const saved = await server.ok(Crm.SaveCrmMapping, { ...mapping, rows }, { as: admin });
  expect(saved.mapping.rows).toHaveLength(rows.length);
  expect((await test()).body.problems).toContainEqual({
    object: 'Opportunity',
    field: 'Nowhere__c',
    problem: expect.stringMatching(/does not exist/) as string,
  });
  expect((await server.call(Crm.SaveCrmMapping, { ...mapping, rows }, { as: admin })).status).toBe(409);
  const version = saved.mapping.version;
  const wrong = await server.call(
    Crm.SaveCrmMapping,
    { ...mapping, version, rows: [...mapping.rows, { ...rows[0], field: 'a b' }] },
    { as: admin },
  );
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ path: `rows.${mapping.rows.length}.field` }, {}] } });
  await server.ok(Crm.SaveCrmMapping, { ...mapping, version }, { as: admin });
  expect(await server.ok(History.GetHistory, { type: 'crm', id: 2 }, { as: admin })).toMatchObject([
    { changes: [{ field: 'Opportunity.Nowhere__c', after: '' }] },
    { changes: [{ field: 'Opportunity.Nowhere__c', before: '' }] },
  ]);
});
