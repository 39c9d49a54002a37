// Computes the facts of quotes from their rows, lines and events, in one statement each for many quotes.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import { addSums } from './kept-sums.server.ts';

/** Only one server at a time may write facts. Take this lock first in a transaction. */
export const LOCK_FACTS = sql`select pg_advisory_xact_lock(hashtext('report-facts'))`;

/** Whether a line is included in the totals of its quote, as `counts` in quote-totals.ts. */
const COUNTS = sql`i.active and not i.optional and i.type in ('item', 'custom', 'free')`;
/** A unit price × quantity in cents, as `extend` in money.ts. */
const extended = (price: RawBuilder<unknown>) => sql`round(${price} * i.qty, 2)`;
const TYPED = extended(sql`coalesce(i.unit_price, 0)`);
/** The list value of a line. Without a list price, it is the line's own price, as in the totals of quotes. */
const LIST = sql`case when i.list_price is null then ${TYPED} else ${extended(sql`i.list_price`)} end`;
/** The amount after account, contract and promotion prices. Without any, the typed amount. */
const PROMOTION = sql`case when i.system_price is null then ${TYPED} else ${extended(sql`i.system_price`)} end`;
const IS_PROMOTED = sql`i.promotion_id is not null
  and jsonb_path_exists(i.price_proof, '$[*] ? (@.step == "Promotion" && @.amount != null)')`;
/** The amount before the promotion. For free goods, the whole price is promotion. */
const CONTRACT = sql`case when i.type = 'free' then ${LIST}
  when ${IS_PROMOTED} then coalesce(
    ${extended(sql`(jsonb_path_query_first(i.price_proof, '$[*] ? (@.step == "Resolved")') ->> 'amount')::numeric`)}, ${PROMOTION})
  else ${PROMOTION} end`;
/** Null if no rule set a price, because a custom line has only a typed price. */
const RULE = sql`case when i.system_price is not null then ${extended(sql`i.system_price`)} end`;
const COST = sql`case when i.unit_price is not null then ${extended(sql`i.cost`)} end`;
/** Percent off list in hundredths, limited to the range of an int, because prices may be extreme. */
const discountOf = (list: RawBuilder<unknown>, net: RawBuilder<unknown>) =>
  sql`case when ${list} > 0 then greatest(-1000000, least(1000000, round(10000 * (${list} - ${net}) / ${list})))::int else 0 end`;

/** The columns of `report_quote` that are sums over its lines. */
const LINE_SUMS = sql`
  select coalesce(sum(${LIST}), 0) as list_amount, coalesce(sum(${CONTRACT}), 0) as contract_amount,
    coalesce(sum(${PROMOTION}), 0) as promotion_amount, coalesce(sum(${TYPED}), 0) as typed_amount,
    coalesce(sum(${COST}), 0) as cost_amount,
    coalesce(sum(i.line_total) filter (where ${COST} is not null), 0) as costed_amount,
    coalesce(sum(i.line_total) filter (where i.cost is null and i.unit_price is not null), 0) as uncosted_amount,
    count(*) filter (where i.cost is null and i.unit_price is not null) as uncosted_lines,
    coalesce(sum(${RULE} - i.line_total) filter (where ${RULE} > i.line_total), 0) as leak_amount,
    count(*) filter (where ${RULE} > i.line_total) as leak_lines,
    coalesce(sum(${RULE}), 0) as rule_amount
  from quote_item i where i.quote_id = q.id and ${COUNTS}`;

const secondsIn = (status: string) =>
  sql`(sum(extract(epoch from until - at)) filter (where to_status = ${sql.lit(status)} and moved))::int`;
/** The columns that describe the course of a quote. An event moves a quote if it contains two different statuses. */
const COURSE = sql`
  select count(*)::int as events,
    min(at) filter (where action in ('Submit', 'StartProcess')) as submitted_at,
    min(at) filter (where to_status = 'DiscountApproved' and moved) as approved_at,
    min(at) filter (where to_status = 'SentToCustomer' and moved) as sent_at,
    max(at) filter (where action in ('MarkWon', 'MarkLost', 'Cancel') and to_status = q.status_id) as decided_at,
    max(at) filter (where moved and to_status = q.status_id) as status_since,
    max(at) filter (where user_id is not null or action in ('MarkWon', 'MarkLost', 'Question')) as touched_at,
    ${secondsIn('Editing')} as in_editing, ${secondsIn('WaitingForProcess')} as in_waiting,
    ${secondsIn('Processing')} as in_processing, ${secondsIn('NeedMoreInfo')} as in_need_info,
    ${secondsIn('DiscountApproved')} as in_approved, ${secondsIn('SentToCustomer')} as in_sent,
    ${secondsIn('Revising')} as in_revising
  from (select e.*, e.to_status is not null and e.to_status is distinct from e.from_status as moved,
      lead(e.at) over (partition by e.to_status is not null and e.to_status is distinct from e.from_status order by e.id) as until
    from quote_event e where e.quote_id = q.id) e`;

/** The columns of `report_quote`, as `quoteFacts` selects them. */
const QUOTE_COLUMNS = [
  'id',
  'events',
  'summed_events',
  'status_id',
  'status_since',
  'revision',
  'owner_id',
  'sales_rep_id',
  'region_id',
  'territory_id',
  'facility_id',
  'currn_idx',
  'quote_date',
  'valid_until',
  'created_at',
  'submitted_at',
  'approved_at',
  'sent_at',
  'decided_at',
  'touched_at',
  'lost_reason',
  'lost_competitor',
  'lost_competitor_price',
  'list_amount',
  'contract_amount',
  'promotion_amount',
  'typed_amount',
  'net_amount',
  'freight_amount',
  'total_amount',
  'discount',
  'cost_amount',
  'costed_amount',
  'uncosted_amount',
  'uncosted_lines',
  'leak_amount',
  'leak_lines',
  'rule_amount',
  'in_editing',
  'in_waiting',
  'in_processing',
  'in_need_info',
  'in_approved',
  'in_sent',
  'in_revising',
] as const;
const names = sql.raw(QUOTE_COLUMNS.join(', '));

/** Every index except that of the euro means US dollars. */
const CURRENCY = sql`case q.currn_idx when ${sql.lit(EURO_INDEX)} then ${sql.lit(EURO_INDEX)} else ${sql.lit(DOLLAR_INDEX)} end`;

/** The columns of `report_quote` for these quotes, computed now. A decision without an event gets the date of the last change. */
export function quoteFacts(ids: readonly number[]): RawBuilder<{ id: number }> {
  return sql`select ${names} from (
    select q.id, c.events, c.events as summed_events, q.status_id,
      coalesce(c.status_since, q.created_at) as status_since, q.revision, q.owner_id, q.sales_rep_id, q.region_id,
      q.territory_id, q.facility_id, ${CURRENCY} as currn_idx, q.quote_date, q.valid_until, q.created_at, c.submitted_at,
      c.approved_at, c.sent_at,
      case when q.status_id in ('Won', 'Lost', 'Cancelled') then coalesce(c.decided_at, q.updated_at) end as decided_at,
      coalesce(c.touched_at, q.created_at) as touched_at, q.lost_reason, q.lost_competitor, q.lost_competitor_price,
      l.list_amount, l.contract_amount, l.promotion_amount, l.typed_amount, q.subtotal as net_amount, q.freight_amount,
      q.total_amount,
      ${discountOf(sql`l.list_amount`, sql`q.subtotal`)} as discount, l.cost_amount, l.costed_amount, l.uncosted_amount, l.uncosted_lines,
      l.leak_amount, l.leak_lines, l.rule_amount, c.in_editing, c.in_waiting, c.in_processing, c.in_need_info, c.in_approved, c.in_sent,
      c.in_revising
    from quote q cross join lateral (${COURSE}) c cross join lateral (${LINE_SUMS}) l
    where q.id = any(${ids}::int[])) facts`;
}

/** The bits of `firsts`: the line is the first of its quote, of its class in the quote, of its contract, or of both. */
export const FIRST_OF = { quote: 1, class: 2, contract: 4, both: 8 };
const PARTS: Record<keyof typeof FIRST_OF, RawBuilder<unknown>> = {
  quote: sql``,
  class: sql`, item.class_id`,
  contract: sql`, cl.contract_id`,
  both: sql`, item.class_id, cl.contract_id`,
};
const FIRSTS = sql.join(
  Object.entries(PARTS).map(
    ([kind, partition]) =>
      sql`case row_number() over (partition by i.quote_id ${partition} order by i.id)
        when 1 then ${sql.lit(FIRST_OF[kind as keyof typeof FIRST_OF])} else 0 end`,
  ),
  sql` + `,
);

const LINE_COLUMNS = sql.raw(
  `line_id, quote_id, month, currn_idx, status_id, facility_id, item_id, class_id, contract_id, tier_id, firsts, unit, qty,
    list_amount, rule_amount, net_amount, cost_amount, discount, net_price`,
);
/** The columns of `report_counted_line` for the lines of these quotes, computed now. The tier is the one in the price proof. */
function lineFactsOf(ids: readonly number[]): RawBuilder<{ line_id: number }> {
  return sql`
    select i.id as line_id, i.quote_id, date_trunc('month', q.quote_date::timestamp)::date as month, ${CURRENCY} as currn_idx,
      q.status_id, q.facility_id, i.item_id, item.class_id, cl.contract_id,
      substring(i.price_proof::text from 'contract_line ' || i.contract_line_id || ' tier ([0-9]+)')::int as tier_id,
      ${FIRSTS} as firsts, i.unit, i.qty,
      ${LIST} as list_amount, ${RULE} as rule_amount, i.line_total as net_amount, ${COST} as cost_amount,
      ${discountOf(LIST, sql`i.line_total`)} as discount,
      case when i.type <> 'free' and i.unit_price is not null and i.qty > 0 then round(i.line_total / i.qty, 4) end as net_price
    from quote_item i join quote q on q.id = i.quote_id left join item on item.id = i.item_id
    left join contract_line cl on cl.id = i.contract_line_id
    where i.quote_id = any(${ids}::int[]) and ${COUNTS}`;
}

/**
 * Writes the facts of these quotes, and adds them to the sums. Lines come second: if a user edits between the two statements, the quote's row lacks
 * the newest event, and the next catch-up writes both again.
 */
export async function writeFacts(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const sets = sql.join(
    QUOTE_COLUMNS.filter((name) => name !== 'id').map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`),
  );
  await addSums(db, ids, -1);
  await sql`insert into report_quote (${names}) ${quoteFacts(ids)} on conflict (id) do update set ${sets}`.execute(db);
  await sql`delete from report_counted_line where quote_id = any(${ids}::int[])`.execute(db);
  await sql`insert into report_counted_line (${LINE_COLUMNS}) ${lineFactsOf(ids)}`.execute(db);
  await addSums(db, ids, 1);
}

/** The quotes among these whose stored facts differ from those computed now, although they include the same events. */
export async function differingFrom(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with fresh as (${quoteFacts(ids)}), fresh_line as (${lineFactsOf(ids)}),
      same_events as (select f.id from fresh f join report_quote r on r.id = f.id and r.events = f.events)
    select distinct id from (
      (select ${names} from fresh except select ${names} from report_quote where id = any(${ids}::int[]))
      union all (select ${names} from report_quote where id = any(${ids}::int[]) except select ${names} from fresh)) d
    where id in (select id from same_events)
    union select distinct quote_id from (
      (select ${LINE_COLUMNS} from fresh_line except select ${LINE_COLUMNS} from report_counted_line where quote_id = any(${ids}::int[]))
      union all (select ${LINE_COLUMNS} from report_counted_line where quote_id = any(${ids}::int[]) except
        select ${LINE_COLUMNS} from fresh_line)) d
    where quote_id in (select id from same_events)
    order by 1`.execute(db);
  return rows.map(({ id }) => id);
}
