// Tests the security log over HTTP: a line for each kind, floods, secrets, permissions, filters, export, retention, metrics.
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InputOf } from '#platform/api/endpoint.ts';
import { RECORD_TYPES } from '#platform/history/record-types.ts';
import { clearSecurityLogJob } from '#platform/security-events/clear-log.server.ts';
import { MAX_LINES, noteSecurity, writeSecurityLog } from '#platform/security-events/note-security-event.server.ts';
import { MANY } from '#platform/security-events/security-kinds.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { Invitation } from '#platform/auth/invitations/invitation.contract.ts';
import { SecondFactor } from '#platform/auth/second-factor/second-factor.contract.ts';
import { SecondFactorAdmin } from '#platform/auth/second-factor/second-factor-admin.contract.ts';
import { User, UserAccount, UserEdit } from '#core/people/user-admin/user-admin.contract.ts';
import { PublicSiteAdmin } from '#core/company/public-site/public-site.contract.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { ApprovalAbsences } from '#core/quoting/approvals/absence/absence.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { fileOf } from '#testing/an-importer.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { PASSWORD, signIns } from '#testing/sign-ins.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { SecurityLog } from './security-log.contract.ts';

const BROWSER = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36' };
const warned: { msg: string }[] = [];
let server: TestServer;
let admin: { id: number; fullName: string };
const { aPerson, signIn, from, fromElsewhere, codeOf, enrolled } = signIns(() => server);

beforeAll(async () => {
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => void warned.push(JSON.parse(line) as { msg: string }) },
  );
  server = await startTestServer({ config: { trustProxy: 1 }, log });
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
});
beforeEach(fromElsewhere);
afterAll(() => server.close());

type Criteria = InputOf<typeof SecurityLog.SearchSecurityLog>;
const search = async (criteria: Criteria) =>
  (await server.ok(SecurityLog.SearchSecurityLog, { pageSize: 200, ...criteria }, { as: admin })).records;
const address = () => from()['x-forwarded-for'];
/** Returns the lines of this test's own address, oldest first: 'Failed sign-in: who words ×times'. */
const brief = async (criteria: Criteria = { who: address() }) =>
  (await search(criteria))
    .toReversed()
    .map(({ kind, who, words, times }) => `${kind}: ${who} ${words}${times > 1 ? ` ×${times}` : ''}`);
/** Returns everything that the log stores, as text. */
async function stored(): Promise<string> {
  await writeSecurityLog(server.services);
  const rows = await server.db.selectFrom('security_event').selectAll().execute();
  return JSON.stringify(rows);
}

let named = 0;
async function aKey(ownerId: number, scopes: string[], more: object = {}) {
  const input = { name: `Program ${++named}`, ownerId, scopes, ...more };
  const created = await server.ok(ApiKey.SaveApiKey, input, { as: admin });
  return { ...created, headers: { ...from(), authorization: `Bearer ${created.key}` } };
}

describe('failed sign-ins', () => {
  it('are counted within a minute, with name, address and device; the lock-out is a line of its own', async () => {
    const person = await aPerson({ fullName: 'Lena Locked' });
    for (let n = 0; n < 6; n++) await signIn(person.userName, 'a wrong password', { ...from(), ...BROWSER });
    expect(await brief()).toEqual([
      'SignInFailed: Lena Locked typed a wrong password ×5',
      'LockedOut: Lena Locked was locked out after too many tries, except on known devices',
      'SignInFailed: Lena Locked tried to sign in while locked out',
    ]);
    expect((await search({ who: person.userName, kind: 'LockedOut' }))[0]).toMatchObject({
      account: person.userName,
      address: address(),
      device: 'Chrome on Windows',
      record: null,
    });
  });

  it('keep a typed name only if it is an account or an email address, and never a password', async () => {
    await signIn('hunter2-typed-into-the-wrong-field', 'p4ss-nobody-may-read');
    await signIn('Stranger@Example.org', 'p4ss-nobody-may-read');
    await signIn('my password is @ 12', 'p4ss-nobody-may-read');
    expect(await brief()).toEqual([
      'SignInFailed:  typed a wrong password ×2',
      'SignInFailed: stranger@example.org typed a wrong password',
    ]);
    expect(await stored()).not.toMatch(/hunter2|p4ss|my password/);
  });

  it('of people who are not active, and wrong codes and proofs, say so; no code is kept', async () => {
    const gone = await aPerson({ active: false, fullName: 'Gus Gone' });
    await signIn(gone.userName);
    const { user, secret } = await enrolled({ fullName: 'Fay Factor' });
    const { refusal } = await signIn(user.userName);
    const { mfa_token: challenge } = refusal as unknown as { mfa_token: string };
    const wrong = codeOf(secret, 50);
    await server.call(SecondFactor.ConfirmSignIn, { challenge, code: wrong }, { headers: from() });
    await server.call(SecondFactor.BeginSecondFactor, { password: 'no', code: '' }, { as: user, headers: from() });
    const change = { currentPassword: 'not mine', newPassword: 'Another one 23' };
    await server.call(Auth.ChangePassword, change, { as: user, headers: from() });
    expect(await brief()).toEqual([
      'SignInFailed: Gus Gone tried to sign in to an account that is not active',
      'SignInFailed: Fay Factor typed a wrong code of the second factor',
      'SignInFailed: Fay Factor was signed in, but did not prove the password or the code ×2',
    ]);
    const lines = await server.db.selectFrom('security_event').select(['who', 'account', 'calls']).execute();
    expect(JSON.stringify(lines)).not.toContain(wrong);
    expect(await stored()).not.toContain(challenge);
  });

  it('of an address that is blocked are one line, whatever is typed', async () => {
    for (let n = 0; n < 30; n++) await signIn(`guess${n}@example.org`, 'x');
    const lines = await brief();
    expect(lines.filter((line) => line.includes('wrong password'))).toHaveLength(20);
    expect(lines).toContain('SignInFailed:  tried to sign in while locked out ×10');
    expect(lines.filter((line) => line.includes('everybody at this address'))).toHaveLength(1);
  });
});

describe('refused calls', () => {
  it('of one caller are one line a minute, however many; those of the next minute are another', async () => {
    const rep = await aUser(server.db, { roles: ['salesrep'], fullName: 'Rex Rep' });
    const ask = () => server.call(User.SearchUsers, {}, { as: rep, headers: from() });
    for (let n = 0; n < 40; n++) expect((await ask()).status).toBe(403);
    await server.call(Region.SaveRegion, { name: 'Mine' }, { as: rep, headers: from() });
    expect(await brief()).toEqual(['Refused: Rex Rep asked for something that was not allowed ×41']);
    const [line] = await search({ who: rep.userName });
    expect(line).toMatchObject({
      kind: 'Refused',
      account: rep.userName,
      calls: [User.SearchUsers.path, Region.SaveRegion.path],
    });
    server.setNow(new Date(server.services.clock.now().getTime() + 60_000).toISOString());
    await ask();
    expect(await brief()).toHaveLength(2);
  });

  it('of many callers share a line once there are too many, and hide no line of another kind', async () => {
    server.setNow('2026-11-27T10:00:30Z');
    for (let n = 0; n < MAX_LINES + 50; n++)
      noteSecurity(server.services, {
        kind: 'Refused',
        action: 'Forbidden',
        who: `Flood ${n}`,
        from: { address: '192.0.2.1', userAgent: '' },
      });
    noteSecurity(server.services, { kind: 'Export', action: 'Exported', who: 'Quiet One', from: undefined });
    expect(await brief({ who: MANY })).toEqual([`Refused: ${MANY} asked for something that was not allowed ×50`]);
    expect(await search({ who: 'Flood', pageSize: 200 })).toHaveLength(MAX_LINES);
    expect(await brief({ who: 'Quiet' })).toEqual(['Export: Quiet One exported lists']);
  });
});

describe('API keys', () => {
  it('making, first use and refusals are lines; the secret is in none', async () => {
    const owner = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Olive Owner' });
    const key = await aKey(owner.id, ['Region:read']);
    const read = (headers: Record<string, string>) => server.call(Region.GetAllRegions, {}, { headers });
    await read(key.headers);
    await read(key.headers);
    expect((await server.call(Region.SaveRegion, { name: 'No' }, { headers: key.headers })).status).toBe(403);
    await read({ ...from(), authorization: `Bearer ${key.key?.slice(0, -3)}xxx` });
    await server.ok(ApiKey.RevokeApiKey, { id: key.id, version: key.version }, { as: admin });
    await read(key.headers);
    const name = `Olive Owner (${key.name})`;
    expect((await brief()).toSorted()).toEqual([
      'Key:  called with an API key that was refused',
      `Key: ${name} called with an API key for the first time`,
      `Key: ${name} called with an API key that was refused ×2`,
    ]);
    const [created, ended] = (await search({ who: 'Ada Admin', kind: 'Key' })).toReversed();
    expect(created).toMatchObject({
      words: 'added the API key',
      record: { type: 'apiKey', id: key.id, name: key.name },
    });
    expect(ended).toMatchObject({ words: 'ended the API key' });
    // The secret may contain an underscore.
    const secret = key.key?.slice(-43);
    expect(secret).toHaveLength(43);
    expect(await stored()).not.toContain(secret);
  });

  it('a refusal by role names the key', async () => {
    const owner = await aUser(server.db, { roles: ['salesadmin', 'csrep'], fullName: 'Two Roles' });
    const key = await aKey(owner.id, ['Region:read']);
    await server.db.deleteFrom('user_role').where('user_id', '=', owner.id).where('role', '=', 'salesadmin').execute();
    expect((await server.call(Region.GetAllRegions, {}, { headers: key.headers })).status).toBe(403);
    expect(await brief({ who: `two roles (${key.name}` })).toContain(
      `Refused: Two Roles (${key.name}) asked for something that was not allowed`,
    );
  });

  it('an import by a key names the key in its list and in the history of what it changed', async () => {
    const owner = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ira Owner' });
    const { name, headers } = await aKey(owner.id, ['DataImport:read', 'DataImport:write']);
    const file = fileOf('facilities.csv', 'Account,Name\nKEY-1,Key Clinic\n');
    const { body: result } = await server.call(DataImport.UploadImport, { kind: 'facilities' }, { headers, file });
    await server.call(DataImport.StartCheck, { id: result.id }, { headers });
    await server.drain();
    await server.call(DataImport.ApplyImport, { id: result.id }, { headers });
    await server.drain();
    const applied = await server.ok(DataImport.GetImport, { id: result.id }, { as: admin });
    const both = `Ira Owner (${name})`;
    expect(applied).toMatchObject({ state: 'Applied', createdBy: both, appliedBy: both });
    const events = await server.db
      .selectFrom('record_event')
      .select(['record_type', 'actor'])
      .where('record_type', 'in', ['facility', 'dataImport'])
      .execute();
    expect(events).toEqual([
      { record_type: 'facility', actor: both },
      { record_type: 'dataImport', actor: both },
    ]);
    const { body: undone } = await server.call(DataImport.UndoImport, { id: result.id }, { headers });
    expect(undone).toMatchObject({ undoneBy: both });
    await server.drain();
  });
});

describe('changed rights and settings', () => {
  it('roles, invitations, activation, delegations and rules are lines with address and device, and what was changed', async () => {
    const headers = { ...from(), ...BROWSER };
    const as = { as: admin, headers };
    const input = { userName: 'ina.invited@example.com', fullName: 'Ina Invited', roles: ['salesadmin' as const] };
    const { body: created } = await server.call(UserAccount.AddNewUser, input, as);
    await server.drain();
    const token = /#invite=([\w-]+)/.exec(server.mails.at(-1)?.text ?? '')?.[1] ?? '';
    await server.call(Invitation.AcceptInvitation, { token, newPassword: 'Quite a new one 7' }, { headers });
    await server.call(UserAccount.UpdateUser, { ...created, roles: ['csrep'] }, as);
    await server.call(UserEdit.SetUserActive, { id: created.id, version: created.version + 1, active: false }, as);
    const deputy = await aUser(server.db, { roles: ['salesadmin'] });
    const days = { from: '2027-01-01', to: '2027-01-05' };
    await server.call(ApprovalAbsences.SaveAbsence, { userId: admin.id, deputyId: deputy.id, ...days }, as);
    const rules = await server.ok(SecondFactorAdmin.GetSecondFactorRules, {}, { as: admin });
    await server.call(SecondFactorAdmin.SaveSecondFactorRules, { ...rules, roles: ['csrep'] }, as);
    await server.call(PublicSiteAdmin.LockPublicSite, { message: 'Stocktaking' }, as);
    await server.ok(PublicSiteAdmin.UnlockPublicSite, {}, { as: admin });
    const lines = await search({ who: address() });
    expect(new Set(lines.map(({ device }) => device))).toEqual(new Set(['Chrome on Windows']));
    const described = lines
      .toReversed()
      .map(({ kind, who, words, record }) => `${kind}: ${who} ${words}, ${record?.name}`);
    expect(described).toEqual(
      expect.arrayContaining([
        'Rights: Ada Admin added the user, Ina Invited',
        'Rights: Ina Invited accepted the invitation, Ina Invited',
        'Rights: Ada Admin changed the user, Ina Invited',
        'Rights: Ada Admin deactivated the user, Ina Invited',
        expect.stringMatching(/^Rights: Ada Admin added the absence, /),
        'Rights: Ada Admin changed the sign-in rules, Sign-in rules',
        'Settings: Ada Admin locked the public site, Public site',
      ]),
    );
    const roles = lines.find(({ words }) => words === 'changed the user');
    expect(roles?.changes).toEqual([
      { field: 'Roles', before: 'Sales administrator', after: 'Customer service representative' },
    ]);
  });

  it('of an import of users are lines, too', async () => {
    const file = fileOf('users.csv', 'Email,Name,Roles\nuna.upload@example.com,Una Upload,csrep\n');
    const result = await server.ok(DataImport.UploadImport, { kind: 'users' }, { as: admin, file });
    await server.ok(DataImport.StartCheck, { id: result.id }, { as: admin });
    await server.drain();
    await server.ok(DataImport.ApplyImport, { id: result.id }, { as: admin });
    await server.drain();
    const { rows } =
      await sql`select s.who, e.record_name from security_event s join record_event e on e.id = s.event_id
      where e.record_name = 'una.upload@example.com'`.execute(server.db);
    expect(rows).toEqual([{ who: 'Ada Admin', record_name: 'una.upload@example.com' }]);
  });

  it('every event of such a record is a line, and of no other record', async () => {
    const kinds = Object.entries(RECORD_TYPES).flatMap(([type, first]) => ('security' in first ? [type] : []));
    const { rows } = await sql<{ type: string; logged: boolean }>`
      select distinct record_type as type, exists (select from security_event s where s.event_id = e.id) as logged
      from record_event e`.execute(server.db);
    expect(rows.length).toBeGreaterThan(5);
    for (const { type, logged } of rows) expect({ type, logged }).toEqual({ type, logged: kinds.includes(type) });
  });
});

describe('exports', () => {
  it('are lines with the lists, also of this log', async () => {
    const as = { as: admin, headers: { ...from(), ...BROWSER } };
    await server.call(User.ExportUsers, {}, as);
    await server.call(QuoteSearch.ExportQuotes, {}, as);
    const file = (await server.call(SecurityLog.ExportSecurityLog, { who: address() }, as)).bytes.toString();
    expect(file).toContain('Ada Admin');
    expect(file).toContain('/api/User/ExportUsers');
    const [line] = await search({ who: address() });
    expect(line).toMatchObject({ kind: 'Export', times: 3, address: address() });
    expect(line?.calls).toEqual([
      User.ExportUsers.path,
      QuoteSearch.ExportQuotes.path,
      SecurityLog.ExportSecurityLog.path,
    ]);
  });

  it('a name that looks like a formula is text in the file', async () => {
    noteSecurity(server.services, { kind: 'Refused', action: 'Forbidden', who: '=cmd|x', from: undefined });
    const { bytes } = await server.call(SecurityLog.ExportSecurityLog, { who: '=cmd' }, { as: admin });
    expect(bytes.toString()).toContain(`"'=cmd|x"`);
  });
});

describe('the list', () => {
  it('is for system administrators, and for no key', async () => {
    for (const role of ['salesadmin', 'contractdept', 'csrep'] as const) {
      const person = await aUser(server.db, { roles: [role] });
      expect((await server.call(SecurityLog.SearchSecurityLog, {}, { as: person })).status).toBe(403);
      expect((await server.call(SecurityLog.ExportSecurityLog, {}, { as: person })).status).toBe(403);
    }
    const scopes = await server.ok(ApiKey.GetScopesOf, { ownerId: admin.id }, { as: admin });
    expect(scopes.map(({ group }) => group)).not.toContain('SecurityLog');
  });

  it('is narrowed by kind, name, email, address and days of the company, newest first', async () => {
    const at = (instant: string, who: string) => {
      server.setNow(instant);
      noteSecurity(server.services, {
        kind: 'SignInFailed',
        action: 'Wrong password',
        who,
        account: 'zoe@example.net',
        from: { address: '198.51.100.7', userAgent: '' },
      });
    };
    // 23:59 and 00:00 in Chicago.
    at('2026-12-04T05:59:59Z', 'Zoë Late');
    at('2026-12-04T06:00:00Z', 'Zoë Early');
    server.setNow('2026-12-05T12:00:00Z');
    const names = async (criteria: Criteria) => (await search(criteria)).map(({ who }) => who);
    expect(await names({ who: 'zoe' })).toEqual(['Zoë Early', 'Zoë Late']);
    expect(await names({ who: 'ZOE@example' })).toEqual(['Zoë Early', 'Zoë Late']);
    expect(await names({ who: '198.51.100' })).toEqual(['Zoë Early', 'Zoë Late']);
    expect(await names({ who: '198%100' })).toEqual([]);
    expect(await names({ who: 'zoe', to: '12/03/2026' })).toEqual(['Zoë Late']);
    expect(await names({ who: 'zoe', from: '2026-12-04', to: '2026-12-04' })).toEqual(['Zoë Early']);
    expect(await names({ who: 'zoe', kind: 'Export' })).toEqual([]);
    expect(await names({ who: 'zoe', sort: { field: 'at', dir: 'asc' } })).toEqual(['Zoë Late', 'Zoë Early']);
    const wrong = await server.call(
      SecurityLog.SearchSecurityLog,
      { from: '2026-12-05', to: '2026-12-04' },
      { as: admin },
    );
    expect(wrong.status).toBe(422);
    const past = await server.ok(SecurityLog.SearchSecurityLog, { who: 'zoe', page: 9, pageSize: 1 }, { as: admin });
    expect(past).toMatchObject({ records: [], total: 2, pageCount: 2, keptDays: 400, timeZone: 'America/Chicago' });
  });
});

describe('keeping and writing', () => {
  it('a line goes after 400 days, its event in the history stays', async () => {
    const before = await server.db.selectFrom('record_event').select('id').execute();
    const days = (count: number) => sql<string>`now() - ${count} * interval '1 day'`;
    const line = { kind: 'Rights', action: 'Edit', last_at: days(1) };
    await server.db
      .insertInto('security_event')
      .values([
        { ...line, who: 'Old Line', at: days(401) },
        { ...line, who: 'Young Line', at: days(399) },
      ])
      .execute();
    server.setNow(null);
    await server.services.jobs.send(server.db, clearSecurityLogJob);
    await server.drain();
    expect((await search({ who: ' line' })).map(({ who }) => who)).toEqual(['Young Line']);
    expect(await server.db.selectFrom('record_event').select('id').execute()).toHaveLength(before.length);
  });

  it('a log that cannot be written delays and fails no call, is reported, and is caught up', async () => {
    const rep = await aUser(server.db, { roles: ['salesrep'], fullName: 'Wes Waiting' });
    await server.tokenOf(rep);
    await sql`alter table security_event rename to security_event_away`.execute(server.db);
    warned.length = 0;
    const refused = await server.call(User.SearchUsers, {}, { as: rep, headers: from() });
    expect(refused.status).toBe(403);
    await vi.waitFor(() =>
      expect(warned.map(({ msg }) => msg)).toContain('the security log cannot be written; it is tried again'),
    );
    await sql`alter table security_event_away rename to security_event`.execute(server.db);
    expect(await brief({ who: 'Wes Waiting' })).toEqual([
      'Refused: Wes Waiting asked for something that was not allowed',
    ]);
  });

  it('one line that cannot be stored takes no other with it', async () => {
    const nobody = { kind: 'Refused', action: 'Forbidden', from: undefined } as const;
    noteSecurity(server.services, { ...nobody, who: 'Stored One' });
    noteSecurity(server.services, { ...nobody, who: 'Impossible', userId: 2_000_000_000 });
    noteSecurity(server.services, { ...nobody, who: 'Stored Two' });
    noteSecurity(server.services, { ...nobody, who: 'nul\u0000 and \ud800', userId: null });
    expect((await brief({ who: 'Stored' })).toSorted()).toHaveLength(2);
    expect(await search({ who: 'impossible' })).toEqual([]);
    expect((await search({ who: 'nul' }))[0]?.who).toBe('nul  and \ufffd');
  });

  it('/metrics counts failures by kind, also at zero, and lines that were lost', async () => {
    const figure = async (name: string) =>
      Number(
        new RegExp(`^${name} (\\d+)$`, 'm').exec((await server.inject({ method: 'GET', url: '/metrics' })).text)?.[1],
      );
    const failed = 'security_failures_total\\{kind="sign_in_failed"\\}';
    const before = await figure(failed);
    await signIn('somebody@example.org', 'wrong');
    await signIn('somebody@example.org', 'wrong');
    expect(await figure(failed)).toBe(before + 2);
    expect(await figure('security_failures_total\\{kind="key_refused"\\}')).toBeGreaterThan(0);
    expect(await figure('security_log_lost_total')).toBeGreaterThan(0);
    const fresh = await startTestServer();
    const { text } = await fresh.inject({ method: 'GET', url: '/metrics' });
    expect(text).toContain('security_failures_total{kind="locked_out"} 0');
    await fresh.close();
  });
});

it('no line of any test here has a password', async () => {
  expect(await stored()).not.toContain(PASSWORD);
});
