// Runs kinds of import that write one table by key (import-kind.ts): counts, lists, and affected records.
import type { Role } from '#shared/roles.ts';
import { compare, examplesOf, heldRows, type Outcomes, remarkOf, write } from '../running/merge-rows.server.ts';
import type { Held, ImportKindServer, Track } from './import-kind.server.ts';
import type { ImportKind } from './import-kind.ts';

type Screen = {
  label: string;
  hint: string;
  roles?: readonly Role[];
  peopleOnly?: boolean;
  /** The rest of a `Track` for the written table. */
  track: Omit<Track, 'table' | 'scope' | 'many'> & { many?: string };
  /** Other written tables, by time: 'before' for tables that the records refer to. */
  before?: readonly Track[];
  after?: readonly Track[];
};

/** A file with more held rows than this is the wrong file, so nobody reviews them one by one. */
const MOST_HELD = 5000;

/** SQL for 'a staged row that writes belongs to this record'. */
export const written = (match: string): string =>
  `exists (select from import_row r where r.outcome in ('new', 'changed') and ${match})`;

const inWords = (column: string): string => column.replace(/_/g, ' ');

/** A kind of import, from its description. */
export function tableKind(kind: ImportKind, screen: Screen): ImportKindServer {
  // `write` needs the result of `compare`; both run in one transaction.
  const found = new WeakMap<object, Outcomes>();
  const main: Track = {
    many: kind.kind,
    ...screen.track,
    table: kind.table,
    scope: written(kind.match),
    versioned: kind.versioned,
  };
  return {
    kind: kind.kind,
    label: screen.label,
    hint: screen.hint,
    roles: screen.roles ?? ['systemadmin'],
    ...(screen.peopleOnly ? { peopleOnly: true } : {}),
    rows: kind,
    tracks: [...(screen.before ?? []), main, ...(screen.after ?? [])],
    compare: async (trx, run) => {
      const outcomes = await compare(trx, kind, run);
      found.set(trx, outcomes);
      const { fresh, changed } = await examplesOf(trx, kind, (column) => kind.fields[column]?.label ?? inWords(column));
      const list = (title: string, total: number, examples: typeof fresh) => ({
        title,
        headings: [
          'Line',
          kind.keyLabel.charAt(0).toUpperCase() + kind.keyLabel.slice(1),
          title === 'New' ? 'What it says' : 'What changes',
        ],
        rows: examples.map(({ line, key, what }) => [String(line), key, what]),
        total,
      });
      return {
        writes: outcomes.fresh + outcomes.changed,
        figures: [
          { label: 'New', count: outcomes.fresh, tone: 'good' },
          { label: 'Changed', count: outcomes.changed, tone: 'change' },
          { label: 'Same', count: outcomes.same },
          ...(outcomes.repeated > 0
            ? [{ label: 'Repeated', count: outcomes.repeated, note: 'Rows that repeat an earlier row.' }]
            : []),
        ],
        lists: [list('New', outcomes.fresh, fresh), list('Changed', outcomes.changed, changed)].filter(
          ({ total }) => total > 0,
        ),
        notes: await remarkOf(trx, kind, run.today),
      };
    },
    ...(kind.hold
      ? {
          held: {
            title: kind.hold.title,
            why: kind.hold.why,
            most: MOST_HELD,
            tooMany: `would turn a record into another one. Check that the right column is read as the ${kind.fields[Object.keys(kind.columns)[0] ?? '']?.label ?? 'key'}.`,
            rows: (trx, most) => heldRows(trx, kind.key[0] ?? 'line', most),
          } satisfies Held,
        }
      : {}),
    write: async (trx) => {
      const outcomes = found.get(trx);
      if (!outcomes) throw new Error('compare comes before write');
      await write(trx, kind, outcomes);
    },
  };
}
