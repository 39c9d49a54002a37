// Keeps what the bench measured: all of it as JSON in bench/results, and the main job as the table that RESULTS.md shows.
import fs from 'node:fs';
import path from 'node:path';
import type { MapFigure } from './map.ts';
import type { ScreenFigures } from './screens.ts';
import type { Scale } from './volume.ts';

/** `server` and `postgres` are milliseconds of processor time per call, and so is `floor`, the least that the call could take. Null: unknown. */
export type Row = {
  name: string;
  aim: number | null;
  clients: number;
  http: { rate: number; p50: number; p95: number; p99: number };
  floor: number | null;
  server: number;
  postgres: number | null;
  failed: number;
};
export type Measured = { rows: Row[]; screens: ScreenFigures[]; map: MapFigure[]; memory: number };
type Results = Measured & { command: string; machine: string; scale: Scale };

const FOLDER = path.join(import.meta.dirname, 'results');
const TABLE = path.join(import.meta.dirname, 'RESULTS.md');
const HEADING = '## The main job, 16 clients';

export function writeResults(place: string, results: Results): void {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  fs.mkdirSync(FOLDER, { recursive: true });
  fs.writeFileSync(fileOf(place), `${JSON.stringify(results, rounded, 1)}\n`);
  const text = fs.readFileSync(TABLE, 'utf8');
  const [before = '', old = ''] = text.split(new RegExp(`^(?=${HEADING}$)`, 'm'));
  const after = old.slice(HEADING.length).match(/^## [\s\S]*/m)?.[0] ?? '';
  fs.writeFileSync(TABLE, [before.trimEnd(), mainJob(), after.trimEnd()].filter(Boolean).join('\n\n') + '\n');
}

const fileOf = (place: string) => path.join(FOLDER, `${place}.json`);

function mainJob(): string {
  const read = (place: string): Results | undefined =>
    fs.existsSync(fileOf(place)) ? (JSON.parse(fs.readFileSync(fileOf(place), 'utf8')) as Results) : undefined;
  const [small, large] = [read('postgresql-small'), read('postgresql-large')];
  const sum = (row: Row | undefined) => (row ? row.server + (row.postgres ?? 0) : 0);
  const display = (value: number) => (value > 0 ? value.toFixed(value < 10 ? 2 : 0) : '-');
  const ratio = (value: number, to: number) => (value > 0 && to > 0 ? (value / to).toFixed(2) : '-');
  const rows = (small?.rows ?? []).filter(({ clients, aim, name }) => clients === 16 && (aim || MORE.test(name)));
  return [
    HEADING,
    '',
    ...[small, large].flatMap((entry) => (entry ? [`\`${entry.command}\`; ${entry.machine}`, ''] : [])),
    '| call | server ms | PostgreSQL ms | sum | aim | floor | × floor | req/s | p95 | sum, large | small / large |',
    `|---${'|--:'.repeat(10)}|`,
    ...rows.map((row) => {
      const other = large?.rows.find(({ name, clients }) => name === row.name && clients === 16);
      const cells = [
        row.name,
        display(row.server),
        display(row.postgres ?? 0),
        display(sum(row)),
        row.aim ?? '',
        display(row.floor ?? 0),
        ratio(sum(row), row.floor ?? 0),
        row.http.rate.toFixed(0),
        row.http.p95.toFixed(1),
        display(sum(other)),
        ratio(sum(row), sum(other)),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}

/** Calls of the main job without an aim. */
const MORE = /^(item type-ahead|open a quote of 500|one line added to a quote of 500|PDF)/;
