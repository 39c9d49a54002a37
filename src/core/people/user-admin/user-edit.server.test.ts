// Tests users over HTTP: list, sign-up, edit, concurrent saves, sessions, permissions, refusals.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { startSession } from '#platform/auth/sessions/session.server.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { User, UserAccount, UserEdit } from './user-admin.contract.ts';

let server: TestServer;
let admin: { id: number; fullName: string };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
});
afterAll(() => server.close());

type Problem = { detail: string; errors?: { path: string; message: string }[]; conflict?: unknown };
const problemOf = (answer: { status: number; body: unknown }) => ({
  status: answer.status,
  ...(answer.body as Problem),
});

it('GetAllRoles names the eight roles', async () => {
  const roles = await server.ok(UserEdit.GetAllRoles, {}, { as: admin });
  expect(roles).toHaveLength(8);
  expect(roles).toContainEqual({ id: 'salesQuoteManager', name: 'Sales quote manager' });
});

it('a user is added, invited, found, changed and exported; the history says by whom', async () => {
  const region = await aRegion(server.db, { name: 'Coast' });
  const rep = await aUser(server.db, { fullName: 'Rita Rep' });
  const blank = await server.ok(UserEdit.GetUserEditData, { id: 0 }, { as: admin });
  expect(blank).toMatchObject({ user: { id: 0, roles: [] }, regions: [{ name: 'Coast' }], reps: [], invitation: null });

  const created = await server.ok(
    UserAccount.AddNewUser,
    {
      userName: 'max.new@example.com',
      fullName: ' Max New ',
      phone: '555-0147',
      roles: ['salesQuoteManager', 'salessupport'],
      regionIds: [region.id],
      repIds: [rep.id],
    },
    { as: admin },
  );
  expect(created).toMatchObject({ fullName: 'Max New', regionIds: [region.id], repIds: [rep.id], version: 1 });
  await server.drain();
  expect(server.mails.at(-1)).toMatchObject({ to: ['max.new@example.com'] });
  const edit = await server.ok(UserEdit.GetUserEditData, { id: created.id }, { as: admin });
  expect(edit).toMatchObject({
    user: created,
    active: true,
    invitation: { expired: false },
    hasPassword: false,
    lastUsedAt: null,
    keptBecause: '',
    reps: [{ id: rep.id, name: 'Rita Rep' }],
  });
  const ofRep = await server.ok(UserEdit.GetUserEditData, { id: rep.id }, { as: admin });
  expect(ofRep.supportedBy).toEqual([{ id: created.id, name: 'Max New' }]);

  // Losing a role removes the data that belongs to it. Omitted fields keep their value.
  const changed = await server.ok(
    UserAccount.UpdateUser,
    { id: created.id, version: 1, fullName: 'Max Newman', roles: ['salessupport'] },
    { as: admin },
  );
  expect(changed).toMatchObject({ phone: '555-0147', regionIds: [], repIds: [rep.id], version: 2 });

  const result = await server.ok(User.SearchUsers, { keyword: 'newman 555', role: 'salessupport' }, { as: admin });
  expect(result).toMatchObject({
    total: 1,
    records: [
      {
        fullName: 'Max Newman',
        hasPassword: false,
        invited: true,
        roles: ['salessupport'],
        regions: [],
        reps: [{ id: rep.id }],
      },
    ],
  });
  expect(await server.ok(User.SearchUsers, { keyword: 'newman', active: false }, { as: admin })).toMatchObject({
    total: 0,
  });
  expect(await server.ok(User.SearchUsers, { keyword: 'newman', role: 'csrep' }, { as: admin })).toMatchObject({
    total: 0,
  });
  const csv = await server.call(User.ExportUsers, { keyword: 'newman' }, { as: admin });
  expect(csv.bytes.toString('utf8')).toContain('Max Newman,max.new@example.com,555-0147,Sales support,yes,,,Rita Rep');

  const history = await server.ok(History.GetHistory, { type: 'user', id: created.id }, { as: admin });
  expect(history).toMatchObject([
    {
      actor: 'Ada Admin',
      action: 'Edit',
      changes: [
        { field: 'Full name', before: 'Max New', after: 'Max Newman' },
        { field: 'Roles', before: 'Sales support, Sales quote manager', after: 'Sales support' },
        { field: 'Regions managed', before: 'Coast', after: '' },
      ],
    },
    { action: 'Create' },
  ]);
});

it('each error appears under its field', async () => {
  const taken = await aUser(server.db, { userName: 'taken@example.com', fullName: 'Tess Taken' });
  const closed = await aRegion(server.db, { active: false });
  const cs = await aUser(server.db, { roles: ['csrep'] });
  const add = async (input: object) => {
    const user = { userName: 'new@example.com', fullName: 'New', roles: ['salesrep'], ...input };
    const { status, errors } = problemOf(await server.call(UserAccount.AddNewUser, user, { as: admin }));
    return { status, paths: errors?.map(({ path }) => path) };
  };
  expect(await add({ userName: 'TAKEN@example.com' })).toEqual({ status: 422, paths: ['userName'] });
  expect(await add({ userName: 'nobody' })).toEqual({ status: 422, paths: ['userName'] });
  expect(await add({ fullName: ' ' })).toEqual({ status: 422, paths: ['fullName'] });
  expect(await add({ roles: [] })).toEqual({ status: 422, paths: ['roles'] });
  expect(await add({ roles: ['king'] })).toMatchObject({ status: 422 });
  expect(await add({ roles: ['salesQuoteManager'], regionIds: [closed.id] })).toEqual({
    status: 422,
    paths: ['regionIds'],
  });
  expect(await add({ roles: ['salessupport'], repIds: [cs.id] })).toEqual({ status: 422, paths: ['repIds'] });
  expect((await server.call(UserEdit.GetUserEditData, { id: 999_999 }, { as: admin })).status).toBe(404);
  expect((await server.call(UserAccount.UpdateUser, { id: 999_999, version: 1 }, { as: admin })).status).toBe(404);
  // The user's own address in another case is not treated as in use.
  expect(
    await server.call(
      UserAccount.UpdateUser,
      { id: taken.id, userName: 'Taken@example.com', version: 1 },
      { as: admin },
    ),
  ).toMatchObject({ status: 200 });
});

it('the second of two administrators sees what the first changed', async () => {
  const user = await aUser(server.db, { fullName: 'Con Tested' });
  const { user: read } = await server.ok(UserEdit.GetUserEditData, { id: user.id }, { as: admin });
  const other = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
  await server.ok(UserAccount.UpdateUser, { ...read, phone: '555-0190' }, { as: other });
  const late = await server.call(UserAccount.UpdateUser, { ...read, phone: '555-0191' }, { as: admin });
  expect(late).toMatchObject({
    status: 409,
    body: { conflict: { changedBy: 'Bea Boss', current: { phone: '555-0190', version: read.version + 1 } } },
  });
});

it('changing a manager of a region, from the user or from the region, makes a stale save of the other a conflict', async () => {
  const region = await aRegion(server.db, { name: 'Delta' });
  const manager = await aUser(server.db, { roles: ['salesQuoteManager'], fullName: 'Mia Manager' });
  const user = async () => (await server.ok(UserEdit.GetUserEditData, { id: manager.id }, { as: admin })).user;
  const edit = async () => (await server.ok(Region.PopulateRegionEditModel, { id: region.id }, { as: admin })).region;
  const [userBefore, regionBefore] = [await user(), await edit()];

  await server.ok(UserAccount.UpdateUser, { ...userBefore, regionIds: [region.id] }, { as: admin });
  const late = await server.call(Region.SaveRegion, { ...regionBefore, managerIds: [] }, { as: admin });
  expect(problemOf(late)).toMatchObject({ status: 409, detail: expect.stringContaining('Mia Manager') as string });

  const userNow = await user();
  await server.ok(Region.SaveRegion, { ...(await edit()), managerIds: [] }, { as: admin });
  expect(await user()).toMatchObject({ regionIds: [] });
  const lateUser = await server.call(UserAccount.UpdateUser, { ...userNow, phone: '1' }, { as: admin });
  expect(problemOf(lateUser)).toMatchObject({ status: 409, detail: expect.stringContaining('Delta') as string });
});

it('a changed role takes effect at the next call', async () => {
  const user = await aUser(server.db, { roles: ['systemadmin'] });
  expect((await server.call(User.SearchUsers, {}, { as: user })).status).toBe(200);
  await server.ok(UserAccount.UpdateUser, { id: user.id, roles: ['csrep'], version: 1 }, { as: admin });
  expect((await server.call(User.SearchUsers, {}, { as: user })).status).toBe(403);
});

it('an invitation can be resent until a password is chosen; a new address voids the earlier one', async () => {
  const created = await server.ok(
    UserAccount.AddNewUser,
    { userName: 'mistyped@example.com', fullName: 'Ivy Invited', roles: ['csrep'] },
    { as: admin },
  );
  await server.ok(
    UserAccount.UpdateUser,
    { id: created.id, userName: 'ivy@example.com', version: created.version },
    { as: admin },
  );
  const invitation = async () =>
    (await server.ok(UserEdit.GetUserEditData, { id: created.id }, { as: admin })).invitation;
  expect(await invitation()).toBeNull();
  await server.ok(UserEdit.ResendInvitation, { id: created.id }, { as: admin });
  expect(await invitation()).toMatchObject({ expired: false });
  await server.drain();
  expect(server.mails.at(-1)).toMatchObject({ to: ['ivy@example.com'] });

  await server.db.updateTable('app_user').set({ password_hash: 'x' }).where('id', '=', created.id).execute();
  const refused = problemOf(await server.call(UserEdit.ResendInvitation, { id: created.id }, { as: admin }));
  expect(refused).toMatchObject({ status: 409, detail: expect.stringContaining('I forgot my password') as string });
});

it('a new address voids the temporary password that was mailed to the old one', async () => {
  const user = await aUser(server.db, { userName: 'old@example.com' });
  await server.ok(Auth.ResetPassword, { email: user.userName });
  await server.drain();
  const Password = /^ {4}(\S{19})$/m.exec(server.mails.at(-1)?.text ?? '')?.[1] ?? '';
  expect(Password).toHaveLength(19);
  await server.ok(UserAccount.UpdateUser, { id: user.id, userName: 'new@example.com', version: 1 }, { as: admin });
  for (const UserName of ['old@example.com', 'new@example.com'])
    expect((await server.call(Auth.Token, { UserName, Password, grant_type: 'password' })).status).toBe(400);
});

it('finds and invites all imported people in one call, and nobody else', async () => {
  const [first, two] = [
    await aUser(server.db, { fullName: 'Fay File' }),
    await aUser(server.db, { fullName: 'Gil File' }),
  ];
  const gone = await aUser(server.db, { fullName: 'Ida File', active: false });
  const there = await aUser(server.db, { fullName: 'Jo File' });
  await server.db.updateTable('app_user').set({ password_hash: 'x' }).where('id', '=', there.id).execute();
  const waiting = async () =>
    (await server.ok(User.SearchUsers, { keyword: 'file', notInvited: true }, { as: admin })).records.map(
      ({ id }) => id,
    );
  expect(await waiting()).toEqual([first.id, two.id]);
  const { invited, left } = await server.ok(UserEdit.InviteUsers, {}, { as: admin });
  expect(invited).toBeGreaterThanOrEqual(2);
  expect(left).toBe(0);
  expect(await waiting()).toEqual([]);
  const invitations = await server.db.selectFrom('invitation').select('user_id').execute();
  const ids = invitations.map(({ user_id }) => user_id);
  expect(ids).toEqual(expect.arrayContaining([first.id, two.id]));
  expect(ids).not.toContain(gone.id);
  expect(ids).not.toContain(there.id);
  expect(await server.ok(UserEdit.InviteUsers, {}, { as: admin })).toEqual({ invited: 0, left: 0 });
});

it('lists sessions by device, and ends one or all except the current one', async () => {
  const user = await aUser(server.db, { roles: ['csrep'] });
  const signIn = (agent: string) => startSession(server.db, server.services, user.id, agent);
  const [phone, desk] = [
    await signIn('Mozilla/5.0 (iPhone) Safari/1'),
    await signIn('Mozilla/5.0 (X11; Linux) Firefox/140.0'),
  ];
  const isIn = async ({ accessToken }: { accessToken: string }) => {
    const { path: url } = UserEdit.GetAllRoles;
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await server.inject({ method: 'POST', url, headers })).status !== 401;
  };
  const sessions = await server.ok(UserEdit.GetUserSessions, { id: user.id }, { as: admin });
  expect(sessions.map(({ device }) => device).toSorted()).toEqual(['Firefox on Linux', 'Safari on iPhone']);
  const lost = sessions.find(({ device }) => device === 'Safari on iPhone')?.id;
  expect(await isIn(phone)).toBe(true);
  const left = await server.ok(UserEdit.SignOutUser, { id: user.id, sessionId: lost }, { as: admin });
  expect(left).toMatchObject([{ device: 'Firefox on Linux', current: false }]);
  expect([await isIn(phone), await isIn(desk)]).toEqual([false, true]);
  expect((await server.call(UserEdit.SignOutUser, { id: user.id, sessionId: lost }, { as: admin })).status).toBe(409);

  expect(await server.ok(UserEdit.SignOutUser, { id: user.id }, { as: admin })).toEqual([]);
  expect(await isIn(desk)).toBe(false);
  await startSession(server.db, server.services, admin.id, '');
  expect(await server.ok(UserEdit.SignOutUser, { id: admin.id }, { as: admin })).toMatchObject([{ current: true }]);
});

it('nobody else may do this, nor may an administrator who must change the password first', async () => {
  for (const role of ['salesadmin', 'csrep'] as const) {
    const other = await aUser(server.db, { roles: [role] });
    expect((await server.call(User.SearchUsers, {}, { as: other })).status).toBe(403);
    expect((await server.call(UserAccount.AddNewUser, {}, { as: other })).status).toBe(403);
  }
  expect((await server.call(User.SearchUsers, {})).status).toBe(401);
  const forced = await aUser(server.db, { roles: ['systemadmin'] });
  await server.db.updateTable('app_user').set({ must_change_password: true }).where('id', '=', forced.id).execute();
  const answer = await server.call(UserAccount.UpdateUser, { id: admin.id, phone: '1' }, { as: forced });
  expect(problemOf(answer)).toMatchObject({ status: 403, detail: 'Change your temporary password first.' });
});
