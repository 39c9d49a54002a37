// Decides which documents of products and items a reader gets, by audience. A reader gets only the revision that is valid today.
import { type RawBuilder, sql } from 'kysely';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { companyDay } from '#platform/company/company.server.ts';
import { seesInternalFigures } from '#platform/shared/roles.ts';
import type { Audience } from './documents.contract.ts';

export type ReadableDocument = {
  id: number;
  title: string;
  category: string;
  label: string;
  /** The name of the file. */
  name: string;
  size: number;
  /** The revision that a reader gets today. */
  revisionId: number;
  fileId: number;
  /** True if the document is preselected when a quote is sent. */
  offered: boolean;
};

/** The audiences that the user belongs to. */
export function audiencesOf(user: Pick<Caller, 'roles'>): Audience[] {
  return seesInternalFigures(user) ? ['Internal', 'Staff', 'Customer'] : ['Staff', 'Customer'];
}

/** The revision of `document` that is valid on a day: a FROM entry named `r`. */
function revisionOn(day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lateral (select r.id, r.label, r.file_id from document_revision r where r.document_id = d.id
    and r.valid_from <= ${day} and (r.valid_to is null or r.valid_to >= ${day}) order by r.id desc limit 1) r`;
}

const COLUMNS = sql`d.id, d.title, c.name as category, c.offered, r.label, r.id as "revisionId", f.id as "fileId", f.name, f.size`;

/** The documents of items and of their products that these audiences get, by category and title. */
export async function documentsOfItems(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  audiences: readonly Audience[],
  itemIds: readonly number[],
): Promise<ReadableDocument[]> {
  if (itemIds.length === 0) return [];
  const { rows } = await sql<ReadableDocument>`
    with asked as materialized (select i.id as item_id, p.id as product_id from item i
        left join product p on p.id = i.product_id and p.status <> 'Draft' where i.id = any(${[...itemIds]}::int[])),
      linked as (select l.document_id from asked join document_link l on l.product_id = asked.product_id
        union select l.document_id from asked join document_link l on l.item_id = asked.item_id)
    select ${COLUMNS} from linked join document d on d.id = linked.document_id
      join document_category c on c.id = d.category_id and c.audience = any(${[...audiences]}::text[])
      cross join ${revisionOn(companyDay(clock.now()))} join file f on f.id = r.file_id
    order by c.name, d.title, d.id`.execute(db);
  return rows;
}

/** Whether an item of the query `item` has a document that these audiences get today: a column to select. */
export function hasDocuments(user: Pick<Caller, 'roles'>, now: Date): RawBuilder<boolean> {
  const readable = sql`join document d on d.id = l.document_id join document_category c on c.id = d.category_id
    cross join ${revisionOn(companyDay(now))} where c.audience = any(${audiencesOf(user)}::text[])`;
  return sql<boolean>`(item.product_id is not null and exists (select from document_link l ${readable} and l.product_id = item.product_id
      and exists (select from product p where p.id = l.product_id and p.status <> 'Draft'))
    or exists (select from document_link l ${readable} and l.item_id = item.id))`;
}

/** The file of a document that the user may read today, if an item or a product past Draft is linked to it; otherwise undefined. */
export async function readableFile(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  user: Pick<Caller, 'roles'>,
  documentId: number,
): Promise<{ name: string; mediaType: string; storageKey: string } | undefined> {
  const { rows } = await sql<{ name: string; mediaType: string; storageKey: string }>`
    select f.name, f.media_type as "mediaType", f.storage_key as "storageKey" from document d
      join document_category c on c.id = d.category_id and c.audience = any(${audiencesOf(user)}::text[])
      cross join ${revisionOn(companyDay(clock.now()))} join file f on f.id = r.file_id
    where d.id = ${documentId} and exists (select from document_link l left join product p on p.id = l.product_id
      where l.document_id = d.id and (l.item_id is not null or p.status <> 'Draft'))`.execute(db);
  return rows[0];
}
