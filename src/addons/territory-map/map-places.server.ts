// Finds the details of a ZIP, and searches the map.
import { sql } from 'kysely';
import { contains, folded, startsWith, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { servingRep } from '#core/territories/territories/serving-reps.server.ts';
import { switchedOn, validOn } from '#core/territories/territories/territory-of-zip.server.ts';
import { TERRITORY_ROLES } from '#core/territories/territories/territory-roles.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { US_STATES } from '#platform/shared/us-states.ts';
import { type MapRequest, overrides } from './territory-figures.server.ts';
import type { Hit, MapPlace } from './territory-map.contract.ts';

const MAX_PLACE_ROWS = 20;

/** Returns empty fields for an unknown ZIP without a territory. */
export async function readPlace(db: Db, request: MapRequest, zip: string): Promise<MapPlace> {
  const { asOf, planId } = request;
  const { rows: results } = await sql<
    Omit<MapPlace, 'date' | 'zip' | 'facilities' | 'facilityCount' | 'quotes' | 'quoteCount'>
  >`
    select coalesce(z.city, '') as city, coalesce(z.state, '') as state, coalesce(z.county, '') as county,
           case when t.id is not null then json_build_object('id', t.id, 'name', t.name) end as territory,
           case when r.id is not null then json_build_object('id', r.id, 'name', r.name) end as region,
           case when m.plan_id is not null then 'move' when t.id is not null then 'zip' else 'none' end as why,
           case when m.plan_id is null then a.valid_from end as "from", case when m.plan_id is null then a.valid_to end as "to",
           array_to_json(array_remove(array[${sql.join(
             TERRITORY_ROLES.map((role) => {
               const person = sql`json_build_object('id', u.id, 'name', u.full_name, 'role', tr.role,
                 'phone', u.phone, 'email', u.user_name)`;
               return sql`(${servingRep(sql`t.id`, role, asOf, person)})`;
             }),
           )}]::jsonb[], null)) as reps
      from (select ${zip}::text as zip5) asked
      left join zip z on z.zip5 = asked.zip5
      left join territory_plan_move m on m.plan_id = ${planId ?? null}::int and m.zip5 = asked.zip5 and not m.gone
      left join lateral (
        select za.territory_id, za.valid_from, za.valid_to
          from zip_assignment za join territory zt on zt.id = za.territory_id and ${switchedOn(sql`zt`, asOf)}
         where za.zip5 = asked.zip5 and ${validOn(sql`za`, asOf.date)} order by za.valid_from desc, za.id desc limit 1) a on true
      left join territory t on t.id = case when m.plan_id is null then a.territory_id else m.to_territory_id end
      left join region r on r.id = t.region_id`.execute(db);
  const { rows: facilities } = await sql<MapPlace['facilities'][number] & { count: number }>`
    select f.id, f.acct_no as "acctNo", f.name, count(*) over ()::int as count,
           case when t.id is not null then json_build_object('id', t.id, 'name', t.name) end as override,
           (select count(*) from quote where quote.facility_id = f.id and status_id not in ('Won', 'Lost', 'Cancelled')
             and ${inSight(request.user)})::int as "openQuotes"
      from facility f left join (${overrides(request)}) o on o.facility_id = f.id left join territory t on t.id = o.territory_id
     where f.active and left(f.ship_to_zip, 5) = ${zip} order by lower(f.name), f.id limit ${MAX_PLACE_ROWS}`.execute(
    db,
  );
  const { rows: quotes } = await sql<MapPlace['quotes'][number] & { count: number }>`
    select quote.id, quote.num, quote.revision, quote.status_id as "statusId", f.name as "facilityName",
           quote.total_amount as "totalAmount", quote.currn_idx as "currnIdx", count(*) over ()::int as count
      from quote join facility f on f.id = quote.facility_id
     where f.active and left(f.ship_to_zip, 5) = ${zip} and status_id not in ('Won', 'Lost', 'Cancelled') and ${inSight(request.user)}
     order by quote.total_amount desc, quote.id limit ${MAX_PLACE_ROWS}`.execute(db);
  const [place] = results;
  if (!place) throw new Error(`The query for ZIP ${zip} returned no row`);
  return {
    date: asOf.date,
    zip,
    ...place,
    facilities,
    facilityCount: facilities[0]?.count ?? 0,
    quotes,
    quoteCount: quotes[0]?.count ?? 0,
  };
}

const MAX_HITS = 5;
type PlaceRow = { label: string; hint?: string; count?: number; zips?: string; ids?: number[] };

const SHORT_WORDS = Object.entries({ saint: 'st', sainte: 'ste', fort: 'ft', mount: 'mt' });

/**
 * Returns the text with 'Saint', 'Fort' and 'Mount' written out and abbreviated, because cities are usually stored as 'Saint Louis' and counties as
 * 'St. Louis'. Only whole words are replaced, so 'Saint' does not find 'Stockton'.
 */
function spellings(typed: string): string[] {
  const respell = (write: (long: string, short: string) => string) =>
    SHORT_WORDS.reduce((text, [long, short]) => {
      const word = new RegExp(String.raw`(?<=^|\s)(?:${long}(?:\s+|$)|${short}(?:\.\s*|\s+|$))`, 'gi');
      return text.replaceAll(word, `${write(long, short)} `);
    }, typed);
  return [
    ...new Set([typed, respell((long) => long), respell((_, short) => short), respell((_, short) => `${short}.`)]),
  ];
}

/** At most five hits of each kind whose name begins with the keyword or contains it. */
export async function searchMap(db: Db, request: MapRequest, keyword: string): Promise<Hit[]> {
  if (keyword.length < 2) return [];
  const containsPattern = folded(contains(keyword));
  const prefixPattern = folded(startsWith(keyword));
  const formatCount = (kind: Hit['kind'], count: number) =>
    kind === 'region' ? countOf(count, 'territory', 'territories') : countOf(count, 'ZIP');
  const hits = (kind: Hit['kind'], rows: readonly PlaceRow[]): Hit[] =>
    rows.map(({ label, count, hint = '', zips = '', ids = [] }) => ({
      kind,
      label,
      hint: count === undefined ? hint : formatCount(kind, count),
      zips,
      territoryIds: ids,
    }));
  const isZipPrefix = /^\d{2,5}$/.test(keyword);
  const findHits = async (kind: Hit['kind'], query: ReturnType<typeof sql<PlaceRow>>) =>
    hits(kind, (await query.execute(db)).rows);
  const [, city = keyword, state = ''] = /^(.*?)(?:,\s*([A-Za-z]{2}))?$/.exec(keyword) ?? [];
  const cities = sql`array[${sql.join(spellings(city).map((spelling) => folded(startsWith(spelling))))}]`;
  const states = US_STATES.filter(
    ({ abbreviation, name }) =>
      abbreviation === keyword.toUpperCase() || name.toLowerCase().startsWith(keyword.toLowerCase()),
  );
  const results: Hit[] = [];
  if (isZipPrefix)
    results.push(
      ...(await findHits(
        'zip',
        sql<PlaceRow>`select zip5 as label, concat_ws(', ', nullif(city, ''), nullif(state, '')) as hint, zip5 as zips
          from zip where zip5 like ${startsWith(keyword)} order by zip5 limit ${MAX_HITS}`,
      )),
    );
  else
    results.push(
      ...(await findHits(
        'city',
        sql<PlaceRow>`select concat_ws(', ', city, nullif(state, '')) as label, count(*)::int as count,
          string_agg(zip5, ' ' order by zip5) as zips
          from zip where folded_text(city) like any (${cities}) and (${state} = '' or state = upper(${state}))
         group by city, state order by count(*) desc, city, state limit ${MAX_HITS}`,
      )),
      ...(await findHits(
        'county',
        sql<PlaceRow>`select county || ' (county), ' || state as label, count(*)::int as count, string_agg(zip5, ' ' order by zip5) as zips
          from zip where county <> '' and folded_text(county) like any (${cities}) and (${state} = '' or state = upper(${state}))
         group by county, state order by count(*) desc, county, state limit ${MAX_HITS}`,
      )),
      ...(await findHits(
        'state',
        sql<PlaceRow>`select s.name as label, s.code as hint, string_agg(zip5, ' ' order by zip5) as zips
          from zip join (select unnest(${states.map(({ abbreviation }) => abbreviation)}::text[]) as code,
            unnest(${states.map(({ name }) => name)}::text[]) as name) s
            on s.code = zip.state group by s.code, s.name order by s.name limit ${MAX_HITS}`,
      )),
      ...(await findHits(
        'region',
        sql<PlaceRow>`select r.name as label, count(*)::int as count, array_agg(t.id) as ids
          from region r join territory t on t.region_id = r.id and t.active
         where folded_text(r.name) like ${containsPattern} group by r.id, r.name order by r.name limit ${MAX_HITS}`,
      )),
      ...(await findHits(
        'rep',
        sql<PlaceRow>`select u.full_name as label, string_agg(distinct t.name, ', ') as hint, array_agg(distinct t.id) as ids
          from app_user u join territory_rep tr on tr.user_id = u.id and ${validOn(sql`tr`, request.asOf.date)}
          join territory t on t.id = tr.territory_id and ${switchedOn(sql`t`, request.asOf)}
         where folded_text(u.full_name) like ${containsPattern} group by u.id, u.full_name order by u.full_name limit ${MAX_HITS}`,
      )),
    );
  results.push(
    ...(await findHits(
      'territory',
      sql<PlaceRow>`select t.name as label, r.name as hint, array[t.id] as ids from territory t join region r on r.id = t.region_id
       where ${switchedOn(sql`t`, request.asOf)} and folded_text(t.name) like ${containsPattern}
       order by not folded_text(t.name) like ${prefixPattern}, t.name limit ${MAX_HITS}`,
    )),
    ...(await findHits(
      'facility',
      sql<PlaceRow>`select f.name as label,
             concat_ws(' · ', f.acct_no,
               concat_ws(', ', nullif(f.ship_to_city, ''), nullif(f.ship_to_state, ''))) as hint, left(f.ship_to_zip, 5) as zips
        from facility f where f.active and ${sql.join(
          wordsOf(keyword).map((word) => sql`f.search_text like plain_text(${contains(word)})`),
          sql` and `,
        )} order by lower(f.name), f.id limit ${MAX_HITS}`,
    )),
  );
  return results;
}
