// What an edit has to know beside the quote itself, read in one statement, and all of an edit written in one.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import {
  type ApprovalRecord,
  latestRequestValue,
  requestRead,
} from '#features/quoting/approvals/content-hash.server.ts';
import { rulesValue } from '#features/quoting/approvals/evaluate.server.ts';
import type { Rule } from '#features/quoting/approvals/evaluate.ts';
import { eventsStatement, type NewEvent } from '#features/quoting/quotes/events/events.server.ts';
import type { Line, QuoteRecord } from '#features/quoting/quotes/records.ts';
import {
  type LineChanges,
  lineRead,
  lineStatements,
  linesValue,
  newLineIdsValue,
  type StoredLine,
} from '../lines/quote-lines.server.ts';

export type EditFacts = {
  lines: Line[];
  /** The newest request of the revision. */
  request: ApprovalRecord | undefined;
  /** The active approval rules. */
  rules: Rule[];
  /** Whether the assignee is still active. */
  assigneeActive: boolean;
  /** The company's: days a quote is valid when nobody says so, and where its calendar is. */
  validityDays: number;
  timeZone: string;
  /** Ids for as many new lines as were asked for. */
  newIds: number[];
};

/** Of a quote that is locked: what was written before the lock was had is in it. */
export async function loadEditFacts(db: Db, quote: QuoteRecord, newLines: number): Promise<EditFacts> {
  const { rows } = await sql<Common & { lines: StoredLine[]; request: ApprovalRecord | null; assigneeActive: boolean }>`
    select ${linesValue(quote.id)} as lines, ${latestRequestValue(quote.id, quote.revision)} as request,
           exists (select 1 from app_user where id = ${quote.assignee_id}::int and active) as "assigneeActive", ${common(newLines)}
      from company`.execute(db);
  const found = only(rows);
  return { ...found, lines: found.lines.map(lineRead), request: requestRead(found.request) };
}

/** What a screen calls a new quote that has no id yet, and whose screen it is. */
export type NewQuoteKey = { userId: number; clientKey: string };

/**
 * Of a quote that is about to be made: its id and number as well. `madeAlready`: the quote that was made by the same key, of which only
 * the answer was lost; no number is taken then.
 */
export async function loadNewQuoteFacts(
  db: Db,
  newLines: number,
  key: NewQuoteKey | null,
): Promise<EditFacts & { quoteId: number; num: number; madeAlready: number | null }> {
  const { rows } = await sql<Common & { quoteId: number; num: number; madeAlready: number | null }>`
    select k.quote_id as "madeAlready", coalesce(k.quote_id, nextval(pg_get_serial_sequence('quote', 'id')))::int as "quoteId",
           case when k.quote_id is null then nextval('quote_num') else 0 end::int as num, ${common(newLines)}
      from company left join new_quote_key k on k.user_id = ${key?.userId ?? 0}::int and k.client_key = ${key?.clientKey ?? ''}::text`.execute(
    db,
  );
  return { ...only(rows), lines: [], request: undefined, assigneeActive: false };
}

type Common = Pick<EditFacts, 'rules' | 'validityDays' | 'timeZone' | 'newIds'>;

function common(newLines: number) {
  return sql`${rulesValue} as rules, ${newLines === 0 ? sql`'{}'::int[]` : newLineIdsValue(newLines)} as "newIds",
    default_validity_days as "validityDays", time_zone as "timeZone"`;
}

function only<T>(rows: T[]): T {
  const [row] = rows;
  if (!row) throw new Error('there is no company');
  return row;
}

/** Writes a new quote, or a changed one's columns, with its lines and the event that tells of it: one statement. */
export async function writeEdit(
  db: Db,
  quote: QuoteRecord,
  {
    patch,
    lines,
    event,
    key,
  }: { patch: Partial<QuoteRecord> | 'new'; lines: LineChanges; event: NewEvent; key: NewQuoteKey | null },
): Promise<void> {
  const statements = [
    patch === 'new' ? insertQuote(quote) : updateQuote(quote.id, patch),
    ...(key && patch === 'new' ? [insertKey(key, quote.id)] : []),
    ...lineStatements(lines),
    eventsStatement([event]),
  ];
  const parts = statements.map((statement, index) => sql`${sql.raw(`part${index}`)} as (${statement})`);
  await sql`with ${sql.join(parts)} select 1`.execute(db).catch((error: unknown) => {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code !== '23505' || constraint !== 'new_quote_key_pkey') throw error;
    // The same quote was sent twice at once, and the other one is stored by now: begun anew, this one finds it.
    throw Object.assign(new Error('the quote was made meanwhile', { cause: error }), { code: '40001' });
  });
}

const insertKey = ({ userId, clientKey }: NewQuoteKey, quoteId: number): RawBuilder<unknown> =>
  sql`insert into new_quote_key (user_id, client_key, quote_id) values (${userId}::int, ${clientKey}::text, ${quoteId}::int)`;

function insertQuote(quote: QuoteRecord): RawBuilder<unknown> {
  const columns = sql.raw(Object.keys(quote).join(', '));
  return sql`insert into quote (${columns}) select ${columns} from jsonb_populate_record(null::quote, ${JSON.stringify(quote)}::jsonb)`;
}

function updateQuote(id: number, patch: Partial<QuoteRecord>): RawBuilder<unknown> {
  const sets = Object.entries(patch).map(([name, value]) => {
    const isAddress = name === 'bill_to' || name === 'ship_to';
    return sql`${sql.ref(name)} = ${isAddress ? JSON.stringify(value) : value}`;
  });
  return sql`update quote set ${sql.join(sets)} where id = ${id}`;
}
