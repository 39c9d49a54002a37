// Formats what an import did or would do as text for a terminal.
import { countOf } from '#platform/shared/count-of.ts';
import { someOf } from '#platform/shared/first-few.ts';
import type { HeldImportRow, ImportAsk, ImportView, ScreenReport } from '../data-import.contract.ts';

/** A refused cell: its position, its value, and the reason. */
export type RefusedCell = { line: number; column: string; value: string; reason: string };
/** A record and its changes, if any. */
export type Example = { line: number; key: string; what: string };

export type ImportResult = {
  view: ImportView;
  held: readonly HeldImportRow[];
  heldFile: string | null;
  refusedFile: string | null;
  /** The questions of the kind besides the columns. */
  asks: readonly ImportAsk[];
};

const MAX_LISTED = 10;
const MAX_HELD_SHOWN = 20;

/** Returns a text such as '317 rows: UOM '100/bx' is no unit … (lines 2, 3, …)'. */
export function causeText({ sentence, rows, lines }: NonNullable<ScreenReport['causes']>[number]): string {
  const named = `${lines.map((line) => line.toLocaleString('en-US')).join(', ')}${rows > lines.length ? ', …' : ''}`;
  return `${countOf(rows, 'row')}: ${sentence} (${rows === 1 ? 'line' : 'lines'} ${named})`;
}

const count = (n: number): string => n.toLocaleString('en-US');

/** Returns an option with its answers, the default first: '  --option packs=refuse|make  A unit such as …: Refuse it | Is the BX of 100'. */
export function optionText({ name, label, type, choices = [], standard }: ImportAsk): string {
  const sorted = choices.toSorted((a, b) => Number(b.value === standard) - Number(a.value === standard));
  const value = {
    tick: 'no|yes',
    choice: sorted.map((entry) => entry.value).join('|'),
    day: 'mm/dd/yyyy',
    number: 'number',
  };
  const meanings = sorted.map((entry) => entry.label).join(' | ');
  return `  --option ${name}=${type === 'text' ? 'text' : value[type]}  ${label}${meanings ? `: ${meanings}` : ''}`;
}

/** Formats rows under their headings, each column as wide as its widest cell. */
function tableText(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...rows.map((cells) => (cells[at] ?? '').length)),
  );
  return [headings, ...rows].map((cells) =>
    `  ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd(),
  );
}

/** Lists the questions whose answers would avoid refusals. These refusals name the question. */
function remediesText(asks: readonly ImportAsk[], reasons: readonly string[]): string[] {
  const remedies = asks.filter(({ label }) => reasons.some((reason) => reason.includes(label)));
  return remedies.length > 0 ? ['Answers that these rows name:', ...remedies.map(optionText)] : [];
}

export function reportText({ view, held, heldFile, refusedFile, asks }: ImportResult): string {
  const { report } = view;
  if (!report) return '';
  const causes = (report.causes ?? []).filter(({ rows }) => rows > 1);
  const dryRun = view.state === 'Checked' && (report.writes > 0 || view.accepted > 0);
  const used = view.columns.filter(({ field }) => field !== null);
  const unused = view.columns.filter(({ field, heading }) => field === null && heading !== '');
  const figures = [{ label: 'Rows', count: report.rows, note: undefined }, ...report.figures];
  const [labels, width] = [
    Math.max(...figures.map(({ label }) => label.length)),
    Math.max(...figures.map((figure) => count(figure.count).length)),
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
    ...(unused.length > 0
      ? [
          `Not used: ${someOf(
            12,
            unused.map(({ heading }) => heading),
          )}`,
        ]
      : []),
    '',
    ...figures.map(
      (figure) =>
        `  ${figure.label.padEnd(labels + 2)}${count(figure.count).padStart(width)}${figure.note ? `  ${figure.note}` : ''}`,
    ),
    ...report.notes.map((note) => `  ${note}`),
    // A first import needs no list of new records. A dry run shows them, so that the user sees how the rows were understood.
    ...[...report.lists.filter(({ title }) => dryRun || title !== 'New'), ...(report.conclusion?.lists ?? [])].flatMap(
      ({ title, headings, rows, total }) => [
        '',
        `${title}${total > Math.min(rows.length, MAX_LISTED) ? ', first ones' : ''}:`,
        ...tableText(headings, rows.slice(0, MAX_LISTED)),
      ],
    ),
    ...(held.length > 0
      ? [
          '',
          held.length > MAX_HELD_SHOWN ? 'Held, first ones:' : 'Held:',
          ...held
            .slice(0, MAX_HELD_SHOWN)
            .map(
              ({ line, key, was, now, hint, decision }) =>
                `  line ${line}: ${key}  ${was} → ${now}${hint ? `  (${hint})` : ''}${decision === 'open' ? '' : `  ${decision}`}`,
            ),
          ...(held.every(({ decision }) => decision !== 'open')
            ? []
            : [
                ...(held.some(({ decision, ways }) => decision === 'open' && ways.length === 0)
                  ? ['Are they right? Then import with --confirm-held. Otherwise fix the file.']
                  : []),
                `To decide each of them, ${heldFile ? `fill in the column Decision of ${heldFile} and import with --held "${heldFile}"` : 'use the screen'}.`,
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
          ...remediesText(
            asks,
            report.refusedCells.map(({ reason }) => reason),
          ),
        ]
      : []),
    ...(report.conclusion ? ['', ...report.conclusion.notes] : []),
    '',
    `${outcome} It is import ${view.id}. ${report.seconds.toFixed(1)} s${rate}`,
  ];
  return `${lines.join('\n')}\n`;
}
