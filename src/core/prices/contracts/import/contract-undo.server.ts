// The parts that all contract imports share: permissions, history events of contracts, and the checks before an undo.
import { type RawBuilder, sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Db, Sql } from '#platform/db/database.server.ts';
import type { Track, Undoing } from '#platform/data-import/kinds/import-kind.server.ts';
import { undoTracks } from '#platform/data-import/running/undo-import.server.ts';
import type { Role } from '#platform/shared/roles.ts';

export const IMPORTS_CONTRACTS: readonly Role[] = ['systemadmin', 'contractdept'];

/** Writes one event per contract. The query returns (id, what, changed, new, ended). Only an undo writes an event for a contract without counts. */
export async function recordContracts(
  trx: Db,
  author: { id: number; fullName: string },
  action: 'Import' | 'Undo',
  comment: string,
  counts: RawBuilder<unknown>,
): Promise<void> {
  await sql`insert into record_event (record_type, record_id, record_name, user_id, actor, action, comment, changes)
    select 'contract', c.id, c.number, ${author.id}::int, ${author.fullName}::text, ${action}::text, ${comment}::text,
      case when n.what = '' then '[]'::jsonb else jsonb_build_array(jsonb_build_object('field', n.what, 'before', '', 'after',
        concat_ws(', ', n.new || ' new', n.changed || ' changed', case when n.ended > 0 then n.ended || ' ended' end))) end
    from (${counts}) n join gpo_contract c on c.id = n.id
    where n.what = '' or n.new + n.changed + n.ended > 0 order by c.id`.execute(trx);
}

type Dated = {
  table: string;
  /** SQL: true if the records `x` and `t` apply to the same thing. */
  same: Sql;
  /** SQL on `t` that returns its name. */
  name: Sql;
  /** 'price was', 'prices were' */
  what: readonly [one: string, many: string];
  tracks: readonly Track[];
  /** The contracts (id) of an import. Runs before the undo removes what the import created. */
  contractsOf: (importId: number) => RawBuilder<{ id: number }>;
};

/** The undo of an import with dated rows. Restores the previous state exactly, and refuses when something else now depends on the restored days. */
export const undoOf = (dated: Dated) => async (trx: Db, importId: number, by: Undoing) => {
  await requireNothingBetween(trx, importId, dated);
  const { rows } = await dated.contractsOf(importId).execute(trx);
  await undoTracks(trx, dated.tracks, importId, by);
  await recordContracts(
    trx,
    by.author,
    'Undo',
    by.comment,
    sql`select x::int as id, '' as what, 0 as changed, 0 as new, 0 as ended from unnest(${rows.map(({ id }) => id)}::int[]) x`,
  );
};

/** Refuses an undo that would return days to a dated row, or restore the row, when a row from outside this import now covers these days. */
async function requireNothingBetween(trx: Db, importId: number, { table, same, name, what }: Dated): Promise<void> {
  await sql`analyze data_import_change`.execute(trx);
  const { rows } = await sql<{ name: string; of: number }>`
    select ${name} as name, count(*) over ()::int as of
    from data_import_change c cross join lateral (
      select * from ${sql.table(table)} where id = (c.key->>'id')::int
      union all select b.* from jsonb_populate_record(null::${sql.table(table)}, c.before) b where c.after is null) t
    join ${sql.table(table)} x on ${same} and x.id <> t.id and x.valid_from <= coalesce((c.before->>'valid_to')::date, 'infinity')
      and case when c.after is null then coalesce(x.valid_to, 'infinity') >= t.valid_from else x.valid_from > t.valid_to end
    where c.import_id = ${importId} and c.table_name = ${table} and c.before is not null
      and not exists (select from data_import_change o where o.import_id = ${importId} and o.table_name = ${table}
        and o.key = jsonb_build_object('id', x.id))
    limit 3`.execute(trx);
  const [first] = rows;
  if (!first) return;
  const names = rows.map((row) => row.name).join(', ');
  throw new HttpError(
    409,
    `This import cannot be undone: ${first.of.toLocaleString('en-US')} ${what[first.of === 1 ? 0 : 1]} added in days that it would give back: ${names}${first.of > rows.length ? ', …' : ''}.`,
  );
}
