// Finds the pairs of facilities that look alike, and records which of them are not the same.
import { sql } from 'kysely';
import { HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { alikePairs } from '#core/customers/facility-finder/match-account-number.server.ts';
import { requireFresh } from '#platform/history/record-change.server.ts';
import { recordPart } from '#platform/history/record-kit.server.ts';
import type { AlikeFacility, AlikePair, FacilityDuplicates } from './facility-duplicates.contract.ts';
import { apartPage, hasWords, paged, pastLast } from './merge-history.server.ts';

const sideOf = (
  alias: string,
) => sql`json_build_object('id', ${sql.ref(`${alias}.id`)}, 'version', ${sql.ref(`${alias}.version`)},
  'acctNo', ${sql.ref(`${alias}.acct_no`)}, 'name', ${sql.ref(`${alias}.name`)},
  'street', ${sql.ref(`${alias}.ship_to_line1`)}, 'city', ${sql.ref(`${alias}.ship_to_city`)},
  'state', ${sql.ref(`${alias}.ship_to_state`)}, 'zip', ${sql.ref(`${alias}.ship_to_zip`)}, 'active', ${sql.ref(`${alias}.active`)},
  'quotes', (select count(*) from quote q where q.facility_id = ${sql.ref(`${alias}.id`)}),
  'prices', (select count(*) from account_price x where x.facility_id = ${sql.ref(`${alias}.id`)}))`;

/** Facilities as the screen of duplicates shows them, by id. */
export async function alikeOf(db: Db, ids: readonly number[]): Promise<Map<number, AlikeFacility>> {
  const { rows } = await sql<{ id: number; side: AlikeFacility }>`
    select f.id, ${sideOf('f')} as side from facility f where f.id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map(({ id, side }) => [id, side]));
}

const PAIRS = alikePairs(
  sql`a.id as first_id, b.id as second_id`,
  sql`facility`,
  sql`facility`,
  sql`a.id < b.id and a.merged_into is null and b.merged_into is null and (a.active or b.active)
     and not exists (select from facility_apart p where p.first_id = a.id and p.second_id = b.id)`,
);

type Alike = Pick<
  Answers<typeof FacilityDuplicates>,
  'SearchAlikeFacilities' | 'TellFacilitiesApart' | 'SearchFacilitiesApart' | 'ForgetFacilitiesApart'
>;

async function alikePage(
  db: Db,
  { page, pageSize, keyword }: { page: number; pageSize: number; keyword?: string | null | undefined },
): Promise<ReturnType<typeof paged<AlikePair & { total: number }>>> {
  const { rows } = await sql<AlikePair & { total: number }>`
      with pair as materialized (${PAIRS}),
        found as (
          select pair.*, count(*) over ()::int as total from pair join facility a on a.id = first_id join facility b on b.id = second_id
           where ${hasWords('a', 'b', keyword)}
           order by lower(a.name), first_id, second_id offset ${(page - 1) * pageSize} limit ${pageSize})
      select ${sideOf('a')} as first, ${sideOf('b')} as second, found.why, found.total
        from found join facility a on a.id = first_id join facility b on b.id = second_id
       order by lower(a.name), first_id, second_id`.execute(db);
  if (rows.length === 0 && page > 1) return pastLast(await alikePage(db, { page: 1, pageSize, keyword }));
  return paged(rows, pageSize);
}

export const alikeAnswers: Alike = {
  SearchAlikeFacilities: ({ db }, criteria) => alikePage(db, criteria),

  /** Throws 409 if another user changed either. Marking the same two again is harmless. */
  TellFacilitiesApart: async ({ db, user }, input) => {
    const [first, second] = [input.first, input.second].toSorted((a, b) => a.id - b.id);
    if (!first || !second || first.id === second.id)
      throw invalid([{ path: 'second', message: 'Choose two different facilities.' }]);
    const rows = await db
      .selectFrom('facility')
      .select(['id', 'version', 'acct_no as acctNo', 'name', 'merged_into as mergedInto'])
      .where('id', 'in', [first.id, second.id])
      .orderBy('id')
      .forUpdate()
      .execute();
    const [a, b] = rows;
    if (!a || !b) throw notFound('facility');
    const merged = rows.find(({ mergedInto }) => mergedInto !== null);
    if (merged) throw new HttpError(409, `${merged.acctNo} ${merged.name} has been merged into another facility.`);
    const there = await db
      .selectFrom('facility_apart')
      .select('id')
      .where('first_id', '=', a.id)
      .where('second_id', '=', b.id)
      .executeTakeFirst();
    if (there) return apartOf(db, there.id);
    await requireFresh(db, 'facility', a, first.version);
    await requireFresh(db, 'facility', b, second.version);
    const { id } = await db
      .insertInto('facility_apart')
      .values({ first_id: a.id, second_id: b.id, told_by: user.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [from, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const change = { field: 'Not a duplicate of', before: '', after: `${other.acctNo} ${other.name}` };
      await recordPart({ db, user }, 'facility', from, 'Tell apart', change);
    }
    return apartOf(db, id);
  },

  SearchFacilitiesApart: ({ db }, criteria) => apartPage(db, criteria),

  ForgetFacilitiesApart: async ({ db, user }, { id, version }) => {
    const row = await db.selectFrom('facility_apart').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row) throw notFound('pair');
    if (row.version !== version) throw new HttpError(409, 'Someone else has changed this pair. Review it again.');
    const { first, second } = await apartOf(db, id);
    await db.deleteFrom('facility_apart').where('id', '=', id).execute();
    for (const [from, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const change = { field: 'Not a duplicate of', before: `${other.acctNo} ${other.name}`, after: '' };
      await recordPart({ db, user }, 'facility', from, 'Forget apart', change);
    }
    return { id };
  },
};

async function apartOf(db: Db, id: number) {
  const { records } = await apartPage(db, { page: 1, pageSize: 1, id });
  const [pair] = records;
  if (!pair) throw notFound('pair');
  return pair;
}
