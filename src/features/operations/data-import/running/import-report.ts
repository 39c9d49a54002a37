// What an import did or would do, and its report as text.

export type RefusedCell = { line: number; column: string; value: string; reason: string };
/** A record and its changes, if any. */
export type Example = { line: number; key: string; what: string };

export type ImportReport = {
  kind: string;
  /** 'Excel workbook', 'text, comma, utf-8' */
  format: string;
  sheet: string;
  headerLine: number;
  /** The file's heading for each of our fields. */
  columns: { field: string; label: string; heading: string }[];
  /** Headings that were not used. */
  unused: string[];
  /** Rows below the header. */
  rows: number;
  /** Blank rows, and headers repeated on a later page. */
  skipped: number;
  /** Records, by what happens to them. */
  fresh: number;
  changed: number;
  same: number;
  /** Rows that repeat an earlier row of the file. */
  repeated: number;
  /** Rows without data for this kind, such as a device without packages. */
  silent: number;
  /** Rows refused, for one or more cells. */
  refused: number;
  /** Corrections, and the number of corrected cells. */
  mended: { what: string; count: number }[];
  examples: { fresh: Example[]; changed: Example[]; refused: RefusedCell[] };
  /** The CSV file that lists all refused cells, if any. */
  refusedFile: string | null;
  /** false: a dry run, or nothing to write. */
  applied: boolean;
  dryRun: boolean;
  seconds: number;
};

const count = (n: number): string => n.toLocaleString('en-US');

/** The report for a terminal. */
export function reportText(report: ImportReport): string {
  const lines = [
    `${report.format}${report.sheet ? `, sheet '${report.sheet}'` : ''}, header in line ${report.headerLine}`,
    `Read as: ${report.columns.map(({ field, heading }) => `${field} ← ${heading}`).join(', ')}`,
  ];
  if (report.unused.length > 0) {
    const more = report.unused.length > 12 ? ` and ${report.unused.length - 12} more` : '';
    lines.push(`Not used: ${report.unused.slice(0, 12).join(', ')}${more}`);
  }
  const width = Math.max(...[report.rows, report.fresh, report.same].map((n) => count(n).length));
  const figure = (label: string, n: number, note = ''): string =>
    `  ${label.padEnd(10)}${count(n).padStart(width)}${note}`;
  lines.push(
    '',
    figure('rows', report.rows),
    figure('new', report.fresh),
    figure('changed', report.changed),
    figure('same', report.same),
  );
  if (report.repeated > 0)
    lines.push(figure('repeated', report.repeated, '  (rows that say again what an earlier row says)'));
  if (report.silent > 0) lines.push(figure('silent', report.silent, '  (rows with nothing to import)'));
  if (report.skipped > 0) lines.push(figure('skipped', report.skipped, '  (blank rows and repeated headings)'));
  lines.push(figure('refused', report.refused));
  for (const { what, count: n } of report.mended) lines.push(`  put right: ${count(n)} ${what}`);
  examples('New', report.examples.fresh, report.fresh);
  examples('Changed', report.examples.changed, report.changed);
  if (report.examples.refused.length > 0) {
    lines.push('', 'Refused, first ones:');
    for (const { line, column, value, reason } of report.examples.refused.slice(0, 10)) {
      lines.push(
        `  line ${line}${column ? `, ${column}` : ''}: ${value === '' ? '' : `'${value.slice(0, 60)}' `}${reason}`,
      );
    }
    if (report.refusedFile) lines.push(`All of them: ${report.refusedFile}`);
  }
  const rate = report.seconds > 0 ? ` (${count(Math.round(report.rows / report.seconds))} rows/s)` : '';
  const took = `${report.seconds.toFixed(1)} s${rate}`;
  lines.push(
    '',
    report.dryRun
      ? `Dry run: nothing was changed. ${took}`
      : `${report.applied ? 'Imported' : 'Nothing to import'}. ${took}`,
  );
  return `${lines.join('\n')}\n`;

  function examples(title: string, list: Example[], of: number): void {
    // A first import needs no list of new records; a dry run shows how it understood the rows.
    if (list.length === 0 || (!report.dryRun && title === 'New')) return;
    lines.push('', `${title}${of > list.length ? ', first ones' : ''}:`);
    for (const { line, key, what } of list) lines.push(`  line ${line}: ${key}  ${what}`);
  }
}
