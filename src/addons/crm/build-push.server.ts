// Builds what a push sends to the CRM: the mapped values, the lines, and a key that identifies the content.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { EXPORTED_TEXTS, textsOf } from '#core/quoting/quotes/quote-fields.ts';
import type { Line } from '#core/quoting/quotes/quote-rows.ts';
import { CLOSED_STATUSES, STATUS_LABELS, type StatusId } from '#core/quoting/quotes/status.ts';
import { netOf } from '#core/quoting/quotes/totals/net-price.ts';
import { asTotalled } from '#core/quoting/quotes/totals/total-quote.server.ts';
import { dayIn } from '#platform/shared/dates.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { type CrmObject, type Mapping, type MappingRow, type SourceOf, type Stages } from './mapping.ts';

type Values<O extends CrmObject> = Record<SourceOf<O>, string | number | null>;

export type PushLine = {
  id: number;
  /** True for a custom item, which has no product in the CRM. */
  custom: boolean;
  values: Values<'OpportunityLineItem'>;
};
export type PushContent = {
  num: number;
  revision: number;
  acctNo: string;
  contact: Values<'Contact'>;
  opportunity: Values<'Opportunity'>;
  lines: PushLine[];
  /** ISO 4217. */
  currency: string;
};

/** Reads everything that a push of a quote may need. Null if the quote no longer exists. */
export async function readContent(
  db: Db,
  services: Services,
  quoteId: number,
  stages: Stages,
): Promise<PushContent | null> {
  const quote = await db
    .selectFrom('quote')
    .leftJoin('app_user as rep', 'rep.id', 'quote.sales_rep_id')
    .selectAll('quote')
    .select(['rep.full_name as rep_name', 'rep.user_name as rep_email'])
    .select(sql<string>`(select time_zone from company)`.as('time_zone'))
    .where('quote.id', '=', quoteId)
    .executeTakeFirst();
  if (!quote) return null;
  const rows = await db
    .selectFrom('quote_item')
    .selectAll()
    .where('quote_id', '=', quoteId)
    .where('type', 'in', ['item', 'custom', 'free'])
    // Inactive and optional lines are not included in the total.
    .where('active', '=', true)
    .where('optional', '=', false)
    .orderBy('line_no')
    .orderBy('id')
    .execute();
  const status = quote.status_id as StatusId;
  const isClosed = CLOSED_STATUSES.includes(status);
  const currency = currencyOf(quote.currn_idx);
  const [firstName, lastName] = firstAndLastName(quote.contact_name);
  const title = `${cut(quote.facility_name, 100)} ${quote.num}`.trim();
  return {
    num: quote.num,
    revision: quote.revision,
    acctNo: quote.facility_acct_no,
    currency,
    contact: {
      contactEmail: quote.contact_email.trim().toLowerCase(),
      contactFirstName: cut(firstName, 40),
      contactLastName: cut(lastName, 80),
      contactPhone: quote.phone,
    },
    opportunity: {
      quoteNumber: String(quote.num),
      title,
      stage: stages[status],
      closeDate: isClosed ? dayIn(quote.time_zone, new Date(quote.updated_at)) : quote.valid_until,
      totalAmount: quote.total_amount,
      subtotal: quote.subtotal,
      freightAmount: quote.freight_amount,
      taxAmount: quote.tax_amount,
      revision: quote.revision,
      status: STATUS_LABELS[status],
      currency,
      quoteDate: quote.quote_date,
      validUntil: quote.valid_until,
      facilityName: quote.facility_name,
      facilityAcctNo: quote.facility_acct_no,
      salesRepName: quote.rep_name,
      salesRepEmail: quote.rep_email,
      ...textsOf(EXPORTED_TEXTS, quote),
      lostReason: quote.lost_reason,
      lostCompetitor: quote.lost_competitor,
      lostCompetitorPrice: quote.lost_competitor_price,
      url: `${services.config.publicUrl}${paths.internalBoard(quote.id)}`,
    },
    lines: rows.map((line) => ({
      id: line.id,
      custom: line.type === 'custom',
      values: {
        lineId: String(line.id),
        quantity: line.qty,
        lineTotal: line.line_total,
        unitPrice: line.unit_price,
        ...netOf(asTotalled(line as Line), quote.discount_pct),
        listPrice: line.list_price,
        discountPct: line.discount_pct,
        lineNo: line.line_no,
        itemNumber: line.item_number,
        description: cut(line.description, 255),
        unit: line.unit,
      },
    })),
  };
}

/** The fields of one record, built from its mapping rows. */
export function recordOf(
  rows: readonly MappingRow[],
  object: CrmObject,
  values: Record<string, string | number | null>,
  leave: (row: MappingRow) => boolean = () => false,
): Record<string, unknown> {
  const own = rows.filter((row) => row.object === object && !leave(row));
  return Object.fromEntries(
    own.map(({ field, source, constant }) => [field, source === '' ? constantOf(constant) : orNull(values[source])]),
  );
}

/** An empty text clears the field. */
function orNull(value: string | number | null | undefined): string | number | null {
  return value === undefined || value === '' ? null : value;
}

/** The number, the revision, and a hash of the mapped quote. An equal key means that the CRM already has this content. */
export function contentKey(content: PushContent, { rows }: Mapping, what: 'Opportunity' | 'Contact'): string {
  const parts =
    what === 'Contact'
      ? [recordOf(rows, 'Contact', content.contact)]
      : [
          recordOf(rows, 'Opportunity', content.opportunity),
          ...content.lines.map(({ values }) => [values.itemNumber, recordOf(rows, 'OpportunityLineItem', values)]),
        ];
  const hash = createHash('sha256')
    .update(JSON.stringify([content.acctNo, parts]))
    .digest('hex');
  return `${content.num}:${content.revision}:${hash.slice(0, 32)}`;
}

function constantOf(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : text || null;
}

/** Salesforce requires only the last name. */
function firstAndLastName(name: string): [first: string, last: string] {
  const words = name.trim().split(/\s+/);
  return [words.slice(0, -1).join(' '), words.at(-1) ?? ''];
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;
}
