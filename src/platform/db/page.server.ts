// Reads one page of a list from a query: the rows, the total, and the order.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Sort } from '#platform/shared/wire.ts';
import type { Tables } from './tables.ts';

type PageInput = { page: number; pageSize: number; sort?: Sort | null | undefined };
/** The sort expression of each column; the first is the default. `key` breaks ties. */
type Order = {
  sorts: Record<string, RawBuilder<unknown>>;
  key: RawBuilder<unknown>;
  first: Sort;
  /** No sort expression is null, so an index works in both directions. */
  neverNull?: boolean;
  /** Counts exactly only up to `COUNTED`, because counting all rows would take most of the time of a page. */
  stopsCounting?: boolean;
};

/** The highest count of a list with `stopsCounting`. */
export const COUNTED = 1_000;

/** Returns the counts that a list answers beside its rows. If `result` exceeds `COUNTED`, counting stopped there. */
export function countedPages(result: number, pageSize: number): { pageCount: number; total: number; more?: true } {
  const total = Math.min(result, COUNTED);
  return { pageCount: Math.ceil(total / pageSize), total, ...(result > COUNTED ? { more: true } : {}) };
}

/** Reads the rows of a page and the number of pages and rows. An unknown sort field falls back to the default order. */
export async function pageFrom<DB extends Tables, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  input: PageInput,
  order: Order,
): Promise<{ records: O[]; pageCount: number; total: number; more?: true }> {
  const { page, pageSize } = input;
  /** Skips earlier pages by key only, so that no columns are computed for them. */
  const fromRow = (offset: number) => {
    if (offset === 0) return query;
    const keys = sorted(query.clearSelect().select(order.key.as('key')), input.sort, order);
    return query.where(order.key, 'in', keys.offset(offset).limit(pageSize));
  };
  const offset = (page - 1) * pageSize;
  const rows = () => sorted(fromRow(offset), input.sort, order).limit(pageSize).execute();
  if (order.stopsCounting) {
    const subset = query
      .clearSelect()
      .select(sql`1`.as('one'))
      .limit(COUNTED + 1);
    const { length } = await subset.execute();
    return { records: offset < length || length > COUNTED ? await rows() : [], ...countedPages(length, pageSize) };
  }
  const count = query.clearSelect().select(sql`count(*)`.as('total')).$castTo<{ total: number }>();
  const { total } = await count.executeTakeFirstOrThrow();
  return { records: offset < total ? await rows() : [], pageCount: Math.ceil(total / pageSize), total };
}

/** Reads all rows in the list's order for an export, at most `limit`. */
export function allFrom<DB extends Tables, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  sort: Sort | null | undefined,
  order: Order,
  limit = 50_000,
): Promise<O[]> {
  return sorted(query, sort, order).limit(limit).execute();
}

function sorted<DB extends Tables, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  request: Sort | null | undefined,
  { sorts, key, first, neverNull = false }: Order,
): SelectQueryBuilder<DB, TB, O> {
  const { field, dir } = request && Object.hasOwn(sorts, request.field) ? request : first;
  return query
    .orderBy(sql`${sorts[field] ?? key} ${direction(dir)} ${neverNull ? sql`` : sql`nulls last`}`)
    .orderBy(sql`${key} ${direction(dir)}`);
}

/** Returns the direction of an order as SQL. */
export function direction(dir: Sort['dir']): RawBuilder<unknown> {
  return dir === 'desc' ? sql`desc` : sql`asc`;
}
