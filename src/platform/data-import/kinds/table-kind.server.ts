// Runs kinds of import that write one table by key (import-kind.ts): counts, lists, and affected records.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import { capitalized } from '#platform/shared/capitalized.ts';
import type { Role } from '#platform/shared/roles.ts';
import type { ImportAsk, KindReport } from '../data-import.contract.ts';
import {
  compare,
  examplesOf,
  heldRows,
  identityOf,
  type Outcomes,
  remarksOf,
  writeRows,
} from '../running/merge-rows.server.ts';
import type { Held, ImportKindServer, ImportRun, Track } from './import-kind.server.ts';
import type { Absent, ImportKind, Money } from './kind-description.server.ts';

type Screen = {
  label: string;
  hint: string;
  roles?: readonly Role[];
  peopleOnly?: boolean;
  /** The questions besides the columns. */
  asks?: readonly ImportAsk[];
  /** The rest of the `Track` of the table. */
  track: Omit<Track, 'table' | 'scope' | 'many'> & { many?: string };
  /** Tracks of other tables, by the time they are written: 'before' for tables that the records refer to. */
  before?: readonly Track[];
  after?: readonly Track[];
};

/** A file with more held rows than this must be the wrong file; nobody could review so many one by one. */
const MAX_HELD = 5000;

/** SQL that is true if a staged row that is written belongs to this record. */
export const written = (match: Sql): Sql =>
  sql`exists (select from import_row r where r.outcome in ('new', 'changed') and ${match})`;

const columnInWords = (column: string): string => column.replace(/_/g, ' ');
/** Builds a kind of import from its description. */
export function tableKind(kind: ImportKind, screen: Screen): ImportKindServer {
  // `writeRows` needs the result of `compare`; both run in one transaction.
  const result = new WeakMap<object, Outcomes>();
  const scope = written(kind.touches ? sql`(${kind.touches})` : kind.match);
  const main: Track = {
    many: kind.kind,
    ...screen.track,
    table: kind.table,
    scope: kind.absent ? sql`${scope} or t.id in (select id from import_absent where ends)` : scope,
    versioned: kind.versioned,
  };
  const question = questionOf(kind);
  const asks = [...(screen.asks ?? []), ...(kind.absent ? absentAsks(kind.absent) : [])];
  return {
    kind: kind.kind,
    label: screen.label,
    hint: screen.hint,
    roles: screen.roles ?? ['systemadmin'],
    ...(screen.peopleOnly ? { peopleOnly: true } : {}),
    rows: kind,
    asks,
    tracks: [...(screen.before ?? []), main, ...(screen.after ?? [])],
    compare: async (trx, run) => {
      const outcomes = await compare(trx, kind, run);
      result.set(trx, outcomes);
      const absent = kind.absent ? await absentOf(trx, kind, kind.absent, run) : null;
      const { fresh, changed, renewed } = outcomes;
      return {
        writes: fresh + changed + (absent?.ends ?? 0),
        figures: [
          { label: 'New', count: fresh - renewed, tone: 'good' },
          { label: 'Changed', count: changed + renewed, tone: 'change' },
          { label: 'Same', count: outcomes.same },
          ...(outcomes.repeated > 0
            ? [{ label: 'Repeated', count: outcomes.repeated, note: 'Rows that repeat an earlier row.' }]
            : []),
          ...(absent ? absent.figures : []),
        ],
        lists: [
          ...(kind.money ? await moneyLists(trx, kind.money) : await exampleLists(trx, kind, outcomes)),
          ...(absent ? absent.lists : []),
        ].filter(({ total }) => total > 0),
        notes: [...(await remarksOf(trx, kind, run)), ...(absent ? absent.notes : [])],
      };
    },
    ...(question
      ? {
          held: {
            ...question,
            most: MAX_HELD,
            tooMany:
              question.tooMany ??
              `fit several records. Check that the right column is read as the ${kind.fields[Object.keys(kind.columns)[0] ?? '']?.label ?? 'key'}.`,
            rows: (trx, most) => heldRows(trx, identityOf(kind), most),
          } satisfies Held,
        }
      : {}),
    write: async (trx) => {
      const outcomes = result.get(trx);
      if (!outcomes) throw new Error('compare comes before write');
      await writeRows(trx, kind, outcomes);
      if (kind.absent)
        await sql`update ${sql.table(kind.table)} t set ${kind.absent.set}
          where t.id in (select id from import_absent where ends)`.execute(trx);
    },
  };
}

/** Returns the question above held rows, and the reason they are held. */
function questionOf(kind: ImportKind): { title: string; why: string; tooMany?: string } | null {
  const hold = typeof kind.hold === 'function' ? kind.hold({ today: '', options: {} }) : kind.hold;
  const { choice = null } = kind;
  if (!hold) return choice;
  const { title, why, tooMany } = hold;
  return { title, why: choice ? `${why.replace(/\.$/, '')}, or its number fits several.` : why, tooMany };
}

async function exampleLists(trx: Db, kind: ImportKind, outcomes: Outcomes): Promise<KindReport['lists']> {
  const { fresh, changed } = await examplesOf(
    trx,
    kind,
    (column) => kind.fields[column]?.label ?? columnInWords(column),
  );
  const list = (title: string, total: number, examples: typeof fresh) => ({
    title,
    headings: ['Line', capitalized(kind.keyLabel), title === 'New' ? 'What it says' : 'What changes'],
    rows: examples.map(({ line, key, what }) => [String(line), key, what]),
    total,
  });
  return [list('New', outcomes.fresh, fresh), list('Changed', outcomes.changed, changed)];
}

const MAX_PRICES_LISTED = 100;

/** Lists the prices that will be stored: changed prices first, the largest changes at the top. */
async function moneyLists(trx: Db, { headings, columns, order }: Money): Promise<KindReport['lists']> {
  const list = async (title: string, when: Sql, sorted: Sql) => {
    const { rows } = await sql<{ cells: (string | null)[]; total: number }>`
      select json_build_array(r.line::text, ${sql.join(columns)}) as cells, count(*) over ()::int as total
      from import_row r where r.outcome in ('new', 'changed') and ${when} order by ${sorted}
      limit ${MAX_PRICES_LISTED}`.execute(trx);
    return {
      title,
      headings: ['Line', ...headings],
      rows: rows.map(({ cells }) => cells.map((cell) => cell ?? '')),
      total: rows[0]?.total ?? 0,
    };
  };
  return [
    await list('Changed prices', sql`r.old_id is not null`, order),
    await list('New prices', sql`r.old_id is null`, order),
  ];
}

const absentAsks = ({ many, action }: Absent): ImportAsk[] => [
  {
    name: 'whole',
    label: 'The file has',
    hint: `The whole list shows which ${many} are not in it.`,
    type: 'choice',
    standard: 'changes',
    choices: [
      { value: 'changes', label: `Some ${many}` },
      { value: 'whole', label: `The whole list of ${many}` },
    ],
  },
  {
    name: 'absent',
    label: `${capitalized(many)} that are not in the whole list`,
    hint: 'One answer for all of them.',
    type: 'choice',
    standard: 'keep',
    choices: [
      { value: 'keep', label: 'Keep them' },
      { value: 'end', label: action },
    ],
  },
];

const MAX_ABSENT = 200;

/**
 * Fills `import_absent` (id, ends) with the records that a whole list leaves out. If rows are refused, nothing is switched off, because a refused row
 * may be one of these records.
 */
async function absentOf(trx: Db, kind: ImportKind, absent: Absent, { options, later }: ImportRun) {
  const isWhole = options['whole'] === 'whole' && !later;
  const { rows: hides } = await sql<{ hides: boolean }>`
    select exists (select from import_refusal x where x.line not in (select line from import_row)) as hides`.execute(
    trx,
  );
  const isHidden = hides[0]?.hides ?? true;
  const ends = isWhole && options['absent'] === 'end' && !isHidden;
  await sql`create temp table import_absent on commit drop as
    select t.id, ${ends}::boolean as ends from ${sql.table(kind.table)} t
    where ${isWhole} and ${absent.when} and not exists (select from import_row r where ${kind.match})`.execute(trx);
  const { rows } = await sql<{ cells: string[]; total: number }>`
    select json_build_array(${sql.join(absent.columns)}) as cells, count(*) over ()::int as total
    from import_absent a join ${sql.table(kind.table)} t on t.id = a.id
    order by ${absent.columns[0] ?? sql`t.id`} limit ${MAX_ABSENT}`.execute(trx);
  const total = rows[0]?.total ?? 0;
  return {
    ends: ends ? total : 0,
    figures: isWhole ? [{ label: 'Absent', count: total, note: `Active ${absent.many} that no row names.` }] : [],
    lists: [
      {
        title: ends ? 'Absent, switched off' : 'Absent, left as they are',
        headings: [...absent.headings],
        rows: rows.map(({ cells }) => cells),
        total,
      },
    ],
    notes:
      isWhole && options['absent'] === 'end' && isHidden && total > 0
        ? [`Absent ${absent.many} stay as they are, because refused rows may name them. Fix those rows first.`]
        : [],
  };
}
