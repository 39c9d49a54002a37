// Fills future changes of the demo company's contracts that put open quotes at risk: rising prices, ending lines and roster places.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { addDays, type IsoDate } from '#platform/shared/dates.ts';

/** Call this after filling the quotes, which keep their prices, because every change begins some days from now. A job computes the effects. */
export async function fillRisks(db: Db, today: IsoDate): Promise<void> {
  const soon = addDays(today, 20);
  // The lines of open quotes with a contract price, with their place on the contract's roster. Those of the demo's own rep come first.
  const { rows } = await sql<{ line: number; place: number }>`
    select i.contract_line_id as line, r.id as place
      from quote q join quote_item i on i.quote_id = q.id and i.price_source = 'Contract'
      join contract_line l on l.id = i.contract_line_id
      join contract_roster r on r.contract_id = l.contract_id and r.facility_id = q.facility_id and not r.excluded and r.valid_to is null
     where q.status_id in ('Processing', 'SentToCustomer', 'NeedMoreInfo') and q.valid_until > ${soon}::date
     order by q.sales_rep_id = (select id from app_user where user_name = 'rep@example.com') desc, q.id desc, i.id
     limit 34`.execute(db);
  // The last four lose their place on the roster and have no other change, even in a small company.
  const ending = rows.slice(-4);
  const lines = rows.slice(0, -4).map(({ line }) => line);
  // The manufacturer raised its prices.
  await sql`
    with risen as (
      update contract_line_price set valid_to = ${addDays(today, 9)}::date
       where valid_from < ${today}::date and (valid_to is null or valid_to > ${soon}::date)
         and contract_line_id = any(${lines.slice(0, 20)}::int[]) and contract_line_id <> all (${ending.map(({ line }) => line)}::int[])
      returning contract_line_id, tier_id, price)
    insert into contract_line_price (contract_line_id, tier_id, price, valid_from)
    select contract_line_id, tier_id, round(price * 1.06, 2), ${addDays(today, 10)}::date from risen`.execute(db);
  await sql`update contract_line set valid_to = ${addDays(today, 14)}::date where id = any(${lines.slice(20, 26)}::int[])`.execute(
    db,
  );
  await sql`update contract_roster set valid_to = ${addDays(today, 12)}::date
    where id = any(${ending.map(({ place }) => place)}::int[])`.execute(db);
  // A facility got a better account price.
  await sql`
    insert into account_price (facility_id, item_id, unit, price, valid_from)
    select q.facility_id, i.item_id, i.unit, round(i.system_price * 0.9, 2), ${addDays(today, 8)}::date
      from quote q join quote_item i on i.quote_id = q.id and i.price_source = 'List'
     where q.status_id in ('Processing', 'SentToCustomer', 'NeedMoreInfo') and q.valid_until > ${soon}::date and i.system_price > 10
       and not exists (select from account_price a where a.facility_id = q.facility_id and a.item_id = i.item_id)
     order by q.id desc, i.id limit 1`.execute(db);
}
