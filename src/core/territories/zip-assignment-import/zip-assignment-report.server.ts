// Reports what a planned import of ZIP assignments would do, in figures and lists for the screen. It only reads.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import type { KindReport } from '#platform/data-import/data-import.contract.ts';
import type { ImportRun } from '#platform/data-import/kinds/import-kind.server.ts';
import { CLOSED_STATUSES, quoteNumber } from '#core/quoting/quotes/status.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import type { Sort } from './zip-assignment-plan.server.ts';

const EXAMPLES = 10;
const MAX_LISTED = 200;

type List = KindReport['lists'][number];

/** The caller runs this after `plan` and before it moves the refusals. */
export async function kindReport(trx: Db, { today, headingOf }: ImportRun): Promise<KindReport> {
  const counts = await countOutcomes(trx, headingOf('zip5'));
  const left = await leftList(trx);
  const quotes = await quotesList(trx, today);
  const lookUp = (outcome: string): number => counts.outcomes[outcome] ?? 0;
  const refused = (sort: Sort): number => counts.sorts[sort] ?? 0;
  const reps = await repsList(trx);
  const lists = [
    await rowsList(trx, 'New', 'new', lookUp('new')),
    await rowsList(trx, 'Changed', 'changed', lookUp('changed')),
    await rowsList(trx, 'Ended', 'end', lookUp('end')),
    reps,
    await newTerritories(trx),
    await unknownTerritories(trx),
    left,
    quotes.list,
  ];
  return {
    writes: lookUp('new') + lookUp('changed') + lookUp('end') + reps.total,
    figures: [
      { label: 'New', count: lookUp('new'), tone: 'good', note: 'ZIPs that no territory has over those days.' },
      {
        label: 'Changed',
        count: lookUp('changed'),
        tone: 'change',
        note: 'ZIPs that another territory has until the day before, or whose days change.',
      },
      { label: 'Same', count: lookUp('same') },
      { label: 'Ended', count: lookUp('end'), tone: 'change', note: 'Rows that end an assignment.' },
      ...(lookUp('repeat') > 0
        ? [{ label: 'Repeated', count: lookUp('repeat'), note: 'Rows that repeat an earlier row.' }]
        : []),
      ...(reps.total > 0 ? [{ label: 'New reps', count: reps.total, tone: 'change' as const }] : []),
      { label: 'Unknown territory', count: refused('territory'), tone: 'bad' },
      { label: 'Bad ZIP', count: counts.badZips, tone: 'bad' },
      { label: 'Duplicate ZIP', count: refused('duplicate'), tone: 'bad' },
      { label: 'Overlapping dates', count: refused('overlap'), tone: 'bad' },
      { label: 'Without territory', count: left.total, tone: 'bad', note: 'ZIPs without a territory afterwards.' },
      { label: 'Open quotes affected', count: quotes.list.total, tone: 'change' },
    ],
    lists: lists.filter(({ total }) => total > 0),
    notes: [...quotes.notes, ...(await notesOf(trx))],
  };
}

async function countOutcomes(trx: Db, zipHeading: string) {
  const { rows } = await sql<{
    outcomes: Record<string, number> | null;
    sorts: Record<string, number> | null;
    badZips: number;
  }>`
    select (select json_object_agg(outcome, n) from (
              select outcome, count(*)::int as n from import_row
               where outcome is not null and reason is null group by 1) o) as outcomes,
           (select json_object_agg(sort, n) from (
              select sort, count(*)::int as n from import_row
               where reason is not null group by 1) s) as sorts,
           (select count(distinct line)::int from import_refusal
             where column_name = ${zipHeading}) as "badZips"`.execute(trx);
  const { outcomes, sorts, badZips = 0 } = rows[0] ?? {};
  return { outcomes: outcomes ?? {}, sorts: sorts ?? {}, badZips };
}

const days = (from: string | null, to: string | null): string =>
  `${from ? `from ${formatDate(from)}` : ''}${to ? ` to ${formatDate(to)}` : ''}`.trim();

async function rowsList(trx: Db, title: string, outcome: string, total: number): Promise<List> {
  const { rows } = await sql<{
    line: number;
    zip: string;
    territory: string | null;
    from: string | null;
    to: string | null;
    was: string | null;
  }>`
    select r.line, r.zip5 as zip, r.territory, r.valid_from::text as from, r.valid_to::text as to,
      (select string_agg(distinct t.name, ', ')
         from (select zip5, territory_id from taz_end union all select zip5, territory_id from taz_move) e
         join territory t on t.id = e.territory_id where e.zip5 = r.zip5) as was
    from (select * from import_row
           where outcome = ${outcome} and reason is null order by row_no limit ${EXAMPLES}) r
    order by r.row_no`.execute(trx);
  const describe = (row: (typeof rows)[number]): string =>
    outcome === 'end'
      ? `${row.territory ?? row.was ?? ''}, last day ${row.to ? formatDate(row.to) : ''}`
      : `${row.was && row.was !== row.territory ? `${row.was} → ` : ''}${row.territory ?? ''} ${days(row.from, row.to)}`;
  return {
    title,
    headings: ['Line', 'ZIP', outcome === 'end' ? 'What ends' : 'Who gets it'],
    rows: rows.map((row) => [String(row.line), row.zip, describe(row)]),
    total,
  };
}

async function repsList(trx: Db): Promise<List> {
  const { rows } = await sql<{ territory: string; name: string; was: string | null; day: string; of: number }>`
    select w.territory, u.full_name as name, w.first_day::text as day, count(*) over ()::int as of,
      (select string_agg(o.full_name, ', ') from territory_rep t join app_user o on o.id = t.user_id
        where t.territory_id = w.territory_id and t.role = 'sales' and t.user_id <> w.user_id
          and t.valid_from <= w.first_day and coalesce(t.valid_to, 'infinity') >= w.first_day) as was
    from taz_rep w join app_user u on u.id = w.user_id where w.outcome = 'new' order by w.territory
    limit ${MAX_LISTED}`.execute(trx);
  return {
    title: 'New reps',
    headings: ['Territory', 'Sales rep.'],
    rows: rows.map(({ territory, name, was, day }) => [
      territory,
      `${was ? `${was} → ` : ''}${name} from ${formatDate(day)}`,
    ]),
    total: rows[0]?.of ?? 0,
  };
}

async function newTerritories(trx: Db): Promise<List> {
  const { rows } = await sql<{ name: string; region: string; zips: number; of: number }>`
    select r.territory as name, max(g.name) as region, count(*)::int as zips, count(*) over ()::int as of
    from import_row r join region g on g.id = r.region_id where r.makes and r.outcome in ('new', 'changed')
    group by r.territory order by 1 limit ${MAX_LISTED}`.execute(trx);
  return {
    title: 'New territories',
    headings: ['Territory', 'Region', 'ZIPs'],
    rows: rows.map(({ name, region, zips }) => [name, region, zips.toLocaleString('en-US')]),
    total: rows[0]?.of ?? 0,
  };
}

async function unknownTerritories(trx: Db): Promise<List> {
  const { rows } = await sql<{ name: string; line: number; zips: number; of: number }>`
    select min(territory) as name, min(line) as line, count(*)::int as zips, count(*) over ()::int as of
    from import_row where sort = 'territory' and territory_id is null
    group by lower(territory) order by 3 desc, 1 limit ${MAX_LISTED}`.execute(trx);
  return {
    title: 'Unknown territories',
    headings: ['Territory', 'First line', 'Rows'],
    rows: rows.map(({ name, line, zips }) => [name, String(line), zips.toLocaleString('en-US')]),
    total: rows[0]?.of ?? 0,
  };
}

async function leftList(trx: Db): Promise<List> {
  const { rows } = await sql<{ zip: string; place: string; territory: string; day: string; of: number }>`
    select l.zip5 as zip, coalesce(z.city || ', ' || z.state, '') as place, t.name as territory, l.day::text as day,
      count(*) over ()::int as of
    from (select distinct on (zip5) * from taz_left order by zip5, day) l
    join territory t on t.id = l.territory_id left join zip z on z.zip5 = l.zip5
    order by l.zip5 limit ${MAX_LISTED}`.execute(trx);
  return {
    title: 'ZIPs left without a territory',
    headings: ['ZIP', 'Place', 'Until now'],
    rows: rows.map(({ zip, place, territory, day }) => [zip, place, `${territory}; no one from ${formatDate(day)}`]),
    total: rows[0]?.of ?? 0,
  };
}

/**
 * Lists open quotes whose facility follows its ZIP and whose territory or sales representative the import changes, today or later. Quotes that the
 * customer has received are included; the dialog that moves quotes decides which ones may move. It reads every open quote once, because the ZIP of
 * its facility decides and a file may contain all ZIPs.
 */
async function quotesList(trx: Db, today: string): Promise<{ list: List; notes: string[] }> {
  const { rows } = await sql<{
    total: number;
    worth: { currnIdx: number; amount: number }[] | null;
    quotes:
      | {
          num: number;
          revision: number;
          facility: string;
          amount: number;
          currnIdx: number;
          before: string | null;
          after: string | null;
          day: string | null;
        }[]
      | null;
  }>`
    with moved as materialized (${movedZips(today)}),
    rep as materialized (select * from taz_rep where outcome = 'new'),
    affected as materialized (${affectedQuotes(today)})
    select (select count(*)::int from affected) as total,
           (select json_agg(w order by w."currnIdx")
              from (select "currnIdx", sum(amount) as amount from affected group by 1) w) as worth,
           (select json_agg(a order by a.num)
              from (select * from affected order by num limit ${MAX_LISTED}) a) as quotes`.execute(trx);
  const { total = 0, worth, quotes } = rows[0] ?? {};
  const value = (worth ?? []).map(({ currnIdx, amount }) => formatAmount(amount, currnIdx)).join(' and ');
  const notes = [
    `${countOf(total, 'open quote')}, worth ${value}, ${total === 1 ? 'is' : 'are'} affected. The import moves none of them; afterwards you can.`,
  ];
  return {
    notes: total > 0 ? notes : [],
    list: {
      title: 'Open quotes affected',
      headings: ['Quote', 'Facility', 'Value', 'What changes'],
      rows: (quotes ?? []).map((quote) => [
        quoteNumber(quote.num, quote.revision),
        quote.facility,
        formatAmount(quote.amount, quote.currnIdx),
        `${quote.before ?? 'no territory'} → ${quote.after ?? ''}${quote.day ? ` from ${formatDate(quote.day)}` : ''}`,
      ]),
      total,
    },
  };
}

/** The ZIPs that the import assigns to another territory, or to none, from the first such day on. Today's change precedes a past one. */
function movedZips(today: string) {
  return sql`
      select distinct on (zip5) * from (
        select zip5, territory, first_day as day from taz_begin
         where not back and coalesce(last_day, 'infinity') >= ${today}::date
        union all
        select zip5, territory, first_day from taz_move
        union all
        select zip5, null, day from taz_left l
         where day >= ${today}::date or not exists (${territoryToday(today)})) m
       order by zip5, coalesce(day < ${today}::date, false), day`;
}

/** The new or kept assignments by which a territory has the ZIP of `l` today. */
function territoryToday(today: string) {
  return sql`
            select from taz_begin b
             where b.zip5 = l.zip5
               and b.first_day <= ${today}::date and coalesce(b.last_day, 'infinity') >= ${today}::date
            union all
            select from taz_hold h
              left join taz_end e on e.id = h.id
             where h.zip5 = l.zip5
               and h.valid_from <= ${today}::date
               and coalesce(case when e.id is null then h.was_to else e.last_day end, 'infinity') >= ${today}::date`;
}

/** The open quotes of facilities in `moved` ZIPs without an override, and of territories with another `rep`. */
function affectedQuotes(today: string) {
  return sql`
      select q.num, q.revision, q.facility_name as facility, q.total_amount as amount, q.currn_idx as "currnIdx",
             case when m.zip5 is not null then t.name else coalesce(s.full_name, 'no one') end as before,
             case when m.zip5 is not null then coalesce(m.territory, 'no territory') else n.full_name end as after,
             case when m.zip5 is not null then m.day else p.first_day end as day
        from quote q
        join facility f on f.id = q.facility_id
        left join territory t on t.id = q.territory_id
        left join moved m on m.zip5 = left(f.ship_to_zip, 5) and m.territory is distinct from t.name
        left join rep p on p.territory_id = q.territory_id and p.user_id is distinct from q.sales_rep_id
        left join app_user s on s.id = q.sales_rep_id
        left join app_user n on n.id = p.user_id
       where q.status_id not in (${CLOSED})
         and (m.zip5 is not null or p.user_id is not null)
         and not exists (
           select from account_override o
             join territory x on x.id = o.territory_id and x.active
            where o.facility_id = f.id
              and o.valid_from <= ${today}::date and coalesce(o.valid_to, 'infinity') >= ${today}::date)`;
}
const CLOSED = sql.join(CLOSED_STATUSES.map((status) => sql.lit(status)));

const NAMED_ZIPS = 10;

/** The notes, each with its ZIPs and their lines in the file. */
async function notesOf(trx: Db): Promise<string[]> {
  const zips = async (which: Sql, target = sql`taz_begin`) => {
    const { rows } = await sql<{ count: number; named: string[] | null }>`
      with zips as (select zip5, (select min(r.line) from import_row r where r.zip5 = b.zip5) as line
        from (select distinct zip5 from ${target} b where ${which}) b)
      select count(*)::int as count,
        (array_agg(zip5 || coalesce(' (line ' || line || ')', '') order by line, zip5))[1:${sql.lit(NAMED_ZIPS)}] as named
      from zips`.execute(trx);
    const { count = 0, named } = rows[0] ?? {};
    return { count, named: `${(named ?? []).join(', ')}${count > NAMED_ZIPS ? ', …' : ''}` };
  };
  const unknown = await zips(
    sql`exists (select from zip) and not exists (select from zip z where z.zip5 = b.zip5)`,
    sql`(select zip5 from taz_begin union select zip5 from taz_move)`,
  );
  const moved = await zips(sql`true`, sql`taz_move`);
  const back = await zips(sql`back`);
  return [
    ...(unknown.count > 0
      ? [
          `${countOf(unknown.count, 'of the ZIPs is', 'of the ZIPs are')} not in the list of ZIP codes, but ${unknown.count === 1 ? 'is' : 'are'} assigned: ${unknown.named}.`,
        ]
      : []),
    ...(moved.count > 0
      ? [
          `${countOf(moved.count, 'of the ZIPs was', 'of the ZIPs were')} given to another territory from the same day. That is replaced: ${moved.named}.`,
        ]
      : []),
    ...(back.count > 0
      ? [
          `${countOf(back.count, 'of the ZIPs goes', 'of the ZIPs go')} back after the last day to the territory that has ${back.count === 1 ? 'it' : 'them'} now: ${back.named}.`,
        ]
      : []),
  ];
}
