// Imports contract prices: compares them with stored prices, holds those beyond a tolerance, writes dated rows, and undoes imports.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import type { KindReport } from '#platform/data-import/data-import.contract.ts';
import { sentence } from '#core/company/import-kinds/dated-prices.server.ts';
import type { ImportKindServer, ImportRun, Track } from '#platform/data-import/kinds/import-kind.server.ts';
import { DECIMALS_ASK } from '#platform/data-import/kinds/reading-asks.server.ts';
import { heldRows, moveRefusals, sentencesOf } from '#platform/data-import/running/merge-rows.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { EURO_INDEX } from '#platform/shared/money.ts';
import { CONTRACT_ASKS } from '../contract-asks.server.ts';
import { IMPORTS_CONTRACTS, recordContracts, undoOf } from '../contract-undo.server.ts';
import { LEFT_WITHOUT } from '../dated-plan.server.ts';
import { importFigures, listOf } from '../import-figures.server.ts';
import { absentDayText, dayText, moneyText } from '../stage-sql.server.ts';
import { wouldGet } from '../prices-reached.server.ts';
import { hidesLines, type PriceOptions, planPrices } from './price-plan.server.ts';
import { priceRows } from './price-columns.server.ts';

const NAME_OF_LINE = (
  line: Sql,
): Sql => sql`(select c.number || ' ' || i.item_number || ' ' || l.unit from contract_line l
  join gpo_contract c on c.id = l.contract_id join item i on i.id = l.item_id where l.id = ${line})`;
const CONTRACTS = sql`(select r.contract_id from import_row r where r.outcome in ('new', 'changed')
  union select a.contract_id from price_absent a)`;

const tracks: readonly Track[] = [
  {
    table: 'contract_line',
    key: { id: 'int' },
    scope: sql`t.contract_id in ${CONTRACTS}`,
    name: NAME_OF_LINE(sql`t.id`),
    many: 'contract lines',
    versioned: true,
  },
  {
    table: 'contract_line_price',
    key: { id: 'int' },
    scope: sql`t.contract_line_id in (select l.id from contract_line l where l.contract_id in ${CONTRACTS})`,
    name: NAME_OF_LINE(sql`t.contract_line_id`),
    many: 'contract prices',
    versioned: true,
  },
];

export const priceKind: ImportKindServer = {
  kind: 'contract-prices',
  label: 'Contract prices',
  hint: 'Prices under contracts: contract, our item number or that of the manufacturer, unit, tier, price or a column of prices for each tier, from, to. No price is overwritten: a new one ends the old one the day before.',
  roles: IMPORTS_CONTRACTS,
  rows: priceRows,
  asks: [
    ...CONTRACT_ASKS,
    DECIMALS_ASK,
    {
      name: 'percent',
      label: 'Hold changes beyond',
      hint: 'A larger change of the price per each waits for your decision.',
      type: 'number',
      standard: '5',
      suffix: '%',
    },
    {
      name: 'amount',
      label: 'Or beyond an amount per each',
      hint: 'Replaces the percentage.',
      type: 'number',
      standard: '',
    },
    {
      name: 'otherUnit',
      label: 'Rows in another unit than the line',
      hint: "A file in CS against a contract's line in BX.",
      type: 'choice',
      standard: 'refuse',
      choices: [
        { value: 'refuse', label: 'Refuse them' },
        { value: 'ask', label: 'Decide row by row' },
        { value: 'convert', label: "Convert to the line's unit" },
        { value: 'add', label: 'Add a line in that unit' },
      ],
    },
    {
      name: 'endAbsent',
      label: 'End lines that are not in the file',
      hint: "Lines of the file's contracts end the day before. Otherwise they are only counted and listed.",
      type: 'tick',
      standard: false,
    },
  ],
  tracks,
  compare: async (trx, run) => {
    await planPrices(trx, run);
    await dropAbsent(trx, run);
    const report = await kindReport(trx, run);
    await sql`update import_row set bad_column = tier_column
      where tier_column is not null and bad_column in ('price', 'tier')`.execute(trx);
    await moveRefusals(trx, run.headingOf);
    return report;
  },
  held: {
    title: 'Is the price right?',
    why: 'The price changes by more than the tolerance, is for another unit than the line, its number fits several items, or the row describes another article than its number.',
    most: 100_000,
    tooMany: 'change by more than the tolerance. Look at the unit and the tier, or widen the tolerance.',
    rows: (trx, most) =>
      heldRows(
        trx,
        sql`r.contract || ' ' || coalesce(r.item_number, r.asked) || coalesce(' ' || r.unit, '')
          || coalesce(', tier ' || (select tier_no from contract_tier t where t.id = r.tier_id and r.tier_column is null), '')`,
        most,
      ),
  },
  write,
  conclude: (trx, today) =>
    wouldGet(trx, today, {
      contracts: sql`select contract_id from import_row where contract_id is not null`,
      items: sql`select item_id from import_row where item_id is not null`,
    }),
  undo: undoOf({
    table: 'contract_line_price',
    same: sql`x.contract_line_id = t.contract_line_id and x.tier_id = t.tier_id`,
    name: NAME_OF_LINE(sql`t.contract_line_id`),
    what: ['contract price was', 'contract prices were'],
    tracks,
    contractsOf: (importId) =>
      sql`select distinct l.contract_id as id from data_import_change c
    left join contract_line_price p on c.table_name = 'contract_line_price' and p.id = (c.key->>'id')::int
    join contract_line l on l.id = coalesce(p.contract_line_id, (c.key->>'id')::int) where c.import_id = ${importId}`,
  }),
};

const AT = (price: Sql): Sql => moneyText(sql`${price}::numeric`);

/** Unusual prices in the file, in sentences: a higher tier that is more expensive, tiers that are all equal, prices below cost. */
async function priceNotes(trx: Db): Promise<string[]> {
  await sql`create temp table price_tier on commit drop as
    select r.line, r.contract || ' ' || r.item_number || ' ' || r.unit as name, r.contract_id, r.item_id,
      r.unit, t.tier_no, r.price, r.base_unit, r.first_day
    from import_row r join contract_tier t on t.id = r.tier_id
    where r.reason is null and r.outcome in ('new', 'changed', 'same', 'held')`.execute(trx);
  await sql`create index on price_tier (contract_id, item_id, unit)`.execute(trx);
  await sql`analyze price_tier`.execute(trx);
  // Tiers of the same line that the file does not name keep their stored price.
  await sql`insert into price_tier
    select null, f.name, f.contract_id, f.item_id, f.unit, t.tier_no, p.price, f.base_unit, f.first_day
    from (select distinct on (contract_id, item_id, unit) * from price_tier order by contract_id, item_id, unit, first_day desc) f
    join contract_line l on l.contract_id = f.contract_id and l.item_id = f.item_id and l.unit = f.unit
    join contract_line_price p on p.contract_line_id = l.id and p.valid_from <= f.first_day
      and coalesce(p.valid_to, 'infinity') >= f.first_day
    join contract_tier t on t.id = p.tier_id
    where not exists (select from price_tier o where o.contract_id = f.contract_id and o.item_id = f.item_id
      and o.unit = f.unit and o.tier_no = t.tier_no)`.execute(trx);
  return sentencesOf(trx, [
    sentence(
      'price is higher than that of a lower tier',
      'prices are higher than those of a lower tier',
      sql`select a.line, a.name || ', tier ' || a.tier_no || ' at ' || ${AT(sql`a.price`)} || ' (tier '
        || b.tier_no || ' at ' || ${AT(sql`b.price`)} || ')' as name
       from price_tier a join lateral (select b.tier_no, b.price from price_tier b
         where b.contract_id = a.contract_id and b.item_id = a.item_id and b.unit = a.unit and b.tier_no < a.tier_no and b.price < a.price
           and (b.line is null or b.first_day = a.first_day)
         order by b.price limit 1) b on true
       where a.line is not null`,
    ),
    sentence(
      'item has the same price in all its tiers',
      'items have the same price in all their tiers',
      sql`select min(line) as line, name || ' at ' || ${AT(sql`min(price)`)} as name from price_tier
       group by contract_id, item_id, unit, name having count(distinct tier_no) > 1 and count(distinct price) = 1`,
    ),
    sentence(
      'price is under the cost of its item',
      'prices are under the cost of their items',
      sql`select a.line, a.name || ' at ' || ${AT(sql`a.price`)} || ' (cost ' || ${AT(sql`i.cost * f.factor`)} || ')' as name
       from price_tier a join item i on i.id = a.item_id join gpo_contract c on c.id = a.contract_id
         and c.currn_idx <> ${sql.lit(EURO_INDEX)}
       cross join lateral (select case when a.unit = a.base_unit then 1 else (select u.factor from item_unit u
         where u.item_id = a.item_id and u.unit = a.unit) end as factor) f
       where a.line is not null and a.price < i.cost * f.factor`,
    ),
  ]);
}

/** Ends absent lines only when the user ticks that option and no refused row could be one of them. `price_ends` (line_id, day) lists them. */
async function dropAbsent(trx: Db, { options }: ImportRun): Promise<void> {
  const ends = (options as PriceOptions).endAbsent && !(await hidesLines(trx));
  await sql`create temp table price_ends on commit drop as select line_id, day from price_absent where ${ends}`.execute(
    trx,
  );
}

async function kindReport(trx: Db, { options }: ImportRun): Promise<KindReport> {
  const { endAbsent } = options as PriceOptions;
  const { rows } = await sql<{ absent: number; ends: number; first: IsoDate; last: IsoDate }>`
    select (select count(*)::int from price_absent) as absent, (select count(*)::int from price_ends) as ends,
      (select min(day)::text from price_ends) as first, (select max(day)::text from price_ends) as last`.execute(trx);
  const { absent = 0, ends = 0, first = '', last = '' } = rows[0] ?? {};
  const { figures, writes } = await importFigures(trx, {
    changed: 'Prices within the tolerance, and last days that change.',
    sorts: {
      unit: 'Unit problem',
      item: 'Unknown item',
      contract: 'Unknown contract',
      tier: 'Unknown tier',
      contradiction: 'Contradiction',
      clash: 'Clash',
      days: 'Wrong days',
      currency: 'Other currency',
    },
  });
  const what = sql`coalesce(${moneyText(sql`b.prior_value::numeric`)} || ' → ', '') || ${moneyText(sql`r.price`)} || ' per ' || r.unit
    || case when b.prior_value::numeric > 0
      and b.prior_value::numeric <> r.price then ' (' || to_char(r.price / b.prior_value::numeric,
        'FM999,999,990.00') || ' times)' else '' end || ', tier ' || (select tier_no from contract_tier t where t.id = r.tier_id)
    || ' from ' || ${dayText(sql`r.first_day`)} || coalesce(' to ' || ${dayText(sql`nullif(r.last_day, 'infinity')`)}, '')`;
  const rowsOf = (title: string, outcome: string) =>
    listOf(
      trx,
      title,
      ['Line', 'Contract and item', 'Price'],
      sql`
      select r.line::text, r.contract || ' ' || r.item_number, ${what} from import_row r left join dated_at b on b.row_no = r.row_no
      where r.outcome = ${outcome} order by r.row_no`,
    );
  return {
    writes: writes + ends,
    figures: [...figures, { label: 'Absent', count: absent, note: "Lines of the file's contracts that no row names." }],
    lists: [
      await rowsOf('Changed', 'changed'),
      await rowsOf('New', 'new'),
      await listOf(
        trx,
        ends > 0 ? 'Absent, ended' : 'Absent, left as they are',
        ['Contract', 'Item', 'Unit'],
        sql`
        select c.number, i.item_number, a.unit from price_absent a join gpo_contract c on c.id = a.contract_id
        join item i on i.id = a.item_id order by 1, 2, 3`,
      ),
    ].filter(({ total }) => total > 0),
    notes: [
      ...(await priceNotes(trx)),
      ...(await sentencesOf(trx, [
        sentence(
          "price was converted to the unit of the contract's line",
          "prices were converted to the unit of the contract's line",
          sql`select r.line, r.contract || ' ' || r.item_number as name from import_row r where r.converted and r.reason is null`,
        ),
        sentence(
          'item has no price after the last day in the file, although one counted longer until now',
          'items have no price after the last day in the file, although one counted longer until now',
          LEFT_WITHOUT,
        ),
      ])),
      ...(endAbsent && absent > 0 && ends === 0
        ? ['Absent lines are not ended, because refused rows may name them. Fix those rows first.']
        : []),
      ...(ends > 0
        ? [`${countOf(ends, 'absent line ends', 'absent lines end')} the day before ${absentDayText(first, last)}.`]
        : []),
    ],
  };
}

async function write(trx: Db, { author, comment }: ImportRun): Promise<void> {
  await sql`insert into contract_line (contract_id, item_id, unit)
    select r.contract_id, r.item_id, r.unit from dated_begin b join import_row r on r.row_no = b.row_no
    where r.line_id is null group by 1, 2, 3 order by min(r.row_no)`.execute(trx);
  await sql`update contract_line_price p set valid_to = e.last_day, version = p.version + 1 from dated_end e where e.id = p.id`.execute(
    trx,
  );
  await sql`insert into contract_line_price (contract_line_id, tier_id, price, valid_from, valid_to)
    select l.id, r.tier_id, r.price, b.first_day, b.last_day
    from dated_begin b join import_row r on r.row_no = b.row_no
    join contract_line l on l.contract_id = r.contract_id and l.item_id = r.item_id and l.unit = r.unit order by b.row_no`.execute(
    trx,
  );
  await sql`update contract_line l set valid_to = e.day - 1, version = l.version + 1
    from price_ends e where e.line_id = l.id`.execute(trx);
  await recordContracts(
    trx,
    author,
    'Import',
    comment,
    sql`
    select r.contract_id as id, 'Prices' as what, count(*) filter (where outcome = 'changed') as changed,
      count(*) filter (where outcome = 'new') as new,
      (select count(*) from price_ends e join contract_line l on l.id = e.line_id where l.contract_id = r.contract_id) as ended
    from import_row r where r.contract_id is not null group by 1`,
  );
}
