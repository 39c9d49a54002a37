// Accepts a usage file or pasted text: finds its columns, stores its bytes, and starts reading it in the background.
import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Upload } from '#platform/api/upload.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { inactiveSentence } from '#core/customers/facilities/facilities.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { cleaned, cut } from '#platform/data-import/reading/cell-values.server.ts';
import { suffices } from '#platform/data-import/reading/header-match.server.ts';
import { readable, withStoredFile } from '#platform/data-import/running/take-upload.server.ts';
import { type FoundTable, lookAt, type StoredHeader } from '#platform/data-import/running/upload-table.server.ts';
import { removeUncommitted } from '#platform/outside/remove-uncommitted.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { Named } from '#platform/shared/wire.ts';
import { servingReps } from '#core/territories/territories/serving-reps.server.ts';
import { recordEvent } from '../analysis-history.server.ts';
import { analysisJob } from '../analysis-job.server.ts';
import { type AnalysisRecord, requireAnalysis } from '../analysis-sight.server.ts';
import type { NamedFacility, Savings } from '../savings.contract.ts';
import type { AnalysisState } from '../savings-words.ts';
import { facilitiesIn, type Part, facilityParts, type UsageOptions } from './facilities-of-file.server.ts';
import { type Given, withGiven } from './rows-of-any-file.server.ts';
import { missingColumn, NEEDS_NUMBER, USAGE } from './usage-columns.server.ts';

type By = { db: Db; user: Caller; services: Services };

/** The facilities that a file names. Stores nothing. */
export function findUsageFacilities(
  { db, user, services, upload }: By & { upload: Upload | undefined },
  { text }: ParsedInputOf<typeof Savings.FindUsageFacilities>,
): Promise<{ facilities: NamedFacility[]; more: boolean }> {
  return withGiven(upload, text, async ({ path, found }) => {
    const date = today(services, await loadCompany(db));
    const { facilities = [], more = false } = (await facilitiesIn({ db, user, date }, path, found)) ?? {};
    return { facilities, more };
  });
}

/** Throws 422 for an unknown facility, for an unreadable file, with advice, and for rows whose facility is unclear. */
export async function uploadUsageFile(
  { db, user, services, upload }: By & { upload: Upload | undefined },
  input: ParsedInputOf<typeof Savings.UploadUsageFile>,
): Promise<Made & { others: (Made & { facility: Named })[] }> {
  const { facilityId, text, divide } = input;
  await usable(db, [facilityId], 'facilityId');
  return withGiven(upload, text, async (usage) => {
    const date = today(services, await loadCompany(db));
    const named =
      divide === 'none' ? null : await readable(() => facilitiesIn({ db, user, date }, usage.path, usage.found));
    const parts = facilityParts(named, facilityId, input.facilities);
    const facilities = await usable(
      db,
      parts.map((part) => part.facilityId),
      'facilities',
    );
    const keys: string[] = [];
    try {
      for (const _ of parts) keys.push(await keepFile(services, usage.path));
      const size = (await stat(usage.path)).size;
      const created = await inTransaction(db, async (trx) => {
        const all: (Made & { facility: Named })[] = [];
        for (const [at, part] of parts.entries()) {
          const facility = facilities.get(part.facilityId);
          const storageKey = keys[at];
          if (facility && storageKey)
            all.push(
              await makeAnalysis({ db: trx, user, services }, input, {
                ...usage,
                size,
                date,
                storageKey,
                part,
                facility,
                isOnly: parts.length === 1,
              }),
            );
        }
        return all;
      });
      const [first, ...others] = created;
      if (!first) throw new Error('No analysis was made.');
      return { id: first.id, state: first.state, others };
    } catch (error) {
      await removeUncommitted(services.files, keys, error);
      throw error;
    }
  });
}

type Made = { id: number; state: AnalysisState };
type Facility = { id: number; name: string; active: boolean; currn_idx: number };

async function usable(db: Db, ids: readonly number[], path: string): Promise<Map<number, Facility>> {
  const rows = await db
    .selectFrom('facility')
    .select(['id', 'name', 'active', 'currn_idx'])
    .where('id', 'in', ids)
    .execute();
  const known = new Map(rows.map((facility) => [facility.id, facility]));
  for (const id of ids) {
    const facility = known.get(id);
    if (!facility) throw invalid([{ path, message: 'This facility does not exist.' }]);
    if (!facility.active) throw invalid([{ path, message: await inactiveSentence(db, id) }]);
  }
  return known;
}

/** Stores the bytes of a file. Each analysis has its own copy, which is deleted with the analysis. */
function keepFile(services: Services, file: string): Promise<string> {
  return services.files.putFile(file).catch((error: unknown) => {
    services.log.warn({ err: error }, 'a file could not be stored');
    throw new HttpError(503, 'The file could not be stored right now. Nothing was saved; try again in a moment.');
  });
}

type Making = Given & {
  size: number;
  date: IsoDate;
  storageKey: string;
  part: Part;
  facility: Facility;
  isOnly: boolean;
};

async function makeAnalysis(
  { db, user, services }: By,
  { months, name, divide }: ParsedInputOf<typeof Savings.UploadUsageFile>,
  { found, part, facility, isOnly, ...file }: Making,
): Promise<Made & { facility: Named }> {
  const reps = await servingReps(db, facility.id, file.date);
  const fileName = cut(cleaned(file.name.split(/[/\\]/).at(-1) ?? ''), 200) || 'file';
  const title = name || fileName.replace(/(?:\.(?:csv|txt|tsv|xlsx|gz)){1,4}$/i, '');
  const reading = readingOf({ ...found, notes: [...part.notes, ...found.notes] });
  const { id: fileId } = await db
    .insertInto('file')
    .values({ storage_key: file.storageKey, name: fileName, media_type: file.mediaType, size: file.size })
    .returning('id')
    .executeTakeFirstOrThrow();
  const called = isOnly ? title : cut(`${facility.name}: ${title}`, 200);
  const { id } = await db
    .insertInto('savings_analysis')
    .values({
      name: called,
      facility_id: facility.id,
      owner_id: user.id,
      sales_rep_id: reps.salesRep?.id ?? null,
      region_id: reps.region?.id ?? null,
      months,
      currn_idx: facility.currn_idx,
      price_date: file.date,
      file_name: fileName,
      created_at: services.clock.now(),
      ...reading,
      options: JSON.stringify({
        ...(JSON.parse(reading.options) as UsageOptions),
        ...(reading.problem === NEEDS_NUMBER && divide !== 'none' ? {} : { rowsOf: part.rows }),
      } satisfies UsageOptions),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('savings_file')
    .values({ analysis_id: id, file_id: fileId, kept_at: services.clock.now() })
    .execute();
  await recordEvent(db, user, { id, name: called }, 'Create', [{ field: 'File', before: '', after: fileName }]);
  if (reading.state === 'reading') await services.jobs.send(db, analysisJob, { analysisId: id });
  return { id, state: reading.state, facility: { id: facility.id, name: facility.name } };
}

/** The stored facts about a file. If no column contains an item or the quantity, reading waits for the user. */
function readingOf({ header, format, sheets, samples, notes, above }: FoundTable) {
  const texts = above.map(({ text }) => `'${text}'`);
  const problem = missingColumn(header.columns);
  const state: AnalysisState = problem === '' ? 'reading' : 'columns';
  return {
    state,
    problem,
    notes: JSON.stringify([
      ...notes,
      ...(texts.length > 0 ? [`Text above the headings was not read: ${texts.join(', ')}.`] : []),
    ]),
    mapping: JSON.stringify(header),
    options: JSON.stringify({ format, sheets, samples } satisfies UsageOptions),
    step: '',
    done: 0,
    total: 0,
    tries: 0,
  };
}

/**
 * Changes the sheet, the header line, or the fields of the columns, and reads the file again. Throws 409 over a later change, and 422 if no column
 * identifies an item.
 */
export async function setUsageColumns(
  { db, user, services }: By,
  { id, version, sheet, headerLine, fields, months }: ParsedInputOf<typeof Savings.SetUsageColumns>,
): Promise<void> {
  const analysis = await requireAnalysis(db, user, id, { lock: true });
  if (analysis.version !== version) throw versionConflict();
  if (analysis.state === 'quoted')
    throw new HttpError(409, 'A quote was created from this analysis. To read the file differently, upload it again.');
  const file = await fileOf(db, id);
  if (!file) throw new HttpError(409, 'The file is no longer stored. Upload it again.');
  const mapping = analysis.mapping as StoredHeader;
  const options = analysis.options as UsageOptions;
  const isElsewhere = sheet !== undefined || headerLine !== undefined;
  if (isElsewhere && options.rowsOf)
    throw new HttpError(409, 'The file is split by facility. To read another sheet or header line, upload it again.');
  const reading = isElsewhere
    ? readingOf(
        await readable(() =>
          withStoredFile(services, db, file.file_id, (path) =>
            lookAt(path, USAGE, null, { sheet: sheet ?? mapping.sheet, headerLine }),
          ),
        ),
      )
    : null;
  const columns = fields ? columnByField(fields) : null;
  if (columns && !suffices(columns, USAGE)) throw invalid([{ path: 'fields', message: NEEDS_NUMBER }]);
  if (columns && !options.rowsOf) await oneFacility({ db, user, services }, file.file_id, analysis, columns);
  await db.deleteFrom('savings_row').where('analysis_id', '=', id).execute();
  const company = await loadCompany(db);
  const after = await db
    .updateTable('savings_analysis')
    .set({
      ...(reading ?? { state: 'reading', problem: '', step: '', done: 0, total: 0, tries: 0 }),
      ...(columns
        ? {
            state: 'reading',
            problem: '',
            mapping: JSON.stringify({
              ...(reading ? (JSON.parse(reading.mapping) as StoredHeader) : mapping),
              columns: Object.fromEntries(columns),
            }),
          }
        : {}),
      ...(months === undefined ? {} : { months }),
      price_date: today(services, company),
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .returning('state')
    .executeTakeFirstOrThrow();
  if (after.state === 'reading') await services.jobs.send(db, analysisJob, { analysisId: id });
}

/** Throws 422 if the columns, as the user sets them, name facilities other than that of the analysis. */
async function oneFacility(
  { db, user, services }: By,
  fileId: number,
  { facility_id, mapping, options }: AnalysisRecord,
  columns: ReadonlyMap<string, number>,
): Promise<void> {
  const before = mapping as StoredHeader;
  const { rowsOf, ...stored } = options as UsageOptions;
  const isNew = ['facility', 'facilityNo'].some((field) => before.columns[field] !== columns.get(field));
  if ((rowsOf === null && !isNew) || !['facility', 'facilityNo'].some((field) => columns.has(field))) return;
  const date = today(services, await loadCompany(db));
  const result: FoundTable = {
    ...stored,
    header: { ...before, columns: Object.fromEntries(columns) },
    notes: [],
    others: [],
    above: [],
  };
  const facilities = await withStoredFile(services, db, fileId, (path) =>
    facilitiesIn({ db, user, date }, path, result),
  );
  try {
    if (
      facilityParts(facilities, facility_id, []).every((part) => part.rows === null && part.facilityId === facility_id)
    )
      return;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
  throw invalid([{ path: 'fields', message: SEVERAL }]);
}

const SEVERAL =
  "The file names several facilities. Give the item and facility columns headings such as 'Item #' and 'Facility', then upload it again to create an analysis for each facility.";

/** The file of an analysis, if it is still stored. */
export function fileOf(db: Db, analysisId: number) {
  return db
    .selectFrom('savings_file')
    .innerJoin('file', 'file.id', 'savings_file.file_id')
    .select(['savings_file.file_id', 'file.storage_key'])
    .where('savings_file.analysis_id', '=', analysisId)
    .executeTakeFirst();
}

/** If two columns have the same field, the first is used. */
function columnByField(fields: readonly (string | null)[]): Map<string, number> {
  const columns = new Map<string, number>();
  for (const [at, field] of fields.entries()) if (field !== null && !columns.has(field)) columns.set(field, at);
  return columns;
}

export const versionConflict = (): HttpError =>
  new HttpError(409, 'Someone else has changed this analysis. Reload it to see the current version.');
