// Reads the state of live quotes a week ago from the events since, and finds the step that each quote made in the bridge.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { inSight, seesAllQuotes } from '#core/quoting/quotes/sight.server.ts';
import { IS_OPEN, type Terms } from '../facts/selection.server.ts';
import type { BridgeStep } from '../slices.ts';

/** An amount as the history writes it: '$1,234.50'. */
const amountIn = (text: RawBuilder<unknown>) => sql`nullif(regexp_replace(${text}, '[^0-9.-]', '', 'g'), '')::numeric`;
const isTotal = sql`c ->> 'field' in ('Total', 'Total without the eligibility request')`;
/** Checked first, because most events change neither and unpacking changes is slow. */
const namesTotal = sql`e.changes @> any(array['[{"field": "Total"}]', '[{"field": "Total without the eligibility request"}]']::jsonb[])`;
const namesValidity = sql`e.changes @> '[{"field": "Valid until"}]'`;

/**
 * `report_quote quote` joined with `was`: the status, total and last valid day of each quote at the beginning of the week. A null status means that
 * the quote did not exist. The first event since then that changed a value contains its former value. Without such an event, the value is the same
 * now. An event that discards a revision contains no total, so the last total before the week applies. If nothing had changed the total before, the
 * first total in the week's events applies. `offset 0` keeps the database from computing it once for each figure.
 */
export function weekAgo(terms: Terms): RawBuilder<unknown> {
  const at = sql`${terms.since.toISOString()}::timestamptz`;
  return sql`report_quote quote
  left join (${week(at, terms)}) week on week.quote_id = quote.id
  cross join lateral (${was(at)}) was`;
}

/** The former values of each quote, from the events of the week, by quote_event_newest. */
function week(at: RawBuilder<unknown>, { user }: Terms) {
  // A report for one user's quotes need not read the changes of all quotes.
  const theirs = seesAllQuotes(user)
    ? sql``
    : sql`and e.quote_id in (select quote.id from report_quote quote where ${inSight(user)})`;
  return sql`
    select e.quote_id,
           (array_agg(e.from_status order by e.id) filter (where e.moved))[1] as status_id,
           bool_or(e.moved) as moved,
           (array_agg(e.total order by e.id)
             filter (where e.total is not null or e.action = 'DiscardRevision'))[1] as total,
           bool_or(e.total is not null or e.action = 'DiscardRevision') as retotalled,
           (array_agg(e.total order by e.id) filter (where e.total is not null))[1] as named_total,
           (array_agg(e.valid order by e.id) filter (where e.valid is not null))[1] as valid_until
      from (
        select e.id, e.quote_id, e.action, e.from_status,
               e.to_status is not null and e.to_status is distinct from e.from_status as moved,
               ${TOTAL_BEFORE} as total,
               ${VALID_BEFORE} as valid
          from quote_event e
         where e.at >= ${at} ${theirs}) e
     group by e.quote_id`;
}

/** The total that an event changed, before the change. `VALID_BEFORE`: the last valid day. Null if the event did not change it. */
const TOTAL_BEFORE = sql`case when ${namesTotal} then (
                 select ${amountIn(sql`c ->> 'before'`)}
                   from jsonb_array_elements(e.changes) c
                  where ${isTotal}
                  limit 1) end`;
const VALID_BEFORE = sql`case when ${namesValidity} then (
                 select to_date(nullif(c ->> 'before', ''), 'MM/DD/YYYY')
                   from jsonb_array_elements(e.changes) c
                  where c ->> 'field' = 'Valid until'
                  limit 1) end`;

/** A quote as it was at the beginning of its week. */
function was(at: RawBuilder<unknown>) {
  return sql`
    select case when quote.created_at >= ${at} then null
                when week.moved then week.status_id
                else quote.status_id end as status_id,
           case when week.retotalled
             then coalesce(week.total, ${lastTotalBefore(at)}, week.named_total, quote.total_amount)
             else quote.total_amount end as total_amount,
           coalesce(week.valid_until, quote.valid_until) as valid_until,
           coalesce(week.moved, false) as moved
    offset 0`;
}

/** The total after the last event before the week, by quote_event_quote. */
function lastTotalBefore(at: RawBuilder<unknown>) {
  return sql`(
               select ${amountIn(sql`c ->> 'after'`)}
                 from quote_event e, jsonb_array_elements(e.changes) c
                where e.quote_id = quote.id and e.at < ${at} and ${isTotal}
                order by e.id desc
                limit 1)`;
}

/**
 * Whether a quote may make a step. A quote that was closed a week ago and did not move since makes none. It needs no lateral join, so it comes first.
 */
export const mayStep = ({ since }: Pick<Terms, 'since'>) => sql<SqlBool>`(${IS_OPEN} or quote.id in (
  select quote_id from quote_event where at >= ${since.toISOString()}::timestamptz and to_status is not null
    and to_status is distinct from from_status))`;

/** Whether a quote was live a week ago: open and not expired. */
const wasLive = ({ sinceDay }: Pick<Terms, 'sinceDay'>) =>
  sql<SqlBool>`coalesce(was.status_id not in ('Won', 'Lost', 'Cancelled')
    and not (was.status_id = 'SentToCustomer' and was.valid_until < ${sinceDay}::date), false)`;
const isLive = ({ today }: Pick<Terms, 'today'>) =>
  sql<SqlBool>`(${IS_OPEN} and not (quote.status_id = 'SentToCustomer' and quote.valid_until < ${today}::date))`;

/** The quotes that make a step, and the amount that each adds to it. A quote makes at most one step between the two ends. */
export function bridgeStep(
  step: BridgeStep,
  terms: Terms,
): { where: RawBuilder<SqlBool>; amount: RawBuilder<unknown> } {
  const [was, is] = [wasLive(terms), isLive(terms)];
  const now = sql`quote.total_amount`;
  const left = sql`-was.total_amount`;
  const gone = (status: string) => ({
    where: sql<SqlBool>`${was} and quote.status_id = ${sql.lit(status)}`,
    amount: left,
  });
  switch (step) {
    case 'start':
      return { where: was, amount: sql`was.total_amount` };
    case 'new':
      return { where: sql<SqlBool>`not ${was} and ${is} and was.status_id is null`, amount: now };
    case 'reopened':
      return { where: sql<SqlBool>`not ${was} and ${is} and was.status_id is not null`, amount: now };
    case 'grown':
    case 'shrunk': {
      const sign = step === 'grown' ? sql`>` : sql`<`;
      return {
        where: sql<SqlBool>`${was} and ${is} and quote.total_amount ${sign} was.total_amount`,
        amount: sql`quote.total_amount - was.total_amount`,
      };
    }
    case 'won':
      return gone('Won');
    case 'lost':
      return gone('Lost');
    case 'cancelled':
      return gone('Cancelled');
    case 'expired':
      return { where: sql<SqlBool>`${was} and ${IS_OPEN} and not ${is}`, amount: left };
    case 'end':
      return { where: is, amount: now };
  }
}
