// Tests the audit over HTTP: permissions, filters, order, pages, export, and that it contains no secret.
import { setTimeout as sleep } from 'node:timers/promises';
import { text as textOf } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InputOf } from '#platform/api/endpoint.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { Invitation } from '#platform/auth/invitations/invitation.contract.ts';
import { UserAccount, UserEdit } from '#core/people/user-admin/user-admin.contract.ts';
import { Users } from '#platform/users/users.contract.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Audit } from './audit.contract.ts';
import { exportAudit } from './audit.server.ts';

let server: TestServer;
let admin: { id: number; fullName: string };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
});
afterAll(() => server.close());

const search = (input: InputOf<typeof Audit.SearchAudit>) => server.ok(Audit.SearchAudit, input, { as: admin });
const brief = (list: { kind: string; name: string; action: string }[]) =>
  list.map(({ kind, name, action }) => `${kind} ${name} ${action}`);

/** Creates an event at a chosen time in the past. */
async function past(at: string, name: string, user = admin): Promise<void> {
  await server.db
    .insertInto('record_event')
    .values({
      record_type: 'region',
      record_id: 1,
      record_name: name,
      at,
      user_id: user.id,
      actor: user.fullName,
      action: 'Edit',
    })
    .execute();
}

test('finds changes of records and quotes, newest first, in readable words', async () => {
  const quote = await aQuote(server.db);
  const { name } = await server.ok(Region.SaveRegion, { name: 'Ozark Plateau' }, { as: admin });
  await recordEvent(server.db, {
    quoteId: quote.id,
    userId: admin.id,
    actor: admin.fullName,
    action: 'Submit',
    from: 'Editing',
    to: 'WaitingForProcess',
    revision: 1,
    comment: 'please hurry',
    changes: [{ field: 'Internal notes', before: '', after: 'a quokka', internal: true }],
  });
  const { records, more, total, person, timeZone } = await search({ userId: admin.id, pageSize: 2 });
  expect(brief(records)).toEqual([`quote ${quote.num} Submit`, `region ${name} Create`]);
  expect(records[0]).toMatchObject({ recordId: quote.id, actor: 'Ada Admin', comment: 'please hurry' });
  expect(records[0]?.changes).toEqual([
    { field: 'Status', before: 'Editing', after: 'Waiting For Process' },
    { field: 'Internal notes', before: '', after: 'a quokka' },
  ]);
  expect(records[1]?.changes).toContainEqual({ field: 'Name', before: '', after: 'Ozark Plateau' });
  expect({ more, person: person?.name, timeZone }).toEqual({
    more: false,
    person: 'Ada Admin',
    timeZone: 'America/Chicago',
  });
  expect(total).toBeGreaterThanOrEqual(2);

  // Found by the quote's number, or by the beginning of a word in the comment or in a value; punctuation is ignored.
  for (const text of [String(quote.num), `#${quote.num}-R1`, 'hurr', 'QUOK', 'internal, quokka'])
    expect(brief((await search({ text })).records)).toEqual([`quote ${quote.num} Submit`]);
  expect(brief((await search({ text: "ozark's" })).records)).toEqual([]);
  expect(brief((await search({ text: 'plateau ozark' })).records)).toEqual(['region Ozark Plateau Create']);
  expect((await search({ text: '%' })).records).toEqual([]);
  expect((await search({ text: "'); drop" })).records).toEqual([]);
});

test('filters by kind, action, and person, including people who have left; a sign-in is an event', async () => {
  const { db } = server;
  const gone = await aUser(db, { active: false, fullName: 'Gus Gone' });
  const quote = await aQuote(db);
  const base = { quoteId: quote.id, userId: gone.id, actor: gone.fullName, revision: 1 };
  await recordEvent(db, { ...base, action: 'Create' });
  await recordEvent(db, { ...base, action: 'Edit' });
  // The two kinds are in two tables, so their order within one millisecond is unknown.
  await sleep(3);
  await recordChange(db, gone, { type: 'facility', id: 7, name: 'Blue Lake Clinic', action: 'Create' });
  const by = { userId: gone.id };
  const num = `quote ${quote.num}`;
  expect(brief((await search(by)).records)).toEqual([
    'facility Blue Lake Clinic Create',
    `${num} Edit`,
    `${num} Create`,
  ]);
  expect(brief((await search({ ...by, action: 'Create' })).records)).toEqual([
    'facility Blue Lake Clinic Create',
    `${num} Create`,
  ]);
  expect(brief((await search({ ...by, kind: 'quote' })).records)).toEqual([`${num} Edit`, `${num} Create`]);
  expect(brief((await search({ ...by, kind: 'facility' })).records)).toEqual(['facility Blue Lake Clinic Create']);
  expect(brief((await search({ ...by, kind: 'region' })).records)).toEqual([]);
  await server.tokenOf(gone);
  const signedIn = (await search({ ...by, kind: 'signIn' })).records;
  expect(brief(signedIn)).toEqual(['signIn Gus Gone SignIn']);
  expect(signedIn[0]).toMatchObject({ comment: 'Unknown device', changes: [], recordId: gone.id });
  expect((await search({ kind: 'signIn', text: 'gus' })).records).toHaveLength(1);
  expect((await search({ ...by, action: 'SignIn' })).records).toHaveLength(1);
  expect((await search({ ...by, action: 'SignIn', kind: 'quote' })).records).toEqual([]);
  const results = await server.ok(Users.FindUsers, { keyword: 'gus gone', inactive: true }, { as: admin });
  expect(results.map(({ id }) => id)).toEqual([gone.id]);
  expect(await server.ok(Users.FindUsers, { keyword: 'gus gone' }, { as: admin })).toEqual([]);
});

test('events of a customer and of the program are found by their names', async () => {
  const quote = await aQuote(server.db);
  await recordEvent(server.db, {
    quoteId: quote.id,
    userId: null,
    actor: 'Quentin Customer (customer)',
    action: 'MarkWon',
    revision: 1,
  });
  const [event] = (await search({ text: 'quentin' })).records;
  expect(event).toMatchObject({ userId: null, actor: 'Quentin Customer (customer)', action: 'MarkWon' });
  await recordChange(server.db, null, { type: 'user', id: admin.id, name: admin.fullName, action: 'Create' });
  expect((await search({ text: 'quoteboard ada' })).records).toHaveLength(1);
});

test('days are in the company’s time zone and inclusive; an invalid day is refused', async () => {
  const user = await aUser(server.db);
  // 23:59 and 00:00 in Chicago, before and after the midnight that ends March 3.
  await past('2021-03-04T05:59:59.999999Z', 'Late', user);
  await past('2021-03-04T06:00:00Z', 'Early', user);
  const by = { userId: user.id };
  expect(brief((await search({ ...by, from: '03/03/2021', to: '2021-03-03' })).records)).toEqual(['region Late Edit']);
  expect(brief((await search({ ...by, from: '2021-03-04' })).records)).toEqual(['region Early Edit']);
  expect((await search({ ...by, from: '', to: '' })).total).toBe(2);
  // The day on which daylight saving time begins is an hour shorter.
  await past('2021-03-15T04:59:59Z', 'Summer', user);
  await past('2021-03-15T05:00:00Z', 'Monday', user);
  expect(brief((await search({ ...by, from: '2021-03-14', to: '2021-03-14' })).records)).toEqual([
    'region Summer Edit',
  ]);

  const fieldsRefused = async (call: typeof Audit.SearchAudit | typeof Audit.ExportAudit, input: object) => {
    const { status, body } = await server.call(call, input, { as: admin });
    expect(status).toBe(422);
    return (body as { errors: { path: string }[] }).errors.map(({ path }) => path);
  };
  for (const call of [Audit.SearchAudit, Audit.ExportAudit]) {
    expect(await fieldsRefused(call, { from: '02/30/2026' })).toEqual(['from']);
    expect(await fieldsRefused(call, { to: 'yesterday' })).toEqual(['to']);
    expect(await fieldsRefused(call, { from: '2021-03-05', to: '2021-03-04' })).toEqual(['to']);
    expect(await fieldsRefused(call, { kind: 'spaceship' })).toEqual(['kind']);
  }
  expect(await fieldsRefused(Audit.SearchAudit, { older: '1.quote.x' })).toEqual(['older']);
  expect(await fieldsRefused(Audit.SearchAudit, { newer: '1.signIn.7' })).toEqual(['newer']);
});

test('both calls refuse every other role', async () => {
  for (const role of ROLES.filter((candidate) => candidate !== 'systemadmin')) {
    const user = await aUser(server.db, { roles: [role] });
    for (const call of [Audit.SearchAudit, Audit.ExportAudit])
      expect((await server.call(call, {}, { as: user })).status).toBe(403);
  }
});

test('paging in both directions shows every event once, in one order, even events at exactly the same time', async () => {
  const { db } = server;
  const user = await aUser(db, { fullName: 'Ida Instant' });
  const quote = await aQuote(db);
  const at = '2022-05-05T12:00:00.123456Z';
  await server.tokenOf(user);
  await db.updateTable('session').set({ created_at: at }).where('user_id', '=', user.id).execute();
  for (const n of [1, 2, 3]) {
    await past(at, `Same ${n}`, user);
    const event = { user_id: user.id, actor: user.fullName, quote_id: quote.id, action: `Same${n}`, revision: 1, at };
    await db.insertInto('quote_event').values(event).execute();
  }
  await past('2022-05-05T12:00:00.123457Z', 'After', user);
  await past('2022-05-05T12:00:00.123455Z', 'Before', user);
  const by = { userId: user.id };
  const whole = (await search(by)).records;
  expect(brief(whole)).toEqual([
    'region After Edit',
    ...[3, 2, 1].map((n) => `quote ${quote.num} Same${n}`),
    ...[3, 2, 1].map((n) => `region Same ${n} Edit`),
    'signIn Ida Instant SignIn',
    'region Before Edit',
  ]);
  for (const pageSize of [1, 2, 4]) {
    const pages = [await search({ ...by, pageSize })];
    for (let older = pages[0]?.older; older; older = pages.at(-1)?.older)
      pages.push(await search({ ...by, pageSize, older }));
    expect(brief(pages.flatMap(({ records }) => records))).toEqual(brief(whole));
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => 9));
    expect(pages.map(({ newer }) => newer === null)).toEqual(pages.map((_, index) => index === 0));
    // Then page by page back to the first one.
    for (let index = pages.length - 1; index > 0; index--) {
      const back = await search({ ...by, pageSize, newer: pages[index]?.newer });
      expect(brief(back.records)).toEqual(brief(pages[index - 1]?.records ?? []));
    }
  }
  // In the meantime, a new event arrived before the first page.
  const first = await search({ ...by, pageSize: 8 });
  expect(first.newer).toBeNull();
  expect((await search({ ...by, pageSize: 8, newer: whole[2]?.place })).records).toEqual(first.records);
});

test('counting stops at 10,000, but paging goes on and a large export has each event once', async () => {
  const { db } = server;
  const user = await aUser(db);
  await sql`insert into record_event (record_type, record_id, record_name, at, user_id, actor, action)
    select 'region', 1, 'Many', timestamptz '2019-02-01' + n / 2000 * interval '1 minute', ${user.id}::int, '',
      case n % 4 when 0 then 'Move' else 'Edit' end
    from generate_series(1, 10001) n`.execute(db);
  const { total, more, older } = await search({ userId: user.id });
  expect({ total, more }).toEqual({ total: 10_000, more: true });
  expect(older).not.toBeNull();
  // The export reads several batches.
  const { bytes } = await server.call(Audit.ExportAudit, { userId: user.id, action: 'Move' }, { as: admin });
  expect(bytes.toString().trimEnd().split('\r\n')).toHaveLength(2_501);
});

test('the export has everything that was found, as text, and says when it is cut', async () => {
  const user = await aUser(server.db, { fullName: '=1+1' });
  const changes = [{ field: 'Name', before: '', after: '=HYPERLINK("x")' }];
  await recordChange(server.db, user, { type: 'region', id: 1, name: '@SUM(A1)', action: 'Edit', changes });
  await past('2020-07-04T15:16:17Z', 'North, "old"', user);
  await past('2020-07-03T15:16:17Z', 'Oldest', user);
  const answer = await server.call(Audit.ExportAudit, { userId: user.id }, { as: admin });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toContain('text/csv');
  expect(answer.headers['content-disposition']).toContain('audit.csv');
  const [head, first, second, third, ...rest] = answer.bytes.toString().split('\r\n');
  expect(head).toBe('\uFEFFWhen (America/Chicago),Who,Kind,Record,What was done,Comment,Changes');
  expect(first).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,'=1\+1,Region,'@SUM\(A1\),changed the region,,/);
  expect(first).toContain('Name: – → =HYPERLINK');
  expect(second).toBe(`2020-07-04 10:16:17,'=1+1,Region,"North, ""old""",changed the region,,`);
  expect(third).toContain('Oldest');
  expect(rest).toEqual(['']);

  const cut = await exportAudit(server.db, { userId: user.id }, 2);
  const lines = (await textOf(cut.bytes)).trimEnd().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[3]).toBe('"These are the newest 2 events; there are older ones. Narrow the dates to get them."');
  const whole = await exportAudit(server.db, { userId: user.id }, 3);
  expect((await textOf(whole.bytes)).trimEnd().split('\r\n')).toHaveLength(4);
});

test('events of user changes contain no password, hash, token, or one-time link', async () => {
  const { db } = server;
  const person = { userName: 'sec.ret@example.com', fullName: 'Sec Ret', roles: ['salesrep' as const] };
  const { id, version } = await server.ok(UserAccount.AddNewUser, person, { as: admin });
  await server.ok(UserEdit.ResendInvitation, { id }, { as: admin });
  await server.drain();
  const link = /#invite=([\w-]+)/.exec(server.mails.at(-1)?.text ?? '')?.[1] ?? '';
  expect(link).toMatch(/^[\w-]{40,}$/);
  const newPassword = 'correct-horse-battery-7';
  await server.ok(Invitation.AcceptInvitation, { token: link, newPassword });
  await server.ok(UserAccount.UpdateUser, { ...person, id, version, phone: '555-0199' }, { as: admin });
  const signIn = { UserName: person.userName, Password: newPassword, grant_type: 'password' };
  const { access_token, refresh_token } = await server.ok(Auth.Token, signIn);
  await server.ok(Auth.ResetPassword, { email: person.userName });
  await server.drain();
  await server.ok(UserEdit.SignOutUser, { id }, { as: admin });

  const { records } = await search({ text: 'sec ret', pageSize: 200 });
  const actions = records.map(({ action }) => action);
  for (const action of ['Create', 'Edit', 'Invite', 'Accept invitation', 'SignIn', 'Sign out everywhere'])
    expect(actions).toContain(action);
  const user = await db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const invitation = await db.selectFrom('invitation').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow();
  const refresh = await db
    .selectFrom('refresh_token')
    .innerJoin('session', 'session.id', 'session_id')
    .select('token_hash')
    .where('user_id', '=', id)
    .execute();
  const secrets = [
    link,
    newPassword,
    access_token,
    refresh_token,
    user.password_hash,
    user.temporary_hash,
    invitation.token_hash,
    ...refresh.map(({ token_hash }) => token_hash),
  ].filter((candidate) => typeof candidate === 'string');
  expect(secrets.length).toBeGreaterThanOrEqual(7);
  const stored = await db.selectFrom('record_event').selectAll().execute();
  const file = (await server.call(Audit.ExportAudit, {}, { as: admin })).bytes.toString();
  const all = JSON.stringify([records, stored]) + file;
  for (const secret of secrets) expect(all.includes(secret)).toBe(false);
  expect(all).not.toMatch(/invite=|password_hash|\$argon|\$scrypt/);
});
