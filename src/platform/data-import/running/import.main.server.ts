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
import { BUSY_STATES, type ImportState } from '../data-import.contract.ts';
import { UnusableFile } from '../reading/table-file.server.ts';
import { importFile } from './import-file.server.ts';
import { dataImportWork } from './import-job.server.ts';
import { optionText, reportText } from './import-report.ts';

const USAGE = `npm run import -- <kind> <file> [--dry-run] [--map "their heading=our field"]... [--sheet name] [--header-row n] [--refused file] [--confirm-held] [--held file] [--option name=value]... [--as email]

  kinds    ${importKinds.map(({ kind }) => kind).join(', ')}
  file     CSV, TSV, pipe-separated text or Excel (.xlsx), for zip-areas GeoJSON; also packed (.gz)
  --dry-run      says what would be new, changed, the same and refused, and changes nothing; the
                 checked file waits under Settings → Import data
  --map          reads a column of the file as the field; --map "heading=" says that a column is not used; "#3" is the third column.
                 A column with values that is neither known nor known to be harmless (a note, a page, a day of print) stops the import until
                 you choose one of the two. The import remembers the answer for the heading and kind
  --sheet        the sheet of a workbook, when it is not the visible one whose header fits best; needed when another one has as many rows
  --header-row   the line of the header, when it is not the one that fits best
  --refused      where refused rows are listed as CSV (default: beside the file, <file>.refused.csv)
  --confirm-held imports held rows, too: those that would turn a record into another one, or change a price by a lot;
                 without it they are listed and left out. Rows that offer a choice need --held
  --held         decides held rows one by one: the CSV with the held rows that is written beside the file (<file>.held.csv),
                 with yes, no, or one of the choices in its column Decision
  --option       answers what the screen asks in addition to the columns; npm run import -- <kind> --help lists what a kind asks
  --as           the user name of the person who imports (default: the system administrator, when there is just one)

An empty cell, or a column that the file does not have, leaves what is stored as it is. The import is one transaction: all or nothing. It
appears in the history of imports, and the last one of a kind can be undone there. Columns are matched as in the last file of the kind.
The database is DATABASE_URL, else the one in DATA_DIR (default .data), whether or not a server runs on it; STORAGE_URL is that of the server.

It ends with 0 when the file was imported or checked, with 2 when the command or the file cannot be used, with 1 when something failed.`;

/** On the command line the effect on quotes is not computed. The screen computes it when a user decides a held row. */
const kinds = importKinds.map(({ effect: _effect, ...kind }) => kind);

/** Thrown for an invalid command or an unusable file. The exit status is 2. */
class Unusable extends Error {}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isUsersFault = error instanceof Unusable || error instanceof UnusableFile || isRefusal(error);
  process.stderr.write(`${isUsersFault ? (error as Error).message : `Nothing was imported: ${messageOf(error)}`}\n`);
  process.exitCode = isUsersFault ? 2 : 1;
}

async function main(argv: string[]): Promise<void> {
  const { values, positionals } = argumentsOf(argv);
  if (values.help) {
    const { asks = [], label, hint } = importKinds.find((importKind) => importKind.kind === positionals[0]) ?? {};
    const ofKind = asks.length > 0 ? `\n${label}: ${hint} Options:\n${asks.map(optionText).join('\n')}\n` : '';
    process.stdout.write(`${USAGE}\n${ofKind}`);
    return;
  }
  const [kindName = '', file, ...more] = positionals;
  const kind = importKinds.find((importKind) => importKind.kind === kindName);
  if (!kind || !file || more.length > 0) throw new Unusable(USAGE);
  for (const named of [file, ...(values.held === undefined ? [] : [values.held])])
    if (!fs.existsSync(named)) throw new UnusableFile(`There is no file ${named}.`);
  const headerRow = values['header-row'];
  if (headerRow !== undefined && !/^[1-9]\d*$/.test(headerRow))
    throw new Unusable('--header-row needs the number of a line.');

  const config = readConfig(process.env, 'tool');
  const database = await openDatabase(config, { tool: true });
  try {
    if (kind.addon) await requireOn(database.db, kind.addon);
    const user = await whoImports(database.db, values.as);
    const { services, stop } = await servicesOf(config, database);
    try {
      const done = await importFile({ services, user, kinds, settled: (id) => settled(database.db, id) }, kind, file, {
        refusedFile: values.refused ?? besideOf(file, 'refused'),
        heldFile: besideOf(file, 'held'),
        ...(values.held === undefined ? {} : { decisions: values.held }),
        ...(values.map ? { map: values.map } : {}),
        ...(values['dry-run'] ? { dryRun: true } : {}),
        ...(values.sheet === undefined ? {} : { sheet: values.sheet }),
        ...(headerRow === undefined ? {} : { headerLine: Number(headerRow) }),
        ...(values['confirm-held'] ? { confirmHeld: true } : {}),
        ...(values.option ? { answers: values.option } : {}),
      });
      process.stdout.write(`${kind.kind} from ${path.basename(file)}\n${reportText(done)}`);
    } finally {
      await stop();
    }
  } finally {
    await database.close();
  }
}

/** Returns the user whom the history names. */
async function whoImports(db: Db, name: string | undefined): Promise<Caller> {
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
    throw new Unusable(`${why}: use --as to choose who imports.${how}`);
  }
  const user = await userByName(db, importer);
  if (!user?.active) throw new Unusable(`There is no active user ${importer}.`);
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
async function servicesOf(config: Config, database: Database) {
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
async function settled(db: Db, id: number): Promise<void> {
  const isShown = process.stderr.isTTY;
  for (;;) {
    const { state, step, done } = await db
      .selectFrom('data_import')
      .select(['state', 'step', 'done'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const isBusy = BUSY_STATES.includes(state as ImportState);
    if (isShown) process.stderr.write(`\r\x1b[K${isBusy && step ? `${step}: ${countOf(done, 'row')}` : ''}`);
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
    throw new Unusable(`${messageOf(error)}\n\n${USAGE}`);
  }
}

/** Returns a path beside the file, or in the current folder if the folder of the file is not writable. */
function besideOf(file: string, rows: 'refused' | 'held'): string {
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
