// Describes what an import did or would do, as text for a terminal.
import { countOf } from '#shared/count-of.ts';
import type { HeldImportRow, ImportView, ScreenReport } from '../data-import.contract.ts';

/** A refused cell: its place, its value, and the reason. */
export type RefusedCell = { line: number; column: string; value: string; reason: string };
/** A record and its changes, if any. */
export type Example = { line: number; key: string; what: string };

type Given = { view: ImportView; held: readonly HeldImportRow[]; refusedFile: string | null };

const MOST_LISTED = 10;

/** '317 rows: UOM '100/bx' is no unit … (lines 2, 3, …)'. */
export function causeText({ sentence, rows, lines }: NonNullable<ScreenReport['causes']>[number]): string {
  const named = `${lines.map((line) => line.toLocaleString('en-US')).join(', ')}${rows > lines.length ? ', …' : ''}`;
  return `${countOf(rows, 'row')}: ${sentence} (${rows === 1 ? 'line' : 'lines'} ${named})`;
}

const count = (n: number): string => n.toLocaleString('en-US');

export function reportText({ view, held, refusedFile }: Given): string {
  const { report } = view;
  if (!report) return '';
  const causes = (report.causes ?? []).filter(({ rows }) => rows > 1);
  const dryRun = view.state === 'Checked' && (report.writes > 0 || view.accepted > 0);
  const used = view.columns.filter(({ field }) => field !== null);
  const unused = view.columns.filter(({ field, heading }) => field === null && heading !== '');
  const figures = [{ label: 'Rows', count: report.rows, note: undefined }, ...report.figures];
  const [labels, width] = [
    Math.max(...figures.map(({ label }) => label.length)),
    Math.max(...figures.map((one) => count(one.count).length)),
  ];
  const rate = report.seconds > 0 ? ` (${count(Math.round(report.rows / report.seconds))} rows/s)` : '';
  const outcome = dryRun
    ? 'Dry run: nothing was changed.'
    : view.state === 'Applied'
      ? 'Imported.'
      : 'Nothing to import.';
  const lines = [
    `${view.format}${view.sheet ? `, sheet '${view.sheet}'` : ''}, header in line ${view.headerLine}`,
    `Read as: ${used.map(({ field, heading }) => `${field} ← ${heading}`).join(', ')}`,
    ...(unused.length > 0 ? [`Not used: ${firstOf(unused.map(({ heading }) => heading))}`] : []),
    '',
    ...figures.map(
      (one) => `  ${one.label.padEnd(labels + 2)}${count(one.count).padStart(width)}${one.note ? `  ${one.note}` : ''}`,
    ),
    ...report.notes.map((note) => `  ${note}`),
    // A first import needs no list of new records. A dry run shows how it understood the rows.
    ...[...report.lists.filter(({ title }) => dryRun || title !== 'New'), ...(report.conclusion?.lists ?? [])].flatMap(
      ({ title, headings, rows, total }) => [
        '',
        `${title}${total > Math.min(rows.length, MOST_LISTED) ? ', first ones' : ''}:`,
        ...rows
          .slice(0, MOST_LISTED)
          .map(([first = '', ...cells]) =>
            `  ${headings[0] === 'Line' ? `line ${first}:` : `${first} `} ${cells.join('  ')}`.trimEnd(),
          ),
      ],
    ),
    ...(held.length > 0
      ? [
          '',
          report.held > held.length ? 'Held, first ones:' : 'Held:',
          ...held.map(
            ({ line, key, was, now, hint, decision }) =>
              `  line ${line}: ${key}  ${was} → ${now}${hint ? `  (${hint})` : ''}${decision === 'open' ? '' : `  ${decision}`}`,
          ),
          ...(held.every(({ decision }) => decision !== 'open')
            ? []
            : [
                'Are they right? Then import with --confirm-held, or accept some of them on the screen. Otherwise fix the file.',
              ]),
        ]
      : []),
    ...(causes.length > 0 ? ['', 'Refused, by cause:', ...causes.map((cause) => `  ${causeText(cause)}`)] : []),
    ...(report.refusedCells.length > 0
      ? [
          '',
          'Refused, first ones:',
          ...report.refusedCells
            .slice(0, 10)
            .map(
              ({ line, column, value, reason }) =>
                `  line ${line}${column ? `, ${column}` : ''}: ${value === '' ? '' : `'${value.slice(0, 60)}' `}${reason}`,
            ),
          ...(refusedFile ? [`All of them: ${refusedFile}`] : []),
        ]
      : []),
    ...(report.conclusion ? ['', ...report.conclusion.notes] : []),
    '',
    `${outcome} It is import ${view.id}. ${report.seconds.toFixed(1)} s${rate}`,
  ];
  return `${lines.join('\n')}\n`;
}

function firstOf(headings: readonly string[]): string {
  return `${headings.slice(0, 12).join(', ')}${headings.length > 12 ? ` and ${headings.length - 12} more` : ''}`;
}
