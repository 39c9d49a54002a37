// Tests that no API key can reach an import of users in any way, and that only system administrators import them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { anImporter, fileOf } from '#testing/an-importer.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { DataImport } from './data-import.contract.ts';
import { INBOX_KINDS } from './inbox/import-inbox.server.ts';
import { IMPORT_KINDS_OF_SCREEN } from '#core/company/import-kinds/import-kinds.server.ts';

let server: TestServer;
let ada: Awaited<ReturnType<typeof anImporter>>;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server);
  const scopes = ['DataImport:read', 'DataImport:write'];
  const { key } = await server.ok(ApiKey.SaveApiKey, { name: 'ERP', ownerId: ada.id, scopes }, { as: ada });
  headers = { authorization: `Bearer ${key}` };
});
afterAll(() => server.close());

const RISE = 'Email,Name,Roles\nmallory@example.org,Mallory,systemadmin\n';
const rolesOf = async (userName: string) => {
  const roles = server.db.selectFrom('user_role').innerJoin('app_user', 'app_user.id', 'user_id').select('role');
  return (await roles.where('user_name', '=', userName).orderBy('role').execute()).map(({ role }) => role);
};

it('a key cannot upload users, nor check, apply, decide, read or undo what a person uploaded', async () => {
  const file = fileOf('users.csv', RISE);
  const refusal = { status: 403, body: { detail: 'API keys cannot import Users. Only signed-in users can.' } };
  expect(await server.call(DataImport.UploadImport, { kind: 'users' }, { headers, file })).toMatchObject(refusal);

  const steps = async ({ id }: { id: number }) => {
    const { MatchColumns, StartCheck, ApplyImport, UndoImport, GetImport, GetHeldRows, GetRefusedRows } = DataImport;
    for (const call of [MatchColumns, StartCheck, ApplyImport, UndoImport, GetImport, GetHeldRows, GetRefusedRows])
      expect(await server.call(call, { id, page: 1, pageSize: 20 }, { headers })).toMatchObject(refusal);
    const decision = { id, decision: 'accepted' };
    expect(await server.call(DataImport.DecideHeldRows, decision, { headers })).toMatchObject(refusal);
    const { body: list } = await server.call(DataImport.ListImports, {}, { headers });
    const { bytes } = await server.call(DataImport.ExportImports, {}, { headers });
    expect(JSON.stringify(list) + String(bytes)).not.toContain('users.csv');
  };
  const result = await ada.upload('users', RISE);
  await steps(result);
  await steps(await ada.check(result));
  expect(await rolesOf('mallory@example.org')).toEqual([]);
  await steps(await ada.apply(result));
  expect(await rolesOf('mallory@example.org')).toEqual(['systemadmin']);
  // An undo can also grant permissions: it restores roles that an import removed.
  const lowered = RISE.replace('systemadmin', 'salesrep');
  const second = await ada.apply(await ada.check(await ada.upload('users', lowered)));
  await steps(second);
  expect(await rolesOf('mallory@example.org')).toEqual(['salesrep']);
  await ada.undo(second);
  expect(await rolesOf('mallory@example.org')).toEqual(['systemadmin']);
});

it('a key is not offered the kind, and imports the others as before', async () => {
  const { body: kinds } = await server.call(DataImport.ListImportKinds, {}, { headers });
  expect(kinds.map(({ kind }) => kind)).not.toContain('users');
  expect((await server.ok(DataImport.ListImportKinds, {}, { as: ada })).map(({ kind }) => kind)).toContain('users');
  const file = fileOf('items.csv', 'Item number,Description\nA-1,Catheter\n');
  expect((await server.call(DataImport.UploadImport, { kind: 'items' }, { headers, file })).status).toBe(200);
});

it.each(['salesadmin', 'contractdept'] as const)('a person with the role %s imports no users', async (role) => {
  const person = await aUser(server.db, { roles: [role] });
  const file = fileOf('users.csv', RISE);
  expect((await server.call(DataImport.UploadImport, { kind: 'users' }, { as: person, file })).status).toBe(403);
  const result = await ada.upload('users', RISE);
  expect((await server.call(DataImport.StartCheck, { id: result.id }, { as: person })).status).toBe(403);
});

it('the watched folder takes no kind that is for people only', () => {
  const forPeople = IMPORT_KINDS_OF_SCREEN.filter(({ peopleOnly }) => peopleOnly).map(({ kind }) => kind);
  expect(forPeople).toEqual(['territories', 'users']);
  expect(INBOX_KINDS.filter((kind) => forPeople.includes(kind))).toEqual([]);
});
