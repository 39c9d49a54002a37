// Reads everything a board shows of a quote in one statement, so that opening a quote of any length is one trip to the database.
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '#api/http-error.ts';
import { type ItemLook, itemPicture, productName } from '#features/catalogue/items/item-look.server.ts';
import { today } from '#features/company/company/company.server.ts';
import { whoDid } from '#features/people/users/acting-name.server.ts';
import type { ItemFacts } from '#features/prices/pricing/priced-item.server.ts';
import type { DatedPromotion } from '#features/prices/promotions/promotion.ts';
import { runsOn } from '#features/prices/promotions/promotions.server.ts';
import { openingsOf } from '#features/quoting/quotes/openings.server.ts';
import { provisionalNow } from '#features/quoting/provisional/hanging.server.ts';
import type { Provisional } from '#features/quoting/provisional/provisional.ts';
import { readApprovers } from '#features/quoting/approvals/approvers.server.ts';
import type { KnownApprover } from '#features/quoting/approvals/awaited.ts';
import {
  type ApprovalRecord,
  latestRequestValue,
  requestRead,
} from '#features/quoting/approvals/content-hash.server.ts';
import { rulesValue } from '#features/quoting/approvals/load-rules.server.ts';
import type { Rule } from '#features/quoting/approvals/rules-that-fire.server.ts';
import type { StoredEvent } from '#features/quoting/quotes/events/events.server.ts';
import type { Line, QuoteRecord } from '#features/quoting/quotes/records.ts';
import { inSight } from '#features/quoting/quotes/sight.server.ts';
import { OPEN_STATUSES } from '#features/quoting/quotes/status.ts';
import type { IsoDate } from '#shared/dates.ts';
import { LINE_COLUMNS } from '../lines/quote-lines.server.ts';
import type { QuoteFile, QuoteRevision } from '../quote-edit.contract.ts';
import type { ReadContext } from './quote-view.server.ts';

/** The facts of an item that a line shows. */
export type ShownItem = Pick<ItemFacts, 'status' | 'visible' | 'units'> &
  ItemLook & {
    classId: number | null;
    promotions: (DatedPromotion & { itemId: number })[];
  };

/** The id is null when the quote is out of the reader's sight. */
export type OpenQuote = { id: number | null; num: number; revision: number };

export type QuoteFacts = {
  quote: QuoteRecord;
  /** The lines in order, with their proofs. */
  lines: Line[];
  /** The newest request of the revision. */
  request: ApprovalRecord | undefined;
  /** The people who decide. Read only while that request is Pending. */
  approvers: KnownApprover[];
  rules: Rule[];
  people: { id: number; name: string; active: boolean }[];
  files: QuoteFile[];
  revisions: QuoteRevision[];
  /** Other open quotes of the facility, newest first. */
  openQuotes: OpenQuote[];
  /** Facilities that look the same as the quote's and have prices of their own. */
  alike: string[];
  items: ReadonlyMap<number, ShownItem>;
  /** The state of the requests that prices depend on. */
  provisional: Provisional | null;
  /** Newest first. */
  events: StoredEvent[];
  /** Configurator items wait for the quote. */
  itemsWait: boolean;
  /** A user may configure a model, or has done so for the quote. */
  offersModels: boolean;
  today: IsoDate;
};

const MOST_EVENTS = 300;

/** Rows without field names, which a quote of a thousand items would repeat a thousand times. */
function arrays(columns: RawBuilder<unknown>, order?: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(json_agg(json_build_array(${columns})${order ? sql` order by ${order}` : sql``}), '[]')`;
}

const LINE = sql.raw(LINE_COLUMNS.join(', '));
const REQUEST = latestRequestValue(sql`quote.id`, sql`quote.revision`);
const FOUND_PEOPLE = sql`(
  select coalesce(json_agg(json_build_object('id', id, 'name', full_name, 'active', active)), '[]')
    from app_user
   where id in (quote.sales_rep_id, quote.cs_rep_id, quote.is_rep_id, quote.owner_id, quote.assignee_id))`;
export const FILES = sql`(
  select coalesce(json_agg(json_build_object(
           'id', qf.id, 'name', f.name, 'mediaType', f.media_type, 'size', f.size,
           'visibleToCustomer', qf.visible_to_customer, 'uploadedBy', ${whoDid('qf.uploaded_by')},
           'uploadedAt', qf.uploaded_at) order by qf.id), '[]')
    from quote_file qf
    join file f on f.id = qf.file_id
   where qf.quote_id = quote.id and qf.removed_at is null)`;
const STATE_OF_REVISION = sql`case
  when r.accepted_at is not null then 'Accepted'
  when r.declined_at is not null then 'Declined'
  when r.revoked_at is not null then 'Revoked'
  when r.superseded_at is not null then 'Superseded'
  else 'Current' end`;
const REVISIONS = sql`(
  select coalesce(json_agg(json_build_object(
           'revision', r.revision, 'docId', r.doc_id, 'sentAt', r.sent_at, 'sentBy', ${whoDid('r.sent_by')},
           'totalAmount', r.total_amount, 'validUntil', r.valid_until, 'opened', ${openingsOf('r')},
           'state', ${STATE_OF_REVISION}) order by r.revision desc), '[]')
    from quote_revision r
   where r.quote_id = quote.id)`;
/** The other open quotes of a facility, newest first, as a value inside a statement. */
export function openQuotesValue(
  user: ReadContext['user'],
  facility: RawBuilder<unknown>,
  { id, date }: { id: RawBuilder<unknown>; date: RawBuilder<unknown> },
) {
  return sql<OpenQuote[]>`(
    select coalesce(json_agg(to_json(o)), '[]')
      from (
        select o.num, o.revision, (select quote.id from quote where quote.id = o.id and ${inSight(user)}) as id
          from quote o
         where o.facility_id = ${facility}
           and o.id <> ${id}
           and o.status_id = any(${sql.lit(`{${OPEN_STATUSES.join()}}`)}::text[])
           and o.quote_date >= ${date} - 365
         order by o.quote_date desc, o.id desc
         limit 5) o)`;
}
const OF_QUOTE = { id: sql`quote.id`, date: sql`quote.quote_date` };
const PROMOTIONS = sql`(select ${arrays(
  sql`p.id, p.promotion_type, p.buy_qty, p.get_qty, p.amount, p.min_qty, p.max_qty, p.uom, p.valid_from, p.valid_to`,
  sql`p.id`,
)} from promotion p where p.item_id = item.id and ${runsOn(sql`quote.quote_date`, sql`quote.currn_idx`)})`;
const UNITS = sql`(select json_agg(json_build_object('unit', unit, 'factor', factor) order by factor, unit)
  from item_unit where item_id = item.id)`;
const VISIBLE = sql`coalesce((select visible_in_web_quote from item_class where id = item.class_id), true)`;
/** A quote's events, newest first, as a value inside a statement. */
export const EVENTS = sql`(
  select coalesce(json_agg(to_json(e)), '[]')
    from (
      select id, at, actor, action, from_status as from, to_status as to, revision, comment, changes
        from quote_event
       where quote_id = quote.id
       order by id desc
       limit ${sql.lit(MOST_EVENTS)}) e)`;

/** Whether a configurator has left items for a quote, as a value inside a statement. */
export const ITEMS_WAIT = sql<boolean>`exists (select from configuration c where c.quote_id = quote.id)`;
/** Whether users may configure anything for a new quote, as a value inside a statement. */
export const MODELS_ACTIVE = sql<boolean>`exists (select from configurable_model where active)`;
const OFFERS_MODELS = sql`(${MODELS_ACTIVE} or exists (select from quote_configuration c where c.quote_id = quote.id))`;

type PromotionValues = [number, string, number, number, number, number, number, string, IsoDate, IsoDate | null];
type ItemValues = [
  number,
  string,
  string,
  string,
  number | null,
  boolean,
  ItemFacts['units'] | null,
  number | null,
  string,
  PromotionValues[],
];
type Found = Omit<QuoteFacts, 'lines' | 'request' | 'approvers' | 'items' | 'today' | 'provisional'> & {
  request: ApprovalRecord | null;
  items: ItemValues[];
  timeZone: string;
};

/**
 * Reads a whole quote in sight, else 404. `seen`: the caller has checked the sight. Returns one row per line, because the database and the driver
 * handle rows fastest. The first row carries everything else. Each part is found by its index of quote_id: quote_item_quote, quote_event_quote, …
 */
export async function quoteFacts(
  { db, services, user }: ReadContext,
  quoteId: number,
  seen: boolean,
): Promise<QuoteFacts> {
  const items = sql`(select ${arrays(
    sql`item.id, item.item_number, item.base_unit, item.status, item.class_id, ${VISIBLE}, ${UNITS},
      ${itemPicture(user)}, ${productName}, ${PROMOTIONS}`,
  )} from item where item.id in (select l.item_id from quote_item l where l.quote_id = quote.id))`;
  const { rows } = await sql<Line & { found: Found | null }>`
    select line.*,
           case when coalesce(place, 1) = 1 then json_build_object(
             'quote', to_json(quote),
             'request', ${REQUEST},
             'rules', ${rulesValue},
             'people', ${FOUND_PEOPLE},
             'files', ${FILES},
             'revisions', ${REVISIONS},
             'openQuotes', ${openQuotesValue(user, sql`quote.facility_id`, OF_QUOTE)},
             'alike', alike_with_prices(quote.facility_id),
             'items', ${items},
             'events', ${EVENTS},
             'itemsWait', ${ITEMS_WAIT},
             'offersModels', ${OFFERS_MODELS},
             'timeZone', (select time_zone from company)) end as found
      from quote
      left join lateral (
        select ${LINE}, row_number() over (order by line_no, id) as place
          from quote_item
         where quote_id = quote.id) line on true
     where quote.id = ${quoteId} and ${seen ? sql`true` : inSight(user)}
     order by place`.execute(db);
  const found = rows[0]?.found;
  if (!found) throw notFound('quote');
  const { quote, request } = found;
  const lines = rows[0]?.id ? rows : [];
  return {
    ...found,
    quote: { ...quote, created_at: instant(quote.created_at), updated_at: instant(quote.updated_at) },
    lines,
    provisional: await provisionalNow(db, services, quote, lines),
    request: requestRead(request),
    approvers: request?.state === 'Pending' ? await readApprovers(db, services) : [],
    files: filesRead(found.files),
    revisions: found.revisions.map((revision) => ({ ...revision, sentAt: instant(revision.sentAt) })),
    items: new Map(found.items.map((values) => [values[0], itemOf(values)])),
    events: eventsRead(found.events),
    today: today(services, { time_zone: found.timeZone }),
  };
}

export function filesRead(files: readonly QuoteFile[]): QuoteFile[] {
  return files.map((file) => ({ ...file, uploadedAt: instant(file.uploadedAt) }));
}

export function eventsRead(events: readonly StoredEvent[]): StoredEvent[] {
  return events.map((event) => ({ ...event, at: instant(event.at) }));
}

/** Converts an instant from the database's JSON notation. */
function instant(text: string): string {
  return new Date(text).toISOString();
}

function itemOf(values: ItemValues): ShownItem {
  const [itemId, itemNumber, baseUnit, status, classId, visible, units, picture, productName, promotions] = values;
  const others = units?.filter(({ unit }) => unit !== baseUnit) ?? [];
  return {
    status,
    visible,
    classId,
    picture,
    productName,
    units: [{ unit: baseUnit, factor: 1 }, ...others],
    promotions: promotions.map(([id, promotionType, buy, get, amount, minQty, maxQty, uom, validFrom, validTo]) => ({
      id,
      itemId,
      itemNumber,
      promotionType,
      buyXGetYFreeBuyQty: buy,
      buyXGetYFreeGetQty: get,
      promotionAmt: amount,
      minQty,
      maxQty,
      uom,
      validFrom,
      validTo,
    })),
  };
}
