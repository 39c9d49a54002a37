// A server killed while it builds imported areas: the map keeps its areas, and the next server imports the new ones once.
import { sql } from 'kysely';
import { expect } from 'vitest';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { builtInAreas } from '#core/territories/zip-areas/area-set.server.ts';
import { ZipAreas, ZipFeatures, ZipRefs } from '#core/territories/zip-areas/zip-areas.contract.ts';
import { aUser } from '../factories/people.server.ts';
import { until } from '../server-process.server.ts';
import { after, type KillCase, type KilledServer, type Point } from './kill-case.server.ts';

const NOTHING = { files: 0, events: 0, state: 'Applying' };
const ALL = { files: 3, events: 1, state: 'Applied' };

export async function zipAreas(): Promise<KillCase> {
  let id = 0;
  const isIn = async (server: KilledServer, state: string) =>
    (await server.ok(DataImport.GetImport, { id })).state === state;
  const used = (server: KilledServer) =>
    server.inDatabase(async ({ db }) => {
      const { rows } = await sql<{ files: number; events: number; state: string }>`
        select (select count(*) from geo_file)::int as files,
          (select count(*) from record_event where record_type = 'dataImport')::int as events,
          (select max(state) from data_import) as state`.execute(db);
      return rows[0];
    });
  const apply = async (server: KilledServer) => {
    const input = await server.ok(ZipAreas.getTerrZipGeoJson, { states: ['CT', 'DE', 'RI'] });
    const { features } = ZipFeatures.parse(input);
    const file = { name: 'areas.json', bytes: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })) };
    ({ id } = await server.ok(DataImport.UploadImport, { kind: 'zip-areas' }, file));
    await server.ok(DataImport.StartCheck, { id });
    await until(() => isIn(server, 'Checked'), 180);
    await server.ok(DataImport.ApplyImport, { id });
  };
  const checkPoint: Point['found'] = async (server) => {
    const now = await used(server);
    // A fast machine may have finished the import; then all states are there.
    expect(now).toEqual(now?.state === 'Applied' ? ALL : NOTHING);
  };
  return {
    fill: ({ db }) => aUser(db, { roles: ['systemadmin'] }),
    points: [
      { work: after(200, apply), found: checkPoint },
      { work: after(900), found: checkPoint },
    ],
    rest: async (server) => {
      await until(() => isIn(server, 'Applied'), 180);
      const refs = ZipRefs.parse(await server.ok(ZipAreas.getTerrZipGeoJson, { format: 'refs' }));
      expect(refs.geoVersion).not.toBe((await builtInAreas()).sha);
      expect(refs.files.filter(({ approximate }) => !approximate)).toHaveLength(3);
    },
    proof: async (server) => expect(await used(server)).toEqual(ALL),
  };
}
