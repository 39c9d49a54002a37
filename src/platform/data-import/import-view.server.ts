// An import as its page shows it, and why its file cannot be checked yet.
import type { Db } from '#platform/db/database.server.ts';
import { missing } from '#platform/history/cleared.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { ImportKindView, ImportView, ScreenReport } from './data-import.contract.ts';
import { importRow, importRows } from './import-list.server.ts';
import type { ImportKindServer } from './kinds/import-kind.server.ts';
import { cleaned } from './reading/cell-values.server.ts';
import { aboveSentence, questionsAbove, questionSentence, questionsOf } from './reading/column-questions.server.ts';
import { decidedOf } from './running/held-rows.server.ts';
import type { Options } from './running/take-upload.server.ts';
import type { StoredHeader } from './running/upload-table.server.ts';

export async function importView(db: Db, kindOf: (name: string) => ImportKindServer, id: number): Promise<ImportView> {
  const row = await importRows(db)
    .innerJoin('file', 'file.id', 'data_import.file_id')
    .select([
      'mapping',
      'options',
      'step',
      'done',
      'total',
      'report',
      'effect',
      'refused_file_id as refusedFile',
      'file.size',
    ])
    .where('data_import.id', '=', id)
    .executeTakeFirst();
  if (!row) throw await missing(db, 'imports', id, 'import');
  const kind = kindOf(row.kind);
  const { mapping, options, refusedFile, report, effect, figures: _, ...rest } = row;
  const header = mapping as StoredHeader;
  const { format, sheets, samples, notes = [], others = [], above = [], chosen = {} } = options as Options;
  const fieldAt = fieldsAt(header);
  const { unused = [], remembered = [] } = header;
  const questions = new Map(questionsOf(header, kind.rows, samples).map(({ at, about }) => [at, about]));
  return {
    ...importRow([kind], rest),
    format,
    sheets,
    notes,
    sheet: header.sheet,
    headerLine: header.line,
    columns: header.headings.map((heading, at) => ({
      heading: cleaned(heading),
      samples: samples[at] ?? [],
      field: fieldAt.get(at) ?? null,
      asks: questions.get(at) ?? '',
      unused: unused.includes(at),
      remembered: remembered.includes(at),
    })),
    others,
    above: questionsAbove(above, header.columns, kind.rows).map(({ line, text }) => ({ line, text })),
    missing: missingOf(kind, header, options as Options),
    options: chosen,
    report: report as ScreenReport | null,
    effect: effectOf(effect),
    hasRefused: refusedFile !== null,
    ...(await decidedOf(db, id)),
    mayDecide: row.state === 'Checked' || row.mayUndo,
  };
}

function effectOf(stored: unknown): ImportView['effect'] {
  if (stored === null) return null;
  const { state, of } = stored as NonNullable<ImportView['effect']>;
  return { state, of };
}

export function kindView({ kind, label, hint, rows, files, asks, held }: ImportKindServer): ImportKindView {
  return {
    kind,
    label,
    hint,
    fields: Object.entries(rows.fields).map(([field, { label: name }]) => ({ field, label: name })),
    needs: rows.needs.map((set) => [...set]),
    files: files ?? 'table',
    asks: [...(asks ?? [])],
    heldWords: { title: held?.title ?? '', why: held?.why ?? '', pick: held?.pick?.label ?? '' },
  };
}
/** Returns why the file cannot be checked yet, in sentences: no column for a required field, or an undecided sheet or column. '' if it can. */
export function missingOf(
  kind: ImportKindServer,
  header: StoredHeader,
  { samples, others = [], above = [] }: Options,
): string {
  const label = (field: string): string => kind.rows.fields[field]?.label ?? field;
  const lacking = kind.rows.needs.map((set) => set.filter((field) => !Object.hasOwn(header.columns, field)));
  const least = Math.min(...lacking.map(({ length }) => length));
  const nearest = [
    ...new Set(lacking.filter(({ length }) => length === least).map((set) => set.map(label).join(' and '))),
  ];
  // A price may have eight alternatives, one per tier, so the sentence names only three.
  const [named, more] = nearest.length > 4 ? [nearest.slice(0, 3), ', and so on'] : [nearest, ''];
  return [
    least === 0 ? '' : `Choose which column is the ${named.join(', or the ')}${more}.`,
    others.length > 0
      ? `Choose the sheet: ${others.map(({ sheet, rows }) => `'${sheet}' (${countOf(rows, 'row')})`).join(', ')} ${others.length === 1 ? 'has' : 'have'} as many rows as '${header.sheet}'.`
      : '',
    questionSentence(questionsOf(header, kind.rows, samples), header.headings),
    aboveSentence(questionsAbove(above, header.columns, kind.rows), header.line),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Returns the field of each column, by the position of the column. */
export const fieldsAt = ({ columns }: Pick<StoredHeader, 'columns'>): Map<number, string> =>
  new Map(Object.entries(columns).map(([field, at]) => [at, field]));
