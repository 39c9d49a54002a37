// The company that is measured: places, items, prices, contracts and quotes, made set by set inside the database.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/database.server.ts';

export type Scale = { items: number; facilities: number; quotes: number; long: number };

/** `long`: how many quotes of 500 lines stand beside the others. */
export const SCALES: Record<'tiny' | 'small' | 'large', Scale> = {
  tiny: { items: 500, facilities: 100, quotes: 400, long: 2 },
  small: { items: 20_000, facilities: 5_000, quotes: 100_000, long: 32 },
  large: { items: 200_000, facilities: 5_000, quotes: 500_000, long: 32 },
};

const NOUNS =
  `catheter,glove,drape,needle,syringe,gauze,mask,tubing,gown,suture,bandage,scalpel,forceps,clamp,retractor,cannula,
stent,pump,monitor,probe,sensor,electrode,lancet,swab,sponge,basin,container,tray,trocar,stapler,dressing,tape,splint,brace,cuff,
thermometer,stethoscope,otoscope,speculum,curette,dilator,introducer,guidewire,connector,adapter,valve,filter,humidifier,nebulizer,
resuscitator,laryngoscope,bronchoscope,warmer,mattress,pillow,wheelchair,walker,crutch,commode,bedpan`.replaceAll(
    /\s/g,
    '',
  );
const KINDS =
  'sterile,disposable,reusable,latex free,silicone,nitrile,steel,titanium,absorbent,pediatric,bariatric,powdered';
const HOUSES =
  `Mercy,Saint Luke,Riverside,Lakeview,Northgate,Cedar Hill,Good Hope,Providence,Summit,Valley,Harbor,Pinecrest,Oak Ridge,
Maple Grove,Fairview,Grandview,Westside,Eastmoor,Union,Liberty,Franklin,Jefferson,Lincoln,Madison,Monroe`.replaceAll(
    /\s*\n\s*/g,
    '',
  );
const TYPES = 'Hospital,Medical Center,Surgery Center,Clinic,Nursing Home,Health System';

/** Three letters somebody types, and parts of names somebody remembers. */
export const KEYWORDS = [...new Set(NOUNS.split(',').map((noun) => noun.slice(0, 3)))];
export const NAME_PARTS = HOUSES.split(',').map((house) => house.slice(0, 5).trim().toLowerCase());

const STATUSES = `Won,Won,Won,Won,Lost,Lost,Cancelled,SentToCustomer,SentToCustomer,SentToCustomer,Editing,Editing,
WaitingForProcess,Processing,NeedMoreInfo,Revising`.replaceAll(/\s/g, '');

/** People who quote, all internal, so that each sees everything: the hardest case for a list. */
export const PEOPLE = 32;

/** Fills an empty, migrated database. Quotes above `quotes` are the long ones (500 lines), the last four have 1,000. */
export async function fill(db: Db, { items, facilities, quotes, long }: Scale): Promise<void> {
  const lines = (id: RawBuilder<unknown>) => sql`case when ${id} > ${quotes + long}::int then 1000
    when ${id} > ${quotes}::int then 500 else 3 + ${id} % 3 end`;
  const steps = [
    sql`insert into app_user (id, user_name, full_name)
      select n, 'person' || n || '@example.com', 'Person ' || n from generate_series(1, ${PEOPLE}::int) n`,
    sql`insert into user_role select n, case n % 2 when 0 then 'csrep' else 'insiderep' end from generate_series(1, ${PEOPLE}::int) n`,
    sql`insert into user_role select n, 'salesrep' from generate_series(1, ${PEOPLE}::int, 2) n`,
    sql`insert into region (id, name) select n, 'Region ' || n from generate_series(1, 4) n`,
    sql`insert into territory (id, name, region_id) select n, 'Territory ' || n, n % 4 + 1 from generate_series(1, 16) n`,
    sql`insert into zip_assignment (zip5, territory_id, valid_from)
      select (60000 + n)::text, n % 16 + 1, date '2020-01-01' from generate_series(0, 999) n`,
    sql`insert into territory_rep (territory_id, role, user_id, valid_from)
      select t, role, case role when 'sales' then t * 2 - 1 when 'cs' then t * 2 else (t * 2 + 2) % 32 + 1 end, date '2020-01-01'
      from generate_series(1, 16) t, unnest(array['sales', 'cs', 'is']) role`,
    sql`insert into facility (id, acct_no, name, bill_to_line1, bill_to_city, bill_to_state, bill_to_zip, ship_to_line1, ship_to_city,
        ship_to_state, ship_to_zip, tax_rate)
      select n, (100000 + n)::text, (string_to_array(${HOUSES}::text, ','))[n % 25 + 1] || ' ' ||
        (string_to_array(${TYPES}::text, ','))[n / 25 % 6 + 1] || ' ' || n, n || ' Main Street', 'Chicago', 'IL', (60000 + n % 1000)::text,
        n || ' Dock Road', 'Chicago', 'IL', (60000 + n % 1000)::text, 6.25 from generate_series(1, ${facilities}::int) n`,
    sql`insert into contact (facility_id, name, title, email, phone)
      select n, 'Buyer ' || n, 'Purchasing', 'buyer' || n || '@example.org', '555-0100' from generate_series(1, ${facilities}::int) n`,
    sql`insert into item_class (id, name) select n, 'Class ' || n from generate_series(1, 24) n`,
    sql`insert into item (id, item_number, description, class_id, base_unit, cost, floor_price, last_sold, selling_rank_num)
      select n, 'QB-' || (1000000 + n), (string_to_array(${NOUNS}::text, ','))[n % 60 + 1] || ', ' ||
        (string_to_array(${KINDS}::text, ','))[n / 60 % 12 + 1] || ', size ' || n / 720 % 40, n % 24 + 1, 'EA', 4 + n % 50, 5 + n % 50,
        current_date - n % 900, n % 100 / 10.0 from generate_series(1, ${items}::int) n`,
    sql`insert into item_unit select n, unit, factor from generate_series(1, ${items}::int) n,
      (values ('EA', 1), ('BX', 50), ('CS', 500)) u (unit, factor)`,
    sql`insert into item_price (item_id, unit, min_qty, price) select n, unit, 1, (10 + n % 50) * factor
      from generate_series(1, ${items}::int) n, (values ('EA', 1), ('BX', 48), ('CS', 450)) u (unit, factor)`,
    sql`insert into account_price (facility_id, item_id, unit, price)
      select f, (f * 31 + n * 17) % ${items}::int + 1, 'EA', 9 + n % 50 from generate_series(1, ${facilities}::int) f,
      generate_series(1, 20) n on conflict do nothing`,
    sql`insert into promotion (name, promotion_type, item_id, amount, valid_from)
      select 'Promotion ' || n, 'DiscountPct', n * 20, 5, date '2020-01-01' from generate_series(1, ${Math.floor(items / 20)}::int) n`,
    sql`insert into gpo (id, name) select n, 'Group ' || n from generate_series(1, 8) n`,
    sql`insert into gpo_membership (facility_id, gpo_id, is_primary, valid_from)
      select n, n % 8 + 1, true, date '2020-01-01' from generate_series(1, ${facilities}::int) n`,
    sql`insert into gpo_contract (id, number, gpo_id, title, effective_from, effective_to)
      select n, 'V-' || 2000 + n, n, 'Contract ' || n, date '2020-01-01', current_date + 400 from generate_series(1, 8) n`,
    sql`insert into contract_tier (id, contract_id, tier_no, name) select c * 2 + t - 2, c, t, 'Tier ' || t
      from generate_series(1, 8) c, generate_series(1, 2) t`,
    sql`insert into contract_line (id, contract_id, item_id, unit)
      select (c - 1) * 500 + n, c, (c * 7 + n * 13) % ${items}::int + 1, 'EA' from generate_series(1, 8) c, generate_series(1, 500) n
      on conflict do nothing`,
    sql`insert into contract_line_price select l.id, t.id, 8 + l.id % 50 from contract_line l
      join contract_tier t on t.contract_id = l.contract_id`,
    sql`insert into contract_roster (contract_id, facility_id, tier_id, valid_from)
      select n % 8 + 1, n, (n % 8 + 1) * 2 - n % 2, date '2020-01-01' from generate_series(1, ${facilities}::int) n`,
    sql`insert into quote (id, num, status_id, facility_id, facility_name, facility_acct_no, bill_to, ship_to, contact_name, contact_email,
        phone, owner_id, sales_rep_id, cs_rep_id, is_rep_id, region_id, territory_id, quote_date, valid_until, payment_terms,
        freight_terms, tax_rate, list_total, subtotal, total_amount)
      select n, 200000 + n,
        case when n > ${quotes}::int then 'Editing' else (string_to_array(${STATUSES}::text, ','))[n % 16 + 1] end, f.id, f.name, f.acct_no,
        jsonb_build_object('line1', f.bill_to_line1, 'line2', '', 'city', f.bill_to_city, 'state', 'IL', 'zip', f.bill_to_zip),
        jsonb_build_object('line1', f.ship_to_line1, 'line2', '', 'city', f.ship_to_city, 'state', 'IL', 'zip', f.ship_to_zip),
        'Buyer ' || f.id, 'buyer' || f.id || '@example.org', '555-0100', n % 32 + 1, n % 16 * 2 + 1, n % 16 * 2 + 2, n % 32 + 1,
        n % 4 + 1, n % 16 + 1, current_date - (n * 7919 % 1095), current_date - (n * 7919 % 1095) + 60, 'Net 30', 'FOB Destination',
        6.25, total, total, total + round(total * 0.0625, 2)
      from generate_series(1, ${quotes + long + 4}::int) n join facility f on f.id = n * 37 % ${facilities}::int + 1
      cross join lateral (select sum((10 + ((n * 13 + line * 101) % ${items}::int + 1) % 50) * (line % 9 + 1))::numeric as total
        from generate_series(1, ${lines(sql`n`)}) line) priced`,
    sql`insert into quote_item (quote_id, line_no, type, item_id, item_number, description, qty, unit, list_price, system_price,
        unit_price, line_total, price_source, price_proof, cost, floor_price)
      select q.id, n, 'item', i.id, i.item_number, i.description, n % 9 + 1, 'EA', p, p, p, p * (n % 9 + 1), 'List',
        jsonb_build_array(
          jsonb_build_object('step', 'List', 'source', 'List price', 'ref', 'item_price ' || i.id, 'amount', p, 'note', 'per EA, from 1, since 01/01/2000'),
          jsonb_build_object('step', 'Resolved', 'source', 'List price', 'ref', '', 'amount', p, 'note', 'No account or contract price'),
          jsonb_build_object('step', 'Net', 'source', 'Unit price x quantity', 'ref', '', 'amount', p, 'note', p || ' x ' || n % 9 + 1)),
        i.cost, i.floor_price
      from quote q, generate_series(1, ${lines(sql`q.id`)}) n
      join lateral (select * from item where id = (q.id * 13 + n * 101) % ${items}::int + 1) i on true
      cross join lateral (select (10 + i.id % 50)::numeric as p) price`,
    sql`insert into quote_event (quote_id, at, user_id, actor, action, to_status, revision, changes)
      select id, quote_date, owner_id, 'Person ' || owner_id, case n when 1 then 'Create' else 'Edit' end,
        case n when 1 then 'Editing' end, 1, jsonb_build_array(jsonb_build_object('field', 'Facility', 'before', '', 'after', facility_name))
      from quote, generate_series(1, 3) n`,
    ...['app_user', 'region', 'territory', 'facility', 'item_class', 'item', 'quote'].map(
      (table) => sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.ref(table)}))`,
    ),
    sql`select setval('quote_num', 200000 + ${quotes + long + 4}::int)`,
  ];
  await db.transaction().execute(async (trx) => {
    for (const step of steps) await step.execute(trx);
  });
  await sql`vacuum analyze`.execute(db);
}
