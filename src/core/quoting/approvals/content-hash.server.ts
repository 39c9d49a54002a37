// Reads the newest approval request of a revision, and hashes the commercial content that an approval covers.
import { createHash } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { ApprovalRequest, Quote, QuoteItem } from '#platform/db/tables.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import type { Decision, FiredRule } from './approval-shapes.ts';
import type { Figures } from './rules-that-fire.server.ts';

const QUOTE_FIELDS = [
  'revision',
  'facility_id',
  'bill_to',
  'ship_to',
  'quote_date',
  'valid_until',
  'currn_idx',
  'payment_terms',
  'freight_terms',
  'freight_amount',
  'tax_rate',
  'tax_exempt',
  'discount_pct',
  'subtotal',
  'tax_amount',
  'total_amount',
] as const;
const LINE_FIELDS = [
  'line_no',
  'type',
  'item_id',
  'item_number',
  'description',
  'qty',
  'unit',
  'active',
  'optional',
  'unit_price',
  'quote_discount',
  'line_total',
] as const;

/** SHA-256 of the commercial content as canonical JSON. Changes to notes, messages and contacts do not affect it. */
export function contentHash(
  quote: Pick<Selectable<Quote>, (typeof QUOTE_FIELDS)[number]>,
  items: readonly Pick<Selectable<QuoteItem>, (typeof LINE_FIELDS)[number]>[],
): string {
  // Only the addresses have keys to sort. A replacer that sorts keys would visit every value of a thousand lines.
  const header = QUOTE_FIELDS.map((field) => canonical(quote[field]));
  const lines = items.toSorted((a, b) => a.line_no - b.line_no).map((item) => LINE_FIELDS.map((field) => item[field]));
  return createHash('sha256')
    .update(JSON.stringify([header, lines]))
    .digest('hex');
}

function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

export type ApprovalRecord = Omit<Selectable<ApprovalRequest>, 'rules' | 'figures' | 'decisions'> & {
  rules: FiredRule[];
  figures: Figures;
  /** The decisions so far. A rule without a decision is undecided while the request is Pending. */
  decisions: Decision[];
  requestedBy: string;
  decidedBy: string | null;
};

/** The newest request of a revision, in any state. Undefined when there is none. */
export async function latestRequest(db: Db, quoteId: number, revision: number): Promise<ApprovalRecord | undefined> {
  const { rows } = await sql<{ request: ApprovalRecord | null }>`
    select ${latestRequestValue(quoteId, revision)} as request`.execute(db);
  return requestRead(rows[0]?.request ?? null);
}

/** The newest request as a value in a larger SQL statement. `requestRead` turns it into a record. */
export function latestRequestValue(quoteId: number | RawBuilder<unknown>, revision: number | RawBuilder<unknown>) {
  return sql<ApprovalRecord | null>`(select to_json(r) from (
    select a.*, ${whoDid('a.requested_by')} as "requestedBy", nullif(${whoDid('a.decided_by')}, '') as "decidedBy"
      from approval_request a
     where a.quote_id = ${quoteId} and a.revision = ${revision} order by a.id desc limit 1) r)`;
}

/** Converts the instants, which the JSON contains in the database's format, to ISO. */
export function requestRead(value: ApprovalRecord | null): ApprovalRecord | undefined {
  const instant = (text: string) => new Date(text).toISOString();
  if (!value) return undefined;
  return {
    ...value,
    requested_at: instant(value.requested_at),
    decided_at: value.decided_at && instant(value.decided_at),
    reminded_at: value.reminded_at && instant(value.reminded_at),
    escalated_at: value.escalated_at && instant(value.escalated_at),
  };
}
