// Answers the AreaImport calls.
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { lockAreas, shownAreas } from '#core/territories/zip-areas/area-set.server.ts';
import { stateName } from '#platform/shared/us-states.ts';
import type { AreaImport, ImportedAreas } from './area-import.contract.ts';

export const areaImportAnswers: Answers<typeof AreaImport> = {
  GetImportedAreas: ({ db }) => importedAreas(db),

  /** Throws 409 if the areas have changed since the caller read them. */
  UseBuiltInAreas: async ({ db, user }, { version }) => {
    await lockAreas(db);
    const { version: current, imported } = await importedAreas(db);
    if (current !== version || !imported)
      throw new HttpError(409, 'The areas have changed since you loaded them. Review them and try again.');
    await db.deleteFrom('geo_file').execute();
    await recordChange(db, user, {
      type: 'zipAreas',
      id: 1,
      name: 'ZIP areas',
      action: 'Edit',
      changes: [{ field: 'Areas', before: `imported from ${imported.file}`, after: 'built in' }],
    });
    return importedAreas(db);
  },
};

async function importedAreas(db: Db): Promise<ImportedAreas> {
  const { sha: version } = await shownAreas(db);
  const rows = await db
    .selectFrom('geo_file as g')
    .innerJoin('data_import as i', 'i.id', 'g.import_id')
    .where('g.replaced', '=', false)
    .select(['i.file_name as file', whoDid('i.applied_by').as('by'), 'i.applied_at as at', 'g.state'])
    .select(sql<number>`cardinality(string_to_array(g.zips, ' '))`.as('areas'))
    .execute();
  const [first] = rows;
  if (!first) return { version, imported: null };
  const { file, by, at } = first;
  const states = rows
    .map(({ state, areas }) => ({ state, areas }))
    .toSorted((a, other) => (stateName(a.state) < stateName(other.state) ? -1 : 1));
  return { version, imported: { file, by, at, states } };
}
