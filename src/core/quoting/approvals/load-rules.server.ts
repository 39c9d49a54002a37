// Reads the approval rules and tests a quote against them.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { Role } from '#platform/shared/roles.ts';
import type { FiredRule } from './approval-shapes.ts';
import {
  type Figures,
  type Judgement,
  judge,
  type Rule,
  type TestedLine,
  type TestedQuote,
} from './rules-that-fire.server.ts';

/** The active rules, in order. */
export async function loadRules(db: Db): Promise<Rule[]> {
  const { rows } = await sql<{ rules: Rule[] }>`select ${rulesValue} as rules`.execute(db);
  return rows[0]?.rules ?? [];
}

/** The active rules as a value in a larger SQL statement. */
export const rulesValue = sql<Rule[]>`(select coalesce(json_agg(r), '[]') from (
  select id, name, metric, operator, threshold, filters, role from approval_rule where active order by position, id) r)`;

/** The rules that fire on the current quote, and every tested figure. The request stores both. */
export async function judgeQuote(
  db: Db,
  quote: TestedQuote,
  items: readonly TestedLine[],
  requesterRoles: readonly Role[],
  rules?: readonly Rule[],
  known?: Figures,
): Promise<Judgement> {
  const active = rules ?? (await loadRules(db));
  const classes = active.some(asksForClass) ? await classesOf(db, items) : new Map<number, number | null>();
  return judgeStored(active, quote, items, classes, requesterRoles, known);
}

/** The same as `judgeQuote`, for a caller that has already read the rules and the item classes. */
export function judgeStored(
  rules: readonly Rule[],
  quote: TestedQuote,
  items: readonly TestedLine[],
  classes: ReadonlyMap<number, number | null>,
  requesterRoles: readonly Role[],
  known?: Figures,
): Judgement {
  const classOf = ({ item_id: id }: TestedLine) => (id === null ? null : (classes.get(id) ?? null));
  const lines = rules.some(asksForClass) ? items.map((item) => ({ ...item, class_id: classOf(item) })) : items;
  return judge(rules, quote, lines, requesterRoles, known);
}

function asksForClass({ filters }: Rule): boolean {
  return (filters.classIds ?? []).length > 0;
}

/** The rules that fire on the current quote (design 4). `requesterRoles` are the roles of the actual or assumed requester. */
export async function rulesThatFire(
  db: Db,
  quote: TestedQuote,
  items: readonly TestedLine[],
  requesterRoles: readonly Role[],
  rules?: readonly Rule[],
  known?: Figures,
): Promise<FiredRule[]> {
  return (await judgeQuote(db, quote, items, requesterRoles, rules, known)).fired;
}

async function classesOf(db: Db, items: readonly TestedLine[]): Promise<Map<number, number | null>> {
  const ids = [...new Set(items.map((item) => item.item_id).filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('item').select(['id', 'class_id']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.class_id]));
}
