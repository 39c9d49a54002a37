// Reads everything that an edit needs besides the quote in one statement, and writes the edit in one statement.
import { type RawBuilder, sql } from 'kysely';
import { compiledOnce } from '#platform/db/compiled.server.ts';
import { type Db, ONE_PLAN, WITH_NEXT } from '#platform/db/database.server.ts';
import { type FoundItems, pricedItemsRead, pricedItemsValue } from '#core/prices/pricing/price-lines.server.ts';
import type { PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import { type ApprovalRecord, latestRequestValue, requestRead } from '#core/quoting/approvals/content-hash.server.ts';
import { rulesValue } from '#core/quoting/approvals/load-rules.server.ts';
import type { Rule } from '#core/quoting/approvals/rules-that-fire.server.ts';
import { eventsStatement, type NewEvent, type StoredEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { PricePlaces } from '#platform/shared/money.ts';
import {
  type LineChanges,
  linesRead,
  lineStatements,
  linesValue,
  newLineIdsValue,
  type LineValues,
  type StoredLines,
} from '../lines/quote-lines.server.ts';
import { MODELS_ACTIVE } from '../view/board-cache.server.ts';
import type { ReadContext } from '../view/quote-view.server.ts';
import { areStored, rememberedLines, type Stamp, stampOf } from '../lines/line-cache.server.ts';
import { quoteTerms } from './known-items.server.ts';

/** What an edit will add: the number of new lines, and the items of those lines. */
export type Additions = { newLines: number; itemIds: number[] };

export type EditFacts = StoredLines & {
  /** The id of this edit's transaction. */
  writer: number;
  /** The newest request of the revision. */
  request: ApprovalRecord | undefined;
  /** The active approval rules. */
  rules: Rule[];
  /** Whether the assignee is still active. */
  assigneeActive: boolean;
  /** Company settings: default validity in days, decimal places of computed unit prices, and the time zone. */
  validityDays: number;
  places: PricePlaces;
  timeZone: string;
  /** Ids for the requested number of new lines. */
  newIds: number[];
  /** Whether users may configure anything. Set only for a new quote. */
  offersModels?: boolean;
};

type FoundFacts = Common & {
  /** Null when the lines in memory are current. */
  lines: LineValues[] | null;
  writer: number;
  request: ApprovalRecord | null;
  assigneeActive: boolean;
  priced: FoundItems | null;
};

/**
 * Reads the facts of a locked quote, including what was written before the lock. `coming` is the number of lines that the edit will add and, if
 * known, their items, whose prices it also reads.
 */
export async function loadEditFacts(
  { db, services }: Pick<ReadContext, 'db' | 'services'>,
  quote: QuoteRecord,
  { newLines, itemIds }: Additions,
): Promise<EditFacts & { priced: Map<number, PricedItem> }> {
  const terms = quoteTerms(quote);
  const remembered = rememberedLines(services, quote.id);
  const prices = itemIds.length === 0 ? 'none' : terms.facilityId === null ? 'list' : 'all';
  const rows = await (remembered ? FACTS_OF_REMEMBERED : FACTS)[prices](db, {
    quoteId: quote.id,
    revision: quote.revision,
    assigneeId: quote.assignee_id,
    newLines,
    facilityId: terms.facilityId ?? 0,
    currnIdx: terms.currnIdx,
    priceDate: terms.priceDate,
    itemIds: [...new Set(itemIds)],
    ...stampOf(remembered),
  });
  const result = only(rows);
  return {
    ...result,
    ...(result.lines || !remembered ? linesRead(result.lines ?? []) : remembered),
    request: requestRead(result.request),
    priced: result.priced ? await pricedItemsRead(db, terms, result.priced) : new Map(),
  };
}

type FactsValues = Stamp & {
  quoteId: number;
  revision: number;
  assigneeId: number | null;
  newLines: number;
  facilityId: number;
  currnIdx: number;
  priceDate: IsoDate;
  itemIds: number[];
};

/** The statement for the facts. It reads no prices, list prices only, or the prices for a facility. */
function factsStatement(prices: 'none' | 'list' | 'all', isRemembered: boolean) {
  return compiledOnce<FoundFacts, FactsValues>((values) => {
    const { quoteId, currnIdx, priceDate } = values;
    const stored = linesValue(quoteId);
    const lines = isRemembered ? sql`case when ${areStored(quoteId, values)} then null else ${stored} end` : stored;
    const context = { currnIdx, priceDate, quoteId, facilityId: prices === 'list' ? null : values.facilityId };
    const priced = prices === 'none' ? sql`null::json` : pricedItemsValue(context, values.itemIds);
    return sql`
      select ${lines} as lines, pg_current_xact_id()::xid::text::bigint as writer,
             ${latestRequestValue(quoteId, values.revision)} as request,
               exists (select 1 from app_user where id = ${values.assigneeId}::int and active) as "assigneeActive",
             ${common(values.newLines)}, ${priced} as priced
        from company ${ONE_PLAN}`;
  });
}

const factsStatements = (isRemembered: boolean) => ({
  none: factsStatement('none', isRemembered),
  list: factsStatement('list', isRemembered),
  all: factsStatement('all', isRemembered),
});
const FACTS = factsStatements(false);
const FACTS_OF_REMEMBERED = factsStatements(true);

/** The caller's key for a new quote without an id, its user, and a digest of the content that the caller sends with it. */
export type NewQuoteKey = { userId: number; clientKey: string; contentHash: string };

/** A quote created earlier with the same key. */
export type Made = {
  madeAlready: number;
  num: number;
  /** Whether the earlier request had the same content. */
  isSame: boolean;
};
type NewQuoteFacts = EditFacts & { quoteId: number; num: number; made: Made | null; offersModels: boolean };

/**
 * Reads the facts of a new quote, and reserves an id and a number for it. `made` is the quote created earlier with the same key, whose response was
 * lost. In that case no number is used.
 */
export async function loadNewQuoteFacts(db: Db, newLines: number, key: NewQuoteKey | null): Promise<NewQuoteFacts> {
  const rows = await NEW_QUOTE_FACTS(db, { newLines, ...(key ?? { userId: 0, clientKey: '', contentHash: '' }) });
  return { ...only(rows), ...linesRead([]), writer: 0, request: undefined, assigneeActive: false };
}

const NEW_QUOTE_FACTS = compiledOnce<
  Common & Pick<NewQuoteFacts, 'quoteId' | 'num' | 'made' | 'offersModels'>,
  NewQuoteKey & { newLines: number }
>(
  ({ newLines, userId, clientKey, contentHash }) => sql`
    select case when k.quote_id is not null then json_build_object(
             'madeAlready', k.quote_id, 'num', (select q.num from quote q where q.id = k.quote_id),
             'isSame', k.content_hash = ${contentHash}::text is not false) end as made,
           coalesce(k.quote_id, nextval(pg_get_serial_sequence('quote', 'id')))::int as "quoteId",
           case when k.quote_id is null then nextval('quote_num') else 0 end::int as num,
           ${MODELS_ACTIVE} as "offersModels", ${common(newLines)}
      from company left join new_quote_key k on k.user_id = ${userId}::int and k.client_key = ${clientKey}::text`,
);

type Common = Pick<EditFacts, 'rules' | 'validityDays' | 'places' | 'timeZone' | 'newIds'>;

function common(newLines: number) {
  return sql`${rulesValue} as rules, ${newLineIdsValue(newLines)} as "newIds",
    default_validity_days as "validityDays", price_places as places, time_zone as "timeZone"`;
}

function only<T>(rows: T[]): T {
  const [row] = rows;
  if (!row) throw new Error('the statement answers one row');
  return row;
}

/** What an edit writes besides the quote: its lines and its event. */
type Written = { lines: LineChanges; event: NewEvent };

/** Writes a new quote with its lines and its event in one statement. Returns the stored event. */
export async function writeNewQuote(
  db: Db,
  quote: QuoteRecord,
  { lines, event, key }: Written & { key: NewQuoteKey | null },
): Promise<StoredEvent> {
  const parts = namedParts([insertQuote(quote), ...(key ? [insertKey(key, quote.id)] : []), ...lineStatements(lines)]);
  const statement = sql<{ id: number; at: string }>`
    with ${parts}, stored as (${eventsStatement([event])} returning id, at) select id, at from stored`;
  const { rows } = await statement.execute(db).catch((error: unknown) => {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code !== '23505' || constraint !== 'new_quote_key_pkey') throw error;
    // The same quote was sent twice at once, and the other request has already stored it. A retry finds it.
    throw Object.assign(new Error('the quote already exists', { cause: error }), { code: '40001' });
  });
  const { quoteId: _quoteId, userId: _userId, ...fields } = event;
  const { changes = [] } = fields;
  return { from: null, to: null, comment: '', ...fields, changes, changeCount: changes.length, ...only(rows) };
}

/** Writes the changed columns of a quote with its lines and its event in one statement. It is sent with the next statement or with the commit. */
export async function writeChanges(
  db: Db,
  quoteId: number,
  { patch, lines, event }: Written & { patch: Partial<QuoteRecord> },
): Promise<void> {
  const parts = namedParts([updateQuote(quoteId, patch), ...lineStatements(lines)]);
  await sql`with ${parts} ${eventsStatement([event])} ${WITH_NEXT}`.execute(db);
}

function namedParts(statements: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(statements.map((statement, index) => sql`${sql.ref(`part${index}`)} as (${statement})`));
}

const insertKey = ({ userId, clientKey, contentHash }: NewQuoteKey, quoteId: number): RawBuilder<unknown> => sql`
  insert into new_quote_key (user_id, client_key, quote_id, content_hash)
  values (${userId}::int, ${clientKey}::text, ${quoteId}::int, ${contentHash}::text)`;

function insertQuote(quote: QuoteRecord): RawBuilder<unknown> {
  const columns = sql.raw(Object.keys(quote).join(', '));
  return sql`insert into quote (${columns}) select ${columns} from jsonb_populate_record(null::quote, ${JSON.stringify(quote)}::jsonb)`;
}

function updateQuote(id: number, patch: Partial<QuoteRecord>): RawBuilder<unknown> {
  const sets = Object.entries(patch).map(([name, value]) => {
    const isJson = typeof value === 'object' && value !== null;
    return sql`${sql.ref(name)} = ${isJson ? JSON.stringify(value) : value}`;
  });
  return sql`update quote set ${sql.join(sets)} where id = ${id}`;
}
