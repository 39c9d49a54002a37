// No caller ends with more rights than it began with: a walk over every scope of API keys, every role, and every kind of import.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, groupOf, isChanging } from '#api/endpoint.ts';
import { DataImport } from '#features/operations/data-import/data-import.contract.ts';
import { ApiKey } from '#features/people/api-keys/api-keys.contract.ts';
import { Auth } from '#features/people/auth/auth.contract.ts';
import { UserEdit } from '#features/people/user-admin/user-admin.contract.ts';
import { ROLES, type Role } from '#shared/roles.ts';
import { exampleInput } from '#testing/example-input.ts';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { importKinds } from './calls.server.ts';
import { contract } from './contract.ts';

type Person = { id: number; userName: string };
let server: TestServer;
/** Makes the keys and is never walked, so that no call takes its rights away. */
let maker: Person;
/** Owns the keys. */
let owner: Person;
let target: Person;
let manager: Person;
let regionId: number;
/** Passwords and links of mails that wait to be sent. */
let secrets: string[];

beforeAll(async () => {
  server = await startTestServer({
    config: { trustProxy: 1 },
    // Every mail waits with its text.
    mail: { send: () => Promise.reject(new Error('The mail server is away.')) },
  });
  const { db } = server;
  maker = await aUser(db, { roles: ['systemadmin'] });
  owner = await aUser(db, { roles: ['systemadmin'] });
  target = await aUser(db, { roles: ['salesrep'] });
  manager = await aUser(db, { roles: ['salesQuoteManager'] });
  regionId = (await aRegion(db)).id;
  await db
    .insertInto('webhook_endpoint')
    .values({ address: 'https://example.com/', description: 'ERP', events: [] })
    .execute();
  await server.ok(Auth.ResetPassword, { email: maker.userName });
  await server.ok(UserEdit.ResendInvitation, { id: target.id }, { as: maker });
  await server.drain();
  const mails = await db.selectFrom('mail').select('body').execute();
  secrets = mails.flatMap(({ body }) => body.match(/[A-Z2-9]{4}(?:-[A-Z2-9]{4}){3}|[\w-]{43}/g) ?? []);
  if (secrets.length !== 2) throw new Error('The walk needs a password and a link to look for.');
});
afterAll(() => server.close());

/** Everything that lets somebody in, gives a right, or carries data out: one entry each. */
const RIGHTS = {
  user: 'select id, user_name, active, password_hash, temporary_hash, must_change_password from app_user',
  role: 'select user_id, role from user_role',
  region: 'select user_id, region_id from user_region',
  support: 'select support_id, rep_id from user_support',
  absence: 'select user_id, deputy_id, from_date, to_date from approval_absence',
  rule: 'select * from approval_rule',
  key: 'select id, secret_hash, owner_id, scopes, expires_on, revoked_at from api_key',
  session: 'select id, user_id, revoked_at from session',
  invitation: 'select user_id, token_hash from invitation',
  factor: 'select user_id, secret from second_factor',
  'no factor': 'select id from app_user where id not in (select user_id from second_factor)',
  provider: 'select issuer, client_id, secret, makes_people, local_off, local_admin_id from sign_on_provider',
  claim: 'select claim, value, roles from sign_on_role',
  identity: 'select issuer, subject, user_id from sign_on_identity',
  'factor rule': 'select second_factor_roles from sign_in_rule',
  site: 'select public_site_locked from company where not public_site_locked',
  'time zone': 'select time_zone from company',
  webhook: 'select id, address, secret, old_secret from webhook_endpoint',
  crm: 'select address, client_id, secret from crm_connection',
};

async function rights(): Promise<Set<string>> {
  const parts = Object.entries(RIGHTS).map(
    ([name, query]) => `select '${name} ' || to_jsonb(t)::text as entry from (${query}) t`,
  );
  const { rows } = await sql<{ entry: string }>`${sql.raw(parts.join(' union all '))}`.execute(server.db);
  return new Set(rows.map(({ entry }) => entry));
}

const gainedSince = async (before: Set<string>) => [...(await rights())].filter((entry) => !before.has(entry));

const calls = Object.values(contract)
  .flatMap((group) => Object.entries<Endpoint>(group).map(([name, endpoint]) => ({ name, endpoint })))
  .filter(({ endpoint }) => endpoint.access !== 'anyone');

let tries = 0;
const from = () => ({ 'x-forwarded-for': `10.${(++tries >> 16) & 255}.${(tries >> 8) & 255}.${tries & 255}` });

const version = async (
  table: 'app_user' | 'company' | 'crm_connection' | 'region' | 'webhook_endpoint' | 'approval_rule',
  id?: number,
) =>
  (
    await server.db
      .selectFrom(table)
      .select('version')
      .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
  ).version;

let named = 0;
/** What an attacker would send to the calls that give rights; `caller` is whose rights are to grow. */
const ATTACKS: Record<string, (caller: Person) => Promise<object> | object> = {
  AddNewUser: () => ({ userName: `mine${++named}@example.net`, fullName: 'Mine', roles: ['systemadmin'] }),
  UpdateUser: async () => ({ id: target.id, roles: [...ROLES], version: await version('app_user', target.id) }),
  ResendInvitation: () => ({ id: target.id }),
  SaveApiKey: (caller) => ({ name: `Mine ${++named}`, ownerId: caller.id, scopes: ['QuoteSearch:read'] }),
  SaveAbsence: (caller) => ({ userId: maker.id, deputyId: caller.id, from: '2026-11-01', to: '2099-12-31' }),
  SaveRegion: async () => ({
    id: regionId,
    name: 'Region',
    managerIds: [manager.id],
    version: await version('region', regionId),
  }),
  SaveApprovalRule: () => ({
    name: `Mine ${++named}`,
    metric: 'quoteTotal',
    operator: '>',
    threshold: 9_999_999,
    role: 'salesadmin',
  }),
  SaveSecondFactorRules: () => ({ roles: ['salesrep'], sessionDays: 365, version: 1 }),
  SaveWebhook: () => ({ description: `Mine ${++named}`, address: 'https://example.com/mine', events: ['quote.sent'] }),
  RotateWebhookSecret: async () => ({ id: 1, version: await version('webhook_endpoint', 1) }),
  SaveCompany: async () => ({
    name: 'Mine',
    address: '',
    phone: '',
    email: '',
    timeZone: 'Pacific/Honolulu',
    defaultValidityDays: 60,
    version: await version('company'),
  }),
  SaveCrmConnection: async () => ({
    version: await version('crm_connection'),
    address: 'https://mine.example.net',
    apiVersion: '62.0',
    method: 'ClientCredentials',
    clientId: 'mine',
    userName: '',
    secret: 'mine',
    priceBook: '',
    customItem: '',
    keepCalls: 10,
  }),
  UnlockPublicSite: () => ({}),
  SaveSignOnSettings: () => ({
    version: 1,
    issuer: 'https://login.example.net',
    clientId: 'mine',
    secret: 'mine',
    scopes: 'openid',
    button: 'Mine',
    makesPeople: true,
    localOff: false,
    localAdminId: null,
    rows: [{ claim: 'sub', value: 'me', roles: ['systemadmin'] }],
  }),
  LinkUserSignOn: () => ({ id: maker.id, subject: 'me' }),
};

/** Takes back what earlier attacks may have gained. */
async function reset(): Promise<void> {
  const { db } = server;
  await db.deleteFrom('approval_absence').execute();
  await db.deleteFrom('user_region').execute();
  await db.updateTable('crm_connection').set({ address: '', client_id: '', secret: '' }).execute();
  const closed = { public_site_locked: true, public_site_message: 'Closed', public_site_locked_until: null };
  await db
    .updateTable('company')
    .set({ ...closed, time_zone: 'America/New_York' })
    .execute();
}

/** What an answer gives away: a secret of a mail, a key, the secret of a webhook, a session. */
const CREDENTIAL = /qbk_[a-z2-7]{12}_[\w-]{43}|whsec_|"(?:access|refresh)_token"/;
const givesAway = (text: string) => CREDENTIAL.test(text) || secrets.some((secret) => text.includes(secret));

/** Makes a call in several ways, and says what the caller gained by it. */
async function tryCall(
  { name, endpoint }: (typeof calls)[number],
  caller: Person,
  who: { headers: Record<string, string> } | { as: Person },
): Promise<{ gained: string[]; statuses: number[] }> {
  if (name in ATTACKS) await reset();
  const attack = await ATTACKS[name]?.(caller);
  const ids = [1, 2].map((id) => exampleInput(endpoint, { id, ids: [id], page: 1, pageSize: 100, version: 1 }));
  const before = isChanging(endpoint) ? await rights() : null;
  const gained: string[] = [];
  const statuses: number[] = [];
  const file = endpoint.in === 'upload' ? { file: { name: 'a.txt', bytes: Buffer.from('a') } } : {};
  const headers = 'headers' in who ? { ...who.headers, ...from() } : from();
  for (const input of [...(attack ? [attack] : []), ...ids]) {
    const answer = await server.call(endpoint, { ...input }, { ...who, ...file, headers });
    statuses.push(answer.status);
    if (answer.status === 200 && givesAway(String(answer.bytes))) gained.push(`${name} answers a credential`);
  }
  if (before) gained.push(...(await gainedSince(before)).map((entry) => `${name}: ${entry}`));
  return { gained, statuses };
}

describe('a system administrator, by whom the walk is proven,', () => {
  it('gives rights with these calls, so the walk would notice a key or a role that does', async () => {
    const giving: string[] = [];
    const admin = await aUser(server.db, { roles: ['systemadmin'] });
    for (const call of calls.filter(({ name }) => name in ATTACKS)) {
      server.setNow(null);
      await server.tokenOf(admin);
      const { gained } = await tryCall(call, admin, { as: admin });
      if (gained.length > 0) giving.push(call.name);
    }
    expect(giving.toSorted()).toEqual(Object.keys(ATTACKS).toSorted());
  });
});

async function aKey(scopes: string[], of = owner): Promise<{ headers: Record<string, string> }> {
  const input = { name: `Program ${++named}`, ownerId: of.id, scopes: ['QuoteSearch:read'] };
  const { key, id } = await server.ok(ApiKey.SaveApiKey, input, { as: maker });
  // Also a scope that is not offered, as one of an earlier version may be.
  await server.db.updateTable('api_key').set({ scopes }).where('id', '=', id).execute();
  return { headers: { authorization: `Bearer ${key}` } };
}

const scopeOf = (endpoint: Endpoint) => `${groupOf(endpoint.path)}:${isChanging(endpoint) ? 'write' : 'read'}`;
const scopes = [...Map.groupBy(calls, ({ endpoint }) => scopeOf(endpoint))];

describe('an API key of a system administrator', () => {
  it('is walked through many scopes', () => expect(scopes.length).toBeGreaterThan(60));

  it.each(scopes)('with %s alone gains nothing', { timeout: 120_000 }, async (scope, ofScope) => {
    const key = await aKey([scope]);
    const gained: string[] = [];
    for (const call of ofScope) gained.push(...(await tryCall(call, owner, key)).gained);
    expect(gained).toEqual([]);
  });
});

/** What a role may give deliberately, by a call of its own. */
const GIVES: Partial<Record<Role, string[]>> = { salesadmin: ['SaveRegion: region'] };

describe('a person', () => {
  const others = ROLES.filter((role) => role !== 'systemadmin');

  it.each(others)('with the role %s gains nothing', { timeout: 300_000 }, async (role) => {
    // Public users would hear only that the public site is locked.
    await server.db.updateTable('company').set({ public_site_locked: false }).execute();
    const person = await aUser(server.db, { roles: [role] });
    const gained: string[] = [];
    let answered = 0;
    for (const call of calls) {
      const { access } = call.endpoint;
      if ((typeof access !== 'string' && !access.includes(role)) || call.name === 'SignOut') continue;
      await server.tokenOf(person);
      const tried = await tryCall(call, person, { as: person });
      gained.push(...tried.gained);
      if (tried.statuses.includes(200)) answered++;
    }
    expect(answered).toBeGreaterThan(20);
    const given = GIVES[role] ?? [];
    expect(gained.filter((entry) => !given.some((start) => entry.startsWith(start)))).toEqual([]);
  });
});

describe('an import of', () => {
  const RIGHTS_TABLES = ['app_user', 'user_role', 'user_region', 'user_support', 'approval_absence', 'approval_rule'];

  it.each(importKinds)('$kind that may give rights is for people only, and for system administrators', (kind) => {
    const gives = kind.tracks.some(({ table }) => RIGHTS_TABLES.includes(table));
    expect(gives).toBe(kind.kind === 'users');
    expect(kind.peopleOnly ?? false).toBe(gives);
    expect(gives ? kind.roles : ['systemadmin']).toEqual(['systemadmin']);
  });

  const VALUES: Record<string, string> = {
    user_name: 'mine@example.net',
    full_name: 'Mine',
    roles: 'systemadmin; salesadmin',
    active: 'yes',
    zip5: '06106',
    price: '1.00',
    cost: '1.00',
    unit: 'EA',
  };

  it.each(importKinds)('$kind gives nothing, by keys and by the roles below', { timeout: 120_000 }, async (kind) => {
    const people = [
      await aUser(server.db, { roles: ['salesadmin'] }),
      await aUser(server.db, { roles: ['contractdept'] }),
    ];
    for (const one of people) await server.tokenOf(one);
    const callers: ({ headers: Record<string, string> } | { as: Person })[] = people.map((as) => ({ as }));
    for (const one of [owner, ...people]) callers.push(await aKey(['DataImport:read', 'DataImport:write'], one));
    const header = Object.values(kind.rows.fields).map(({ label }) => label);
    const rows = [1, 2].map((n) =>
      Object.keys(kind.rows.fields).map((field) => {
        if (field === 'user_name' && n === 2) return target.userName;
        return VALUES[field] ?? `X${n}`;
      }),
    );
    const bytes = Buffer.from([header, ...rows].map((cells) => cells.join(',')).join('\n'));
    const refused: boolean[] = [];
    for (const who of callers) {
      const before = await rights();
      const file = { name: 'mine.csv', bytes, type: 'text/csv' };
      const { status, body } = await server.call(DataImport.UploadImport, { kind: kind.kind }, { ...who, file });
      refused.push(status === 403);
      if (status !== 200) continue;
      for (const step of [DataImport.StartCheck, DataImport.ApplyImport, DataImport.UndoImport]) {
        await server.call(step, { id: body.id }, who);
        await server.drain();
      }
      expect(await gainedSince(before)).toEqual([]);
    }
    expect(refused.every(Boolean) || kind.kind !== 'users').toBe(true);
  });
});
