// Finds the names of the rows and columns of a pivot.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { LOST_REASONS, type LostReason } from '#core/quoting/quote-workflow/workflow.ts';
import { STATUS_LABELS, type StatusId } from '#core/quoting/quotes/status.ts';
import { NONE } from '../facts/buckets.server.ts';
import { namesOf } from '../facts/names.server.ts';
import { monthName } from '../month-name.server.ts';
import { type Dimension, WITHOUT } from '../pivot-choice.ts';

/** The name of each key. If its record no longer exists, the key is its own name. */
export async function keyNames(
  db: Db,
  dimension: Dimension,
  keys: readonly string[],
): Promise<(key: string) => string> {
  const ids = keys.map(Number).filter((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647);
  const names = dimension === 'competitor' ? await spellings(db, keys) : await recordNames(db, dimension, ids);
  return (key) => {
    if (key === NONE) return WITHOUT[dimension];
    switch (dimension) {
      case 'status':
        return STATUS_LABELS[key as StatusId] ?? key;
      case 'month':
        return monthName(key);
      case 'reason':
        return LOST_REASONS[key as LostReason] ?? key;
      default:
        return names.get(key) ?? key;
    }
  };
}

async function recordNames(db: Db, dimension: Dimension, ids: number[]): Promise<Map<string, string>> {
  const nameById = (names: Map<number, string>) => new Map([...names].map(([id, name]) => [String(id), name]));
  switch (dimension) {
    case 'region':
    case 'territory':
    case 'rep':
    case 'class':
      return nameById((await namesOf(db, { [dimension]: ids } as Record<typeof dimension, number[]>))[dimension]);
    case 'facility':
      return nameById(await namesIn(db, sql`select id, name from facility`, ids));
    case 'contract':
      return nameById(await namesIn(db, sql`select id, number as name from gpo_contract`, ids));
    default:
      return new Map();
  }
}

/** The spelling of competitors' names, because keys are in lower case. */
async function spellings(db: Db, keys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; name: string }>`
    select lower(lost_competitor) as key, min(lost_competitor) as name from report_quote
    where lost_competitor <> '' and lower(lost_competitor) = any(${[...keys]}::text[]) group by 1`.execute(db);
  return new Map(rows.map(({ key, name }) => [key, name]));
}

async function namesIn(db: Db, table: RawBuilder<unknown>, ids: number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`${table} where id = any(${ids}::int[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
