// Plans an import of contract prices in set-based SQL: looks up, refuses or holds rows, then plans the dated prices.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import { fitting } from '#core/catalog/item-finder/number-matches.server.ts';
import { isAnotherArticle, articleOfFile, storedArticle } from '#core/company/import-kinds/another-article.server.ts';
import { isChosenOf, oneOf } from '#core/company/import-kinds/find-item.server.ts';
import type { ImportRun } from '#platform/data-import/kinds/import-kind.server.ts';
import { checkUnit } from '#core/company/import-kinds/unit-of-item.server.ts';
import { isAccepted, isChosen } from '#platform/data-import/running/merge-rows.server.ts';
import { EURO_INDEX } from '#platform/shared/money.ts';
import { meetStored, planDated, refuseContradictions } from '../dated-plan.server.ts';
import {
  absentDays,
  firstAndLastDay,
  dayText,
  findContract,
  findTier,
  moneyText,
  OPEN,
  refuse,
  run,
} from '../stage-sql.server.ts';

export type PriceOptions = {
  contract: string;
  /** Missing in a check from before this option existed. */
  tier?: string;
  /** Changes apply from this day. '' leaves the day to the file. */
  from: string;
  /** The largest price change that needs no review, in percent. An amount per each replaces it. */
  percent: string;
  amount: string;
  otherUnit: 'refuse' | 'ask' | 'convert' | 'add';
  endAbsent: boolean;
};

const WORDS = {
  column: 'price',
  typed: moneyText(sql`r.price`),
  inWords: (value: Sql) => moneyText(sql`${value}::numeric`),
  what: 'a price',
};

const factorOf = (row: Sql, unit: Sql): Sql =>
  sql`case when ${unit} = ${row}.base_unit then 1 else (select u.factor from item_unit u
    where u.item_id = ${row}.item_id and u.unit = ${unit}) end`;

/**
 * Sets `outcome` (new, changed, same, repeat, held) or `reason` on every row. Creates the plan of `planDated`, and `price_absent` (line_id, day): the
 * lines of the file's contracts that no row names.
 */
export async function planPrices(
  trx: Db,
  { importId, willWrite, trial, later, today, options }: ImportRun,
): Promise<void> {
  const { contract, tier = '', from, percent, amount, otherUnit } = options as PriceOptions;
  if (willWrite && !trial)
    await run(trx, sql`lock table contract_line, contract_line_price in share row exclusive mode`);
  await run(
    trx,
    sql`analyze import_row`,
    ...findContract(contract),
    ...FIND_ITEM,
    ...CHECK_CURRENCY,
    ...findTier(tier, sql`false`),
  );
  await run(
    trx,
    ...firstAndLastDay(today, from),
    ...findLines(otherUnit, importId),
    ...SIZE_OF_UNIT,
    ...checkUnit(),
    ...REPAIR_SORT,
    ...TO_LINES,
  );
  await run(
    trx,
    sql`create temp table dated_now on commit drop as
     select p.id, r.subject, trim_scale(p.price)::text as value, p.valid_from as first_day, p.valid_to as last_day
     from (select distinct subject, line_id, tier_id from import_row r where ${OPEN} and line_id is not null) r
     join contract_line_price p on p.contract_line_id = r.line_id and p.tier_id = r.tier_id`,
  );
  await refuseContradictions(trx, WORDS);
  await meetStored(trx, WORDS, today);
  await holdPrices(trx, { importId, willWrite, percent, amount });
  await run(trx, ONLY_WHOLE_ROWS);
  await planDated(trx);
  await run(trx, absentDays(today, from));
  await absentLines(trx, !later);
}

const OPEN_ITEM = sql`r.item_id is null and ${OPEN}`;
const sameAsked = sql`m.column_name = r.asked_in and m.number = r.asked`;

/**
 * Finds an item by our number, or else by the manufacturer's. An exact match has priority: of our number in our column, of the manufacturer's number
 * in theirs. Otherwise the written number may fit (`fitting`) any number of an item, if it fits no other item. A row whose number fits several items
 * is held until a user chooses. If both columns are filled, the manufacturer's number must belong to the item.
 */
const FIND_ITEM = [
  sql`update import_row set asked = coalesce(item_number, manufacturer_no),
    asked_in = case when item_number is null then 'manufacturer_no' else 'item_number' end`,
  sql`update import_row r set item_id = i.id from item i where i.item_number = r.item_number`,
  sql`analyze import_row`,
  sql`create temp table item_meant on commit drop as
   select n.asked_in as column_name, n.asked as number, f.* from (select distinct asked_in, asked from import_row r where ${OPEN_ITEM}) n,
     lateral (select count(*) as of, min(i.id) as item_id, array_agg(i.item_number order by i.item_number) as numbers,
         ${oneOf(sql`'item ' || i.id`, sql`i.item_number || ' ' || i.description`, sql`i.status, i.item_number`)} as ways
       from (select item_id, tier, min(tier) over () as best from (
           select t.item_id,
             case when n.asked_in = 'manufacturer_no' and lower(o.manufacturer_no) = lower(n.asked) then -1 else t.tier end as tier
             from (${fitting(sql`n.asked`, undefined, { references: false })}) t
             join item o on o.id = t.item_id) ranked) fit join item i on i.id = fit.item_id where fit.tier = fit.best) f`,
  sql`analyze item_meant`,
  sql`update import_row r set item_id = case when m.of = 1 then m.item_id else substr(r.chosen, 6)::int end,
    item_chosen = m.of > 1, chosen = null
   from item_meant m where ${sameAsked} and ${OPEN_ITEM} and (m.of = 1 or ${isChosenOf(sql`m`)})`,
  sql`update import_row r set outcome = 'held', held_was = array_to_string(m.numbers, ', '), held_now = r.asked, held_ways = m.ways,
     held_hint = 'The number matches ' || m.of || ' items. The price is ' || ${moneyText(sql`r.price`)}
     || coalesce(' per ' || r.unit, '') || '.'
   from item_meant m where ${sameAsked} and ${OPEN_ITEM} and m.of between 2 and 8`,
  ...['item_number', 'manufacturer_no'].map(
    (column) =>
      sql`update import_row r set ${refuse(
        'item',
        column,
        sql`case when m.of > 1 then 'fits ' || m.of || ' items, ' || array_to_string(m.numbers[1:3], ', ') || ', …: write our item number'
        when r.asked_in = 'manufacturer_no' then 'is not the number of any item here: import the items first'
        else 'is not a known item: import the items first' end`,
      )} from item_meant m where ${sameAsked} and ${OPEN_ITEM} and r.asked_in = ${sql.lit(column)}`,
  ),
  sql`update import_row r
    set ${refuse(
      'item',
      'manufacturer_no',
      sql`'is not the number of ' || i.item_number || ', which is ' || coalesce(nullif(i.manufacturer_no, ''), 'not known')`,
    )}
   from item i where i.id = r.item_id and ${OPEN} and r.asked_in = 'item_number'
     and number_key(i.manufacturer_no) <> number_key(r.manufacturer_no)
     and (i.manufacturer_no <> ''
       or exists (select from item o where o.manufacturer_no <> '' and number_key(o.manufacturer_no) = number_key(r.manufacturer_no)))`,
  sql`update import_row r set base_unit = i.base_unit, item_number = i.item_number from item i where i.id = r.item_id`,
];

const codeOf = (index: Sql): Sql => sql`case ${index} when ${sql.lit(EURO_INDEX)} then 'EUR' else 'USD' end`;
const CHECK_CURRENCY = [
  sql`update import_row r
    set ${refuse(
      'currency',
      'currn_idx',
      sql`'is not the currency of the contract, which is ' || ${codeOf(sql`c.currn_idx`)}`,
      codeOf(sql`r.currn_idx`),
    )}
   from gpo_contract c
   where c.id = r.contract_id and (r.currn_idx = ${sql.lit(EURO_INDEX)}) <> (c.currn_idx = ${sql.lit(EURO_INDEX)}) and ${OPEN}`,
];

/** If one of the tier prices in a row is refused, the others are left out as well and wait for the corrected file. */
const ONLY_WHOLE_ROWS = sql`delete from import_row r where r.tier_column is not null and r.reason is null
  and r.line in (select line from import_row where reason is not null)`;

/** A row with prices of several tiers is held with one question about all of them. Both sides name the tiers. */
function askOnce(table: 'price_unit' | 'price_held'): Sql {
  const request = sql.ref(table);
  const inTiers = (side: Sql): Sql => sql`string_agg('tier ' || t.tier_no || ': ' || ${side}, '; ' order by r.row_no)`;
  return sql`update ${request} a set was = l.was, now = l.now
   from (select r.line, ${inTiers(sql`x.was`)} as was, ${inTiers(sql`x.now`)} as now
         from ${request} x join import_row r on r.row_no = x.row_no join contract_tier t on t.id = r.tier_id
         group by r.line having bool_or(r.tier_column is not null)) l
   join import_row o on o.line = l.line
   where o.row_no = a.row_no`;
}

/**
 * Holds a row without a unit, or with another unit than the contract's line. A user decides for the whole file or row by row. The choice for a row
 * overrides the choice for the file.
 */
function findLines(otherUnit: PriceOptions['otherUnit'], importId: number): Sql[] {
  const own = factorOf(sql`r`, sql`r.unit`);
  const each = sql`round(r.price * f.line_factor / f.own_factor, 4)`;
  const isExact = sql`${each} * f.own_factor = r.price * f.line_factor`;
  const isKnown = sql`(f.own_factor is not null and f.line_factor is not null)`;
  const isConverted = sql`(${isKnown} and ${isExact} and ${each} > 0)`;
  return [
    sql`create temp table price_line on commit drop as
     select l.contract_id, l.item_id, count(*) as of, min(l.unit) as unit,
       string_agg(l.unit, ' and ' order by l.unit) as units, array_agg(l.unit) as all_units
     from contract_line l join (select distinct contract_id, item_id from import_row r where ${OPEN}) r using (contract_id, item_id)
     group by l.contract_id, l.item_id`,
    sql`create index on price_line (contract_id, item_id)`,
    sql`analyze price_line`,
    sql`update import_row r
      set ${refuse(
        'unit',
        'unit',
        sql`'is empty' || coalesce(': the line of the contract is in ' || (select p.units from price_line p
          where p.contract_id = r.contract_id and p.item_id = r.item_id), ': write the unit that the price is for')`,
        sql`''`,
      )}
     where ${OPEN} and r.unit is null`,
    sql`create temp table price_unit on commit drop as
     select r.row_no, p.of, p.unit, p.units, ${own} as own_factor,
       case when p.of = 1 then ${factorOf(sql`r`, sql`p.unit`)} end as line_factor,
       (select string_agg(distinct ${moneyText(sql`x.price`)}, ' / ') from contract_line l
       join contract_line_price x on x.contract_line_id = l.id and x.tier_id = r.tier_id
         where l.contract_id = r.contract_id and l.item_id = r.item_id and x.valid_from <= r.first_day
           and coalesce(x.valid_to, 'infinity') >= r.first_day) as stored
     from import_row r join price_line p on p.contract_id = r.contract_id and p.item_id = r.item_id
     where ${OPEN} and r.unit <> all (p.all_units)`,
    sql`alter table price_unit add was text, add now text`,
    sql`update price_unit f set was = coalesce(f.stored, 'no price') || ' per ' || f.units,
       now = ${moneyText(sql`r.price`)} || ' per ' || r.unit
       || case when r.says_from then ' from ' || ${dayText(sql`r.first_day`)} else '' end
     from import_row r where r.row_no = f.row_no`,
    askOnce('price_unit'),
    // A choice is valid only while the line and the row are still as the user saw them.
    sql`update import_row r set chosen = null from price_unit f where f.row_no = r.row_no and not exists (
       select from data_import_held d where d.import_id = ${sql.lit(importId)} and d.line = r.line and d.was = f.was and d.now = f.now)`,
    sql`update import_row r set chosen = case when r.item_chosen
         then ${otherUnit === 'ask' ? 'refuse' : otherUnit}::text else ${otherUnit}::text end
     where r.chosen is null and ${OPEN} and exists (select from price_unit f where f.row_no = r.row_no)`,
    sql`update import_row r set price = ${each}, unit = f.unit, converted = true, pack_count = null,
      pack_of = null, unit_text = null, factor = null
     from price_unit f where f.row_no = r.row_no and r.chosen = 'convert' and ${isConverted}`,
    sql`update import_row r set outcome = 'held', held_was = f.was, held_now = f.now,
       held_hint = case when ${isKnown} then ${moneyText(sql`r.price`)} || ' per ' || r.unit || ' is '
         || ${moneyText(each)} || ' per ' || f.unit || case when ${isExact} then '' else ', rounded' end
         else 'Another unit than the line of the contract' end,
       held_ways = (case when ${isConverted} then '[{"value": "convert", "label": "Convert"}]'::jsonb else '[]' end)
         || jsonb_build_array(jsonb_build_object('value', 'add', 'label', 'Add line in ' || r.unit))
     from price_unit f where f.row_no = r.row_no and r.chosen = 'ask' and f.own_factor is not null and ${OPEN}`,
    sql`update import_row r set ${refuse(
      'unit',
      'unit',
      sql`case when f.of > 1 then 'is none of the units of the contract''s lines, ' || f.units
        else 'is not the unit of the contract''s line, ' || f.unit || coalesce(' at ' || f.stored, '')
          || case when ${isKnown} then ': ' || ${moneyText(sql`r.price`)} || ' per ' || r.unit || ' is '
            || ${moneyText(each)} || ' per ' || f.unit
            || case when ${isExact} then '' else ', rounded' end else '' end end
        || '. Write the unit that is meant, or choose what to do with such rows'`,
      sql`coalesce(r.unit_text, r.unit)`,
    )}
     from price_unit f where f.row_no = r.row_no and ${OPEN} and r.chosen <> 'add' and r.converted is not true`,
  ];
}

/** Checks a pack size in its own column in the same way as one in the unit's cell. For a base unit, a pack size of 1 adds nothing. */
const SIZE_OF_UNIT = [
  sql`update import_row r
    set ${refuse('unit', 'factor', sql`'is not what the unit says: ' || r.unit_text`, sql`trim_scale(r.factor)::text`)}
   where ${OPEN} and r.factor is not null and r.pack_count is not null and r.factor <> r.pack_count
     and not exists (select from item_unit u where u.item_id = r.item_id and u.unit = r.unit and u.factor = r.factor)`,
  sql`update import_row r set pack_count = r.factor where ${OPEN} and r.pack_count is null and not (r.unit = r.base_unit and r.factor = 1)`,
];
/** checkUnit sets no sort, so its refusals get one here. */
const REPAIR_SORT = [sql`update import_row r set sort = 'unit' where r.reason is not null and r.sort is null`];

const TO_LINES = [
  sql`update import_row r set line_id = l.id from contract_line l
   where l.contract_id = r.contract_id and l.item_id = r.item_id and l.unit = r.unit and ${OPEN}`,
  sql`update import_row r
    set ${refuse(
      'clash',
      'item_number',
      sql`'has a line in the contract that ended on ' || ${dayText(sql`l.valid_to`)} || ': open the line again first'`,
    )}
   from contract_line l where l.id = r.line_id and l.valid_to < r.first_day and ${OPEN}`,
  sql`update import_row r set subject = r.contract_id || ' ' || r.item_id || ' ' || r.unit || ' ' || r.tier_id,
    value = trim_scale(r.price)::text where ${OPEN}`,
];

/** A row that describes another article than the item with its number is held for that question, combined with any price beyond the tolerance. */
const ASK_ABOUT_ARTICLES = [
  sql`create temp table price_article on commit drop as
   select distinct on (r.line) r.row_no, r.line, ${storedArticle} as was, ${articleOfFile} as now
   from dated_at d join import_row r on r.row_no = d.row_no join item i on i.id = r.item_id
   where ${OPEN} and r.item_chosen is not true and d.prior_value is distinct from r.value and ${isAnotherArticle}
     and not (r.item_number is not null and coalesce(i.manufacturer_no, '') <> ''
       and coalesce(number_key(r.manufacturer_no) = number_key(i.manufacturer_no), false) and r.asked_in = 'item_number')
   order by r.line, r.row_no`,
  sql`update price_held h set was = a.was || '; ' || h.was, now = a.now || '; ' || h.now from price_article a where a.line = h.line`,
  sql`insert into price_held (row_no, line, was, now, hint)
   select row_no, line, was, now, '' from price_article a where not exists (select from price_held h where h.line = a.line)`,
];

/** Holds prices that differ by more than the tolerance from the previous price, either stored or in the file. A percentage ignores the pack size. */
async function holdPrices(
  trx: Db,
  {
    importId,
    willWrite,
    percent,
    amount,
  }: Pick<ImportRun, 'importId' | 'willWrite'> & Pick<PriceOptions, 'percent' | 'amount'>,
): Promise<void> {
  const beyond = (was: Sql): Sql =>
    amount === ''
      ? sql`abs(a.now - ${was}) * 100 > ${was} * ${sql.lit(Number(percent || '5'))}`
      : sql`abs(a.now - ${was}) > ${sql.lit(Number(amount))} * a.factor`;
  await run(
    trx,
    sql`create temp table price_held on commit drop as
     select a.row_no, a.line, ${moneyText(sql`a.was`)} || ' per ' || a.unit as was,
       ${moneyText(sql`a.now`)} || ' per ' || a.unit || case when a.says_from then ' from ' || ${dayText(sql`a.first_day`)} else '' end
         || case when a.was > 0
           then ' (' || translate(to_char((a.now - a.was) * 100 / a.was, 'FMSG999,990.00'), '-', '−') || '%)' else '' end as now,
       coalesce((select 'That is ' || trim_scale(u.factor / a.factor)::text
         || ' times as much: is it the price of a ' || u.unit || '?' from item_unit u
           where u.item_id = a.item_id and u.unit <> a.unit and u.factor > a.factor and a.now * a.factor = a.was * u.factor limit 1),
         (select 'That is ' || trim_scale(a.factor / u.factor)::text || ' times less: is it the price of a ' || u.unit || '?'
           from (select unit, factor from item_unit where item_id = a.item_id union all select a.base_unit, 1) u
           where u.unit <> a.unit and u.factor < a.factor and a.now * a.factor = a.was * u.factor limit 1), '') as hint
     from (
       select r.row_no, r.line, r.item_id, r.unit, r.base_unit, r.says_from, r.first_day, r.price as now,
         ${factorOf(sql`r`, sql`r.unit`)} as factor, d.prior_value::numeric as stored,
         lag(r.price) over (partition by r.subject order by r.first_day) as before,
         coalesce(d.prior_value::numeric, lag(r.price) over (partition by r.subject order by r.first_day)) as was
       from dated_at d join import_row r on r.row_no = d.row_no where ${OPEN}) a
     where ${beyond(sql`a.stored`)} or ${beyond(sql`a.before`)}`,
    askOnce('price_held'),
    ...ASK_ABOUT_ARTICLES,
    // A row is held with only one question. A row that was answered with an item cannot also be held for its price.
    sql`update import_row r
      set ${refuse(
        'clash',
        'price',
        sql`'is far from the stored price, ' || h.was || ': write our item number, so that the price can be checked'`,
      )}
     from price_held h where h.row_no = r.row_no and r.item_chosen`,
    // All prices of a row wait for the answer.
    sql`update import_row r set outcome = 'held', held_was = h.was, held_now = h.now, held_hint = h.hint
     from (select distinct on (line) * from price_held order by line, row_no) h
     where h.line = r.line and r.reason is null
       and not (${sql.lit(willWrite)} and (${isAccepted(sql`h`, importId)} or ${isChosen(sql`r`, importId)}))`,
  );
}

/** If the file is complete, lists the lines of its contracts that are valid on the day and that no row names. A refused row also names its line. */
async function absentLines(trx: Db, whole: boolean): Promise<void> {
  await run(
    trx,
    sql`create temp table price_absent on commit drop as
     select l.id as line_id, l.contract_id, l.item_id, l.unit, d.day
     from contract_line l join absent_day d on d.contract_id = l.contract_id
     where ${sql.lit(whole)} and coalesce(l.valid_to, 'infinity') >= d.day and coalesce(l.valid_from, '-infinity') < d.day
       and not exists (select from import_row r where r.contract_id = l.contract_id and r.item_id = l.item_id)`,
  );
}

/** Returns whether a refused or held row without a known item might name a line that seems absent. */
export async function hidesLines(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ hides: boolean }>`
    select exists (select from import_row where (reason is not null or outcome = 'held') and (contract_id is null or item_id is null))
      or exists (select from import_refusal x where x.line not in (select line from import_row)) as hides`.execute(trx);
  return rows[0]?.hides ?? true;
}
