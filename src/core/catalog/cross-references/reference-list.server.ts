// Lists cross-references and finds those that contradict each other.
import { type RawBuilder, sql } from 'kysely';
import { folded, contains } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import type { ReferenceCriteria, ReferenceRow } from './cross-references.contract.ts';

export const ORDER = {
  sorts: {
    number: sql`folded_text(cross_reference.number)`,
    maker: sql`folded_text(cross_reference.maker)`,
    item: sql`item.item_number`,
    confirmed: sql`cross_reference.confirmed`,
    refused: sql`cross_reference.refused`,
    madeAt: sql`cross_reference.made_at`,
  },
  key: sql`cross_reference.id`,
  first: { field: 'madeAt', dir: 'desc' as const },
};

/**
 * SQL for 'entries `cross_reference` and `y` contradict each other': the same number and scope, but another item. Two manufacturers may use the same
 * number. An entry without a manufacturer applies to all of them.
 */
const CONTRADICTS = sql<boolean>`y.number_key = cross_reference.number_key and y.zeros = cross_reference.zeros
  and y.scope = cross_reference.scope
  and y.facility_id is not distinct from cross_reference.facility_id and y.gpo_id is not distinct from cross_reference.gpo_id
  and y.item_id <> cross_reference.item_id and not y.ended and not cross_reference.ended
  and (cross_reference.maker = '' or y.maker = '' or folded_text(cross_reference.maker) = folded_text(y.maker))`;
const CONTRADICTIONS = sql<number>`(select count(*)::int from cross_reference y where ${CONTRADICTS})`;

/** The references that match the criteria, as the list shows them. */
export function references(db: Db, { keyword, kind, scope, state }: Partial<ReferenceCriteria>) {
  const named = (table: string) =>
    sql<{ id: number; name: string } | null>`case when ${sql.ref(`${table}.id`)} is null then null
      else json_build_object('id', ${sql.ref(`${table}.id`)}, 'name', ${sql.ref(`${table}.name`)}) end`;
  return db
    .selectFrom('cross_reference')
    .innerJoin('item', 'item.id', 'cross_reference.item_id')
    .leftJoin('facility', 'facility.id', 'cross_reference.facility_id')
    .leftJoin('gpo', 'gpo.id', 'cross_reference.gpo_id')
    .select([
      'cross_reference.id',
      'cross_reference.maker',
      'cross_reference.number',
      'cross_reference.unit',
      'cross_reference.note',
      'cross_reference.source',
      'cross_reference.confirmed',
      'cross_reference.refused',
      'cross_reference.ended',
    ])
    .select(['cross_reference.version', 'cross_reference.made_at as madeAt'])
    .select([
      sql<ReferenceRow['kind']>`cross_reference.kind`.as('kind'),
      sql<ReferenceRow['scope']>`cross_reference.scope`.as('scope'),
      sql<
        ReferenceRow['item']
      >`json_build_object('id', item.id, 'number', item.item_number, 'description', item.description)`.as('item'),
      named('facility').as('facility'),
      sql<string>`coalesce(facility.acct_no, '')`.as('acctNo'),
      named('gpo').as('gpo'),
      whoDid('cross_reference.made_by').as('madeBy'),
      CONTRADICTIONS.as('contradictions'),
    ])
    .$if(Boolean(keyword), (query) => query.where(matches(keyword ?? '')))
    .$if(Boolean(kind), (query) => query.where('cross_reference.kind', '=', kind ?? ''))
    .$if(Boolean(scope), (query) => query.where('cross_reference.scope', '=', scope ?? ''))
    .$if(state === 'Active', (query) => query.where('cross_reference.ended', '=', false))
    .$if(state === 'Ended', (query) => query.where('cross_reference.ended', '=', true))
    .$if(state === 'Contradicting', (query) =>
      query.where(sql<boolean>`exists (select from cross_reference y where ${CONTRADICTS})`),
    );
}

/** The other entries that contradict the one with this id, most confirmed first. */
export function contradictionsOf(db: Db, id: number): Promise<ReferenceRow[]> {
  return references(db, {})
    .where(sql<boolean>`exists (select from cross_reference y where y.id = ${id} and ${CONTRADICTS})`)
    .orderBy(sql`cross_reference.confirmed - cross_reference.refused`, 'desc')
    .orderBy('cross_reference.id')
    .limit(100)
    .execute();
}

function matches(keyword: string): RawBuilder<boolean> {
  const pattern = folded(contains(keyword));
  return sql`(cross_reference.number_key = number_key(${keyword})
    or folded_text(cross_reference.maker || ' ' || cross_reference.number) like ${pattern}
    or folded_text(item.item_number || ' ' || item.description) like ${pattern}
    or folded_text(cross_reference.source) like ${pattern} or folded_text(facility.name) like ${pattern})`;
}
