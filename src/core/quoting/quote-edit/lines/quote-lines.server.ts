// Reads the lines of a quote without their proofs, and writes only changed lines, in bulk.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { PriceStep } from '#core/prices/pricing/price-proof.ts';
import { blankLine, type Line } from '#core/quoting/quotes/quote-rows.ts';
import { toUnitPrice } from './price-line.server.ts';

/** Every written column with its type, for a single statement over many rows. */
const COLUMNS = {
  id: 'int',
  quote_id: 'int',
  line_no: 'int',
  type: 'text',
  parent_id: 'int',
  item_id: 'int',
  item_number: 'text',
  description: 'text',
  qty: 'numeric',
  unit: 'text',
  notes: 'text',
  active: 'boolean',
  optional: 'boolean',
  promotion_id: 'int',
  manual_price: 'numeric',
  manual_discount_pct: 'numeric',
  manual_discount_amount: 'numeric',
  price_reason: 'text',
  list_price: 'numeric',
  system_price: 'numeric',
  unit_price: 'numeric',
  discount_pct: 'numeric',
  quote_discount: 'numeric',
  line_total: 'numeric',
  price_source: 'text',
  price_proof: 'jsonb',
  price_problem: 'text',
  price_choice: 'text',
  cost: 'numeric',
  floor_price: 'numeric',
  contract_price: 'numeric',
  contract_line_id: 'int',
  price_ends: 'date',
  eligibility_request_id: 'int',
  fallback: 'jsonb',
  configured: 'jsonb',
  typed_as: 'jsonb',
  version: 'int',
  client_key: 'text',
  customer_item_number: 'text',
} as const satisfies Record<keyof Line, string>;
const NAMES = Object.keys(COLUMNS) as (keyof Line)[];
/** The columns of a complete line, including the proof. */
export const LINE_COLUMNS: readonly string[] = NAMES;
const LIGHT = NAMES.filter((name) => name !== 'price_proof');
const ALL_COLUMNS = sql.raw(NAMES.join(', '));
const LIGHT_COLUMNS = sql.raw(LIGHT.join(', '));

/** Derived columns. A change to them is not a user's edit, so the line's version stays the same. */
const DERIVED: readonly (keyof Line)[] = [
  'line_no',
  'quote_discount',
  'line_total',
  'price_proof',
  'version',
  'client_key',
];

/** The lines of a quote in order, without proofs. */
export async function loadLines(db: Db, quoteId: number): Promise<Line[]> {
  const { rows } = await sql<{ lines: LineValues[] }>`select ${linesValue(quoteId)} as lines`.execute(db);
  return (rows[0]?.lines ?? []).map(lineRead);
}

/** The transaction that wrote a line, and the line's values in the order of LIGHT. Column names would be most of the data for many lines. */
export type LineValues = [writer: number, ...values: unknown[]];

/** The stored lines as a value inside a larger statement. `lineRead` turns them into lines. */
export function linesValue(quoteId: number) {
  return sql<
    LineValues[]
  >`(select coalesce(json_agg(json_build_array(xmin::text::bigint, ${LIGHT_COLUMNS}) order by line_no, id), '[]')
    from quote_item where quote_id = ${quoteId})`;
}

export function lineRead(stored: LineValues): Line {
  // Starts from a complete line, because an object that grows field by field is slow to copy and compare.
  const line: Record<keyof Line, unknown> = blankLine(0, 0, 'item');
  LIGHT.forEach((name, index) => {
    line[name] = stored[index + 1];
  });
  line.price_proof = null;
  return line as Line;
}

/** Stored lines, and for each line the number of the transaction that wrote it. */
export type StoredLines = { lines: readonly Line[]; writers: readonly number[] };

export function linesRead(stored: readonly LineValues[]): StoredLines {
  const lines = stored.map(lineRead);
  return { lines, writers: stored.map(([writer]) => writer) };
}

/** Reads the proofs of lines that lack them. */
export async function readProofs(db: Db, lines: readonly Line[]): Promise<void> {
  const without = new Map(lines.filter((line) => line.price_proof === null).map((line) => [line.id, line]));
  if (without.size === 0) return;
  const rows = await db
    .selectFrom('quote_item')
    .select(['id', 'price_proof'])
    .where('id', '=', sql<number>`any(${[...without.keys()]}::int[])`)
    .execute();
  for (const row of rows) {
    const line = without.get(row.id);
    if (line) line.price_proof = row.price_proof as PriceStep[];
  }
}

/** Reserves ids for new lines, so that a free line can name its parent before either is written. */
export async function newLineIds(db: Db, count: number): Promise<number[]> {
  if (count === 0) return [];
  const { rows } = await sql<{ ids: number[] }>`select ${newLineIdsValue(count)} as ids`.execute(db);
  return rows[0]?.ids ?? [];
}

/** Reserves ids as a value inside a larger statement. */
export function newLineIdsValue(count: number) {
  return sql<
    number[]
  >`array(select nextval(pg_get_serial_sequence('quote_item', 'id'))::int from generate_series(1, (select ${count}::int)))`;
}

export type LineChanges = { added: Line[]; changed: Line[]; removed: Line[] };

/** Compares stored lines with their current state. Also returns all lines, with the version raised where the content changed. */
export async function lineChanges(
  db: Db,
  before: readonly Line[],
  after: readonly Line[],
): Promise<LineChanges & { lines: Line[] }> {
  const stored = new Map(before.map((line) => [line.id, line]));
  const remainingIds = new Set(after.map((line) => line.id));
  const changedIds = new Set<number>();
  const proven: { line: Line; old: Line }[] = [];
  const lines = after.map((line) => {
    const old = stored.get(line.id);
    if (!old || line === old) return line;
    const differing = LIGHT.filter((name) => line[name] !== old[name]);
    if (differing.length > 0) changedIds.add(line.id);
    else if (line.price_proof !== null) proven.push({ line, old });
    return differing.some((name) => !DERIVED.includes(name)) ? { ...line, version: old.version + 1 } : line;
  });
  await readProofs(
    db,
    proven.map(({ old }) => old),
  );
  for (const { line, old } of proven) if (!sameProof(line.price_proof, old.price_proof)) changedIds.add(line.id);
  return {
    lines,
    added: lines.filter((line) => !stored.has(line.id)),
    changed: lines.filter((line) => changedIds.has(line.id)),
    removed: before.filter((line) => !remainingIds.has(line.id)),
  };
}

/** Compares proofs up to the unit price, because older stored proofs also contain the steps after the quote discount. */
function sameProof(proof: PriceStep[] | null, other: PriceStep[] | null): boolean {
  const FIELDS = ['step', 'source', 'ref', 'amount', 'note'] as const;
  const [a, b] = [proof && toUnitPrice(proof), other && toUnitPrice(other)];
  return (
    a?.length === b?.length &&
    (a ?? []).every((step, index) => FIELDS.every((field) => step[field] === b?.[index]?.[field]))
  );
}

/** The parts of one statement that write line changes: new, changed, and removed lines. */
export function lineStatements({ added, changed, removed }: LineChanges): RawBuilder<unknown>[] {
  const records = (lines: readonly Line[]) => sql`jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as r(${RECORD})`;
  const statements: RawBuilder<unknown>[] = [];
  if (removed.length > 0) {
    statements.push(sql`delete from quote_item where id = any(${removed.map((line) => line.id)}::int[])`);
  }
  if (added.length > 0) {
    statements.push(sql`insert into quote_item (${ALL_COLUMNS}) select ${ALL_COLUMNS} from ${records(added)}`);
  }
  if (changed.length > 0) {
    statements.push(sql`update quote_item q set ${CHANGES} from ${records(changed)} where q.id = r.id`);
  }
  return statements;
}

const RECORD = sql.raw(NAMES.map((name) => `${name} ${COLUMNS[name]}`).join(', '));
const CHANGES = sql.raw(
  NAMES.filter((name) => name !== 'id' && name !== 'quote_id')
    .map((name) =>
      name === 'price_proof' ? 'price_proof = coalesce(r.price_proof, q.price_proof)' : `${name} = r.${name}`,
    )
    .join(', '),
);
