// Tests identifiers of facilities over HTTP: their format and dates, that a number belongs to one facility at a time, and who may edit them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGpo } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { FacilityAdmin } from '../facility-admin.contract.ts';

let server: TestServer;
let keeper: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-06-15T15:00:00Z');
  keeper = await aUser(server.db, { roles: ['contractdept'] });
});
afterAll(() => server.close());

const save = (overrides: Record<string, unknown>, as = keeper) =>
  server.call(FacilityAdmin.SaveFacilityIdentifier, { id: 0, kind: 'HIN', from: '2026-01-01', ...overrides }, { as });
const record = (id: number) => server.ok(FacilityAdmin.GetFacilityRecord, { id }, { as: keeper });
const errorsOf = ({ body }: { body: unknown }) =>
  (body as { errors?: { path: string; message: string }[] }).errors ?? [];

describe('an identifier', () => {
  it('is stored in one form, changes with the facility’s version, and ends', async () => {
    const { id: facilityId } = await aFacility(server.db);
    const created = await save({ facilityId, value: 'ab1 234-567' });
    expect(created.body).toMatchObject({ kind: 'HIN', value: 'AB1234567', from: '2026-01-01', to: null, gpo: null });
    const { version } = await record(facilityId);
    const edit = { facilityId, id: created.body.id, value: 'AB1234568' };
    expect((await save(edit)).status).toBe(422);
    expect((await save({ ...edit, version: version - 1 })).status).toBe(409);
    expect((await save({ ...edit, version })).body).toMatchObject({ value: 'AB1234568' });
    const end = (lastDay: string, now: number) =>
      server.call(
        FacilityAdmin.EndFacilityIdentifier,
        { facilityId, id: created.body.id, lastDay, version: now },
        { as: keeper },
      );
    expect((await end('2025-12-31', version + 1)).status).toBe(422);
    expect((await end('06/30/2026', version)).status).toBe(409);
    expect((await end('06/30/2026', version + 1)).body).toEqual({ ended: 1, removed: 0 });
    expect((await record(facilityId)).identifiers).toMatchObject([{ to: '2026-06-30' }]);
    const other = await aFacility(server.db);
    expect((await save({ ...edit, facilityId: other.id, version: 1 })).status).toBe(404);
  });

  it.each([
    ['HIN', '12345678', '9 characters'],
    ['GLN', '4006381333930', 'check digit'],
    ['GLN', '400638133393', '13 digits'],
    ['GPO member', 'M-1', 'Choose the GPO'],
  ])('%s %s is refused in words', async (kind, value, words) => {
    const { id: facilityId } = await aFacility(server.db);
    expect(errorsOf(await save({ facilityId, kind, value }))[0]?.message).toContain(words);
  });

  it('belongs to one facility on any day; a refusal names that facility; other days are free', async () => {
    const [first, two] = [await aFacility(server.db, { name: 'First Clinic' }), await aFacility(server.db)];
    await save({ facilityId: first.id, kind: 'GLN', value: '4006381333931', to: '2026-06-30' });
    const taken = await save({ facilityId: two.id, kind: 'GLN', value: '4006 3813 3393 1', from: '2026-06-30' });
    expect(errorsOf(taken)).toEqual([
      {
        path: 'value',
        message: `First Clinic (account ${first.acctNo}) has this number from 01/01/2026 to 06/30/2026.`,
      },
    ]);
    expect((await save({ facilityId: two.id, kind: 'GLN', value: '4006381333931', from: '2026-07-01' })).status).toBe(
      200,
    );
    expect(
      errorsOf(
        await save({ facilityId: first.id, kind: 'GLN', value: '4006381333931', from: '2026-02-01', to: '2026-03-01' }),
      )[0]?.message,
    ).toContain('This facility');
    const both = await Promise.all([first, two].map(({ id }) => save({ facilityId: id, value: 'RACE12345' })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('may repeat the member number of another GPO', async () => {
    const [a, b] = [await aGpo(server.db), await aGpo(server.db)];
    const [first, two] = [await aFacility(server.db), await aFacility(server.db)];
    const member = { kind: 'GPO member', value: 'M-77' };
    expect((await save({ ...member, facilityId: first.id, gpoId: a.id })).body.gpo).toEqual(a);
    expect((await save({ ...member, facilityId: two.id, gpoId: b.id })).status).toBe(200);
    expect((await save({ ...member, facilityId: two.id, gpoId: a.id })).status).toBe(422);
  });

  it('can be edited by facility editors and the contract department, who also edit memberships', async () => {
    const { id: facilityId } = await aFacility(server.db);
    const gpo = await aGpo(server.db);
    const membership = { facilityId, gpoId: gpo.id, from: '2026-01-01' };
    for (const role of ['salesrep', 'salessupport', 'csrep', 'insiderep', 'salesQuoteManager'] as const) {
      const as = await aUser(server.db, { roles: [role] });
      expect((await save({ facilityId, value: 'AAAAAAAAA' }, as)).status).toBe(403);
      expect((await server.call(FacilityAdmin.SaveGpoMembership, membership, { as })).status).toBe(403);
    }
    expect((await server.call(FacilityAdmin.SaveGpoMembership, membership, { as: keeper })).status).toBe(200);
    const admin = await aUser(server.db, { roles: ['salesadmin'] });
    expect((await save({ facilityId, value: 'AAAAAAAA1' }, admin)).status).toBe(200);
  });
});
