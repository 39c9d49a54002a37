// The conditions on quotes for the speed figures. The lists behind the figures use them, too.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import { hasKey } from '../facts/buckets.server.ts';
import type { Part } from '../facts/quotes-of-figure.server.ts';
import { IS_OPEN, inPeriod, type Terms } from '../facts/selection.server.ts';
import type { Slice } from '../slices.ts';

/** The column with the seconds that a quote spent in each open status. */
export const STAYS = {
  Editing: 'in_editing',
  WaitingForProcess: 'in_waiting',
  Processing: 'in_processing',
  NeedMoreInfo: 'in_need_info',
  DiscountApproved: 'in_approved',
  SentToCustomer: 'in_sent',
  Revising: 'in_revising',
} as const satisfies Partial<Record<StatusId, string>>;
export type StayStatus = keyof typeof STAYS;

export const isCreated = (terms: Terms): RawBuilder<SqlBool> => inPeriod(sql`quote.created_at`, terms);
export const REVISIONS = sql`least(quote.revision, 5)`;

/** Every decision in the period on the request of another user, with its seconds. `report_quote quote` is the quote. */
export function decisionsOf(terms: Terms): RawBuilder<unknown> {
  return sql`report_quote quote join approval_request request on request.quote_id = quote.id
    cross join lateral jsonb_to_recordset(request.decisions) as decision("ruleId" int, "by" int, at timestamptz)
    where ${inPeriod(sql`request.requested_at`, terms)} and decision."by" <> request.requested_by`;
}

const PENDING = sql`(select request.rules, request.decisions from approval_request request
  where request.quote_id = quote.id and request.state = 'Pending')`;
const isPending = sql<SqlBool>`exists (select from approval_request request
  where request.quote_id = quote.id and request.state = 'Pending')`;

/** Who an open quote waits for. */
export const WAITS_FOR = sql<string>`case quote.status_id
  when 'WaitingForProcess' then 'queue' when 'DiscountApproved' then 'sender' when 'SentToCustomer' then 'customer'
  when 'Processing' then case when ${isPending} then 'approver' else 'processor' end else 'salesRep' end`;
/** The id of that user, or the roles that still have to decide. Empty if any user may take the step. */
export const WAITS_FOR_KEY = sql`case quote.status_id
  when 'WaitingForProcess' then '' when 'DiscountApproved' then '' when 'SentToCustomer' then ''
  when 'Processing' then case when ${isPending}
    then (select string_agg(distinct rule.role collate "C", ',' order by rule.role collate "C") from ${PENDING} pending
      cross join lateral jsonb_to_recordset(pending.rules) as rule("ruleId" int, role text)
      where not exists (select from jsonb_to_recordset(pending.decisions) as made("ruleId" int) where made."ruleId" = rule."ruleId"))
    else (select q.assignee_id::text from quote q where q.id = quote.id) end
  else quote.sales_rep_id::text end`;

type SpeedSlice = Extract<Slice, { kind: 'stay' | 'approval' | 'revisions' | 'waiting' }>;

export function speedPart(slice: SpeedSlice, terms: Terms): Part {
  switch (slice.kind) {
    case 'stay': {
      const column = STAYS[slice.status as StayStatus] as string | undefined;
      const stayed = column ? sql<SqlBool>`${sql.ref(`quote.${column}`)} is not null` : sql<SqlBool>`false`;
      return { where: sql<SqlBool>`${isCreated(terms)} and ${stayed}` };
    }
    case 'approval': {
      const decided = slice.by === 'rule' ? sql`decision."ruleId"` : sql`decision."by"`;
      const result = sql`select quote.id from ${decisionsOf(terms)} and ${hasKey(decided, slice.key)}`;
      return { where: sql<SqlBool>`quote.id in (${result})` };
    }
    case 'revisions':
      return { where: sql<SqlBool>`${isCreated(terms)} and ${hasKey(REVISIONS, slice.key)}` };
    case 'waiting':
      return {
        where: sql<SqlBool>`${IS_OPEN} and quote.status_id = ${slice.status} and ${WAITS_FOR} = ${slice.for}
          and ${hasKey(WAITS_FOR_KEY, slice.key)}`,
      };
  }
}
