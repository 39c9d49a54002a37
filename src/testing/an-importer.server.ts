// Ada imports files on a test server as the screen does: she uploads, checks, applies and undoes, and waits for each step.
import { expect } from 'vitest';
import { DataImport, type ImportView } from '#platform/data-import/data-import.contract.ts';
import type { Role } from '#platform/shared/roles.ts';
import { aUser } from './factories/people.server.ts';
import type { TestServer } from './test-server.server.ts';

export type Importer = Awaited<ReturnType<typeof anImporter>>;

export async function anImporter(server: TestServer, role: Role = 'systemadmin') {
  const admin = await aUser(server.db, { roles: [role], fullName: 'Ada Admin' });
  const upload = (kind: string, text: string, name = `${kind}.csv`) =>
    server.ok(DataImport.UploadImport, { kind }, { as: admin, file: fileOf(name, text) });
  const get = ({ id }: { id: number }) => server.ok(DataImport.GetImport, { id }, { as: admin });
  async function check(result: { id: number }, options: Record<string, unknown> = {}): Promise<ImportView> {
    await server.ok(DataImport.StartCheck, { id: result.id, options }, { as: admin });
    await server.drain();
    return get(result);
  }
  async function apply(result: { id: number }): Promise<ImportView> {
    await server.ok(DataImport.ApplyImport, { id: result.id }, { as: admin });
    await server.drain();
    return get(result);
  }
  /** Requests the undo, runs the background job, and returns the import's state afterwards. */
  async function undo({ id }: { id: number }): Promise<ImportView> {
    const begun = await server.ok(DataImport.UndoImport, { id }, { as: admin });
    expect(begun).toMatchObject({ state: 'Undoing', mayUndo: false, undoneBy: 'Ada Admin', undoneAt: null, done: 0 });
    await server.drain();
    return get({ id });
  }
  const imported = async (kind: string, text: string) => apply(await check(await upload(kind, text)));
  /** The held rows as text: '3 | A-1 glove | 40.00 | 42.01 | hint'. */
  async function held({ id }: { id: number }): Promise<string[]> {
    const { records } = await server.ok(DataImport.GetHeldRows, { id }, { as: admin });
    return records.map(({ line, key, was, now, hint }) => [line, key, was, now, hint].join(' | '));
  }
  return { id: admin.id, upload, get, check, apply, undo, imported, held };
}

export const fileOf = (name: string, text: string) => ({ name, bytes: Buffer.from(text), type: 'text/csv' });
/** How many rows of the last report were new, changed, unchanged, and refused. */
export const figures = ({ report }: ImportView) =>
  Object.fromEntries((report?.figures ?? []).map(({ label, count }) => [label, count]));
/** The refused cells of the last report as text: "2 Price '0' is 0". */
export const refusals = ({ report }: ImportView): string[] =>
  (report?.refusedCells ?? []).map(({ line, column, value, reason }) => `${line} ${column} '${value}' ${reason}`);
