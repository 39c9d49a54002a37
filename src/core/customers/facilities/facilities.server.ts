// Answers the FacilitySearch calls: facilities by keyword, and one facility with the data that a quote needs.
import { sql } from 'kysely';
import { notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { contains, startsWith, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { servingReps } from '#core/territories/territories/serving-reps.server.ts';
import type { FacilityHit, FacilitySearch } from './facilities.contract.ts';

const BEST = 20;

/** A sentence that explains why an inactive facility cannot be chosen. For a merged facility, it names the one that it was merged into. */
export async function inactiveSentence(db: Db, id: number): Promise<string> {
  const { name, kept, acctNo } = await db
    .selectFrom('facility')
    .leftJoin('facility as remaining', 'remaining.id', 'facility.merged_into')
    .select(['facility.name', 'remaining.name as kept', 'remaining.acct_no as acctNo'])
    .where('facility.id', '=', id)
    .executeTakeFirstOrThrow();
  if (kept === null) return `${name} is no longer active.`;
  return `${name} was merged into ${kept} (account ${acctNo}). Choose that facility.`;
}

export const facilitySearchAnswers: Answers<typeof FacilitySearch> = {
  GetFacilitiesByKeyWord: ({ db }, { keyword }) => facilitiesByKeyWord(db, keyword, BEST),

  /**
   * One facility with its contacts, its GPO memberships that have not ended, and the users who serve it today. For a merged facility, returns the one
   * that it was merged into. Throws 404 if the facility does not exist.
   */
  GetFacilityDataById: async ({ db, services }, request) => {
    const facility = await db
      .selectFrom('facility')
      .leftJoin('facility as parent', 'parent.id', 'facility.parent_id')
      .selectAll('facility')
      .select(['parent.name as parent_name'])
      .where('facility.id', '=', sql<number>`(select coalesce(merged_into, id) from facility where id = ${request.id})`)
      .executeTakeFirst();
    if (!facility) throw notFound('facility');
    const { id } = facility;
    const day = today(services, await loadCompany(db));
    const contacts = await db
      .selectFrom('contact')
      .select(['id', 'name', 'title', 'email', 'phone'])
      .where('facility_id', '=', id)
      .orderBy('name')
      .orderBy('id')
      .execute();
    const memberships = await db
      .selectFrom('gpo_membership as m')
      .innerJoin('gpo', 'gpo.id', 'm.gpo_id')
      .select([
        'gpo.name as gpo',
        'm.member_id as memberId',
        'm.is_primary as primary',
        'm.valid_from as from',
        'm.valid_to as to',
      ])
      .where('m.facility_id', '=', id)
      .where((eb) => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>=', day)]))
      .orderBy('m.is_primary', 'desc')
      .orderBy('gpo.name')
      .execute();
    const address = (kind: 'bill_to' | 'ship_to') => ({
      line1: facility[`${kind}_line1`],
      line2: facility[`${kind}_line2`],
      city: facility[`${kind}_city`],
      state: facility[`${kind}_state`],
      zip: facility[`${kind}_zip`],
    });
    const shipTo = address('ship_to');
    return {
      id,
      acctNo: facility.acct_no,
      name: facility.name,
      city: shipTo.city,
      state: shipTo.state,
      zip: shipTo.zip,
      phone: facility.phone,
      classOfTrade: facility.class_of_trade,
      billTo: address('bill_to'),
      shipTo,
      parent: facility.parent_id === null ? null : { id: facility.parent_id, name: facility.parent_name ?? '' },
      currnIdx: facility.currn_idx,
      priceLevel: facility.price_level,
      taxExempt: facility.tax_exempt,
      taxRate: facility.tax_rate,
      paymentTerms: facility.payment_terms,
      freightTerms: facility.freight_terms,
      active: facility.active,
      version: facility.version,
      contacts,
      memberships,
      reps: await servingReps(db, id, day),
    };
  },
};

/**
 * Active facilities that match every word by account number, name, city, state or ZIP, ignoring punctuation. At most `limit`, best first: the exact
 * account number (ignoring leading zeros), account numbers that begin with the keyword, names that begin with it, then by name.
 */
export async function facilitiesByKeyWord(db: Db, keyword: string, limit: number): Promise<FacilityHit[]> {
  const words = wordsOf(keyword);
  if (words.length === 0) return [];
  const whole = words.join(' ');
  let result = db
    .selectFrom('facility')
    .select(['id', 'acct_no as acctNo', 'name', 'ship_to_city as city', 'ship_to_state as state', 'ship_to_zip as zip'])
    .where('active', '=', true);
  for (const word of words) result = result.where('search_text', 'like', sql<string>`plain_text(${contains(word)})`);
  return result
    .orderBy(
      sql`case when ltrim(plain_text(acct_no), '0') = ltrim(plain_text(${whole}), '0') then 0
               when plain_text(acct_no) like plain_text(${startsWith(whole)}) then 1
               when plain_text(name) like plain_text(${startsWith(whole)}) then 2
               when plain_text(name) like plain_text(${startsWith(words[0] ?? '')}) then 3
               else 4 end`,
    )
    .orderBy(sql`plain_text(name)`)
    .orderBy('id')
    .limit(limit)
    .execute();
}
