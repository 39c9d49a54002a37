// Tests a server killed while it builds imported areas: the map keeps its areas, and the next server imports the new ones once.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DataImport } from '#features/operations/data-import/data-import.contract.ts';
import { shippedVersion } from '#features/territories/zip-areas/geo-versions.server.ts';
import { ZipAreas, ZipFeatures, ZipRefs } from '#features/territories/zip-areas/zip-areas.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { until } from '#testing/server-process.server.ts';
import { aMinutePasses, aServerToKill } from '#testing/server-to-kill.server.ts';

test('a killed server imports all states or none', { timeout: 600_000 }, async () => {
  const server = await aServerToKill(({ db }) => aUser(db, { roles: ['systemadmin'] }));
  const stateOf = async (id: number) => (await server.ok(DataImport.GetImport, { id })).state;
  const used = () =>
    server.inDatabase(async (database) => {
      await aMinutePasses(database);
      const { rows } = await sql<{ files: number; uses: number; events: number; state: string }>`
        select (select count(*) from geo_file)::int as files, (select count(*) from geo_use)::int as uses,
          (select count(*) from record_event where record_type = 'dataImport')::int as events,
          (select max(state) from data_import) as state`.execute(database.db);
      return rows[0];
    });

  await server.start();
  const { features } = ZipFeatures.parse(await server.ok(ZipAreas.getTerrZipGeoJson, { states: ['CT', 'DE', 'RI'] }));
  const file = { name: 'areas.json', bytes: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })) };
  const { id } = await server.ok(DataImport.UploadImport, { kind: 'zip-areas' }, file);
  await server.ok(DataImport.StartCheck, { id });
  await until(async () => (await stateOf(id)) === 'Checked', 180);
  await server.ok(DataImport.ApplyImport, { id });
  for (const wait of [200, 900]) {
    await server.kill(wait);
    const now = await used();
    // A fast machine may have finished the import; then all states are there.
    expect(now).toEqual(
      now?.state === 'Applied'
        ? { files: 3, uses: 1, events: 1, state: 'Applied' }
        : { files: 0, uses: 0, events: 0, state: 'Applying' },
    );
    await server.start();
  }
  await until(async () => (await stateOf(id)) === 'Applied', 180);
  const refs = ZipRefs.parse(await server.ok(ZipAreas.getTerrZipGeoJson, { format: 'refs' }));
  expect(refs.geoVersion).not.toBe((await shippedVersion()).sha);
  expect(refs.files.filter(({ approximate }) => !approximate)).toHaveLength(3);
  await server.stop();
  expect(await used()).toEqual({ files: 3, uses: 1, events: 1, state: 'Applied' });
});
