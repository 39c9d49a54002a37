// A server killed during an import and its undo: all of it or nothing is done, and the next server does the rest once.
import { sql } from 'kysely';
import { expect } from 'vitest';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { aUser } from '../factories/people.server.ts';
import { until } from '../server-process.server.ts';
import { aboutToWrite, after, type KillCase, type KilledServer, type Point } from './kill-case.server.ts';

/** Enough rows that the kills by time meet something, and that the import ends with an analysis of the tables. */
const ROWS = 12_000;
const NOTHING = { zips: 0, kept: 0 };
const ALL = { zips: ROWS, kept: ROWS };

type Begin = (server: KilledServer) => Promise<unknown>;

export async function zipImport(): Promise<KillCase> {
  let id = 0;
  /** How it ends: applied, unless a point began the undo. */
  let end: 'Applied' | 'Undone' = 'Applied';
  const is = async (server: KilledServer, wanted: string) =>
    (await server.ok(DataImport.GetImport, { id })).state === wanted;

  const check = async (server: KilledServer) => {
    const zips = Array.from({ length: ROWS }, (_, n) => `${String(n + 10_000)},Killed`);
    const file = { name: 'zips.csv', bytes: Buffer.from(`zip,city\n${zips.join('\n')}\n`) };
    ({ id } = await server.ok(DataImport.UploadImport, { kind: 'zips' }, file));
    await server.ok(DataImport.StartCheck, { id });
    await until(() => is(server, 'Checked'), 180);
  };
  const apply = (server: KilledServer) => server.ok(DataImport.ApplyImport, { id });
  const applied = (server: KilledServer) => until(() => is(server, 'Applied'), 180);
  const undo = (server: KilledServer) => {
    end = 'Undone';
    return server.ok(DataImport.UndoImport, { id });
  };
  const written = (server: KilledServer) =>
    server.inDatabase(async ({ db }) => {
      const { rows } = await sql<{ zips: number; kept: number; events: number; state: string }>`
        select (select count(*) from zip where city = 'Killed') as zips, (select count(*) from data_import_change) as kept,
          (select count(*) from record_event where record_type = 'dataImport') as events,
          (select max(state) from data_import) as state`.execute(db);
      return rows[0];
    });
  const checkPoint: Point['found'] = async (server) => {
    const now = await written(server);
    // A fast machine may have finished before a kill by time; then all of it is there.
    const wanted = {
      Applying: { ...NOTHING, events: 0 },
      Applied: { ...ALL, events: 1 },
      Undoing: { ...ALL, events: 1 },
      Undone: { ...NOTHING, events: 2 },
    }[now?.state ?? ''];
    expect(now).toEqual({ ...wanted, state: now?.state });
  };
  /** The last step of an import, so everything else is in its open transaction. */
  const last = (state: string, begin: Begin, ready: Begin): Point => ({
    work: aboutToWrite('record_event', begin, ready),
    found: async (server) => {
      expect((await written(server))?.state).toBe(state);
      await checkPoint(server);
    },
  });
  return {
    fill: ({ db }) => aUser(db, { roles: ['systemadmin'] }),
    points: [
      last('Applying', apply, check),
      { work: after(150), found: checkPoint },
      { work: after(450), found: checkPoint },
      last('Undoing', undo, applied),
      { work: after(100), found: checkPoint },
      { work: after(400), found: checkPoint },
    ],
    rest: (server) => until(() => is(server, end), 180),
    proof: async (server) =>
      expect(await written(server)).toEqual(
        end === 'Applied' ? { ...ALL, events: 1, state: end } : { ...NOTHING, events: 2, state: end },
      ),
  };
}
