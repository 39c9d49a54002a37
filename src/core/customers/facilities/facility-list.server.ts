// Answers the FacilityList calls.
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { contains, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import type { FacilityCriteria, FacilityList } from './facility-list.contract.ts';

const IN_INDEX = {
  name: sql`lower(facility.name)`,
  acctNo: sql`facility.acct_no`,
  city: sql`lower(facility.ship_to_city)`,
  zip: sql`facility.ship_to_zip`,
};

const ORDER = {
  sorts: {
    ...IN_INDEX,
    state: sql`facility.ship_to_state`,
    classOfTrade: sql`lower(facility.class_of_trade)`,
    priceLevel: sql`facility.price_level`,
    active: sql`facility.active`,
  },
  key: sql`facility.id`,
  first: { field: 'name', dir: 'asc' as const },
  neverNull: true,
};

/**
 * The order of keyword matches. The `|| ''` keeps the planner from reading an index in this order. With the index it would walk through all
 * facilities to find the first few matches.
 */
const ORDER_OF_FOUND = { ...ORDER, sorts: { ...ORDER.sorts, ...mapped(IN_INDEX, (sort) => sql`${sort} || ''`) } };

function mapped(
  sorts: Record<string, RawBuilder<unknown>>,
  change: (sort: RawBuilder<unknown>) => RawBuilder<unknown>,
) {
  return Object.fromEntries(Object.entries(sorts).map(([field, sort]) => [field, change(sort)]));
}

function orderOf({ keyword }: { keyword?: string | null | undefined }) {
  return keyword ? ORDER_OF_FOUND : ORDER;
}

const TITLES = ['Account', 'Facility', 'City', 'State', 'ZIP', 'Class of trade', 'Price level', 'Active'];

export const facilityListAnswers: Answers<typeof FacilityList> = {
  GetAllFacilities: ({ db }, criteria) => pageFrom(facilities(db, criteria), criteria, orderOf(criteria)),

  ExportFacilities: async ({ db }, criteria) => {
    const rows = await allFrom(facilities(db, criteria), criteria.sort, orderOf(criteria));
    return csvAnswer('facilities.csv', TITLES, rows, (row) => [
      row.acctNo,
      row.name,
      row.city,
      row.state,
      row.zip,
      row.classOfTrade,
      row.priceLevel,
      row.active ? 'yes' : 'no',
    ]);
  },
};

/** Every word must match somewhere, as in the search for one facility. */
function facilities(db: Db, { keyword, active }: Pick<z.infer<typeof FacilityCriteria>, 'keyword' | 'active'>) {
  let result = db
    .selectFrom('facility')
    .select(['facility.id', 'acct_no as acctNo', 'name', 'ship_to_city as city', 'ship_to_state as state'])
    .select(['ship_to_zip as zip', 'class_of_trade as classOfTrade', 'price_level as priceLevel', 'active'])
    .where('facility.merged_into', 'is', null)
    .$if(typeof active === 'boolean', (query) => query.where('facility.active', '=', active === true));
  for (const word of wordsOf(keyword ?? ''))
    result = result.where('search_text', 'like', sql<string>`plain_text(${contains(word)})`);
  return result;
}
