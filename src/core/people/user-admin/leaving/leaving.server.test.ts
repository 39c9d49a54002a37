// Tests leaving: who takes over what, who loses access, and that an administrator always remains.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { startSession } from '#platform/auth/sessions/session.server.ts';
import { addDays } from '#platform/shared/dates.ts';
import type { Role } from '#platform/shared/roles.ts';
import { aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { UserAccount, UserEdit } from '../user-admin.contract.ts';

const TODAY = '2026-11-20';
let server: TestServer;
let admin: { id: number; fullName: string };
beforeAll(async () => {
  server = await startTestServer();
  server.setNow(`${TODAY}T18:00:00Z`);
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
});
afterAll(() => server.close());

type Problem = { detail: string; errors?: { path: string; message: string }[] };
const problemOf = (answer: { status: number; body: unknown }) => ({
  status: answer.status,
  ...(answer.body as Problem),
});

const repsOf = (territoryId: number) =>
  server.db
    .selectFrom('territory_rep')
    .select(['role', 'user_id', 'valid_from', 'valid_to'])
    .where('territory_id', '=', territoryId)
    .orderBy('valid_from')
    .orderBy('id')
    .execute();

it('names the API keys and counts the reports that stop with a person', async () => {
  const owner = await aUser(server.db, { roles: ['insiderep'], fullName: 'Kay Keys' });
  const keyOf = (name: string, more: object = {}) =>
    server.ok(ApiKey.SaveApiKey, { name, ownerId: owner.id, scopes: ['QuoteEdit:write'], ...more }, { as: admin });
  const shop = await keyOf('Web shop');
  const old = await keyOf('Old shop', { expiresOn: TODAY });
  const revoked = await keyOf('Revoked');
  await server.ok(ApiKey.RevokeApiKey, { id: revoked.id, version: revoked.version }, { as: admin });
  const report = { report: 'pipeline', address: '', every: 'week', next_on: TODAY, owner_id: owner.id };
  await server.db.insertInto('sent_report').values(report).execute();
  const holdings = () => server.ok(UserEdit.GetUserHoldings, { id: owner.id }, { as: admin });
  expect(await holdings()).toMatchObject({ apiKeys: [{ name: 'Old shop' }, { id: shop.id }], sentReports: 1 });
  await server.db
    .updateTable('api_key')
    .set({ expires_on: addDays(TODAY, -1) })
    .where('id', '=', old.id)
    .execute();
  expect((await holdings()).apiKeys).toEqual([{ id: shop.id, name: 'Web shop' }]);
});

it('open quotes and territories go to others, closed quotes stay, and the person is signed out immediately', async () => {
  const rep = await aUser(server.db, { fullName: 'Lea Leaving' });
  const heir = await aUser(server.db, { fullName: 'Hal Heir' });
  const cs = await aUser(server.db, { roles: ['csrep'], fullName: 'Cora Care' });
  const support = await aUser(server.db, { roles: ['salessupport'], supports: [rep.id] });
  const territory = await aTerritory(server.db, { name: 'Lakeside', sales: rep.id, cs: cs.id });
  const open = await aQuote(server.db, { ownerId: rep.id, salesRepId: rep.id, csRepId: cs.id });
  const theirs = await aQuote(server.db, { ownerId: cs.id, salesRepId: rep.id });
  const won = await aQuote(server.db, { ownerId: rep.id, salesRepId: rep.id, statusId: 'Won' });
  const session = await startSession(server.db, server.services, rep.id, '');

  const holdings = await server.ok(UserEdit.GetUserHoldings, { id: rep.id }, { as: admin });
  expect(holdings).toMatchObject({
    openQuotes: 2,
    duties: [
      { duty: 'sales', openQuotes: 2, territories: [{ name: 'Lakeside' }] },
      { duty: 'owner', openQuotes: 1, territories: [] },
    ],
    supportedBy: [{ id: support.id }],
    pendingApprovals: 0,
  });

  // The toggle of the specification names no successor.
  const toggled = problemOf(await server.call(UserEdit.ActiveDeactiveUser, { id: rep.id }, { as: admin }));
  expect(toggled).toMatchObject({ status: 422, ExceptionMessage: toggled.detail });
  expect(toggled.detail).toBe(
    'Choose who takes over from Lea Leaving as sales rep. of 2 open quotes and 1 territory. Choose who takes over from Lea Leaving as owner of 1 open quote.',
  );
  const unfit = await server.call(
    UserEdit.SetUserActive,
    { id: rep.id, active: false, version: 1, handOver: { sales: cs.id, owner: rep.id } },
    { as: admin },
  );
  expect(problemOf(unfit).errors?.map(({ path }) => path)).toEqual(['handOver.sales', 'handOver.owner']);

  const done = await server.ok(
    UserEdit.SetUserActive,
    { id: rep.id, active: false, version: 1, handOver: { sales: heir.id, owner: cs.id } },
    { as: admin },
  );
  expect(done).toEqual({ id: rep.id, active: false, version: 2 });
  const quotes = await server.db
    .selectFrom('quote')
    .select(['id', 'sales_rep_id', 'cs_rep_id', 'owner_id', 'version'])
    .where('id', 'in', [open.id, theirs.id, won.id])
    .orderBy('id')
    .execute();
  expect(quotes).toMatchObject([
    { id: open.id, sales_rep_id: heir.id, cs_rep_id: cs.id, owner_id: cs.id, version: 2 },
    { id: theirs.id, sales_rep_id: heir.id, owner_id: cs.id, version: 2 },
    { id: won.id, sales_rep_id: rep.id, owner_id: rep.id, version: 1 },
  ]);
  const events = await server.db
    .selectFrom('quote_event')
    .select(['quote_id', 'actor', 'changes'])
    .where('action', '=', 'HandOver')
    .orderBy('quote_id')
    .execute();
  expect(events).toEqual([
    {
      quote_id: open.id,
      actor: 'Ada Admin',
      changes: [
        { field: 'Sales Rep.', before: 'Lea Leaving', after: 'Hal Heir' },
        { field: 'Owner', before: 'Lea Leaving', after: 'Cora Care' },
      ],
    },
    {
      quote_id: theirs.id,
      actor: 'Ada Admin',
      changes: [{ field: 'Sales Rep.', before: 'Lea Leaving', after: 'Hal Heir' }],
    },
  ]);
  expect(await repsOf(territory.id)).toEqual([
    { role: 'sales', user_id: rep.id, valid_from: '2020-01-01', valid_to: addDays(TODAY, -1) },
    { role: 'cs', user_id: cs.id, valid_from: '2020-01-01', valid_to: null },
    { role: 'sales', user_id: heir.id, valid_from: TODAY, valid_to: null },
  ]);
  expect(await server.ok(History.GetHistory, { type: 'territory', id: territory.id }, { as: admin })).toMatchObject([
    { action: 'Hand over', changes: [{ field: 'Sales rep.', before: 'Lea Leaving', after: 'Hal Heir' }] },
  ]);
  expect((await server.ok(History.GetHistory, { type: 'user', id: rep.id }, { as: admin }))[0]).toMatchObject({
    action: 'Deactivate',
    comment:
      'Handed over: sales rep. of 2 open quotes and 1 territory to Hal Heir; owner of 1 open quote to Cora Care.',
  });
  await server.drain();
  const mailed = server.mails.filter(({ subject }) => subject === 'You take over from Lea Leaving');
  expect(new Set(mailed.flatMap(({ to }) => to))).toEqual(new Set([heir.userName, cs.userName]));

  const headers = { authorization: `Bearer ${session.accessToken}` };
  expect((await server.inject({ method: 'POST', url: Auth.GetSignedInUser.path, headers })).status).toBe(401);

  // The toggle reactivates.
  const back = await server.ok(UserEdit.ActiveDeactiveUser, { id: rep.id }, { as: admin });
  expect(back).toEqual({ id: rep.id, active: true, version: 3 });
});

it('an assignment with a future start or an end keeps it; a successor already on the territory is not added twice', async () => {
  const [rep, heir] = [await aUser(server.db), await aUser(server.db)];
  const [later, ending, shared] = [
    await aTerritory(server.db),
    await aTerritory(server.db),
    await aTerritory(server.db),
  ];
  const assign = (territory_id: number, user_id: number, valid_from: string, valid_to: string | null) =>
    server.db
      .insertInto('territory_rep')
      .values({ territory_id, role: 'sales', user_id, valid_from, valid_to })
      .execute();
  await assign(later.id, rep.id, '2027-01-01', null);
  await assign(ending.id, rep.id, '2020-01-01', '2026-12-31');
  await assign(ending.id, rep.id, '2018-01-01', '2019-12-31');
  await assign(shared.id, rep.id, '2020-01-01', null);
  await assign(shared.id, heir.id, '2021-01-01', null);
  const input = { id: rep.id, active: false, handOver: { sales: heir.id }, version: 1 };
  await server.ok(UserEdit.SetUserActive, input, { as: admin });
  expect(await repsOf(later.id)).toMatchObject([{ user_id: heir.id, valid_from: '2027-01-01', valid_to: null }]);
  expect(await repsOf(ending.id)).toMatchObject([
    { user_id: rep.id, valid_to: '2019-12-31' },
    { user_id: rep.id, valid_to: '2026-11-19' },
    { user_id: heir.id, valid_from: TODAY, valid_to: '2026-12-31' },
  ]);
  expect(await repsOf(shared.id)).toMatchObject([
    { user_id: rep.id, valid_to: '2026-11-19' },
    { user_id: heir.id, valid_from: '2021-01-01', valid_to: null },
  ]);
});

it('the toggle deactivates and reactivates a user with nothing to hand over; a concurrent change is a conflict', async () => {
  const user = await aUser(server.db, { roles: ['contractdept'] });
  expect(await server.ok(UserEdit.ActiveDeactiveUser, { id: user.id }, { as: admin })).toMatchObject({ active: false });
  expect(await server.ok(UserEdit.ActiveDeactiveUser, { id: user.id }, { as: admin })).toMatchObject({ active: true });
  await server.ok(UserAccount.UpdateUser, { id: user.id, phone: '555-0001', version: 3 }, { as: admin });
  const late = await server.call(UserEdit.SetUserActive, { id: user.id, active: false, version: 3 }, { as: admin });
  expect(problemOf(late)).toMatchObject({ status: 409, detail: expect.stringContaining('555-0001') as string });
  // Repeating it changes nothing.
  const again = await server.ok(UserEdit.SetUserActive, { id: user.id, active: true, version: 1 }, { as: admin });
  expect(again).toMatchObject({ active: true, version: 4 });
  expect((await server.call(UserEdit.ActiveDeactiveUser, { id: 999_999 }, { as: admin })).status).toBe(404);
});

it('nobody locks themselves out', async () => {
  const own = await server.call(UserEdit.ActiveDeactiveUser, { id: admin.id }, { as: admin });
  expect(problemOf(own)).toMatchObject({ status: 409, detail: expect.stringContaining('yourself') as string });
  const roles: Role[] = ['salesadmin'];
  const role = await server.call(UserAccount.UpdateUser, { id: admin.id, roles, version: 1 }, { as: admin });
  expect(problemOf(role)).toMatchObject({ status: 422, errors: [{ path: 'roles' }] });
});

it('when two administrators remove each other at the same time, one stays', async () => {
  await server.db.deleteFrom('user_role').where('role', '=', 'systemadmin').where('user_id', '!=', admin.id).execute();
  const other = await aUser(server.db, { roles: ['systemadmin'] });
  const { version } = (await server.ok(UserEdit.GetUserEditData, { id: admin.id }, { as: admin })).user;
  await Promise.all([server.tokenOf(admin), server.tokenOf(other)]);
  const answers = await Promise.all([
    server.call(UserEdit.ActiveDeactiveUser, { id: other.id }, { as: admin }),
    server.call(UserAccount.UpdateUser, { id: admin.id, roles: ['csrep'], version }, { as: other }),
  ]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  const left = await server.db
    .selectFrom('app_user')
    .innerJoin('user_role', 'user_id', 'id')
    .select('id')
    .where('role', '=', 'systemadmin')
    .where('active', '=', true)
    .execute();
  expect(left).toHaveLength(1);
});
