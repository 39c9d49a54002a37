// Stores sums over the lines of quotes by month, so that a report over the whole company reads months instead of lines.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';

/**
 * A kind of sums: its table, and how the sums are computed from `lines`, which is what follows `from` in a query of `report_counted_line line`. `by`
 * lists further columns of lines to group by. Sums of disjoint sets of quotes can be added.
 */
export type KeptSums = {
  table: string;
  keys: readonly string[];
  sums: readonly string[];
  of: (lines: RawBuilder<unknown>, by: RawBuilder<unknown>) => RawBuilder<unknown>;
};

/** How far a line is below the system price. Null if it is not below it. */
export const LINE_LEAK = sql`case when line.rule_amount > line.net_amount then line.rule_amount - line.net_amount end`;

/** A sum of amounts in ten-thousandths. The database adds whole numbers several times as fast as decimals. */
const sumOfAmounts = (value: RawBuilder<unknown>) => sql`(10000 * coalesce(sum(${value}), 0))::bigint`;
/** Converts sums in ten-thousandths back to an amount. */
export const amountFrom = (name: string, where: RawBuilder<unknown> = sql``) =>
  sql`coalesce(sum(${sql.ref(name)}) ${where}, 0) / 10000.0`;

const PERCENT = sql`round(line.discount / 100.0)::int`;

/**
 * By class and whole percent off list. A quote is counted at the percent of its line of the class that is furthest below the rules, and at the lowest
 * percent among equal ones, so that a later subtraction matches the addition.
 */
export const CLASS_SUMS: KeptSums = {
  table: 'report_class_month',
  keys: ['class_id', 'pct'],
  sums: ['lines', 'quotes', 'leak_quotes', 'list', 'net', 'cost', 'costed', 'leak'],
  of: (lines, by) => sql`
    select ${by} class_id, pct, count(*) as lines, count(*) filter (where nth = 1) as quotes,
      count(*) filter (where nth = 1 and leak is not null) as leak_quotes, ${sumOfAmounts(sql`list_amount`)} as list,
      ${sumOfAmounts(sql`net_amount`)} as net, ${sumOfAmounts(sql`cost_amount`)} as cost,
      ${sumOfAmounts(sql`case when cost_amount is not null then net_amount end`)} as costed, ${sumOfAmounts(sql`leak`)} as leak
    from (select ${by} coalesce(line.class_id, 0) as class_id, ${PERCENT} as pct, line.list_amount, line.net_amount, line.cost_amount,
        ${LINE_LEAK} as leak,
        row_number() over (partition by line.quote_id, line.class_id order by ${LINE_LEAK} desc nulls last, ${PERCENT}) as nth
      from ${lines}) line
    group by ${by} class_id, pct`,
};

/** By contract, tier and outcome of the quotes. */
export const CONTRACT_SUMS: KeptSums = {
  table: 'report_contract_month',
  keys: ['contract_id', 'tier_id', 'outcome'],
  sums: ['tier_quotes', 'contract_quotes', 'net'],
  of: (lines, by) => sql`
    select ${by} contract_id, tier_id, outcome, count(*) filter (where of_tier = 1) as tier_quotes,
      count(*) filter (where of_contract = 1) as contract_quotes, ${sumOfAmounts(sql`net_amount`)} as net
    from (select ${by} line.contract_id, coalesce(line.tier_id, 0) as tier_id, line.net_amount,
        case when line.status_id in ('Won', 'Lost') then line.status_id else 'Open' end as outcome,
        row_number() over (partition by line.quote_id, line.contract_id, line.tier_id) as of_tier,
        row_number() over (partition by line.quote_id, line.contract_id order by line.tier_id) as of_contract
      from ${lines} and line.contract_id is not null) line
    group by ${by} contract_id, tier_id, outcome`,
};

export const ITEM_SUMS: KeptSums = {
  table: 'report_item_month',
  keys: ['item_id'],
  sums: ['quoted_quotes', 'won_quotes', 'lost_quotes', 'quoted', 'won', 'lost'],
  of: (lines, by) => sql`
    select ${by} item_id, count(*) filter (where nth = 1) as quoted_quotes,
      count(*) filter (where nth = 1 and status_id = 'Won') as won_quotes,
      count(*) filter (where nth = 1 and status_id = 'Lost') as lost_quotes, ${sumOfAmounts(sql`net_amount`)} as quoted,
      ${sumOfAmounts(sql`case when status_id = 'Won' then net_amount end`)} as won,
      ${sumOfAmounts(sql`case when status_id = 'Lost' then net_amount end`)} as lost
    from (select ${by} line.item_id, line.status_id, line.net_amount, row_number() over (partition by line.quote_id, line.item_id) as nth
      from ${lines} and line.item_id is not null) line
    group by ${by} item_id`,
};

/** The facilities that bought under each contract, for all months together. */
const BOUGHT: KeptSums = {
  table: 'report_bought',
  keys: ['contract_id', 'facility_id'],
  sums: ['quotes'],
  of: (lines) => sql`
    select line.contract_id, line.facility_id, count(distinct line.quote_id) as quotes
    from ${lines} and line.status_id = 'Won' and line.contract_id is not null and line.facility_id is not null group by 1, 2`,
};

const MONTHLY = { keys: ['month', 'currn_idx'], by: sql`line.month, line.currn_idx,` };
const ALL = [
  ...[CLASS_SUMS, CONTRACT_SUMS, ITEM_SUMS].map((kind) => ({
    ...kind,
    keys: [...MONTHLY.keys, ...kind.keys],
    by: MONTHLY.by,
  })),
  { ...BOUGHT, by: sql`` },
];

export const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
const COUNTED = sql`report_counted_line line where line.status_id <> 'Cancelled'`;

/** Adds or subtracts the sums of these quotes, computed from their lines in the facts. */
export async function addSums(db: Db, ids: readonly number[], sign: 1 | -1): Promise<void> {
  for (const { table, keys, sums, of, by } of ALL) {
    const changes = sums.map((name) => sql`${sql.lit(sign)} * ${sql.ref(name)}`);
    const added = sums.map((name) => sql`${sql.ref(name)} = stored.${sql.ref(name)} + excluded.${sql.ref(name)}`);
    await sql`
      insert into ${sql.table(table)} as stored (${columns([...keys, ...sums])})
      select ${columns(keys)}, ${sql.join(changes)} from (${of(sql`${COUNTED} and line.quote_id = any(${ids}::int[])`, by)}) computed
      on conflict (${columns(keys)}) do update set ${sql.join(added)}`.execute(db);
  }
}

/** Corrects the stored sums that differ from the lines. Returns the number of corrected sums. */
export async function correctSums(db: Db): Promise<number> {
  let wrong = 0;
  for (const { table, keys, sums, of, by } of ALL) {
    const all = columns([...keys, ...sums]);
    const keptSums = sql`select ${all} from ${sql.table(table)} where ${sql.join(
      sums.map((name) => sql`${sql.ref(name)} <> 0`),
      sql` or `,
    )}`;
    const computedSums = sql`select ${all} from (${of(COUNTED, by)}) computed`;
    const { rows } = await sql<{ wrong: number }>`
      with stored as materialized (${keptSums}), computed as materialized (${computedSums})
      select count(*)::int as wrong from (
        (select ${columns(keys)} from (select * from stored except select * from computed) k)
        union (select ${columns(keys)} from (select * from computed except select * from stored) m)) differing`.execute(
      db,
    );
    const differing = rows[0]?.wrong ?? 0;
    if (differing === 0) continue;
    wrong += differing;
    await sql`delete from ${sql.table(table)}`.execute(db);
    await sql`insert into ${sql.table(table)} (${all}) ${computedSums}`.execute(db);
  }
  return wrong;
}
