// Ada, who imports files on a test server as the screen does: upload, check, apply, undo, each waited for.
import { expect } from 'vitest';
import { DataImport, type ImportView } from '#features/operations/data-import/data-import.contract.ts';
import { aUser } from './factories/people.server.ts';
import type { TestServer } from './test-server.server.ts';

export async function anImporter(server: TestServer) {
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  const upload = (kind: string, text: string, name = `${kind}.csv`) =>
    server.ok(DataImport.UploadImport, { kind }, { as: admin, file: fileOf(name, text) });
  const get = ({ id }: { id: number }) => server.ok(DataImport.GetImport, { id }, { as: admin });
  async function check(found: { id: number }): Promise<ImportView> {
    await server.ok(DataImport.StartCheck, { id: found.id }, { as: admin });
    await server.drain();
    return get(found);
  }
  async function apply(found: { id: number }): Promise<ImportView> {
    await server.ok(DataImport.ApplyImport, { id: found.id }, { as: admin });
    await server.drain();
    return get(found);
  }
  /** Requests the step, runs the background job, and answers the import's state afterwards. */
  async function undo({ id }: { id: number }): Promise<ImportView> {
    const begun = await server.ok(DataImport.UndoImport, { id }, { as: admin });
    expect(begun).toMatchObject({ state: 'Undoing', mayUndo: false, undoneBy: 'Ada Admin', undoneAt: null, done: 0 });
    await server.drain();
    return get({ id });
  }
  const imported = async (kind: string, text: string) => apply(await check(await upload(kind, text)));
  return { id: admin.id, upload, get, check, apply, undo, imported };
}

export const fileOf = (name: string, text: string) => ({ name, bytes: Buffer.from(text), type: 'text/csv' });
/** How many rows of the last report were new, changed, unchanged, and refused. */
export const figures = ({ report }: ImportView) =>
  Object.fromEntries((report?.figures ?? []).map(({ label, count }) => [label, count]));
