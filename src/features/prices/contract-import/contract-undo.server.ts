// What the imports of contracts share beside their plans: who may, the events of the contracts, and what stands in the way of an undo.
import { type RawBuilder, sql } from 'kysely';
import { HttpError } from '#api/http-error.ts';
import type { Db } from '#db/database.server.ts';
import type { Role } from '#shared/roles.ts';

export const IMPORTS_CONTRACTS: readonly Role[] = ['systemadmin', 'contractdept'];

/** One event a contract. The query answers (id, what, changed, new, ended); a contract without any of them has no event, except of an undo. */
export async function tellContracts(
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
  /** SQL: the record `x` counts for the same thing as `t`. */
  same: string;
  /** SQL on `t` for its name. */
  name: string;
  /** 'price was', 'prices were' */
  what: readonly [one: string, many: string];
};

/** Refuses an undo when days that it would give back to a dated row have another one by now, which is not of this import. */
export async function requireNothingBetween(
  trx: Db,
  importId: number,
  { table, same, name, what }: Dated,
): Promise<void> {
  await sql`analyze data_import_change`.execute(trx);
  const { rows } = await sql<{ name: string; of: number }>`
    select ${sql.raw(name)} as name, count(*) over ()::int as of
    from data_import_change c join ${sql.table(table)} t on t.id = (c.key->>'id')::int
    join ${sql.table(table)} x on ${sql.raw(same)} and x.id <> t.id
      and x.valid_from > t.valid_to and x.valid_from <= coalesce((c.before->>'valid_to')::date, 'infinity')
    where c.import_id = ${importId} and c.table_name = ${table} and c.before is not null and t.valid_to is not null
      and not exists (select from data_import_change o where o.import_id = ${importId} and o.table_name = ${table} and o.key = jsonb_build_object('id', x.id))
    limit 3`.execute(trx);
  const [first] = rows;
  if (!first) return;
  const names = rows.map((row) => row.name).join(', ');
  throw new HttpError(
    409,
    `This import cannot be undone: ${first.of.toLocaleString('en-US')} ${what[first.of === 1 ? 0 : 1]} added in days that it would give back: ${names}${first.of > rows.length ? ', …' : ''}.`,
  );
}
