// Answers the ItemDocuments calls.
import { type RawBuilder, sql } from 'kysely';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import { HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { readStored } from '#platform/api/stored-file.server.ts';
import { foldedHolds, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { companyDay, loadCompany, today } from '#platform/company/company.server.ts';
import { customerFileType } from '#platform/customer-files/check-customer-upload.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import {
  keptIn,
  lockForSave,
  oneRecord,
  type RecordKind,
  saveRecord,
  storeRecord,
  wrongName,
} from '#platform/history/record-kit.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { fileName } from '#platform/shared/file-type.server.ts';
import { linkAnswers } from './document-links.server.ts';
import {
  Audience,
  type DOC_FILTERS,
  type DocCategory,
  type DocRevision,
  type DocRow,
  type ItemDocuments,
  SOON_DAYS,
} from './documents.contract.ts';

type Criteria = {
  docCategoryId?: number | null | undefined;
  keyword?: string | null | undefined;
  state?: (typeof DOC_FILTERS)[number] | null | undefined;
};

const ORDER = {
  sorts: {
    title: sql`document.search_text`,
    category: sql`category.name`,
    validTo: sql`shown.valid_to`,
    products: sql`products`,
    items: sql`items`,
    updatedAt: sql`document.updated_at`,
  },
  key: sql`document.id`,
  first: { field: 'title', dir: 'asc' as const },
};

export const itemDocumentAnswers: Answers<typeof ItemDocuments> = {
  ...linkAnswers,

  GetItmDocCategories: ({ db }) =>
    categories(db)
      .orderBy(sql`lower(document_category.name)`)
      .execute()
      .then((rows) => rows.map(categoryOf)),

  SaveItmDocCategory: async ({ db, user }, input) => {
    const before = await lockForSave(db, CATEGORY, input);
    const wrong = await wrongName(db, 'documentCategory', input);
    if (wrong.length > 0) throw invalid(wrong);
    const { name, audience, offered } = keptIn(input, { offered: before?.offered ?? false });
    return saveRecord({ db, user }, CATEGORY, before, { name, audience, offered: offered && audience === 'Customer' });
  },

  RemoveItmDocCategory: async ({ db, user }, { id, version }) => {
    const before = await CATEGORY.read(db, id, 'lock');
    await requireFresh(db, 'documentCategory', before, version);
    if (before.documents > 0) {
      const have = countOf(before.documents, 'document has', 'documents have');
      throw new HttpError(409, `${have} the category ${before.name}. Choose another one for them first.`);
    }
    await db.deleteFrom('document_category').where('id', '=', id).execute();
    await recordChange(db, user, { type: 'documentCategory', id, name: before.name, action: 'Remove' });
    return { id };
  },

  getItmDocs: async ({ db, services }, { page, pageSize, sort, ...criteria }) => {
    const [field = '', dir] = (sort ?? '').split('.');
    const order = sort ? { field, dir: dir === 'desc' ? ('desc' as const) : ('asc' as const) } : null;
    const day = companyDay(services.clock.now());
    const result = await pageFrom(documents(db, criteria, day), { page, pageSize, sort: order }, ORDER);
    return { ...result, records: result.records.map(rowOf) };
  },

  ExportItmDocs: async ({ db, services }, criteria) => {
    const rows = await allFrom(documents(db, criteria, companyDay(services.clock.now())), null, ORDER);
    const header = [
      'Document',
      'Category',
      'Audience',
      'Language',
      'Revision',
      'File',
      'Valid from',
      'Valid to',
      'State',
    ];
    return csvAnswer('documents.csv', [...header, 'Products', 'Items'], rows.map(rowOf), (row) => [
      row.title,
      row.category,
      row.audience,
      row.language,
      row.revision.label,
      row.revision.name,
      formatDate(row.revision.validFrom),
      formatDate(row.revision.validTo),
      row.state,
      row.products,
      row.items,
    ]);
  },

  GetItmDoc: async ({ db, services }, { id }) => {
    const document = await readDocument(db, id, companyDay(services.clock.now()));
    const revisions = await db
      .selectFrom('document_revision as r')
      .innerJoin('file as f', 'f.id', 'r.file_id')
      .select(['r.id', 'r.label', 'f.name', 'f.media_type as mediaType', 'f.size', 'r.valid_from as validFrom'])
      .select(['r.valid_to as validTo', 'r.uploaded_at as uploadedAt'])
      .select(whoDid('r.uploaded_by').as('uploadedBy'))
      .where('r.document_id', '=', id)
      .orderBy('r.id', 'desc')
      .execute();
    const links = await db
      .selectFrom('document_link as l')
      .leftJoin('product as p', 'p.id', 'l.product_id')
      .leftJoin('item as i', 'i.id', 'l.item_id')
      .select(['l.id', 'l.product_id as productId', 'l.item_id as itemId'])
      .select(sql<string>`coalesce(p.name, i.item_number || ' ' || i.description)`.as('name'))
      .where('l.document_id', '=', id)
      .orderBy(sql`l.product_id is null`)
      .orderBy('name')
      .limit(500)
      .execute();
    return { document, revisions, links };
  },

  saveItmDoc: async ({ db, user, services, upload, request }, input) => {
    const day = today(services, await loadCompany(db));
    const now = services.clock.now();
    const before = input.id === 0 ? null : await lockDocument(db, input.id);
    if (before)
      await requireFresh(db, 'document', before, input.version, { ...before, docCategoryId: before.docCategoryId });
    const category = await db
      .selectFrom('document_category')
      .select('name')
      .where('id', '=', input.docCategoryId)
      .executeTakeFirst();
    if (!category) throw invalid([{ path: 'docCategoryId', message: 'This category does not exist.' }]);
    if (!before && !upload) throw invalid([{ path: 'file', message: 'Choose a file.' }]);
    const name = upload ? fileName(upload.name) : '';
    const title =
      input.title ||
      before?.title ||
      name
        .replace(/\.[^.]{1,10}$/, '')
        .replaceAll(/[_\s]+/g, ' ')
        .trim();
    if (!title) throw invalid([{ path: 'title', message: 'This field is required' }]);
    const type = upload ? await customerFileType(name, upload.bytes, request.log) : null;
    if (type && 'refused' in type) throw invalid([{ path: 'file', message: type.refused }]);
    const language = input.language ?? before?.language ?? 'en';
    const revised = upload ? null : before;
    const label = input.label ?? revised?.label ?? '';
    const validFrom = input.validFrom || (revised?.validFrom ?? day);
    const validTo = (input.validTo ?? revised?.validTo) || null;
    if (validTo !== null && validTo < validFrom)
      throw invalid([{ path: 'validTo', message: 'The end cannot be before the start' }]);
    const key =
      upload &&
      (await services.files.put(upload.bytes).catch((error: unknown) => {
        request.log.error({ err: error }, 'a document could not be stored');
        throw new HttpError(503, `${name} could not be stored. Nothing was saved. Try again in a moment.`);
      }));
    try {
      const { id, version } = await storeRecord(db, 'document', before?.id ?? 0, {
        category_id: input.docCategoryId,
        title,
        language,
        updated_at: now,
      });
      const revision = { label, valid_from: validFrom, valid_to: validTo };
      if (upload && key && type) {
        const file = await db
          .insertInto('file')
          .values({ storage_key: key, name, media_type: type.mediaType, size: upload.bytes.length })
          .returning('id')
          .executeTakeFirstOrThrow();
        await db
          .insertInto('document_revision')
          .values({ ...revision, document_id: id, file_id: file.id, uploaded_by: user.id, uploaded_at: now })
          .execute();
      } else if (before) {
        await db.updateTable('document_revision').set(revision).where('id', '=', before.revisionId).execute();
      }
      const after = {
        title,
        language,
        category: category.name,
        label,
        validFrom,
        validTo,
      };
      await recordChange(db, user, {
        type: 'document',
        id,
        name: title,
        action: before ? (upload ? 'New revision' : 'Edit') : 'Create',
        version,
        changes: [
          ...changesBetween(before ?? {}, after, before ? LABELS : {}),
          ...(upload ? [{ field: 'File', before: before?.fileName ?? '', after: name }] : []),
        ],
      });
      return await readDocument(db, id, companyDay(now));
    } catch (error) {
      // Remove the stored bytes: no row refers to them, so nothing else would.
      if (key) await services.files.remove(key).catch(() => {});
      throw error;
    }
  },

  DownloadItmDoc: async ({ db, services }, { id }) => {
    const file = await db
      .selectFrom('document_revision')
      .innerJoin('file', 'file.id', 'document_revision.file_id')
      .select(['file.name', 'file.media_type', 'file.storage_key'])
      .where('document_revision.id', '=', id)
      .executeTakeFirst();
    if (!file) throw notFound('document');
    return {
      name: file.name,
      mediaType: file.media_type,
      bytes: await readStored(services, file.storage_key, 'document'),
    };
  },
};

const LABELS = {
  title: 'Title',
  category: 'Category',
  language: 'Language',
  label: 'Revision',
  validFrom: 'Valid from',
  validTo: 'Valid to',
};

function categories(db: Db) {
  return db
    .selectFrom('document_category')
    .select(['document_category.id', 'document_category.version', 'document_category.name'])
    .select(['document_category.audience', 'document_category.offered'])
    .select(
      sql<number>`(select count(*)::int from document where document.category_id = document_category.id)`.as(
        'documents',
      ),
    );
}

const categoryOf = <R extends { audience: string }>(row: R) => ({ ...row, audience: Audience.parse(row.audience) });

const CATEGORY: RecordKind<DocCategory, 'documentCategory'> = {
  type: 'documentCategory',
  read: async (db, id, lock) =>
    categoryOf(await oneRecord('documentCategory', categories(db).where('document_category.id', '=', id), lock)),
  nameOf: ({ name }) => name,
  changes: (before, after) =>
    changesBetween(before ?? {}, after, { name: 'Name', audience: 'Audience', offered: 'Offered at first' }),
};

/** Reads a document and its newest revision, and locks them until the transaction ends. */
async function lockDocument(db: Db, id: number) {
  const document = await oneRecord(
    'document',
    db
      .selectFrom('document')
      .innerJoin('document_category as c', 'c.id', 'document.category_id')
      .select(['document.id', 'document.version', 'document.title', 'document.language'])
      .select(['document.category_id as docCategoryId', 'c.name as category'])
      .where('document.id', '=', id),
    'lock',
  );
  const newest = await db
    .selectFrom('document_revision as r')
    .innerJoin('file', 'file.id', 'r.file_id')
    .select([
      'r.id as revisionId',
      'r.label',
      'r.valid_from as validFrom',
      'r.valid_to as validTo',
      'file.name as fileName',
    ])
    .where('r.document_id', '=', id)
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { ...document, ...newest };
}

/** Documents with the revision that a list shows: the one valid on the day, else the newest. */
function documents(db: Db, { docCategoryId, keyword, state }: Criteria, day: RawBuilder<unknown>) {
  const soon = sql`${day} + ${sql.lit(SOON_DAYS)}`;
  const stateNow = sql<
    DocRow['state']
  >`case when shown.valid_from > ${day} then 'Coming' when shown.valid_to < ${day} then 'Ended'
    when shown.valid_to <= ${soon} and not exists (select from document_revision later where later.document_id = document.id
      and later.id > shown.id and (later.valid_to is null or later.valid_to > shown.valid_to)) then 'EndsSoon' else 'Current' end`;
  return db
    .selectFrom('document')
    .innerJoin('document_category as category', 'category.id', 'document.category_id')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('document_revision as r')
          .selectAll('r')
          .whereRef('r.document_id', '=', 'document.id')
          .orderBy(sql`r.valid_from <= ${day} and (r.valid_to is null or r.valid_to >= ${day})`, 'desc')
          .orderBy('r.id', 'desc')
          .limit(1)
          .as('shown'),
      (join) => join.onTrue(),
    )
    .select(['document.id', 'document.version', 'document.title', 'document.language', 'category.name as category'])
    .select(['document.category_id as docCategoryId', 'category.audience'])
    .select(sql<string>`document.updated_at`.as('updatedAt'))
    .select(stateNow.as('state'))
    .select(
      sql<DocRevision>`(select json_build_object('id', shown.id, 'label', shown.label, 'name', f.name,
        'mediaType', f.media_type, 'size', f.size, 'validFrom', shown.valid_from, 'validTo', shown.valid_to,
        'uploadedAt', shown.uploaded_at, 'uploadedBy', ${whoDid('shown.uploaded_by')}) from file f
        where f.id = shown.file_id)`.as('revision'),
    )
    .select(
      sql<number>`(select count(*)::int from document_revision r where r.document_id = document.id)`.as('revisions'),
    )
    .select(
      sql<number>`(select count(product_id)::int from document_link l where l.document_id = document.id)`.as(
        'products',
      ),
    )
    .select(
      sql<number>`(select count(item_id)::int from document_link l where l.document_id = document.id)`.as('items'),
    )
    .where((eb) =>
      eb.and([
        ...wordsOf(keyword ?? '').map((word) => foldedHolds(sql.ref('document.search_text'), word)),
        ...(docCategoryId ? [eb('document.category_id', '=', docCategoryId)] : []),
        ...(state === 'Unlinked'
          ? [sql<boolean>`not exists (select from document_link l where l.document_id = document.id)`]
          : state
            ? [sql<boolean>`${stateNow} = ${state}`]
            : []),
      ]),
    );
}

const rowOf = <R extends { audience: string }>(row: R) => ({ ...row, audience: Audience.parse(row.audience) });

async function readDocument(db: Db, id: number, day: RawBuilder<unknown>): Promise<DocRow> {
  const row = await documents(db, {}, day).where('document.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('document');
  return rowOf(row);
}
