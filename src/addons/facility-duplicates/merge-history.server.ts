// Lists merges of facilities, and the pairs that users marked as not the same.
import { sql } from 'kysely';
import { contains } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import type { FacilityApart, FacilityMerge } from './facility-duplicates.contract.ts';

type Page = { page: number; pageSize: number; keyword?: string | null | undefined };

/** Whether the text of either facility contains the words. */
export const hasWords = (a: string, b: string, keyword: string | null | undefined) =>
  keyword
    ? sql`(${sql.ref(`${a}.search_text`)} like plain_text(${contains(keyword)})
      or ${sql.ref(`${b}.search_text`)} like plain_text(${contains(keyword)}))`
    : sql`true`;

const brief = (alias: string) =>
  sql`json_build_object('id', ${sql.ref(`${alias}.id`)}, 'acctNo', ${sql.ref(`${alias}.acct_no`)}, 'name', ${sql.ref(`${alias}.name`)})`;

/** A page past the last one, with the counts of the list. */
export const pastLast = ({ pageCount, total }: { pageCount: number; total: number }) => ({
  records: [],
  pageCount,
  total,
});

/** A page of rows of a statement with a column `total`. */
export function paged<T extends { total: number }>(rows: T[], pageSize: number) {
  const total = rows[0]?.total ?? 0;
  return { records: rows, pageCount: Math.ceil(total / pageSize), total };
}

/** Merges, latest first, with undone ones last; or only the merge with an id. */
export async function mergesPage(
  db: Db,
  { page, pageSize, keyword, id }: Page & { id?: number },
): Promise<ReturnType<typeof paged<FacilityMerge & { total: number }>>> {
  const { rows } = await sql<FacilityMerge & { total: number }>`
    select g.id, g.version, ${brief('k')} as kept, ${brief('m')} as merged, ${whoDid('g.merged_by')} as by,
      g.merged_at as at, ${whoDid('g.undone_by')} as "undoneBy", g.undone_at as "undoneAt", count(*) over ()::int as total,
      case when g.undone_at is not null then 'This merge has already been undone.'
        when k.merged_into is not null then k.acct_no || ' ' || k.name
        || ' was itself merged into another facility. Undo that merge first.'
        else '' end as "notUndoable"
    from facility_merge g join facility k on k.id = g.kept_id join facility m on m.id = g.merged_id
    where ${id === undefined ? hasWords('k', 'm', keyword) : sql`g.id = ${id}`}
    order by g.undone_at is not null, g.id desc offset ${(page - 1) * pageSize} limit ${pageSize}`.execute(db);
  if (rows.length === 0 && page > 1)
    return pastLast(await mergesPage(db, { page: 1, pageSize, keyword, ...(id === undefined ? {} : { id }) }));
  return paged(rows, pageSize);
}

/** Pairs that users marked as not the same, newest first, or only the pair with an id. */
export async function apartPage(
  db: Db,
  { page, pageSize, keyword, id }: Page & { id?: number },
): Promise<ReturnType<typeof paged<FacilityApart & { total: number }>>> {
  const { rows } = await sql<FacilityApart & { total: number }>`
    select p.id, p.version, ${brief('a')} as first, ${brief('b')} as second, ${whoDid('p.told_by')} as by,
      p.told_at as at, count(*) over ()::int as total
    from facility_apart p join facility a on a.id = p.first_id join facility b on b.id = p.second_id
    where ${id === undefined ? hasWords('a', 'b', keyword) : sql`p.id = ${id}`}
    order by p.id desc offset ${(page - 1) * pageSize} limit ${pageSize}`.execute(db);
  if (rows.length === 0 && page > 1)
    return pastLast(await apartPage(db, { page: 1, pageSize, keyword, ...(id === undefined ? {} : { id }) }));
  return paged(rows, pageSize);
}
