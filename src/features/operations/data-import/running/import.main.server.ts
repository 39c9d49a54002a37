// `npm run import -- <kind> <file>`: imports a file into the configured database and reports what it did.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '#app/start.server.ts';
import { readConfig } from '#outside/config.server.ts';
import { IMPORT_KINDS } from '../kinds/import-kinds.ts';
import { UnusableFile } from '../reading/table-file.ts';
import { importFile } from './import-file.server.ts';
import { reportText } from './import-report.ts';

const USAGE = `npm run import -- <kind> <file> [--dry-run] [--map "their heading=our field"]... [--sheet name] [--header-row n] [--refused file]

  kinds    ${Object.keys(IMPORT_KINDS).join(', ')}
  file     CSV, TSV, pipe-separated text or Excel (.xlsx), also packed (.gz)
  --dry-run      tells what would be new, changed, the same and refused, and changes nothing
  --map          reads a column of the file as the field; --map "heading=" leaves a column out
  --sheet        the sheet of a workbook, when it is not the one whose header fits best
  --header-row   the line of the header, when it is not the one that fits best
  --refused      where refused rows are listed as CSV (default: beside the file, <file>.refused.csv)

An empty cell, or a column that the file does not have, leaves what is stored as it is. The import is one transaction: all or nothing.
The database is DATABASE_URL, else the embedded one in DATA_DIR (default .data).`;

/** An invalid command or an unusable file: exit status 2. */
class Unusable extends Error {}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const told = error instanceof Unusable || error instanceof UnusableFile;
  process.stderr.write(`${told ? error.message : `Nothing was imported: ${messageOf(error)}`}\n`);
  process.exitCode = told ? 2 : 1;
}

async function main(argv: string[]): Promise<void> {
  const { values, positionals } = argumentsOf(argv);
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const [kindName = '', file, ...more] = positionals;
  const kind = IMPORT_KINDS[kindName];
  if (!kind || !file || more.length > 0) throw new Unusable(USAGE);
  if (!fs.existsSync(file)) throw new UnusableFile(`There is no file ${file}.`);
  const headerRow = values['header-row'];
  if (headerRow !== undefined && !/^[1-9]\d*$/.test(headerRow))
    throw new Unusable('--header-row needs the number of a line.');

  const database = await openDatabase(readConfig(process.env, 'tool'), { long: true });
  try {
    const report = await importFile(database.db, kind, file, {
      map: values.map,
      dryRun: values['dry-run'],
      sheet: values.sheet,
      headerLine: headerRow === undefined ? undefined : Number(headerRow),
      refusedFile: values.refused ?? refusedFileOf(file),
      onProgress: process.stderr.isTTY ? progressLine() : undefined,
    });
    process.stdout.write(`${kind.kind} from ${path.basename(file)}\n${reportText(report)}`);
  } finally {
    await database.close();
  }
}

function argumentsOf(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        map: { type: 'string', multiple: true },
        'dry-run': { type: 'boolean' },
        sheet: { type: 'string' },
        'header-row': { type: 'string' },
        refused: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new Unusable(`${messageOf(error)}\n\n${USAGE}`);
  }
}

/** Beside the file, or in the current folder when that one is not writable. */
function refusedFileOf(file: string): string {
  const beside = `${file}.refused.csv`;
  try {
    fs.accessSync(path.dirname(path.resolve(file)), fs.constants.W_OK);
    return beside;
  } catch {
    return path.basename(beside);
  }
}

function progressLine(): (progress: { step: string; rows: number }) => void {
  const started = performance.now();
  return ({ step, rows }) => {
    const rate = Math.round(rows / ((performance.now() - started) / 1000));
    const figures = step === 'reading' ? `, ${rate.toLocaleString('en-US')} rows/s` : '';
    process.stderr.write(
      `\r\x1b[K${step}: ${rows.toLocaleString('en-US')} rows${figures}${step === 'writing' ? '\n' : ''}`,
    );
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
