// The days of list and account prices, and the effect of a file on them in money. A new price ends the previous one instead of overwriting it.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import { EURO_INDEX } from '#platform/shared/money.ts';
import type { ImportAsk } from '#platform/data-import/data-import.contract.ts';
import type { About, Hold, Money } from '#platform/data-import/kinds/kind-description.server.ts';

export const FROM_ASK: ImportAsk = {
  name: 'from',
  label: 'Prices apply from',
  hint: 'For rows without a first day. Empty: today. The previous price ends the day before.',
  type: 'day',
  standard: '',
};

export const TIMES_ASK: ImportAsk = {
  name: 'times',
  label: 'Hold prices beyond',
  hint: 'This many times the current price, or less than that fraction of it. Empty: only prices of 0.',
  type: 'number',
  standard: '3',
  suffix: '×',
};

/** Staged columns with the price that applies before the row does, per unit of the row. */
export const OLD_COLUMNS = {
  says_from: { type: 'boolean', only: 'stage' },
  old_id: { type: 'int', only: 'stage' },
  old_price: { type: 'numeric(14, 4)', only: 'stage' },
} as const;

/** A kind of dated price: its table, and SQL for whether a stored price `t` and a row `r` are for the same subject. */
export type Dated = { table: 'item_price' | 'account_price'; same: Sql };

const counting = ({ table, same }: Dated, day: Sql): Sql => sql`(select t.* from ${sql.table(table)} t
  where ${same} and t.valid_from <= ${day} and coalesce(t.valid_to, 'infinity') >= ${day} order by t.valid_from desc limit 1)`;

/** Sets the first day of each row: the stored one if the price is unchanged, otherwise the start date of the file. */
export function firstDays(dated: Dated, { today, options }: About): readonly Sql[] {
  const startDate = typeof options['from'] === 'string' && options['from'] !== '' ? options['from'] : null;
  const day = sql`${startDate ?? today}::date`;
  // SQL on a stored price refers to the row as `r`, so the updated row is `u`.
  return [
    sql`update import_row set says_from = valid_from is not null where reason is null`,
    sql`update import_row u set valid_from = c.valid_from
     from import_row r join lateral ${counting(dated, sql`coalesce(r.valid_from, ${day})`)} c on true
     where u.row_no = r.row_no and r.reason is null and c.price = r.price
       and (r.says_from is false or r.valid_to is null or r.valid_to = coalesce(c.valid_to, 'infinity'))
       and not exists (select from ${sql.table(dated.table)} t where ${dated.same} and t.valid_from = r.valid_from)`,
    startDate === null
      ? sql`update import_row u set valid_from = date '2000-01-01' from import_row r
         where u.row_no = r.row_no and r.reason is null and r.valid_from is null
           and not exists (select from ${sql.table(dated.table)} t where ${dated.same})`
      : sql`select`,
    sql`update import_row set valid_from = ${day} where reason is null and valid_from is null`,
  ];
}

/**
 * Stores the price that applies until the row does: the same price, otherwise a price of the item in another unit, otherwise (for an account) its
 * list price.
 */
export const oldPrices = (dated: Dated, { today }: About): readonly Sql[] => [
  sql`update import_row u set old_id = c.id, old_price = c.price
   from import_row r join lateral ${counting(dated, sql`greatest(r.valid_from, ${today}::date)`)} c on true
   where u.row_no = r.row_no and r.reason is null`,
  ...(dated.table === 'account_price' ? [inOtherUnit(dated), inOtherUnit(LIST)] : [inOtherUnit(dated)]),
];

export const LIST: Dated = {
  table: 'item_price',
  same: sql`t.item_id = r.item_id and t.currn_idx = r.currn_idx and t.unit = r.unit and t.min_qty = r.min_qty`,
};

/** SQL for the number of base units in a unit of the item of row `r`, including a unit that the file creates. */
const FACTOR = (unit: Sql): Sql => sql`(case when ${unit} = r.base_unit then 1
  when ${unit} = r.unit and r.make_factor is not null then r.make_factor
  else (select own.factor from item_unit own where own.item_id = r.item_id and own.unit = ${unit}) end)`;

/** Sets the old price from another unit of the item, converted to the unit of the row, for rows without an old price of their own. */
function inOtherUnit({ table }: Dated): Sql {
  const own = table === 'account_price' ? sql`t.facility_id = r.facility_id and ` : sql``;
  return sql`update import_row u set old_price = c.price
   from import_row r join lateral (
     select round(t.price * ${FACTOR(sql`r.unit`)} / ${FACTOR(sql`t.unit`)}, 4) as price from ${sql.table(table)} t
     where ${own}t.item_id = r.item_id and t.currn_idx = r.currn_idx and t.valid_from <= greatest(r.valid_from, current_date)
       and coalesce(t.valid_to, 'infinity') >= greatest(r.valid_from, current_date)
     order by t.unit <> r.unit, abs(t.min_qty - r.min_qty), t.valid_from desc limit 1) c on c.price is not null
   where u.row_no = r.row_no and r.reason is null and r.old_price is null`;
}

/** Ends the stored prices that a new price without a last day replaces. It runs before the new prices are written. */
export const endOlder = ({ table, same }: Dated): Sql => sql`
  update ${sql.table(table)} o set valid_to = e.last_day
  from (select t.id, min(r.valid_from) - 1 as last_day from import_row r join ${sql.table(table)} t on ${same}
        where r.outcome = 'new' and coalesce(r.valid_to, 'infinity') = 'infinity' and t.valid_from < r.valid_from
          and coalesce(t.valid_to, 'infinity') >= r.valid_from group by t.id) e
  where e.id = o.id`;

const money = (amount: Sql): Sql => sql`to_char(${amount}, 'FM9,999,999,990.0099')`;
const day = (column: Sql): Sql => sql`to_char(${column}, 'MM/DD/YYYY')`;
const SIGN = sql`case when r.currn_idx = ${sql.lit(EURO_INDEX)} then '€' else '$' end`;
/** '1.05 times', or '1/50' for a much lower price. */
const RATIO = sql`case when r.old_price > 0 and r.price > 0 then
  case when r.price * 10 <= r.old_price then '1/' || to_char(r.old_price / r.price, 'FM999,999,990')
  else to_char(r.price / r.old_price, 'FM999,999,990.00') || ' times' end end`;

export function heldPrices({ options }: About): Hold {
  const times = Number(options['times'] === undefined ? '3' : options['times'] || '0');
  const jumps =
    times > 0
      ? sql`r.old_price > 0 and (r.price > ${sql.lit(times)} * r.old_price or r.price * ${sql.lit(times)} < r.old_price)`
      : sql`false`;
  return {
    title: 'Is the price right?',
    why: 'It is 0, or much more or less than the current price.',
    tooMany:
      'have a price far from the current one, or match several records. Check that the right columns are read as the number, the price and its unit.',
    when: sql`r.price = 0 or (${jumps})`,
    was: sql`case when r.old_price is null then 'no price' else ${SIGN} || ${money(sql`r.old_price`)} || ' per ' || r.unit end`,
    now: sql`${SIGN} || ${money(sql`r.price`)} || ' per ' || r.unit || coalesce(' (' || ${RATIO} || ')', '')`,
    hint: sql`coalesce(case when r.price = 0 then 'A price of 0 is a gift' end,
      (select 'About ' || trim_scale(x.factor / ${FACTOR(sql`r.unit`)}) || ' times: is it the price of a ' || x.unit || '?' from item_unit x
       where x.item_id = r.item_id and x.unit <> r.unit and r.old_price > 0 and x.factor > ${FACTOR(sql`r.unit`)}
         and r.price / r.old_price / (x.factor / ${FACTOR(sql`r.unit`)}) between 0.8 and 1.25 order by x.factor limit 1),
      (select 'About 1/' || trim_scale(${FACTOR(sql`r.unit`)} / x.factor) || ': is it the price of one ' || x.unit || '?'
       from (select i.unit, i.factor from item_unit i where i.item_id = r.item_id union all select r.base_unit, 1) x
       where x.unit <> r.unit and r.old_price > 0 and x.factor < ${FACTOR(sql`r.unit`)}
         and r.price / r.old_price * (${FACTOR(sql`r.unit`)} / x.factor) between 0.8 and 1.25 order by x.factor limit 1), '')`,
  };
}

/** The prices that will be stored. The largest changes come first. */
export const moneyOfPrices = (account: boolean): Money => ({
  headings: [
    ...(account ? ['Account'] : []),
    'Item',
    'Old price',
    'New price',
    'Unit',
    'Ratio',
    'From quantity',
    'Counts from',
  ],
  columns: [
    ...(account ? [sql`r.acct_no`] : []),
    sql`r.item_number`,
    sql`coalesce(${SIGN} || ${money(sql`r.old_price`)}, '')`,
    sql`${SIGN} || ${money(sql`r.price`)}`,
    sql`r.unit`,
    sql`coalesce(${RATIO}, '')`,
    sql`trim_scale(r.min_qty)::text`,
    sql`case when r.valid_from = date '2000-01-01' then '' else ${day(sql`r.valid_from`)} end
      || coalesce(' to ' || nullif(${day(sql`nullif(r.valid_to, 'infinity')`)}, ''), '')`,
  ],
  order: sql`abs(ln(nullif(r.price, 0) / nullif(r.old_price, 0))) desc nulls last, r.row_no`,
});

/** SQL for a sentence with the number of rows of a query (`name`, `line`) and the first three; null without rows. */
export const sentence = (singular: string, plural: string, rows: Sql): Sql => sql`
  select case count(*) when 0 then null when 1 then ${sql.lit(`1 ${singular}`)}
    else to_char(count(*), 'FM999,999,990') || ${sql.lit(` ${plural}`)} end
      || ': ' || string_agg(name, ', ' order by place) filter (where place <= 3)
      || case when count(*) > 3 then ', …' else '' end || '.' as sentence
  from (select name, row_number() over (order by line) as place from (${rows}) found) named`;

const WRITTEN = sql`r.outcome in ('new', 'changed', 'held')`;

export const remarksOnPrices = ({ table, same }: Dated, { today }: About): readonly Sql[] => {
  const who = table === 'account_price' ? sql`r.acct_no || ' ' || r.item_number` : sql`r.item_number`;
  const buyer = table === 'account_price' ? sql`r.facility_id, ` : sql``;
  return [
    // If several prices apply on a day, the one that began last is used.
    sentence(
      'price begins before one that already counts, so it changes nothing today',
      'prices begin before ones that already count, so they change nothing today',
      sql`select r.line, ${who} || ' ' || r.unit as name from import_row r where r.outcome in ('new', 'changed') and exists (
        select from ${sql.table(table)} t where ${same} and t.valid_from > r.valid_from and t.valid_from <= ${today}::date
          and coalesce(t.valid_to, 'infinity') >= ${today}::date)`,
    ),
    sql`select case count(distinct t.id) when 0 then null when 1 then '1 price ends the day before a new one begins.'
        else count(distinct t.id) || ' prices end the day before a new one begins.' end as sentence
      from import_row r join ${sql.table(table)} t on ${same}
      where r.outcome = 'new' and coalesce(r.valid_to, 'infinity') = 'infinity' and t.valid_from < r.valid_from
        and coalesce(t.valid_to, 'infinity') >= r.valid_from`,
    sentence(
      'price is under the cost of its item',
      'prices are under the cost of their items',
      sql`select r.line, ${who} || ' at ' || ${money(sql`r.price`)} || ' per ' || r.unit || ' (cost '
        || ${money(sql`i.cost * ${FACTOR(sql`r.unit`)}`)} || ')' as name
       from import_row r join item i on i.id = r.item_id
       where ${WRITTEN} and r.currn_idx <> ${sql.lit(EURO_INDEX)} and r.price > 0 and r.price < i.cost * ${FACTOR(sql`r.unit`)}`,
    ),
    sentence(
      'price is higher from a larger quantity',
      'prices are higher from a larger quantity',
      sql`select r.line, ${who} || ' at ' || ${money(sql`r.price`)} || ' from ' || trim_scale(r.min_qty) || ' ('
        || ${money(sql`r.lowest[1]`)} || ' from ' || trim_scale(r.lowest[2]) || ')' as name
       from (select r.*, min(array[r.price, r.min_qty]) over (
           partition by ${buyer}r.item_id, r.currn_idx, r.unit, r.valid_from order by r.min_qty
           groups between unbounded preceding and 1 preceding) as lowest
         from import_row r where r.reason is null) r
       where ${WRITTEN} and r.lowest[1] < r.price`,
    ),
  ];
};
