// The measured company: places, items, prices, contracts, and quotes, generated inside the database.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { type ContractScale, contractLineOf, contracts } from './contracts.ts';

export type Scale = ContractScale & {
  items: number;
  facilities: number;
  quotes: number;
  /** The number of additional quotes with 500 lines. */
  long: number;
  users: number;
  territories: number;
  zips: number;
  promotions: number;
  /** Product n has the item 2n; the other items have no product. */
  products: number;
  documents: number;
  /** About three per product, except every eleventh product, which has none. A few are not filed yet. */
  pictures: number;
  templates: number;
  /** Events per quote. */
  events: number;
  /** The number of mails and record changes; there is one import for every 50. */
  log: number;
};

const OFFICE = {
  users: 200,
  territories: 16,
  zips: 1000,
  templates: 50,
  events: 3,
  log: 2000,
  products: 0,
  documents: 0,
  pictures: 0,
  contracts: 8,
  contractLines: 500,
  tiers: 2,
  rosterRows: 5_000,
};
/** The promised size of contracts. */
const ALL_CONTRACTS = { contracts: 500, contractLines: 20_000, tiers: 4, rosterRows: 50_000 };

/**
 * `admin` has the promised size of administration data and a medium number of quotes; `catalog` has the promised size of items, products,
 * documents, and pictures; `map` has that of places, which are real (map-places.ts).
 */
export const SCALES: Record<'tiny' | 'small' | 'large' | 'admin' | 'catalog' | 'map', Scale> = {
  tiny: { ...OFFICE, items: 500, facilities: 100, quotes: 400, long: 2, promotions: 25, log: 200, rosterRows: 100 },
  small: { ...OFFICE, items: 20_000, facilities: 5_000, quotes: 100_000, long: 32, promotions: 1000 },
  large: {
    ...OFFICE,
    ...ALL_CONTRACTS,
    items: 200_000,
    facilities: 5_000,
    quotes: 500_000,
    long: 32,
    promotions: 10_000,
  },
  admin: {
    ...OFFICE,
    items: 20_000,
    facilities: 50_000,
    quotes: 50_000,
    long: 2,
    users: 5_000,
    territories: 300,
    zips: 42_000,
    promotions: 10_000,
    templates: 2_000,
    events: 20,
    log: 50_000,
    products: 10_000,
    documents: 5_000,
    pictures: 30_000,
  },
  catalog: {
    ...OFFICE,
    items: 200_000,
    facilities: 1_000,
    quotes: 5_000,
    long: 2,
    promotions: 1000,
    products: 100_000,
    documents: 50_000,
    pictures: 300_000,
    rosterRows: 1_000,
  },
  map: {
    ...OFFICE,
    items: 500,
    facilities: 50_000,
    quotes: 30_000,
    long: 2,
    users: 1_000,
    territories: 300,
    zips: 42_000,
    promotions: 25,
    log: 200,
    rosterRows: 100,
  },
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

const FIRST_NAMES =
  `Anna,Boris,Carla,Daniel,Elena,Frank,Grace,Henry,Irene,James,Karen,Louis,Maria,Nathan,Olivia,Peter,Quinn,Rosa,Simon,
Teresa,Ulrich,Vera,Walter,Xenia,Yolanda,Zachary`.replaceAll(/\s/g, '');
const LAST_NAMES =
  `Abbott,Barnes,Castillo,Dawson,Ellison,Fischer,Goodwin,Hartmann,Ibarra,Jennings,Kowalski,Lindgren,Mercer,Novak,Osborne,
Parrish,Quintana,Reynolds,Schultz,Thornton,Underwood,Vasquez,Whitfield,Yamada,Zimmerman`.replaceAll(/\s/g, '');

/** The search words: three letters, and parts of names. */
export const KEYWORDS = [...new Set(NOUNS.split(',').map((noun) => noun.slice(0, 3)))];
export const NAME_PARTS = HOUSES.split(',').map((house) => house.slice(0, 5).trim().toLowerCase());
export const PERSON_PARTS = `${FIRST_NAMES},${LAST_NAMES}`.split(',').map((name) => name.slice(0, 4).toLowerCase());

const STATUSES = `Won,Won,Won,Won,Lost,Lost,Cancelled,SentToCustomer,SentToCustomer,SentToCustomer,Editing,Editing,
WaitingForProcess,Processing,NeedMoreInfo,Revising`.replaceAll(/\s/g, '');

/** People who quote, all of them internal, so that everybody sees everything, the slowest case for lists. */
export const PEOPLE = 32;
/** The administrator's id. */
export const ADMINISTRATOR = PEOPLE + 1;

/** Products of the items with even ids, named as in a catalog; documents of three products each, or of none for one in twenty. */
function catalog({ products, documents, pictures }: Scale): RawBuilder<unknown>[] {
  if (products === 0) return [];
  return [
    sql`insert into product (id, name, brand, product_type, class_id, manufacturer, manufacturer_no, status, description)
      select n, initcap(split_part(i.description, ', ', 2)) || ' ' || split_part(i.description, ', ', 1) || ', '
        || split_part(i.description, ', ', 3),
        'Brand ' || n % 200, 'Type ' || n % 40, i.class_id, 'Maker ' || n % 500, 'M' || n || '-X',
        case n % 20 when 0 then 'Discontinued' when 1 then 'Draft' else 'Active' end, case n % 3 when 0 then '' else 'A text.' end
      from generate_series(1, ${products}::int) n join item i on i.id = n * 2`,
    sql`update item set product_id = id / 2 where id % 2 = 0 and id / 2 <= ${products}::int`,
    sql`update item set manufacturer = 'Maker ' || id % 500, manufacturer_no = 'N' || id where product_id is null`,
    sql`insert into file (storage_key, name, media_type, size) select 'document/' || n, 'document' || n || '.pdf', 'application/pdf', 1000
      from generate_series(1, ${documents}::int) n`,
    sql`insert into document (id, category_id, title)
      select n, n % 7 + 1, (string_to_array(${NOUNS}::text, ','))[n % 60 + 1] || ' document ' || n
      from generate_series(1, ${documents}::int) n`,
    sql`insert into document_revision (document_id, file_id, label, valid_from, valid_to)
      select n, f.id, 'Rev. A', date '2020-01-01', case when n % 10 = 0 then current_date + n % 400 - 100 end
      from generate_series(1, ${documents}::int) n join file f on f.storage_key = 'document/' || n`,
    sql`insert into document_link (document_id, product_id) select n, (n * 7 + k * 31) % ${products}::int + 1
      from generate_series(1, ${documents}::int) n, generate_series(1, 3) k where n % 20 > 0 on conflict do nothing`,
    // Most are filed on a product; one in a hundred is in another state. They share one file, which no list reads.
    sql`insert into file (storage_key, name, media_type, size) values ('picture/any', 'picture.webp', 'image/webp', 20000)`,
    sql`insert into picture (id, sha256, name, state, step, match, product_id, media_type, size, width, height,
        file_id, thumb_file_id, medium_file_id, large_file_id, print_file_id, created_by, created_at, state_at)
      select n, md5(n::text), 'QB-' || 1000000 + n || '_' || n % 4 || '.jpg',
        case when n % 100 > 0 then 'Filed'
        else (array['Waiting', 'Uploading', 'Uploaded', 'Failed', 'Refused', 'Removed'])[n / 100 % 6 + 1] end, '',
        case n % 1000 when 0 then 'ambiguous' when 600 then 'unmatched' else 'matched' end,
        case when n % 1000 not in (0, 600) then place + case place % 11 when 0 then 1 else 0 end end, 'image/jpeg', 3000000, 4000, 3000,
        f.id, f.id, f.id, f.id, f.id, ${ADMINISTRATOR}::int, now() - n * interval '1 minute', now() - n * interval '1 minute'
      from generate_series(1, ${pictures}::int) n cross join lateral (select (n::bigint * 7919 % ${products}::int)::int + 1 as place) p,
        (select id from file where storage_key = 'picture/any') f`,
    sql`insert into picture_source (picture_id, name) select id, name from picture`,
    sql`insert into product_image (product_id, picture_id, file_id, thumb_file_id, position, alt, hidden_roles, removed_at)
      select product_id, id, medium_file_id, thumb_file_id, row_number() over (partition by product_id order by id) - 1, '',
        case n % 50 when 0 then array['customer'] when 1 then array['salesrep', 'salessupport'] else '{}' end,
        case when state = 'Removed' or n % 400 = 2 then now() - n % 60 * interval '1 day' end
      from (select *, id as n from picture where state in ('Filed', 'Removed') and product_id is not null) picture`,
  ];
}

/** Fills an empty, migrated database. Quotes with ids above `quotes` have 500 lines, and the last four have 1,000. */
export async function fill(db: Db, scale: Scale): Promise<void> {
  const { items, facilities, quotes, long, users, territories, zips, promotions, templates, events, log } = scale;
  const lines = (id: RawBuilder<unknown>) => sql`case when ${id} > ${quotes + long}::int then 1000
    when ${id} > ${quotes}::int then 500 else 3 + ${id} % 3 end`;
  const zip = (n: RawBuilder<unknown>) => sql`lpad((60000 + ${n} % ${zips}::int) % 100000 || '', 5, '0')`;
  const steps = [
    sql`insert into app_user (id, user_name, full_name, phone, password_hash, active)
      select n, case when n > ${ADMINISTRATOR}::int then lower(first || '.' || last) || n else 'person' || n end || '@example.com',
        case when n > ${ADMINISTRATOR}::int then first || ' ' || last || ' ' || n else 'Person ' || n end,
        '555-' || lpad(n || '', 4, '0'), case when n % 10 > 0 then 'none' end, n <= ${2 * territories}::int or n % 7 > 0
      from generate_series(1, ${users}::int) n cross join lateral (
        select (string_to_array(${FIRST_NAMES}::text, ','))[n % 26 + 1] as first,
          (string_to_array(${LAST_NAMES}::text, ','))[n / 26 % 25 + 1] as last) name`,
    sql`insert into user_role
      select n, case when n = ${ADMINISTRATOR}::int then 'systemadmin' when n % 2 = 0 then 'csrep' else 'insiderep' end
      from generate_series(1, ${users}::int) n`,
    sql`insert into user_role select n, 'salesrep' from generate_series(1, ${users}::int, 2) n`,
    sql`insert into region (id, name) select n, 'Region ' || n from generate_series(1, ${Math.ceil(territories / 6)}::int) n`,
    sql`insert into user_region select n, n % (select count(*) from region) + 1
      from generate_series(${ADMINISTRATOR + 1}::int, ${users}::int, 40) n`,
    sql`insert into user_support select n, n - 1 from generate_series(2, ${users}::int, 2) n`,
    sql`insert into session (user_id, created_at, last_used_at, user_agent)
      select n, now() - n * interval '1 hour', now() - n * k * interval '1 minute', 'bench'
      from generate_series(1, ${users}::int) n, generate_series(1, 3) k where n % 5 > 0`,
    sql`insert into territory (id, name, region_id) select n, (string_to_array(${HOUSES}::text, ','))[n % 25 + 1] || ' ' || n,
      n % (select count(*) from region) + 1 from generate_series(1, ${territories}::int) n`,
    sql`insert into zip (zip5, city, state, lat, lon) select ${zip(sql`n`)}, (string_to_array(${HOUSES}::text, ','))[n % 25 + 1], 'IL',
        30 + n % 1700 / 100.0, -110 + n % 3100 / 100.0
      from generate_series(0, ${zips - 1}::int) n`,
    sql`insert into zip_assignment (zip5, territory_id, valid_from)
      select ${zip(sql`n`)}, n % ${territories}::int + 1, date '2020-01-01' from generate_series(0, ${zips - 1}::int) n`,
    sql`insert into territory_rep (territory_id, role, user_id, valid_from)
      select t, role,
        case role when 'sales' then t * 2 - 1 when 'cs' then t * 2 else (t * 2 + 2) % ${2 * territories}::int + 1 end, date '2020-01-01'
      from generate_series(1, ${territories}::int) t, unnest(array['sales', 'cs', 'is']) role`,
    sql`insert into facility (id, acct_no, name, bill_to_line1, bill_to_city, bill_to_state, bill_to_zip, ship_to_line1, ship_to_city,
        ship_to_state, ship_to_zip, tax_rate)
      select n, (100000 + n)::text, (string_to_array(${HOUSES}::text, ','))[n % 25 + 1] || ' ' ||
        (string_to_array(${TYPES}::text, ','))[n / 25 % 6 + 1] || ' ' || n, n || ' Main Street', 'Chicago', 'IL', ${zip(sql`n`)},
        n || ' Dock Road', 'Chicago', 'IL', ${zip(sql`n`)}, 6.25 from generate_series(1, ${facilities}::int) n`,
    sql`insert into account_override (facility_id, territory_id, reason, valid_from)
      select n, n / 50 % ${territories}::int + 1, 'A special account', date '2020-01-01'
      from generate_series(50, ${facilities}::int, 50) n`,
    sql`insert into contact (facility_id, name, title, email, phone)
      select n, 'Buyer ' || n, 'Purchasing', 'buyer' || n || '@example.org', '555-0100' from generate_series(1, ${facilities}::int) n`,
    sql`insert into item_class (id, name) select n, 'Class ' || n from generate_series(1, 24) n`,
    sql`insert into item (id, item_number, description, class_id, base_unit, cost, floor_price, last_sold, selling_rank_num)
      select n, 'QB-' || (1000000 + n), (string_to_array(${NOUNS}::text, ','))[n % 60 + 1] || ', ' ||
        (string_to_array(${KINDS}::text, ','))[n / 60 % 12 + 1] || ', size ' || n / 720 % 40, n % 24 + 1, 'EA', 4 + n % 50, 5 + n % 50,
        current_date - n % 900, n % 100 / 10.0 from generate_series(1, ${items}::int) n`,
    ...catalog(scale),
    sql`insert into item_unit select n, unit, factor from generate_series(1, ${items}::int) n,
      (values ('EA', 1), ('BX', 50), ('CS', 500)) u (unit, factor)`,
    sql`insert into item_price (item_id, unit, min_qty, price) select n, unit, 1, (10 + n % 50) * factor
      from generate_series(1, ${items}::int) n, (values ('EA', 1), ('BX', 48), ('CS', 450)) u (unit, factor)`,
    sql`insert into account_price (facility_id, item_id, unit, price)
      select f, (f * 31 + n * 17) % ${items}::int + 1, 'EA', 9 + n % 50 from generate_series(1, least(${facilities}::int, 5000)) f,
      generate_series(1, 20) n on conflict do nothing`,
    sql`insert into promotion (name, promotion_type, item_id, amount, valid_from)
      select 'Promotion ' || n, 'DiscountPct', n * ${Math.floor(items / promotions)}::int - n % 2, 5,
        date '2020-01-01' from generate_series(1, ${promotions}::int) n`,
    ...contracts(scale, { items, facilities }),
    sql`insert into quote (id, num, status_id, facility_id, facility_name, facility_acct_no, bill_to, ship_to, contact_name, contact_email,
        phone, owner_id, sales_rep_id, cs_rep_id, is_rep_id, region_id, territory_id, quote_date, valid_until, payment_terms,
        freight_terms, tax_rate, list_total, subtotal, total_amount)
      select n, 200000 + n,
        case when n > ${quotes}::int then 'Editing' else (string_to_array(${STATUSES}::text, ','))[n % 16 + 1] end, f.id, f.name, f.acct_no,
        jsonb_build_object('line1', f.bill_to_line1, 'line2', '', 'city', f.bill_to_city, 'state', 'IL', 'zip', f.bill_to_zip),
        jsonb_build_object('line1', f.ship_to_line1, 'line2', '', 'city', f.ship_to_city, 'state', 'IL', 'zip', f.ship_to_zip),
        'Buyer ' || f.id, 'buyer' || f.id || '@example.org', '555-0100', n % ${PEOPLE}::int + 1, t.id * 2 - 1,
        t.id * 2, n % ${PEOPLE}::int + 1, t.region_id, t.id, current_date - (n::bigint * 7919 % 1095)::int,
        current_date - (n::bigint * 7919 % 1095)::int + 60, 'Net 30', 'FOB Destination', 6.25, total, total,
        total + round(total * 0.0625, 2)
      from generate_series(1, ${quotes + long + 4}::int) n join facility f on f.id = n * 37 % ${facilities}::int + 1
      join territory t on t.id = n % ${territories}::int + 1
      cross join lateral (select sum((10 + ((n * 13 + line * 101) % ${items}::int + 1) % 50) * (line % 9 + 1))::numeric as total
        from generate_series(1, ${lines(sql`n`)}) line) priced`,
    sql`insert into quote_item (quote_id, line_no, type, item_id, item_number, description, qty, unit, list_price, system_price,
        unit_price, line_total, price_source, price_proof, cost, floor_price, contract_line_id, contract_price)
      select q.id, n, 'item', i.id, i.item_number, i.description, n % 9 + 1, 'EA', p, p, p, p * (n % 9 + 1),
        case when l.id is null then 'List' else 'Contract' end,
        jsonb_build_array(
          jsonb_build_object('step', 'List', 'source', 'List price', 'ref', 'item_price ' || i.id, 'amount', p,
            'note', 'per EA, from 1, since 01/01/2000'),
          jsonb_build_object('step', 'Resolved', 'source', 'List price', 'ref', '', 'amount', p, 'note', 'No account or contract price'),
          jsonb_build_object('step', 'Net', 'source', 'Unit price x quantity', 'ref', '', 'amount', p, 'note', p || ' x ' || n % 9 + 1)),
        i.cost, i.floor_price, l.id, case when l.id > 0 then p end
      from quote q cross join lateral generate_series(1, ${lines(sql`q.id`)}) n
      left join lateral (select id, item_id from contract_line where id = ${contractLineOf(sql`q.id`, sql`n`, scale)}) l on true
      join lateral (select * from item where id = coalesce(l.item_id, (q.id * 13 + n * 101) % ${items}::int + 1)) i on true
      cross join lateral (select (10 + i.id % 50)::numeric as p) price`,
    sql`insert into quote_event (quote_id, at, user_id, actor, action, to_status, revision, changes)
      select id, quote_date + n * interval '1 hour' + id * interval '1 microsecond', owner_id,
        'Person ' || owner_id, case n when 1 then 'Create' else 'Edit' end,
        case n when 1 then 'Editing' end, 1,
        jsonb_build_array(jsonb_build_object('field', 'Facility', 'before', '', 'after', facility_name))
      from quote, generate_series(1, ${events}::int) n`,
    sql`insert into quote_template (id, name, description) select n, (string_to_array(${NOUNS}::text, ','))[n % 60 + 1] || ' set ' || n,
      'What a ' || (string_to_array(${TYPES}::text, ','))[n % 6 + 1] || ' orders' from generate_series(1, ${templates}::int) n`,
    sql`insert into quote_template_item (template_id, position, item_id, qty, unit)
      select t, n, (t * 31 + n * 17) % ${items}::int + 1, n % 9 + 1, 'EA'
      from generate_series(1, ${templates}::int) t, generate_series(1, case t % 5 when 0 then 500 else 40 end) n`,
    sql`insert into mail (quote_id, recipients, subject, body, state, message_id, created_at, sent_at)
      select q.id, array['buyer' || q.facility_id || '@example.org'], 'Quote ' || q.num, 'Please see the attached quote.',
        case n % 50 when 0 then 'Failed' else 'Sent' end, n || '@bench', now() - n * interval '1 minute', now()
      from generate_series(1, ${log}::int) n join quote q on q.id = n % ${quotes}::int + 1`,
    sql`insert into record_event (record_type, record_id, record_name, at, user_id, actor, action, changes)
      select (array['user', 'territory', 'facility', 'promotion'])[n % 4 + 1], n % 1000 + 1,
        (string_to_array(${HOUSES}::text, ','))[n % 25 + 1] || ' ' || n % 1000,
        now() - (${log}::int - n) * interval '10 minutes', u.id, u.full_name, 'Edit',
        '[{"field": "Name", "before": "Before", "after": "After"}]'
      from generate_series(1, ${log}::int) n join app_user u on u.id = n % ${users}::int + 1`,
    sql`insert into file (storage_key, name, media_type, size) select 'bench/' || n, 'import' || n || '.csv', 'text/csv', 1000
      from generate_series(1, ${Math.ceil(log / 50)}::int) n`,
    sql`insert into data_import (kind, file_id, file_name, mapping, state, report, created_by, created_at, applied_by, applied_at)
      select (array['facilities', 'items', 'prices', 'users', 'taz'])[id % 5 + 1], id, name, '{}', 'Applied',
        '{"figures": [{"label": "New", "count": 12}]}', ${ADMINISTRATOR}::int, now() - id * interval '1 hour', ${ADMINISTRATOR}::int, now()
      from file where storage_key like 'bench/%'`,
    ...[
      'app_user',
      'region',
      'territory',
      'facility',
      'gpo',
      'gpo_contract',
      'contract_tier',
      'item_class',
      'item',
      'product',
      'document',
      'picture',
      'product_image',
      'quote_template',
      'quote',
    ].map(
      (table) =>
        sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select coalesce(max(id), 1) from ${sql.ref(table)}))`,
    ),
    sql`select setval('quote_num', 200000 + ${quotes + long + 4}::int)`,
  ];
  await db.transaction().execute(async (trx) => {
    for (const step of steps) await step.execute(trx);
  });
  // A job would look for quotes at risk in all that was just written, beside what is measured.
  await sql`truncate price_change`.execute(db);
  await sql`vacuum analyze`.execute(db);
}
