// Accepts a usage file or pasted text: finds its columns, keeps its bytes, and begins to read it in the background.
import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { ParsedInputOf } from '#api/endpoint.ts';
import { HttpError, invalid } from '#api/http-error.ts';
import type { Caller, Services } from '#api/services.server.ts';
import type { Upload } from '#api/upload.server.ts';
import type { Db } from '#db/database.server.ts';
import { inTransaction } from '#db/transaction.server.ts';
import { loadCompany, today } from '#features/company/company/company.server.ts';
import { cleaned, cut } from '#features/operations/data-import/reading/cell-values.server.ts';
import { suffices } from '#features/operations/data-import/reading/header-match.server.ts';
import { readable, withStoredFile } from '#features/operations/data-import/running/take-upload.server.ts';
import {
  type FoundTable,
  lookAt,
  type StoredHeader,
} from '#features/operations/data-import/running/upload-table.server.ts';
import { servingReps } from '#features/territories/territories/serving-reps.server.ts';
import { analysisJob } from '../analysis-job.server.ts';
import { requireAnalysis } from '../analysis-sight.server.ts';
import type { Savings } from '../savings.contract.ts';
import type { AnalysisState } from '../savings-words.ts';
import { withGiven } from './given-file.server.ts';
import { NEEDS_NUMBER, USAGE } from './usage-columns.server.ts';

type By = { db: Db; user: Caller; services: Services };

export type UsageOptions = { format: string; sheets: string[]; samples: string[][] };

/** 422 for an unknown facility and for a file that cannot be read, with what to do instead. */
export async function uploadUsageFile(
  { db, user, services, upload }: By & { upload: Upload | undefined },
  { facilityId, months, name, text }: ParsedInputOf<typeof Savings.UploadUsageFile>,
): Promise<{ id: number; state: AnalysisState }> {
  const facility = await db
    .selectFrom('facility')
    .select(['id', 'name', 'active', 'currn_idx'])
    .where('id', '=', facilityId)
    .executeTakeFirst();
  if (!facility) throw invalid([{ path: 'facilityId', message: 'This facility does not exist.' }]);
  if (!facility.active) throw invalid([{ path: 'facilityId', message: `${facility.name} is no longer active.` }]);
  return withGiven(services, upload, text, async (given) => {
    const company = await loadCompany(db);
    const date = today(services, company);
    const reps = await servingReps(db, facilityId, date);
    const fileName = cut(cleaned(given.name.split(/[/\\]/).at(-1) ?? ''), 200) || 'file';
    const key = await services.files.putFile(given.path).catch((error: unknown) => {
      services.log.warn({ err: error }, 'a file could not be stored');
      throw new HttpError(503, 'The file could not be stored right now. Nothing was saved; try again in a moment.');
    });
    const size = (await stat(given.path)).size;
    try {
      return await inTransaction(db, async (trx) => {
        const file = await trx
          .insertInto('file')
          .values({ storage_key: key, name: fileName, media_type: given.mediaType, size })
          .returning('id')
          .executeTakeFirstOrThrow();
        const analysis = await trx
          .insertInto('savings_analysis')
          .values({
            name: name || fileName.replace(/(?:\.(?:csv|txt|tsv|xlsx|gz|pdf))+$/i, ''),
            facility_id: facilityId,
            owner_id: user.id,
            sales_rep_id: reps.salesRep?.id ?? null,
            region_id: reps.region?.id ?? null,
            months,
            currn_idx: facility.currn_idx,
            price_date: date,
            file_name: fileName,
            created_at: services.clock.now(),
            ...readingOf(given.found),
          })
          .returning(['id', 'state'])
          .executeTakeFirstOrThrow();
        await trx
          .insertInto('savings_file')
          .values({ analysis_id: analysis.id, file_id: file.id, kept_at: services.clock.now() })
          .execute();
        const state = analysis.state as AnalysisState;
        if (state === 'reading') await services.jobs.send(trx, analysisJob, { analysisId: analysis.id });
        return { id: analysis.id, state };
      });
    } catch (error) {
      // Remove the stored bytes: without a row nobody would find them again.
      await services.files.remove(key).catch(() => {});
      throw error;
    }
  });
}

/** What is stored of a file that was looked at; reading waits for a person when no column names an item. */
function readingOf({ header, format, sheets, samples, notes }: FoundTable) {
  const isComplete = suffices(new Map(Object.entries(header.columns)), USAGE);
  const state: AnalysisState = isComplete ? 'reading' : 'columns';
  return {
    state,
    problem: isComplete ? '' : NEEDS_NUMBER,
    notes: JSON.stringify(notes),
    mapping: JSON.stringify(header),
    options: JSON.stringify({ format, sheets, samples } satisfies UsageOptions),
    step: '',
    done: 0,
    total: 0,
    tries: 0,
  };
}

/** Another sheet, header line, or fields of the columns. Reads the file again; 409 over a later change, 422 when no column names an item. */
export async function setUsageColumns(
  { db, user, services }: By,
  { id, version, sheet, headerLine, fields, months }: ParsedInputOf<typeof Savings.SetUsageColumns>,
): Promise<void> {
  const analysis = await requireAnalysis(db, user, id, { lock: true });
  if (analysis.version !== version) throw changedMeanwhile();
  if (analysis.state === 'quoted')
    throw new HttpError(409, 'A quote was made of this analysis. Upload the file again to read it another way.');
  const file = await fileOf(db, id);
  if (!file) throw new HttpError(409, 'The file is no longer kept. Upload it again.');
  const mapping = analysis.mapping as StoredHeader;
  const isElsewhere = sheet !== undefined || headerLine !== undefined;
  const reading = isElsewhere
    ? readingOf(
        await readable(() =>
          withStoredFile(services, db, file.file_id, (path) =>
            lookAt(path, USAGE, null, { sheet: sheet ?? mapping.sheet, headerLine }),
          ),
        ),
      )
    : null;
  const columns = fields ? columnsOf(fields) : null;
  if (columns && !suffices(columns, USAGE)) throw invalid([{ path: 'fields', message: NEEDS_NUMBER }]);
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

/** The file of an analysis, while it is kept. */
export function fileOf(db: Db, analysisId: number) {
  return db
    .selectFrom('savings_file')
    .innerJoin('file', 'file.id', 'savings_file.file_id')
    .select(['savings_file.file_id', 'file.storage_key'])
    .where('savings_file.analysis_id', '=', analysisId)
    .executeTakeFirst();
}

/** Of two columns said to be one field, the first counts. */
function columnsOf(fields: readonly (string | null)[]): Map<string, number> {
  const columns = new Map<string, number>();
  for (const [at, field] of fields.entries()) if (field !== null && !columns.has(field)) columns.set(field, at);
  return columns;
}

export const changedMeanwhile = (): HttpError =>
  new HttpError(409, 'Somebody else changed this analysis meanwhile. Load it again to see what it says now.');
