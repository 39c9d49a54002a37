// Answers the CrossReference calls: the list, its records, and decisions between contradicting ones.
import { sql } from 'kysely';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import { type FieldError, invalid } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import {
  bumpRecord,
  keptIn,
  lockForSave,
  oneRecord,
  type RecordKind,
  saveRecord,
} from '#platform/history/record-kit.server.ts';
import type { CrossReference, ReferenceEdit } from './cross-references.contract.ts';
import { contradictionsOf, ORDER, references } from './reference-list.server.ts';
import { forWhom, KIND_WORDS, numberInWords } from './reference-words.ts';
import { rememberNumbers } from './remember-numbers.server.ts';

/** The labels of the fields, which every history of references uses. */
const LABELS = {
  maker: 'Maker or distributor',
  number: 'Number',
  itemNumber: 'Our item #',
  unit: 'Our unit',
  kind: 'Kind',
  whom: 'For',
  note: 'Note',
  source: 'Source',
  ended: 'Ended',
};

const REFERENCE: RecordKind<ReferenceEdit, 'crossReference'> = {
  type: 'crossReference',
  read: readReference,
  nameOf: numberInWords,
  changes: async (before, after, db) =>
    changesBetween(before ? await historyWords(db, before) : {}, await historyWords(db, after), LABELS),
};

const BLANK: ReferenceEdit = {
  id: 0,
  maker: '',
  number: '',
  itemNumber: '',
  unit: '',
  kind: 'Same',
  scope: 'Everybody',
  facilityId: null,
  gpoId: null,
  note: '',
  source: '',
  ended: false,
  version: 0,
};

export const crossReferenceAnswers: Answers<typeof CrossReference> = {
  SearchCrossReferences: ({ db }, criteria) => pageFrom(references(db, criteria), criteria, ORDER),

  /** Exports as many rows as an import accepts, with headings that the import recognizes. */
  ExportCrossReferences: async ({ db }, criteria) => {
    const rows = await allFrom(references(db, criteria), criteria.sort, ORDER, 200_000);
    const header = ['Maker or distributor', 'Number', 'Our item #', 'Our description', 'Our unit', 'Kind', 'For'];
    const more = ['Account #', 'Facility', 'GPO', 'Note', 'Source', 'Confirmed', 'Refused', 'Ended'];
    return csvAnswer('cross-references.csv', [...header, ...more], rows, (row) => [
      row.maker,
      row.number,
      row.item.number,
      row.item.description,
      row.unit,
      row.kind,
      row.scope,
      row.acctNo,
      row.facility?.name ?? '',
      row.gpo?.name ?? '',
      row.note,
      row.source,
      row.confirmed,
      row.refused,
      row.ended ? 'yes' : 'no',
    ]);
  },

  PopulateCrossReferenceEditModel: async ({ db }, { id }) => {
    const reference = id ? await readReference(db, id) : BLANK;
    const row = id ? await references(db, {}).where('cross_reference.id', '=', id).executeTakeFirst() : undefined;
    return {
      reference,
      row: row ?? null,
      gpos: await db.selectFrom('gpo').select(['id', 'name']).orderBy(sql`lower(name)`).execute(),
      contradictions: id ? await contradictionsOf(db, id) : [],
    };
  },

  /** Throws 409 if another user changed it. Throws 422 for an unknown item, unit, facility or GPO, and for an entry that already exists. */
  SaveCrossReference: async ({ db, user }, input) => {
    const before = await lockForSave(db, REFERENCE, input);
    const { itemNumber: _number, id, version: _version, ...blank } = before ?? BLANK;
    const wanted = narrowed(keptIn(input, { ...blank, maker: blank.maker, number: input.number }));
    const item = await db
      .selectFrom('item')
      .select(['id', 'base_unit'])
      .where('item_number', '=', input.itemNumber)
      .executeTakeFirst();
    const errors = await wrongIn(db, wanted, item);
    if (errors.length > 0 || !item) throw invalid(errors);
    const values = {
      maker: wanted.maker,
      number: wanted.number,
      item_id: item.id,
      unit: wanted.unit,
      kind: wanted.kind,
      scope: wanted.scope,
      facility_id: wanted.facilityId,
      gpo_id: wanted.gpoId,
      note: wanted.note,
      source: wanted.source,
      ended: wanted.ended,
    };
    if (!wanted.ended) await requireOnce(db, { id, ...values });
    const action = before && !before.ended && wanted.ended ? 'End' : before?.ended && !wanted.ended ? 'Restore' : null;
    return saveRecord(
      { db, user },
      REFERENCE,
      before,
      before ? values : { ...values, made_by: user.id },
      action ? { action } : {},
    );
  },

  /** Throws 409 if another user changed any of them. Throws 422 for an entry that does not contradict the one to keep. */
  KeepCrossReference: async ({ db, user }, { others, ...input }) => {
    const stored = await lockForSave(db, REFERENCE, input);
    const contradicting = new Set((await contradictionsOf(db, input.id)).map(({ id }) => id));
    const comment = stored ? `${stored.itemNumber} was chosen for ${numberInWords(stored)}.` : '';
    for (const other of others.toSorted((a, b) => a.id - b.id)) {
      const before = await lockForSave(db, REFERENCE, other);
      if (!before || !contradicting.has(other.id)) {
        throw invalid([{ path: 'others', message: 'One of these entries does not contradict the one that stays.' }]);
      }
      const { version } = await bumpRecord(db, 'crossReference', other.id, { ended: true });
      const name = numberInWords(before);
      await recordChange(db, user, { type: 'crossReference', id: other.id, name, action: 'End', version, comment });
    }
    return { ended: others.length };
  },

  RememberNumbers: rememberNumbers,
};

/** Clears the fields that the scope does not need. */
function narrowed<R extends Pick<ReferenceEdit, 'scope' | 'facilityId' | 'gpoId'>>(reference: R): R {
  const { scope } = reference;
  return {
    ...reference,
    facilityId: scope === 'Facility' || scope === 'Parent' ? reference.facilityId : null,
    gpoId: scope === 'GPO' ? reference.gpoId : null,
  };
}

type Wanted = Pick<ReferenceEdit, 'number' | 'unit' | 'scope' | 'facilityId' | 'gpoId'>;

async function wrongIn(
  db: Db,
  { number, unit, scope, facilityId, gpoId }: Wanted,
  item: { id: number; base_unit: string } | undefined,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  if (!/[\p{L}\p{N}]/u.test(number))
    errors.push({ path: 'number', message: 'A number must have at least one letter or digit.' });
  if (!item) errors.push({ path: 'itemNumber', message: 'No item has exactly this number.' });
  else if (unit !== '') {
    const units = await db.selectFrom('item_unit').select('unit').where('item_id', '=', item.id).execute();
    const known = [...new Set([item.base_unit, ...units.map((entry) => entry.unit)])];
    if (!known.includes(unit))
      errors.push({ path: 'unit', message: `The item is not sold by ${unit}. Its units: ${known.join(', ')}.` });
  }
  if (scope === 'Facility' || scope === 'Parent') {
    const facility = await db
      .selectFrom('facility')
      .select('merged_into')
      .where('id', '=', facilityId ?? 0)
      .executeTakeFirst();
    if (!facility) errors.push({ path: 'facilityId', message: 'Choose the facility.' });
    else if (facility.merged_into !== null)
      errors.push({ path: 'facilityId', message: 'This facility was merged into another one. Choose that facility.' });
  }
  if (scope === 'GPO') {
    const gpo = await db
      .selectFrom('gpo')
      .select('id')
      .where('id', '=', gpoId ?? 0)
      .executeTakeFirst();
    if (!gpo) errors.push({ path: 'gpoId', message: 'Choose the GPO.' });
  }
  return errors;
}

type Entry = {
  id: number;
  number: string;
  maker: string;
  item_id: number;
  scope: string;
  facility_id: number | null;
  gpo_id: number | null;
};

/** Throws 422 if the same entry already exists. The lock makes two users who add it at once wait for each other. */
async function requireOnce(db: Db, entry: Entry): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('cross_reference'), hashtext(number_key(${entry.number})))`.execute(
    db,
  );
  const { rows } = await sql<{ id: number }>`select id from cross_reference x
    where x.number_key = number_key(${entry.number}) and x.zeros = length(substring(bare_text(${entry.number}) from '^0*'))
      and folded_text(x.maker) = folded_text(${entry.maker}) and x.item_id = ${entry.item_id} and x.scope = ${entry.scope}
      and x.facility_id is not distinct from ${entry.facility_id}::int and x.gpo_id is not distinct from ${entry.gpo_id}::int
      and not x.ended and x.id <> ${entry.id} limit 1`.execute(db);
  if (rows.length > 0)
    throw invalid([
      { path: 'number', message: 'This number is already a cross-reference to this item for the same customers.' },
    ]);
}

async function readReference(db: Db, id: number, lock?: 'lock'): Promise<ReferenceEdit> {
  const query = db
    .selectFrom('cross_reference')
    .select(['id', 'maker', 'number', 'unit', 'note', 'source', 'ended', 'version'])
    .select(['facility_id as facilityId', 'gpo_id as gpoId'])
    .select([
      sql<ReferenceEdit['kind']>`kind`.as('kind'),
      sql<ReferenceEdit['scope']>`scope`.as('scope'),
      sql<string>`(select item_number from item where item.id = cross_reference.item_id)`.as('itemNumber'),
    ])
    .where('id', '=', id);
  return oneRecord('crossReference', query, lock);
}

/** A reference for the history, with its kind and scope in words. */
async function historyWords(db: Db, reference: ReferenceEdit) {
  const [facility, gpo] = await Promise.all([
    db
      .selectFrom('facility')
      .select('name')
      .where('id', '=', reference.facilityId ?? 0)
      .executeTakeFirst(),
    db
      .selectFrom('gpo')
      .select('name')
      .where('id', '=', reference.gpoId ?? 0)
      .executeTakeFirst(),
  ]);
  const whom = forWhom({ scope: reference.scope, facility: facility ?? null, gpo: gpo ?? null });
  return { ...reference, kind: KIND_WORDS[reference.kind], whom };
}
