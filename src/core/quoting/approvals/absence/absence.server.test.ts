// Tests absences over HTTP: who may edit whose, which users and days are allowed, and that the deputy gets a mail.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ApprovalAbsences } from './absence.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
});
afterAll(() => server.close());

async function people() {
  const { db } = server;
  return {
    manager: await aUser(db, { roles: ['salesQuoteManager'], fullName: 'Pat Doe' }),
    other: await aUser(db, { roles: ['salesQuoteManager'] }),
    cs: await aUser(db, { roles: ['csrep'], fullName: 'Kim Lee' }),
    rep: await aUser(db),
    admin: await aUser(db, { roles: ['systemadmin'] }),
  };
}
const away = (userId: number, deputyId: number, more: Record<string, unknown> = {}) => ({
  userId,
  deputyId,
  from: '11/16/2026',
  to: '11/20/2026',
  ...more,
});

it('a person lists, changes and removes their own absence, and the deputy gets an email; a change needs the version', async () => {
  const { manager, cs, other, admin } = await people();
  const before = server.mails.length;
  const created = await server.ok(ApprovalAbsences.SaveAbsence, away(manager.id, cs.id), { as: manager });
  expect(created).toMatchObject({
    name: 'Pat Doe',
    deputy: 'Kim Lee',
    from: '2026-11-16',
    to: '2026-11-20',
    version: 1,
  });
  await server.drain();
  expect(server.mails.slice(before)).toMatchObject([
    {
      to: [cs.userName],
      subject: 'You decide approvals for Pat Doe',
      text: expect.stringContaining('11/16/2026 to 11/20/2026'),
    },
  ]);
  const own = await server.ok(ApprovalAbsences.GetAbsences, {}, { as: manager });
  expect(own).toMatchObject({ absences: [created], approvers: [{ id: manager.id }], today: '2026-11-10' });
  expect(own.deputies.map(({ id }) => id)).toContain(cs.id);
  expect((await server.ok(ApprovalAbsences.GetAbsences, {}, { as: other })).absences).toEqual([]);
  expect((await server.ok(ApprovalAbsences.GetAbsences, {}, { as: admin })).absences).toContainEqual(created);

  const longer = { ...created, to: '2026-11-27' };
  expect((await server.ok(ApprovalAbsences.SaveAbsence, longer, { as: manager })).version).toBe(2);
  expect((await server.call(ApprovalAbsences.SaveAbsence, longer, { as: admin })).status).toBe(409);
  expect(
    (await server.call(ApprovalAbsences.RemoveAbsence, { id: created.id, version: 1 }, { as: manager })).status,
  ).toBe(409);
  await server.ok(ApprovalAbsences.RemoveAbsence, { id: created.id, version: 2 }, { as: manager });
  expect(await server.ok(History.GetHistory, { type: 'approvalAbsence', id: created.id }, { as: admin })).toMatchObject(
    [
      {
        action: 'Remove',
        actor: 'Pat Doe',
        changes: expect.arrayContaining([{ field: 'Deputy', before: 'Kim Lee', after: '' }]),
      },
      { action: 'Edit', changes: [{ field: 'To', before: '11/20/2026', after: '11/27/2026' }] },
      { action: 'Create' },
    ],
  );
});

it('only a system administrator edits the absence of somebody else', async () => {
  const { manager, other, cs, rep, admin } = await people();
  const save = (input: Record<string, unknown>, as: { id: number }) =>
    server.call(ApprovalAbsences.SaveAbsence, input, { as });
  expect((await save(away(manager.id, cs.id), other)).status).toBe(404);
  const created = await server.ok(ApprovalAbsences.SaveAbsence, away(manager.id, cs.id), { as: admin });
  expect((await save({ ...created, userId: other.id }, other)).status).toBe(404);
  expect(
    (await server.call(ApprovalAbsences.RemoveAbsence, { id: created.id, version: 1 }, { as: other })).status,
  ).toBe(404);
  expect((await save(away(rep.id, cs.id), rep)).status).toBe(403);
  expect((await server.call(ApprovalAbsences.GetAbsences, {}, { as: cs })).status).toBe(403);
  expect((await server.call(ApprovalAbsences.GetAbsences, {})).status).toBe(401);
});

it('an absence needs people and days that are allowed', async () => {
  const { manager, other, cs, rep, admin } = await people();
  const gone = await aUser(server.db, { roles: ['csrep'], active: false });
  await server.ok(ApprovalAbsences.SaveAbsence, away(manager.id, cs.id), { as: admin });
  for (const [path, input] of [
    ['to', away(other.id, cs.id, { to: '11/15/2026' })],
    ['to', away(other.id, cs.id, { from: '11/01/2026', to: '11/09/2026' })],
    ['userId', away(cs.id, other.id)],
    ['deputyId', away(other.id, rep.id)],
    ['deputyId', away(other.id, other.id)],
    ['deputyId', away(other.id, gone.id)],
    ['from', away(manager.id, other.id, { from: '11/20/2026', to: '11/22/2026' })],
    ['deputyId', away(other.id, manager.id, { from: '11/20/2026', to: '11/22/2026' })],
  ] as const) {
    const refused = await server.call(ApprovalAbsences.SaveAbsence, input, { as: admin });
    expect([path, refused.status, refused.body]).toMatchObject([path, 422, { errors: [{ path }] }]);
  }
  expect(
    (
      await server.call(
        ApprovalAbsences.SaveAbsence,
        away(other.id, manager.id, { from: '11/21/2026', to: '11/22/2026' }),
        { as: admin },
      )
    ).status,
  ).toBe(200);
});

it('nobody goes away while they decide for somebody else', async () => {
  const { manager, other, admin } = await people();
  const created = await server.ok(ApprovalAbsences.SaveAbsence, away(manager.id, other.id), { as: manager });
  const leave = (from: string) =>
    server.call(ApprovalAbsences.SaveAbsence, away(other.id, admin.id, { from, to: '11/30/2026' }), { as: other });
  const refused = await leave('11/20/2026');
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toContain('decides for Pat Doe from 11/16/2026 to 11/20/2026.');
  expect((await leave('11/21/2026')).status).toBe(200);
  expect(
    (await server.call(ApprovalAbsences.SaveAbsence, { ...created, to: '11/19/2026' }, { as: manager })).status,
  ).toBe(200);
});

it('when two overlapping absences are saved at once, one is refused', async () => {
  const { other, cs, manager } = await people();
  const both = await Promise.all(
    [cs.id, manager.id].map((deputyId) =>
      server.call(ApprovalAbsences.SaveAbsence, away(other.id, deputyId), { as: other }),
    ),
  );
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
});
