// Answers the Audit calls: reads three append-only tables through their indexes as one list.
import { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { wordsTyped } from '#platform/db/word-search.server.ts';
import { direction } from '#platform/db/page.server.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import { deviceOf } from '#platform/auth/sessions/device.ts';
import type { Person } from '#platform/users/users.contract.ts';
import { namedLike } from '#platform/users/users.server.ts';
import { typedNumber } from '#core/quoting/quotes/list/quote-list.server.ts';
import { STATUS_LABELS, StatusId } from '#core/quoting/quotes/status.ts';
import { csvLine } from '#platform/shared/csv.ts';
import { addDays } from '#platform/shared/dates.ts';
import {
  type Audit,
  type AuditCriteria,
  type AuditEvent,
  type AuditKind,
  MAX_COUNTED,
  MAX_EXPORTED,
} from './audit.contract.ts';
import { auditWords, kindLabel, SIGN_IN } from './audit-words.ts';

/** The sources of events. Events of the same microsecond are in this order. */
const SOURCES = ['quote', 'record', 'signIn'] as const;
type Source = (typeof SOURCES)[number];
/** The conditions on a source, in which the source is `e`. */
type Branch = { source: Source; conditions: RawBuilder<unknown>[] };
type Search = { branches: Branch[]; timeZone: string };
type Range = { older?: string | null | undefined; newer?: string | null | undefined; limit: number };

export const auditAnswers: Answers<typeof Audit> = {
  SearchAudit: async ({ db }, { older, newer, pageSize, ...criteria }) => {
    const search = await searchFor(db, criteria);
    const total = await countUpTo(db, search.branches, MAX_COUNTED + 1);
    const page = await pageOf(db, search.branches, { older, newer }, pageSize);
    return {
      ...page,
      total: Math.min(total, MAX_COUNTED),
      more: total > MAX_COUNTED,
      person: criteria.userId ? await personOf(db, criteria.userId) : null,
      timeZone: search.timeZone,
    };
  },

  ExportAudit: ({ db }, criteria) => exportAudit(db, criteria),
};

/** Writes the events as CSV, reading them in batches during the download. The last row of a truncated file says that it is truncated. */
export async function exportAudit(db: Db, criteria: AuditCriteria, most = MAX_EXPORTED) {
  const { branches, timeZone } = await searchFor(db, criteria);
  return { name: 'audit.csv', bytes: Readable.from(csvPortions(db, branches, timeZone, most)) };
}

const PORTION = 2_000;

async function* csvPortions(db: Db, branches: Branch[], timeZone: string, most: number): AsyncGenerator<string> {
  const when = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  // The byte order mark marks the file as UTF-8 for spreadsheets.
  yield `\uFEFF${csvLine([`When (${timeZone})`, 'Who', 'Kind', 'Record', 'What was done', 'Comment', 'Changes'])}`;
  let left = most;
  let older: string | null = null;
  do {
    const limit = Math.min(PORTION, left);
    const events: AuditEvent[] = await eventsOf(db, branches, { older, limit: limit + 1 });
    const visible = events.slice(0, limit);
    yield visible
      .map((event) =>
        csvLine([
          when.format(new Date(event.at)),
          event.actor,
          kindLabel(event.kind),
          event.name,
          auditWords(event),
          event.comment,
          event.changes.map(({ field, before, after }) => `${field}: ${before || '–'} → ${after || '–'}`).join('\n'),
        ]),
      )
      .join('');
    left -= visible.length;
    older = events.length > limit ? (visible.at(-1)?.place ?? null) : null;
  } while (older !== null && left > 0);
  if (older === null) return;
  yield csvLine([
    `These are the newest ${most.toLocaleString('en-US')} events; there are older ones. Narrow the dates to get them.`,
  ]);
}

/** Returns the page after or before a position. If there are fewer newer events than a page, returns the first page. */
async function pageOf(
  db: Db,
  branches: Branch[],
  { older, newer }: Pick<Range, 'older' | 'newer'>,
  pageSize: number,
): Promise<{ records: AuditEvent[]; older: string | null; newer: string | null }> {
  if (newer) {
    const events = await eventsOf(db, branches, { newer, limit: pageSize + 1 });
    if (events.length <= pageSize) return pageOf(db, branches, {}, pageSize);
    const records = events.slice(1);
    return { records, older: records.at(-1)?.place ?? null, newer: records[0]?.place ?? null };
  }
  const events = await eventsOf(db, branches, { older, limit: pageSize + 1 });
  const records = events.slice(0, pageSize);
  return {
    records,
    older: events.length > pageSize ? (records.at(-1)?.place ?? null) : null,
    newer: older ? (records[0]?.place ?? older) : null,
  };
}

/** Returns the criteria for each source. Sources that cannot match are left out. */
async function searchFor(db: Db, criteria: AuditCriteria): Promise<Search> {
  const { from, to, userId, kind, action, text } = criteria;
  const { rows } = await sql<{ timeZone: string; words: string | null }>`
    select time_zone as "timeZone", ${wordsTyped(text ?? '')} as words from company`.execute(db);
  const { timeZone = 'UTC', words = null } = rows[0] ?? {};
  const midnight = (date: string) => sql`(${date}::date::timestamp at time zone ${timeZone})`;
  const conditionsOf = (source: Source) => {
    const at = AT[source];
    const all: RawBuilder<unknown>[] = [];
    if (from) all.push(sql`${at} >= ${midnight(from)}`);
    if (to) all.push(sql`${at} < ${midnight(addDays(to, 1))}`);
    if (userId) all.push(sql`e.user_id = ${userId}`);
    if (kind && source === 'record') all.push(sql`e.record_type = ${kind}`);
    if (action && source !== 'signIn') all.push(sql`e.action = ${action}`);
    if (text) all.push(hasText(db, source, text, words));
    return all;
  };
  const mayFind = (source: Source) =>
    (!kind || source === sourceOf(kind)) && (!action || (source === 'signIn') === (action === SIGN_IN));
  return {
    timeZone,
    branches: SOURCES.filter(mayFind).map((source) => ({ source, conditions: conditionsOf(source) })),
  };
}

function sourceOf(kind: AuditKind): Source {
  return kind === 'quote' || kind === 'signIn' ? kind : 'record';
}

function hasText(db: Db, source: Source, text: string, words: string | null): RawBuilder<unknown> {
  // The searched text contains only punctuation.
  if (words === null) return sql`false`;
  if (source === 'signIn') return sql`e.user_id in (${db.selectFrom('app_user').select('id').where(namedLike(text))})`;
  const number = source === 'quote' ? typedNumber(text) : null;
  return number === null
    ? sql`e.words @@ ${words}::tsquery`
    : sql`(e.words @@ ${words}::tsquery or e.quote_id = (select id from quote where num = ${number}))`;
}

const AT: Record<Source, RawBuilder<unknown>> = {
  quote: sql`e.at`,
  record: sql`e.at`,
  signIn: sql`e.created_at`,
};
const TABLES: Record<Source, RawBuilder<unknown>> = {
  quote: sql`quote_event`,
  record: sql`record_event`,
  signIn: sql`session`,
};
/** The columns that the list needs. `place` is the position among events of the same time; ids are compared by their own type. */
const COLUMNS: Record<Source, RawBuilder<unknown>> = {
  quote: sql`e.at, 0, e.id, null::uuid, 'quote', e.quote_id, (select num::text from quote where id = e.quote_id),
    e.user_id, e.actor, e.action, e.comment, e.changes, e.from_status, e.to_status`,
  record: sql`e.at, 1, e.id, null::uuid, e.record_type, e.record_id, e.record_name,
    e.user_id, e.actor, e.action, e.comment, e.changes, null, null`,
  signIn: sql`e.created_at, 2, null, e.id, 'signIn', e.user_id, (select full_name from app_user where id = e.user_id),
    e.user_id, (select full_name from app_user where id = e.user_id), ${sql.lit(SIGN_IN)}, e.user_agent,
    '[]'::jsonb, null, null`,
};

const NAMES = sql`
  at, place, num, uid, kind, "recordId", name, "userId", actor, action, comment, changes, "from", "to"`;

type Row = {
  micros: number;
  place: number;
  num: number | null;
  uid: string | null;
  kind: AuditKind;
  changes: FieldChange[];
  from: string | null;
  to: string | null;
} & Omit<AuditEvent, 'place' | 'changes'>;

/** Reads a section of the list, newest first: up to `limit` events from each source by index, of which it keeps the first `limit`. */
async function eventsOf(db: Db, branches: Branch[], { older, newer, limit }: Range): Promise<AuditEvent[]> {
  if (branches.length === 0) return [];
  const dir = direction(newer ? 'asc' : 'desc');
  const stretches = branches.map(({ source, conditions }) => {
    const beyond = older ? [isBeyond(source, older, 'older')] : newer ? [isBeyond(source, newer, 'newer')] : [];
    return sql`(select ${COLUMNS[source]} from (select e.* from ${TABLES[source]} e
      ${whereAll([...conditions, ...beyond])} order by ${AT[source]} ${dir}, e.id ${dir} limit ${limit}) e)`;
  });
  const places = direction(newer ? 'desc' : 'asc');
  // 'offset' makes the database plan the statement on each call (database.server.ts), because the best index depends on the search.
  const { rows } = await sql<Row>`
    select *, (extract(epoch from at) * 1000000)::bigint as micros from (${sql.join(stretches, sql` union all `)}) event (${NAMES})
    order by at ${dir}, place ${places}, num ${dir}, uid ${dir} limit ${limit} offset 0`.execute(db);
  return (newer ? rows.toReversed() : rows).map(eventOf);
}

/** SQL for whether an event of a source comes after a position in the list. */
function isBeyond(source: Source, place: string, way: 'older' | 'newer'): RawBuilder<unknown> {
  const [micros = '', target = '', id = ''] = place.split('.');
  const at = sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`;
  const sign = way === 'older' ? sql`<` : sql`>`;
  if (source === target)
    return sql`(${AT[source]}, e.id) ${sign} (${at}, ${id}::${source === 'signIn' ? sql`uuid` : sql`bigint`})`;
  // At the same time, later sources are older.
  const later = SOURCES.indexOf(source) > SOURCES.indexOf(target as Source);
  return sql`${AT[source]} ${sign}${later === (way === 'older') ? sql`=` : sql``} ${at}`;
}

async function countUpTo(db: Db, branches: Branch[], most: number): Promise<number> {
  if (branches.length === 0) return 0;
  const all = branches.map(
    ({ source, conditions }) => sql`(select 1 from ${TABLES[source]} e ${whereAll(conditions)} limit ${most})`,
  );
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select 1 from (${sql.join(all, sql` union all `)}) one limit ${most}) counted`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

function whereAll(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
}

function eventOf({ micros, place, num, uid, from, to, changes, ...row }: Row): AuditEvent {
  const { at, userId, actor, kind, recordId, name, action, comment } = row;
  const moved =
    kind === 'quote' && from !== to ? [{ field: 'Status', before: statusLabel(from), after: statusLabel(to) }] : [];
  return {
    place: `${micros}.${SOURCES[place]}.${num ?? uid}`,
    at,
    userId,
    actor,
    kind,
    recordId,
    name,
    action,
    comment: kind === 'signIn' ? deviceOf(comment) : comment,
    changes: [...moved, ...changes.map(({ field, before, after }) => ({ field, before, after }))],
  };
}

function statusLabel(status: string | null): string {
  const known = StatusId.safeParse(status).data;
  return known ? STATUS_LABELS[known] : (status ?? '');
}

async function personOf(db: Db, id: number): Promise<Person | null> {
  const person = await db
    .selectFrom('app_user')
    .select(['id', 'full_name as name', 'user_name as userName'])
    .where('id', '=', id)
    .executeTakeFirst();
  return person ?? null;
}
