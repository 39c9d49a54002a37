// `npm run import -- <kind> <file>`: imports a file into the configured database and reports what it did.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout } from 'node:timers/promises';
import { importKinds } from '#app/calls.server.ts';
import { openLog } from '#app/log.server.ts';
import { openDatabase } from '#app/start.server.ts';
import { requireOn } from '#platform/addons/addon.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { HttpError } from '#platform/api/http-error.ts';
import type { Database, Db } from '#platform/db/database.server.ts';
import { knownRoles } from '#platform/auth/sessions/read-caller.server.ts';
import { userByName } from '#platform/auth/user-by-name.server.ts';
import { openJobs } from '#platform/jobs/jobs.server.ts';
import { systemClock } from '#platform/outside/clock.server.ts';
import { type Config, readConfig } from '#platform/outside/config.server.ts';
import { openFileStore } from '#platform/outside/file-store.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { messageOf } from '#platform/shared/message-of.ts';
import { RUNNING_STATES, type ImportState } from '../data-import.contract.ts';
import { UnusableFile } from '../reading/table-file.server.ts';
import { importFile } from './import-file.server.ts';
import { dataImportWork } from './import-job.server.ts';
import { optionText, reportText } from './import-report.ts';

const USAGE = `npm run import -- <kind> <file> [--dry-run] [--map "their heading=our field"]... [--sheet name] [--header-row n] [--refused file] [--confirm-held] [--held file] [--option name=value]... [--as email]

  kinds    ${importKinds.map(({ kind }) => kind).join(', ')}
  file     CSV, TSV, pipe-separated text or Excel (.xlsx), for zip-areas GeoJSON; optionally gzipped (.gz)
  --dry-run      shows which rows are new, changed, unchanged or refused, without changing anything. The checked
                 file stays under Settings → Data Import
  --map          reads a column of the file as the field; --map "heading=" says that a column is not used; "#3" is the third column.
                 If a column has values and is neither recognized nor safe to ignore (such as a note, page number or print date), the
                 import stops until you map it or mark it as not used. It remembers your answer for that kind and heading
  --sheet        the sheet of a workbook (default: the visible sheet with the best-matching header). Required if another sheet has at least
                 as many rows
  --header-row   the line of the header, when it is not the one that fits best
  --refused      the path of the CSV with refused rows (default: <file>.refused.csv next to the file)
  --confirm-held also imports held rows: rows that may overwrite a different record or change a price sharply. Without this option they
                 are listed but not imported. Rows that offer a choice need --held
  --held         decides held rows one by one: the CSV with the held rows that is written beside the file (<file>.held.csv),
                 with yes, no, or one of the choices in its column Decision
  --option       answers what the screen asks in addition to the columns; npm run import -- <kind> --help lists what a kind asks
  --as           the user to import as (default: the only system administrator)

An empty cell, or a column that the file does not have, leaves what is stored as it is. The import is one transaction: all or nothing. It
appears in the history of imports, and the last one of a kind can be undone there. Columns are matched as in the last file of the kind.
Uses DATABASE_URL, or the database in DATA_DIR (default: .data). The server may be running. Set STORAGE_URL to the same value as the server's.

Exit status: 0 imported or checked, 1 failure, 2 invalid command or file.`;

/** On the command line the effect on quotes is not computed. The screen computes it when a user decides a held row. */
const kinds = importKinds.map(({ effect: _effect, ...kind }) => kind);

/** Thrown for an invalid command or an unusable file. The exit status is 2. */
class UsageError extends Error {}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isUserError = error instanceof UsageError || error instanceof UnusableFile || isRefusal(error);
  process.stderr.write(`${isUserError ? (error as Error).message : `Nothing was imported: ${messageOf(error)}`}\n`);
  process.exitCode = isUserError ? 2 : 1;
}

async function main(argv: string[]): Promise<void> {
  const { values, positionals } = argumentsOf(argv);
  if (values.help) {
    const { asks = [], label, hint } = importKinds.find((importKind) => importKind.kind === positionals[0]) ?? {};
    const optionsText = asks.length > 0 ? `\n${label}: ${hint} Options:\n${asks.map(optionText).join('\n')}\n` : '';
    process.stdout.write(`${USAGE}\n${optionsText}`);
    return;
  }
  const [kindName = '', file, ...more] = positionals;
  const kind = importKinds.find((importKind) => importKind.kind === kindName);
  if (!kind || !file || more.length > 0) throw new UsageError(USAGE);
  for (const filePath of [file, ...(values.held === undefined ? [] : [values.held])])
    if (!fs.existsSync(filePath)) throw new UnusableFile(`There is no file ${filePath}.`);
  const headerRow = values['header-row'];
  if (headerRow !== undefined && !/^[1-9]\d*$/.test(headerRow))
    throw new UsageError('--header-row needs the number of a line.');

  const config = readConfig(process.env, 'tool');
  const database = await openDatabase(config, { tool: true });
  try {
    if (kind.addon) await requireOn(database.db, kind.addon);
    const user = await findImporter(database.db, values.as);
    const { services, stop } = await openServices(config, database);
    try {
      const done = await importFile(
        { services, user, kinds, waitForImport: (id) => waitForImport(database.db, id) },
        kind,
        file,
        {
          refusedFile: values.refused ?? reportPath(file, 'refused'),
          heldFile: reportPath(file, 'held'),
          ...(values.held === undefined ? {} : { decisions: values.held }),
          ...(values.map ? { map: values.map } : {}),
          ...(values['dry-run'] ? { dryRun: true } : {}),
          ...(values.sheet === undefined ? {} : { sheet: values.sheet }),
          ...(headerRow === undefined ? {} : { headerLine: Number(headerRow) }),
          ...(values['confirm-held'] ? { confirmHeld: true } : {}),
          ...(values.option ? { answers: values.option } : {}),
        },
      );
      process.stdout.write(`${kind.kind} from ${path.basename(file)}\n${reportText(done)}`);
    } finally {
      await stop();
    }
  } finally {
    await database.close();
  }
}

/** Returns the user recorded as the importer. */
async function findImporter(db: Db, name: string | undefined): Promise<Caller> {
  const admins = db
    .selectFrom('app_user')
    .innerJoin('user_role', 'user_role.user_id', 'app_user.id')
    .where('role', '=', 'systemadmin')
    .where('active', '=', true)
    .select('user_name');
  const names = name === undefined ? (await admins.execute()).map((admin) => admin.user_name) : [name];
  const [importer] = names;
  if (importer === undefined || names.length > 1) {
    const why = names.length > 1 ? 'There are several system administrators' : 'There is no system administrator yet';
    const how = names.length > 1 ? '' : ' Start the server once with FIRST_ADMIN.';
    throw new UsageError(`${why}: use --as to choose who imports.${how}`);
  }
  const user = await userByName(db, importer);
  if (!user?.active) throw new UsageError(`There is no active user ${importer}.`);
  return {
    id: user.id,
    userName: user.user_name,
    fullName: user.full_name,
    roles: knownRoles(user.roles),
    sessionId: '',
    regionIds: [],
    supportedRepIds: [],
    deputyFor: [],
    mustChangePassword: false,
  };
}

/** The import is background work. It runs here, or in a server on the same database that starts the job first. */
async function openServices(config: Config, database: Database) {
  // Prints on standard error why a job failed; the history contains only a sentence.
  const log = openLog('warn', process.stderr);
  const work = dataImportWork(kinds);
  const jobs = await openJobs(database, [work], () => services, log, { superviseSeconds: 0 });
  const files = await openFileStore(config.storageUrl);
  // Only the services that imports use.
  const services = { config, database, clock: systemClock, jobs, files, log } as unknown as Services;
  await jobs.work();
  return { services, stop: () => jobs.stop() };
}

/** Waits for the background work and shows its progress. */
async function waitForImport(db: Db, id: number): Promise<void> {
  const isInteractive = process.stderr.isTTY;
  for (;;) {
    const { state, step, done } = await db
      .selectFrom('data_import')
      .select(['state', 'step', 'done'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const isBusy = RUNNING_STATES.includes(state as ImportState);
    if (isInteractive) process.stderr.write(`\r\x1b[K${isBusy && step ? `${step}: ${countOf(done, 'row')}` : ''}`);
    if (!isBusy) return;
    await setTimeout(200);
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
        option: { type: 'string', multiple: true },
        refused: { type: 'string' },
        'confirm-held': { type: 'boolean' },
        held: { type: 'string' },
        as: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\n\n${USAGE}`);
  }
}

/** Returns a path beside the file, or in the current folder if the folder of the file is not writable. */
function reportPath(file: string, rows: 'refused' | 'held'): string {
  const beside = `${file}.${rows}.csv`;
  try {
    fs.accessSync(path.dirname(path.resolve(file)), fs.constants.W_OK);
    return beside;
  } catch {
    return path.basename(beside);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof HttpError && error.status < 500;
}
