// Answers the SecurityLog calls.
import { sql } from 'kysely';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { wordsTyped } from '#platform/db/word-search.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import type { RecordType } from '#platform/history/record-types.ts';
import { writeSecurityLog } from '#platform/security-events/note-security-event.server.ts';
import type { SecurityKind } from '#platform/security-events/security-kinds.ts';
import { deviceOf } from '#platform/auth/sessions/device.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import { addDays } from '#platform/shared/dates.ts';
import { MAX_EXPORTED, type SecurityCriteria, type SecurityLine, type SecurityLog } from './security-log.contract.ts';
import { KIND_LABELS, securityWords } from './security-words.ts';

const ORDER = {
  sorts: { at: sql`s.at` },
  key: sql`s.id`,
  first: { field: 'at', dir: 'desc' as const },
  neverNull: true,
  stopsCounting: true,
};

export const securityLogAnswers: Answers<typeof SecurityLog> = {
  SearchSecurityLog: async ({ db, services }, criteria) => {
    // Writes what this process has just logged, so that the list includes it.
    await writeSecurityLog(services);
    const { time_zone: timeZone } = await loadCompany(db);
    const { query } = await securityLines(db, criteria, timeZone);
    const page = await pageFrom(query, criteria, ORDER);
    return { ...page, records: page.records.map(describe), timeZone, keptDays: services.config.securityLogDays };
  },

  ExportSecurityLog: async ({ db, services }, criteria) => exportLog(db, services, criteria),
};

async function exportLog(db: Db, services: Services, criteria: SecurityCriteria) {
  await writeSecurityLog(services);
  const { time_zone: timeZone } = await loadCompany(db);
  const when = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const { query } = await securityLines(db, criteria, timeZone);
  const rows = await allFrom(query, criteria.sort, ORDER, MAX_EXPORTED);
  const header = [
    `When (${timeZone})`,
    'Last time',
    'Times',
    'Kind',
    'Who',
    'Email',
    'What happened',
    'Record',
    'Changes',
  ];
  return csvAnswer('security-log.csv', [...header, 'Calls', 'IP address', 'Device'], rows.map(describe), (line) => [
    when.format(new Date(line.at)),
    when.format(new Date(line.lastAt)),
    line.times,
    KIND_LABELS[line.kind],
    line.who,
    line.account,
    line.words,
    line.record?.name ?? '',
    [line.comment, ...line.changes.map(({ field, before, after }) => `${field}: ${before || '–'} → ${after || '–'}`)]
      .filter(Boolean)
      .join('\n'),
    line.calls.join('\n'),
    line.address,
    line.device,
  ]);
}

/** The beginning of an IP address. */
const ADDRESS = /^(?=.*[.:])[\da-f.:]+$/i;

async function searchWords(db: Db, who: string): Promise<string | null> {
  if (ADDRESS.test(who)) return `'${who.toLowerCase()}':*`;
  return (await db.selectNoFrom(wordsTyped(who).as('words')).executeTakeFirstOrThrow()).words;
}

async function securityLines(db: Db, { kind, who, from, to }: SecurityCriteria, timeZone: string) {
  const midnight = (date: string) => sql<string>`(${date}::date::timestamp at time zone ${timeZone})`;
  const words = who ? await searchWords(db, who) : null;
  return {
    query: db
      .selectFrom('security_event as s')
      .leftJoin('record_event as e', 'e.id', 's.event_id')
      .select([
        's.id',
        's.at',
        's.last_at as lastAt',
        's.times',
        's.kind',
        's.action',
        's.who',
        's.account',
        's.address',
      ])
      .select(['s.user_agent', 's.calls', 'e.record_type', 'e.record_id', 'e.record_name', 'e.comment', 'e.changes'])
      .$if(Boolean(kind), (query) => query.where('s.kind', '=', kind ?? ''))
      // Punctuation alone matches nothing.
      .$if(Boolean(who), (query) =>
        query.where(words === null ? sql<boolean>`false` : sql<boolean>`s.words @@ ${words}::tsquery`),
      )
      .$if(Boolean(from), (query) => query.where('s.at', '>=', midnight(from ?? '')))
      .$if(Boolean(to), (query) => query.where('s.at', '<', midnight(addDays(to ?? '', 1)))),
  };
}

type Row = Awaited<ReturnType<Awaited<ReturnType<typeof securityLines>>['query']['execute']>>[number];

function describe({
  user_agent,
  action,
  record_type,
  record_id,
  record_name,
  comment,
  changes,
  ...row
}: Row): SecurityLine {
  const type = record_type as RecordType | null;
  return {
    ...row,
    kind: row.kind as SecurityKind,
    account: row.account === row.who ? '' : row.account,
    words: securityWords(action, type),
    device: user_agent ? deviceOf(user_agent) : '',
    record: type && record_id !== null ? { type, id: record_id, name: record_name ?? '' } : null,
    comment: comment ?? '',
    changes: ((changes ?? []) as FieldChange[]).map(({ field, before, after }) => ({ field, before, after })),
  };
}
