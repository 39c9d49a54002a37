// The list of imports of the kinds that a user may import, sorted and filtered, as a page or as CSV.
import { sql } from 'kysely';
import type { z } from 'zod';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import type { ImportCriteria, ImportState, ScreenReport } from './data-import.contract.ts';
import type { ImportKindServer } from './kinds/import-kind.server.ts';
import { importOutcome, lastAt, lastBy } from './screen/import-words.ts';

type Criteria = z.infer<typeof ImportCriteria>;
/** `kinds` are all kinds, `allowed` those that the user may import. */
type ListKinds = { kinds: readonly ImportKindServer[]; allowed: readonly ImportKindServer[] };

export async function importPage(db: Db, list: ListKinds, criteria: Criteria) {
  const page = await pageFrom(importsFound(db, list, criteria), criteria, orderOfImports(list.kinds));
  return { ...page, records: page.records.map((row) => listed(list, row)) };
}

export async function importsCsv(db: Db, list: ListKinds, criteria: Criteria) {
  const rows = await allFrom(importsFound(db, list, criteria), criteria.sort, orderOfImports(list.kinds));
  const header = ['File', 'Kind', 'State', 'Outcome', 'When', 'By', 'Uploaded', 'Uploaded by', 'Applied'];
  return csvAnswer(
    'imports.csv',
    [...header, 'Applied by', 'Undone', 'Undone by'],
    rows.map((row) => listed(list, row)),
    (row) => [
      row.fileName,
      row.kindLabel,
      row.state,
      importOutcome(row),
      lastAt(row),
      lastBy(row),
      row.createdAt,
      row.createdBy,
      row.appliedAt ?? '',
      row.appliedBy,
      row.undoneAt ?? '',
      row.undoneBy,
    ],
  );
}

const listed = ({ kinds }: ListKinds, row: FoundRow) => ({ ...importRow(kinds, row), figures: row.figures ?? [] });

function importsFound(db: Db, { allowed }: ListKinds, { kinds: request, state, keyword }: Criteria) {
  const names = allowed.flatMap(({ kind }) => (!request || request.includes(kind) ? [kind] : []));
  return importRows(db)
    .where('data_import.kind', '=', (eb) => eb.fn.any(eb.val(names)))
    .$if(Boolean(state), (query) => query.where('state', '=', state ?? ''))
    .$if(Boolean(keyword), (query) =>
      query.where(sql<boolean>`(${holds(sql.ref('data_import.file_name'), keyword ?? '')} or exists (
        select from app_user u where ${holds(sql.ref('u.full_name'), keyword ?? '')}
          and u.id in (data_import.created_by, data_import.applied_by, data_import.undone_by)))`),
    );
}

/** Returns the sort orders of the list: kinds by label, users and times by the latest action. */
function orderOfImports(kinds: readonly ImportKindServer[]) {
  const labels = JSON.stringify(Object.fromEntries(kinds.map(({ kind, label }) => [kind, label])));
  return {
    sorts: {
      fileName: sql`lower(data_import.file_name)`,
      kind: sql`lower(${labels}::jsonb ->> data_import.kind)`,
      state: sql`data_import.state`,
      at: sql`coalesce(data_import.undone_at, data_import.applied_at, data_import.created_at)`,
      by: sql`(select lower(full_name) from app_user
        where id = coalesce(data_import.undone_by, data_import.applied_by, data_import.created_by))`,
    },
    key: sql`data_import.id`,
    first: { field: 'at', dir: 'desc' as const },
  };
}

export const whoImported = (column: 'created_by' | 'applied_by' | 'undone_by') => whoDid(`data_import.${column}`);

type FoundRow = Awaited<ReturnType<ReturnType<typeof importRows>['execute']>>[number];

/** Selects imports as the list and the page of an import show them. */
export const importRows = (db: Db) =>
  db
    .selectFrom('data_import')
    .select(['data_import.id', 'kind', 'file_name as fileName', 'state', 'error'])
    .select(sql<boolean>`undoable and state = 'Applied'`.as('mayUndo'))
    .select(['data_import.created_at as createdAt', 'applied_at as appliedAt', 'undone_at as undoneAt'])
    .select([
      whoImported('created_by').as('createdBy'),
      whoImported('applied_by').as('appliedBy'),
      whoImported('undone_by').as('undoneBy'),
      sql<ScreenReport['figures'] | null>`report->'figures'`.as('figures'),
    ]);

export function importRow<R extends { kind: string; state: string }>(kinds: readonly ImportKindServer[], row: R) {
  const kindLabel = kinds.find(({ kind }) => kind === row.kind)?.label ?? row.kind;
  return { ...row, kindLabel, state: row.state as ImportState };
}
