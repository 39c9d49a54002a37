// Reads everything that a board shows of a quote in one statement, so that opening a quote of any length needs one round trip to the database.
import { type RawBuilder, sql } from 'kysely';
import { isOnValue } from '#platform/addons/addon.server.ts';
import { notFound } from '#platform/api/http-error.ts';
import { compiledOnce } from '#platform/db/compiled.server.ts';
import { firstSeen } from '#core/catalog/items/choose-pictures.server.ts';
import type { ItemLook } from '#core/catalog/items/item-look.server.ts';
import { today } from '#platform/company/company.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import type { ItemFacts } from '#core/prices/pricing/priced-item.server.ts';
import type { DatedPromotion } from '#core/prices/promotions/promotion.ts';
import { isRunning } from '#core/prices/promotions/promotions.server.ts';
import { openingsOf } from '#core/quoting/quotes/customer-views.server.ts';
import { currentProvisional } from '#core/quoting/provisional/pending-requests.server.ts';
import type { Provisional } from '#core/quoting/provisional/provisional.ts';
import { readApprovers } from '#core/quoting/approvals/read-approvers.server.ts';
import type { KnownApprover } from '#core/quoting/approvals/whose-decision.ts';
import { type ApprovalRecord, latestRequestValue, requestRead } from '#core/quoting/approvals/content-hash.server.ts';
import type { Rule } from '#core/quoting/approvals/rules-that-fire.server.ts';
import { SHOWN_CHANGES, type StoredEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { seesQuote, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import { OPEN_STATUSES, StatusId } from '#core/quoting/quotes/status.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { LINE_COLUMNS } from '../lines/quote-lines.server.ts';
import type { QuoteFile, QuoteRevision } from '../quote-edit.contract.ts';
import { BOARD_STAMP, recallKnown } from './board-cache.server.ts';
import type { ReadContext } from './quote-view.server.ts';

/** The facts of an item that a line shows. */
export type ShownItem = Pick<ItemFacts, 'status' | 'visible' | 'units'> &
  ItemLook & {
    classId: number | null;
    promotions: (DatedPromotion & { itemId: number })[];
  };

/** The id is null when the user cannot see the quote. */
export type OpenQuote = { id: number | null; num: number; revision: number };

export type QuoteFacts = {
  quote: QuoteRecord;
  /** The lines in order, with their proofs. */
  lines: Line[];
  /** The newest request of the revision. */
  request: ApprovalRecord | undefined;
  /** The users who decide. Read only while that request is Pending. */
  approvers: KnownApprover[];
  rules: Rule[];
  people: { id: number; name: string; active: boolean }[];
  files: QuoteFile[];
  revisions: QuoteRevision[];
  /** Other open quotes of the facility, newest first. */
  openQuotes: OpenQuote[];
  /** Facilities that look the same as the quote's and have their own prices. */
  alike: string[];
  items: ReadonlyMap<number, ShownItem>;
  /** The state of the requests that prices depend on. */
  provisional: Provisional | null;
  /** Newest first. */
  events: StoredEvent[];
  /** Whether configurator items are waiting for the quote. */
  itemsWait: boolean;
  /** Whether the user may configure a model, or one has been configured for the quote. */
  offersModels: boolean;
  today: IsoDate;
};

const MAX_EVENTS = 300;
const PERSON_FIELDS = ['sales_rep_id', 'cs_rep_id', 'is_rep_id', 'owner_id', 'assignee_id'] as const;
const CLOSED = StatusId.options.filter((status) => !OPEN_STATUSES.includes(status));

const LINE = sql.raw(LINE_COLUMNS.join(', '));
const REQUEST = latestRequestValue(sql`quote.id`, sql`quote.revision`);
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
/** Whether approval of a quote was requested, for `seesQuote`. Checked only for a deputy, because it affects no other user's access. */
function wasAsked(quoteId: RawBuilder<unknown>, isDeputy: boolean | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${isDeputy}::boolean and exists (select from approval_request a where a.quote_id = ${quoteId}))`;
}

type FoundOpenQuote = Parameters<typeof seesQuote>[1] & { id: number; num: number; revision: number };

/** The other open quotes of a facility, newest first, as a value in a statement. `openQuotesRead` converts it to what a user may see. */
export function openQuotesValue(
  facility: RawBuilder<unknown>,
  { id, date }: { id: RawBuilder<unknown>; date: RawBuilder<unknown> },
  isDeputy: boolean,
) {
  return sql<FoundOpenQuote[]>`(
    select coalesce(json_agg(to_json(o)), '[]')
      from (
        select o.id, o.num, o.revision, o.owner_id, o.sales_rep_id, o.region_id,
               ${wasAsked(sql`o.id`, isDeputy)} as "wasAsked"
          from quote o
         where o.facility_id = ${facility}
           and o.id <> ${id}
           and o.status_id <> all(${sql.lit(`{${CLOSED.join()}}`)}::text[])
           and o.quote_date >= ${date} - 365
         order by o.quote_date desc, o.id desc
         limit 5) o)`;
}
const OF_QUOTE = { id: sql`quote.id`, date: sql`quote.quote_date` };

export function openQuotesRead(user: Viewer, results: readonly FoundOpenQuote[]): OpenQuote[] {
  return results.map((quote) => ({
    id: seesQuote(user, quote) ? quote.id : null,
    num: quote.num,
    revision: quote.revision,
  }));
}
/** A quote's events, newest first, as a value in a statement. */
export const EVENTS = sql`(
  select coalesce(json_agg(to_json(e)), '[]')
    from (
      select id, at, actor, action, from_status as from, to_status as to, revision, comment,
             case when jsonb_array_length(changes) > ${sql.lit(SHOWN_CHANGES)}
               then jsonb_path_query_array(changes, ${sql.lit(`$[0 to ${SHOWN_CHANGES - 1}]`)}) else changes end as changes,
             jsonb_array_length(changes) as "changeCount"
        from quote_event
       where quote_id = quote.id
       order by id desc
       limit ${sql.lit(MAX_EVENTS)}) e)`;

/** Whether a configurator has left items for a quote, as a value in a statement. False while configurators are switched off. */
export const ITEMS_WAIT = sql<boolean>`(exists (select from configuration c where c.quote_id = quote.id)
  and ${isOnValue('configurators')})`;
const IS_CONFIGURED = sql`exists (select from quote_configuration c where c.quote_id = quote.id)`;

type Found = Pick<QuoteFacts, 'quote' | 'files' | 'revisions' | 'events' | 'itemsWait'> & {
  request: ApprovalRecord | null;
  openQuotes: FoundOpenQuote[];
  wasAsked: boolean;
  isConfigured: boolean;
  stamp: string | null;
};

/** One row per line, because this is the fastest form for the database and the driver. The first row carries everything else. */
const readFacts = compiledOnce<Line & { found: Found | null }, { quoteId: number; isDeputy: boolean }>(
  ({ quoteId, isDeputy }) => sql`
    select line.*,
           case when coalesce(place, 1) = 1 then json_build_object(
             'quote', to_json(quote),
             'request', ${REQUEST},
             'files', ${FILES},
             'revisions', ${REVISIONS},
             'openQuotes', ${openQuotesValue(sql`quote.facility_id`, OF_QUOTE, isDeputy)},
             'events', ${EVENTS},
             'itemsWait', ${ITEMS_WAIT},
             'isConfigured', ${IS_CONFIGURED},
             'wasAsked', ${wasAsked(sql`quote.id`, isDeputy)},
             'stamp', ${BOARD_STAMP}) end as found
      from quote
      left join lateral (
        select ${LINE}, row_number() over (order by line_no, id) as place
          from quote_item
         where quote_id = quote.id) line on true
     where quote.id = ${quoteId}
     order by place`,
);

/** Reads a whole quote. Throws 404 when the user cannot see it. With `seen`, the caller has already checked this. */
export async function quoteFacts(
  { db, services, user }: ReadContext,
  quoteId: number,
  seen: boolean,
): Promise<QuoteFacts> {
  const rows = await readFacts(db, { quoteId, isDeputy: user.deputyFor.length > 0 });
  const result = rows[0]?.found;
  if (!result || !(seen || seesQuote(user, { ...result.quote, wasAsked: result.wasAsked }))) throw notFound('quote');
  const { quote, request, stamp, isConfigured } = result;
  const lines = rows[0]?.id ? rows : [];
  const itemIds = [...new Set(lines.map((line) => line.item_id).filter((id) => id !== null))];
  const personIds = PERSON_FIELDS.map((field) => quote[field]).filter((id) => id !== null);
  const facilityIds = quote.facility_id === null ? [] : [quote.facility_id];
  const known = await recallKnown({ db, services }, stamp, { personIds, itemIds, facilityIds });
  const terms = { currnIdx: quote.currn_idx, date: quote.quote_date };
  const shownItem = (id: number): [number, ShownItem][] => {
    const item = known.items.get(id);
    if (!item) return [];
    const promotions = item.promotions.filter((promotion) => isRunning(promotion, terms));
    return [[id, { ...item, promotions, picture: firstSeen(user, item.pictures) }]];
  };
  return {
    ...result,
    quote: { ...quote, created_at: instant(quote.created_at), updated_at: instant(quote.updated_at) },
    lines,
    provisional: await currentProvisional(db, services, quote, lines),
    request: requestRead(request),
    approvers: request?.state === 'Pending' ? await readApprovers(db, services) : [],
    rules: known.rules,
    people: personIds.flatMap((id) => known.people.get(id) ?? []),
    files: filesRead(result.files),
    revisions: result.revisions.map((revision) => ({ ...revision, sentAt: instant(revision.sentAt) })),
    openQuotes: openQuotesRead(user, result.openQuotes),
    alike: facilityIds.flatMap((id) => known.alike.get(id) ?? []),
    items: new Map(itemIds.flatMap(shownItem)),
    events: eventsRead(result.events),
    offersModels: known.modelsActive || isConfigured,
    today: today(services, { time_zone: known.timeZone }),
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
