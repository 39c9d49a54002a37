// Answers AreaImport.
import { HttpError, invalid } from '#api/http-error.ts';
import type { Answers } from '#api/serve.server.ts';
import type { Db } from '#db/database.server.ts';
import { recordChange } from '#features/operations/history/record-change.server.ts';
import { whoDid } from '#features/people/users/acting-name.server.ts';
import {
  currentPin,
  currentVersion,
  filesOfPin,
  lockAreas,
  useFiles,
} from '#features/territories/zip-areas/geo-versions.server.ts';
import { stateName } from '#shared/us-states.ts';
import type { AreaImport, AreaStates } from './area-import.contract.ts';

export const areaImportAnswers: Answers<typeof AreaImport> = {
  GetAreaStates: ({ db }) => areaStates(db),

  /** Throws 409 if the areas have changed since the caller read them, 422 for a state without imported areas. */
  UseBuiltInAreas: async ({ db, user }, { version, states }) => {
    await lockAreas(db);
    const current = await currentVersion(db);
    if (current.sha !== version)
      throw new HttpError(409, 'The areas were changed meanwhile. Review them, then choose.');
    const files = await filesOfPin(db, current.pin);
    const without = states.filter((state) => !files.has(state));
    if (without.length > 0)
      throw invalid([{ path: 'states', message: `There are no imported areas in ${without.join(', ')}.` }]);
    for (const state of states) files.delete(state);
    await useFiles(db, files, { userId: user.id });
    await recordChange(db, user, {
      type: 'zipAreas',
      id: 1,
      name: 'ZIP areas',
      action: 'Edit',
      changes: [{ field: 'States', before: `imported: ${states.toSorted().join(', ')}`, after: 'approximate' }],
    });
    return areaStates(db);
  },
};

async function areaStates(db: Db): Promise<AreaStates> {
  const { sha, files } = await currentVersion(db);
  const from = await sourcesOf(db, await currentPin(db));
  return {
    version: sha,
    states: files
      .map(({ state, areas, imported }) => ({
        state,
        areas,
        imported,
        ...(from.get(state) ?? { file: '', by: '', at: null }),
      }))
      .toSorted((one, other) => (stateName(one.state) < stateName(other.state) ? -1 : 1)),
  };
}

type Source = { file: string; by: string; at: string | null };

/** The import that introduced the current file of each state. */
async function sourcesOf(db: Db, pin: string): Promise<Map<string, Source>> {
  const rows = await db
    .selectFrom('geo_version_file as shown')
    .innerJoin('geo_version_file as same', (join) =>
      join.onRef('same.file_sha', '=', 'shown.file_sha').onRef('same.state', '=', 'shown.state'),
    )
    .innerJoin('geo_use', 'geo_use.version_sha', 'same.version_sha')
    .innerJoin('data_import as i', 'i.id', 'geo_use.import_id')
    .where('shown.version_sha', '=', pin)
    .distinctOn('shown.state')
    .select(['shown.state', 'i.file_name as file', whoDid('geo_use.user_id').as('by'), 'geo_use.created_at as at'])
    .orderBy('shown.state')
    // The first import with this file. Later imports of other states carried it over.
    .orderBy('geo_use.id')
    .execute();
  return new Map(rows.map(({ state, file, by, at }) => [state, { file, by, at }]));
}
