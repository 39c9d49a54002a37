// Describes in words what a slice shows: 'Won, March 2026'.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { LOST_REASONS, type LostReason } from '#core/quoting/quote-workflow/workflow.ts';
import { STATUS_LABELS } from '#core/quoting/quotes/status.ts';
import { NONE } from '../facts/buckets.server.ts';
import { monthName } from '../month-name.server.ts';
import { keyNames } from '../pivot/pivot-names.server.ts';
import { MEASURE_LABELS } from '../pivot-choice.ts';
import {
  AGES,
  type BridgeStep,
  DECISION_DAYS,
  DISCOUNTS,
  PRICE_GAPS,
  type Slice,
  type WaitingFor,
  type WaterfallStep,
} from '../slices.ts';
import { formatDate } from '#platform/shared/dates.ts';

const BRIDGE: Record<BridgeStep, string> = {
  start: 'Open and not expired a week ago',
  new: 'New in the last week',
  reopened: 'Reopened in the last week',
  grown: 'Increased in the last week',
  shrunk: 'Decreased in the last week',
  won: 'Won in the last week',
  lost: 'Lost in the last week',
  cancelled: 'Canceled in the last week',
  expired: 'Expired in the last week',
  end: 'Open and not expired',
};
const WATERFALL: Record<WaterfallStep, string> = {
  list: 'List value',
  contract: 'Account and contract prices',
  promotion: 'Promotions',
  typed: 'Typed prices and discounts',
  quoteDiscount: 'Quote discount',
  net: 'Net',
  freight: 'Freight',
  tax: 'Tax',
  total: 'Total',
};
const WAITING: Record<WaitingFor, string> = {
  salesRep: 'Waiting for the sales rep',
  queue: 'Waiting to be processed',
  processor: 'Being processed',
  approver: 'Waiting for approval',
  sender: 'Waiting to be sent',
  customer: 'Waiting for the customer',
};
const nameIn = (buckets: readonly { key: string; name: string }[], key: string) =>
  buckets.find((bucket) => bucket.key === key)?.name ?? key;

/** The tables whose ids are keys of slices, each with its name column. */
const NAMES = {
  rep: sql`select full_name as name from app_user`,
  region: sql`select name from region`,
  territory: sql`select name from territory`,
  class: sql`select name from item_class`,
  contract: sql`select number as name from gpo_contract`,
  tier: sql`select c.number || ', ' || t.name as name from contract_tier t join gpo_contract c on c.id = t.contract_id`,
  item: sql`select item_number as name from item`,
  rule: sql`select name from approval_rule`,
} as const;
const NOBODY: Record<keyof typeof NAMES, string> = {
  rep: 'No sales rep',
  region: 'No region',
  territory: 'No territory',
  class: 'No item class',
  contract: 'No contract',
  tier: 'No tier',
  item: 'No item',
  rule: 'No rule',
};

async function recordName(db: Db, table: keyof typeof NAMES, key: string): Promise<string> {
  if (key === NONE) return NOBODY[table];
  const id = Number(key);
  if (!Number.isInteger(id) || id < 1 || id > 2_147_483_647) return key;
  const column = table === 'tier' ? sql`t.id` : sql`id`;
  const { rows } = await sql<{ name: string }>`${NAMES[table]} where ${column} = ${id}`.execute(db);
  return rows[0]?.name ?? key;
}

/** The title of the list behind a figure. Readers already know the names from the report they come from. `isEmpty`: the list has no quotes. */
export async function sliceTitle(db: Db, slice: Slice, { isEmpty }: { isEmpty: boolean }): Promise<string> {
  switch (slice.kind) {
    case 'status':
      return STATUS_LABELS[slice.status];
    case 'age':
      return `${slice.status ? STATUS_LABELS[slice.status] : 'Open'}, ${nameIn(AGES, slice.age).toLowerCase()} old`;
    case 'week':
      return `${{ created: 'Created', submitted: 'First submitted', sent: 'First sent', won: 'Won' }[slice.step]} in the week of ${formatDate(slice.week)}`;
    case 'bridge':
      return BRIDGE[slice.step];
    case 'untouched':
      return 'No activity for 7 days';
    case 'expiring':
      return 'Expiring within 7 days';
    case 'expired':
      return 'Expired but still open';
    case 'decided': {
      const outcome = slice.outcome === 'won' ? 'Won' : 'Lost';
      const groupTitle = await groupName(db, slice.by, slice.key);
      return groupTitle ? `${outcome}, ${groupTitle}` : outcome;
    }
    case 'reason':
      return `Lost, ${slice.key === NONE ? 'no reason given' : (LOST_REASONS[slice.key as LostReason] ?? slice.key)}`;
    case 'competitor':
      return slice.key === NONE ? 'Lost, no competitor named' : `Lost to ${slice.key}`;
    case 'gap':
      return slice.key === 'all'
        ? 'Lost, competitor price known'
        : `Lost, our price ${nameIn(PRICE_GAPS, slice.key).toLowerCase()}`;
    case 'waterfall':
      return WATERFALL[slice.step];
    case 'rep':
    case 'class':
      return recordName(db, slice.kind, slice.key);
    case 'outliers':
      return 'Unusual discounts';
    case 'leakage':
      return slice.by === 'all'
        ? 'Below system price'
        : `Below system price, ${await recordName(db, slice.by, slice.key)}`;
    case 'uncosted':
      return 'Lines without a cost';
    case 'stay':
      return `Time in ${STATUS_LABELS[slice.status]}`;
    case 'approval':
      return `Approvals, ${await recordName(db, slice.by === 'person' ? 'rep' : 'rule', slice.key)}`;
    case 'revisions':
      return slice.key === '1' ? '1 revision' : `${slice.key === '5' ? '5 or more' : slice.key} revisions`;
    case 'waiting':
      return slice.for === 'salesRep' || slice.for === 'processor'
        ? `${WAITING[slice.for]}, ${await recordName(db, 'rep', slice.key)}, ${STATUS_LABELS[slice.status]}`
        : WAITING[slice.for];
    case 'contract':
    case 'tier':
    case 'item':
    case 'territory': {
      const words = { quoted: 'Quoted', won: 'Won', lost: 'Lost', open: 'Open', yearBefore: 'Won a year earlier' };
      return `${words[slice.outcome]}, ${await recordName(db, slice.kind, slice.key)}`;
    }
    case 'pivot': {
      const { measure, rows, row, columns, column } = slice;
      // A request can contain any id, but readers may know the names of facilities and contracts only from quotes that they see.
      if (isEmpty) return MEASURE_LABELS[measure];
      const names = [
        ...(row === null ? [] : [(await keyNames(db, rows, [row]))(row)]),
        ...(columns === null || column === null ? [] : [(await keyNames(db, columns, [column]))(column)]),
      ];
      return [MEASURE_LABELS[measure], ...names].join(', ');
    }
  }
}

async function groupName(db: Db, by: Extract<Slice, { kind: 'decided' }>['by'], key: string): Promise<string> {
  switch (by) {
    case 'all':
      return '';
    case 'month':
      return monthName(key);
    case 'rep':
    case 'region':
      return recordName(db, by, key);
    case 'trade':
      return key === NONE ? 'no class of trade' : key;
    case 'discount':
      return nameIn(DISCOUNTS, key).toLowerCase();
    case 'days':
      return `decision time: ${nameIn(DECISION_DAYS, key).toLowerCase()}`;
  }
}
