// Implements the Letters calls.
import { type RawBuilder, sql } from 'kysely';
import { type FieldError, HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { readStored } from '#platform/api/stored-file.server.ts';
import { contains, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { afterCommit } from '#platform/db/transaction.server.ts';
import { direction } from '#platform/db/page.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { bumpRecord, keptIn, storeRecord, wrongDays } from '#platform/history/record-kit.server.ts';
import {
  facilityInSight,
  requireContract,
  requireContracts,
} from '#core/prices/contracts/sight/contract-sight.server.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { fileName, fileType } from '#platform/shared/file-type.server.ts';
import { letterPdf } from './letter-pdf.server.ts';
import { mayFollow, NEEDS_REASON, SETTLED, SIGNED } from './letter-steps.ts';
import type { Letter, LetterEdit, Letters } from './letters.contract.ts';

const COLUMNS = sql<Letter>`o.id, o.contract_id as "contractId",
  json_build_object('id', f.id, 'name', f.name, 'acctNo', f.acct_no, 'city', f.ship_to_city, 'state', f.ship_to_state) as facility,
  o.tier_id as "tierId", t.tier_no as "tierNo", t.name as "tierName", o.covers_children as "coversChildren", o.state,
  o.state_at as "stateAt", o.valid_from as "from", o.valid_to as "to", o.signer, o.signed_on as "signedOn", o.note, o.version,
  (select json_build_object('name', name, 'size', size) from file where file.id = o.file_id) as file`;
const FROM = sql`contract_loc o join facility f on f.id = o.facility_id join contract_tier t on t.id = o.tier_id`;

const SORTS: Record<string, RawBuilder<unknown>> = {
  facility: sql`lower(f.name)`,
  tier: sql`t.tier_no`,
  state: sql`o.state`,
  from: sql`o.valid_from`,
  to: sql`o.valid_to`,
  stateAt: sql`o.state_at`,
};

export const letterAnswers: Answers<typeof Letters> = {
  GetLocs: async (context, { contractId, keyword, state, page, pageSize, sort }) => {
    const { db, user } = context;
    const { day } = await requireContract(context, contractId);
    const { field, dir } = sort && Object.hasOwn(SORTS, sort.field) ? sort : { field: 'stateAt', dir: 'desc' as const };
    const order = sql`${SORTS[field]} ${direction(dir)} nulls last, o.id ${direction(dir)}`;
    const where = sql.join(
      [
        sql`o.contract_id = ${contractId}`,
        ...(state ? [sql`o.state = ${state}`] : []),
        ...wordsOf(keyword ?? '').map((word) => sql`f.search_text like plain_text(${contains(word)})`),
        facilityInSight(user, day, sql`o.facility_id`),
      ],
      sql` and `,
    );
    const { rows } = await sql<{ total: number; records: Letter[] }>`
      with hits as materialized (select o.id, row_number() over (order by ${order}) as place from ${FROM} where ${where})
      select (select count(*)::int from hits) as total,
        (select coalesce(json_agg(one order by one.place), '[]') from (
           select hits.place, ${COLUMNS} from hits join ${FROM} on o.id = hits.id
            where hits.place > ${(page - 1) * pageSize} and hits.place <= ${page * pageSize}) one) as records`.execute(
      db,
    );
    const { total = 0, records = [] } = rows[0] ?? {};
    return { records, total, pageCount: Math.ceil(total / pageSize) };
  },

  /** Throws 409 if another user changed the letter. Throws 422 for a forbidden step, missing fields, and changes to agreed fields. */
  SaveLoc: async (context, values) => {
    const { db, user, services } = context;
    const { day, number } = await requireContract(context, values.contractId);
    const before = values.id === 0 ? null : await lockLetter(db, values.id);
    if (before) {
      if (before.contractId !== values.contractId) throw notFound('letter of commitment');
      const current = {
        ...before,
        facilityId: before.facility.id,
        to: before.to ?? '',
        signedOn: before.signedOn ?? '',
      };
      await requireFresh(db, 'letter', before, values.version, current);
    }
    const { coversChildren = false, to = null, signer = '', signedOn = null, note = '' } = before ?? {};
    const input = keptIn(values, { coversChildren, to, signer, signedOn, note });
    const errors = [...wrongDays(input), ...wrongIn(input, before, day)];
    const tier = await db
      .selectFrom('contract_tier')
      .select('name')
      .where('id', '=', input.tierId)
      .where('contract_id', '=', input.contractId)
      .executeTakeFirst();
    if (!tier) errors.push({ path: 'tierId', message: 'This tier is not in the contract.' });
    const facility = await db
      .selectFrom('facility')
      .select('name')
      .where('id', '=', input.facilityId)
      .executeTakeFirst();
    if (!facility) errors.push({ path: 'facilityId', message: 'This facility does not exist.' });
    if (input.state === 'Approved') errors.push(...(await otherApproved(db, input)));
    if (errors.length > 0 || !tier || !facility) throw invalid(errors);
    const now = services.clock.now();
    const { id, version } = await storeRecord(db, 'letter', input.id, {
      contract_id: input.contractId,
      facility_id: input.facilityId,
      tier_id: input.tierId,
      covers_children: input.coversChildren,
      state: input.state,
      valid_from: input.from,
      valid_to: input.to || null,
      signer: input.signer,
      signed_on: input.signedOn || null,
      note: input.note,
      ...(before ? {} : { created_by: user.id }),
      ...(before?.state === input.state ? {} : { state_at: now }),
    });
    await recordChange(db, user, {
      type: 'letter',
      id,
      name: `${facility.name} in ${number}`,
      action: before ? 'Edit' : 'Create',
      version,
      changes: changesBetween(
        before ? letterInWords(before) : {},
        letterInWords({ ...input, tierName: tier.name }),
        LETTER_LABELS,
      ),
    });
    return readLetter(db, id);
  },

  AttachLocFile: async (context, { id, version: input }) => {
    const { db, user, services, upload, request } = context;
    if (!upload) throw invalid([{ path: 'file', message: 'Choose a file.' }]);
    const result = await readLetter(db, id);
    const { number } = await requireContract(context, result.contractId);
    const name = fileName(upload.name);
    const type = fileType(name, upload.bytes);
    if ('refused' in type) throw invalid([{ path: 'file', message: type.refused }]);
    const key = await services.files.put(upload.bytes).catch((error: unknown) => {
      request.log.error({ err: error }, 'a letter of commitment could not be stored');
      throw new HttpError(503, `${name} could not be stored. Nothing was saved. Try again in a moment.`);
    });
    try {
      const before = await lockLetter(db, id);
      await requireFresh(db, 'letter', before, input);
      if (before.file && SETTLED.includes(before.state))
        throw invalid([
          { path: 'file', message: `This letter is ${before.state.toLowerCase()}, so its file cannot be replaced.` },
        ]);
      const file = await db
        .insertInto('file')
        .values({ storage_key: key, name, media_type: type.mediaType, size: upload.bytes.length })
        .returning('id')
        .executeTakeFirstOrThrow();
      const old = await storedOf(db, id);
      const { version } = await bumpRecord(db, 'letter', id, { file_id: file.id });
      if (old) {
        await db.deleteFrom('file').where('id', '=', old.id).execute();
        // If the process is killed here, the stored file has no row, and the job that clears orphaned files removes it.
        afterCommit(db, () => void services.files.remove(old.storage_key).catch(() => {}));
      }
      await recordChange(db, user, {
        type: 'letter',
        id,
        name: `${before.facility.name} in ${number}`,
        action: 'Edit',
        version,
        changes: [{ field: 'File', before: before.file?.name ?? '', after: name }],
      });
      return await readLetter(db, id);
    } catch (error) {
      // Removes the stored bytes, because without a row nothing would ever refer to them.
      await services.files.remove(key).catch(() => {});
      throw error;
    }
  },

  DownloadLocFile: async (context, { id }) => {
    const { db, services } = context;
    await letterInSight(context, id);
    const stored = await storedOf(db, id);
    if (!stored) throw notFound('file');
    return { name: stored.name, mediaType: stored.media_type, bytes: await readStored(services, stored.storage_key) };
  },

  GetLocPdf: async (context, { id }) => {
    const letter = await letterInSight(context, id);
    return letterPdf(context.db, context.services, letter, context.request.log);
  },
};

async function readLetter(db: Db, id: number): Promise<Letter> {
  const { rows } = await sql<Letter>`select ${COLUMNS} from ${FROM} where o.id = ${id}`.execute(db);
  if (!rows[0]) throw notFound('letter of commitment');
  return rows[0];
}

export async function lockLetter(db: Db, id: number): Promise<Letter> {
  await db.selectFrom('contract_loc').select('id').where('id', '=', id).forUpdate().execute();
  return readLetter(db, id);
}

/** Throws 404 both for an unknown letter and for one of a facility that the user does not serve. */
async function letterInSight(context: { db: Db; user: Caller; services: Services }, id: number): Promise<Letter> {
  const { db, user } = context;
  const day = await requireContracts(context);
  const { rows } = await sql<{ contractId: number }>`select contract_id as "contractId" from contract_loc o
    where o.id = ${id} and ${facilityInSight(user, day, sql`o.facility_id`)}`.execute(db);
  if (!rows[0]) throw notFound('letter of commitment');
  await requireContract(context, rows[0].contractId).catch((error: unknown) => {
    if (error instanceof HttpError && error.status === 404) throw notFound('letter of commitment');
    throw error;
  });
  return readLetter(db, id);
}

function storedOf(db: Db, id: number) {
  return db
    .selectFrom('contract_loc as o')
    .innerJoin('file', 'file.id', 'o.file_id')
    .select(['file.id', 'file.name', 'file.media_type', 'file.storage_key'])
    .where('o.id', '=', id)
    .executeTakeFirst();
}

/** A letter with the fields that a save may leave out. */
type WholeLetter = Omit<LetterEdit, 'coversChildren' | 'to' | 'signer' | 'signedOn' | 'note'> &
  Pick<Letter, 'coversChildren' | 'to' | 'signer' | 'signedOn' | 'note'>;

/** The problems of a letter's fields. */
function wrongIn(input: WholeLetter, before: Letter | null, day: IsoDate): FieldError[] {
  const errors: FieldError[] = [];
  const stepped = before?.state !== input.state;
  if (!mayFollow(before?.state ?? null, input.state)) {
    const message = before
      ? `A letter that is ${before.state.toLowerCase()} cannot become ${input.state.toLowerCase()}.`
      : 'A new letter must be sent, received or signed.';
    errors.push({ path: 'state', message });
  }
  if (SIGNED.includes(input.state)) {
    if (!input.signer) errors.push({ path: 'signer', message: 'Enter who signed it.' });
    if (!input.signedOn) errors.push({ path: 'signedOn', message: 'Enter the day on which it was signed.' });
  }
  if (input.signedOn && input.signedOn > day) errors.push({ path: 'signedOn', message: 'This day is in the future.' });
  const newNote = input.note !== '' && (before === null || input.note !== before.note);
  if (stepped && NEEDS_REASON.includes(input.state) && !newNote)
    errors.push({ path: 'note', message: `Enter why it is ${input.state.toLowerCase()}.` });
  if (stepped && input.state === 'Approved' && input.from < day && input.note === '')
    errors.push({ path: 'note', message: `It counts from ${formatDate(input.from)}, which is in the past. Say why.` });
  // Sending a rejected letter again starts the steps over.
  if (before && SETTLED.includes(before.state) && input.state !== 'Sent') {
    const settled = [
      ['facilityId', before.facility.id !== input.facilityId],
      ['tierId', before.tierId !== input.tierId],
      ['coversChildren', before.coversChildren !== input.coversChildren],
      ['from', before.from !== input.from],
      ['signer', before.signer !== input.signer],
      ['signedOn', (before.signedOn ?? '') !== (input.signedOn || '')],
      ['to', before.state !== 'Approved' && (before.to ?? '') !== (input.to || '')],
    ] as const;
    for (const [path, changed] of settled)
      if (changed)
        errors.push({
          path,
          message: `The letter is ${before.state.toLowerCase()}, so this cannot be changed. Create a new letter.`,
        });
    const endsInPast = before.state === 'Approved' && input.to && input.to !== before.to && input.to < day;
    if (endsInPast && !newNote) errors.push({ path: 'note', message: 'Its last day is in the past. Enter a reason.' });
  }
  return errors;
}

/** Finds another approved letter of the same facility and tier on overlapping days. */
export async function otherApproved(
  db: Db,
  input: Pick<LetterEdit, 'id' | 'tierId' | 'facilityId' | 'from' | 'to'>,
): Promise<FieldError[]> {
  await sql`select pg_advisory_xact_lock(hashtext(${`letter-${input.tierId}`}), ${input.facilityId})`.execute(db);
  const { rows } = await sql<{
    from: IsoDate;
    to: IsoDate | null;
  }>`select valid_from as "from", valid_to as "to" from contract_loc
    where tier_id = ${input.tierId} and facility_id = ${input.facilityId} and state = 'Approved' and id <> ${input.id}
      and (valid_to is null or valid_to >= ${input.from}::date)
      and (${input.to || null}::date is null or valid_from <= ${input.to || null}::date)
    limit 1`.execute(db);
  const [other] = rows;
  if (!other) return [];
  const days = other.to
    ? `from ${formatDate(other.from)} to ${formatDate(other.to)}`
    : `from ${formatDate(other.from)} on`;
  return [{ path: 'from', message: `A letter for this tier is already approved ${days}. End or revoke it first.` }];
}

export const LETTER_LABELS = {
  state: 'State',
  tier: 'Tier',
  from: 'From',
  to: 'To',
  coversChildren: 'Covers children',
  signer: 'Signer',
  signedOn: 'Signed on',
  note: 'Note',
} as const;

type LetterFields = Pick<WholeLetter, 'state' | 'from' | 'to' | 'signer' | 'signedOn' | 'note' | 'coversChildren'> & {
  tierName: string;
};

export function letterInWords({ tierName, from, to, signedOn, state, signer, note, coversChildren }: LetterFields) {
  return {
    state,
    signer,
    note,
    coversChildren,
    tier: tierName,
    from: formatDate(from),
    to: formatDate(to || null) || 'no end',
    signedOn: formatDate(signedOn || null),
  };
}
