// Implements the ApprovalRules calls.
import { sql } from 'kysely';
import { HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { keptIn, lockForSave, oneRecord, type RecordKind, saveRecord } from '#platform/history/record-kit.server.ts';
import { ROLE_LABELS } from '#platform/shared/roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import { ApprovalRule, type ApprovalRules, type Reminders } from './approval-rules.contract.ts';
import { judgeQuote, loadRules } from '../load-rules.server.ts';
import type { TestedLine } from '../rules-that-fire.server.ts';
import type { Rule } from '../rules-that-fire.server.ts';
import { rescheduleReminders } from '../reminder-settings.server.ts';
import { METRIC_LABELS } from './metric-labels.ts';

const NO_FILTERS: ApprovalRule['filters'] = { classIds: [], regionIds: [], facilityIds: [], requesterRoles: [] };
/** The defaults of a new rule. */
const BLANK = { filters: NO_FILTERS, active: true };

const LABELS = {
  name: 'Name',
  metric: 'Metric',
  operator: 'Comparison',
  threshold: 'Limit',
  role: 'Who approves',
  classes: 'Item classes',
  regions: 'Regions',
  facilities: 'Facilities',
  requesters: 'Requested by',
  active: 'Active',
};

const RULE: RecordKind<ApprovalRule, 'approvalRule'> = {
  type: 'approvalRule',
  read: readRule,
  nameOf: ({ name }) => name,
  changes: async (before, after, db) =>
    changesBetween(before ? await historyWords(db, before) : {}, await historyWords(db, after), LABELS),
};

const REMINDERS: RecordKind<Reminders & { id: number }, 'approvalReminder'> = {
  type: 'approvalReminder',
  read: readReminders,
  nameOf: () => 'Approval reminders',
  changes: (before, after) =>
    changesBetween(before ?? {}, after, {
      remindAfterHours: 'Remind after (hours)',
      escalateAfterHours: 'Escalate after (hours)',
    }),
};

export const approvalRulesAnswers: Answers<typeof ApprovalRules> = {
  GetApprovalRules: async ({ db }) => {
    const rules = await readRules(db);
    return {
      rules,
      classes: await db.selectFrom('item_class').select(['id', 'name']).orderBy('name').execute(),
      regions: await db
        .selectFrom('region')
        .select(['id', 'name'])
        .where('active', '=', true)
        .orderBy('name')
        .execute(),
      facilities: await namedRecords(
        db,
        'facility',
        rules.flatMap((rule) => rule.filters.facilityIds),
      ),
      reminders: await readReminders(db),
    };
  },

  /** Throws 409 when another user has changed the settings. */
  SaveApprovalReminders: async ({ db, user, services }, input) => {
    const before = await lockForSave(db, REMINDERS, { id: 1, version: input.version });
    const { remindAfterHours, escalateAfterHours } = input;
    const values = { remind_after_hours: remindAfterHours, escalate_after_hours: escalateAfterHours };
    const saved = await saveRecord({ db, user }, REMINDERS, before, values);
    await rescheduleReminders(db, services);
    return saved;
  },

  /** Throws 409 when another user has changed the rule, and 422 when a filter refers to an unknown record. */
  SaveApprovalRule: async ({ db, user }, input) => {
    const before = await lockForSave(db, RULE, input);
    const { name, metric, operator, threshold, role, active, filters } = keptIn(input, keptOf(before));
    await requireKnown(db, filters);
    const values = { name, metric, operator, threshold, role, active, filters: JSON.stringify(filters) };
    const position = sql<number>`(select coalesce(max(position), 0) + 10 from approval_rule)`;
    return saveRecord({ db, user }, RULE, before, before ? values : { ...values, position });
  },

  /** Throws 409 when another user has added or removed rules since the caller read them. */
  OrderApprovalRules: async ({ db, user }, { ids }) => {
    const before = await readRules(db, 'lock');
    const same = before.length === ids.length && before.every(({ id }) => ids.includes(id));
    if (!same || new Set(ids).size !== ids.length) {
      throw new HttpError(409, 'Another user changed the rules in the meantime. Review them again.');
    }
    await sql`update approval_rule set position = 10 * array_position(${ids}::int[], id)`.execute(db);
    const moved = before.filter((rule, index) => ids[index] !== rule.id);
    for (const rule of moved) {
      await recordChange(db, user, {
        type: 'approvalRule',
        id: rule.id,
        name: rule.name,
        action: 'Move',
        changes: [
          { field: 'Place', before: String(before.indexOf(rule) + 1), after: String(ids.indexOf(rule.id) + 1) },
        ],
      });
    }
    return readRules(db);
  },

  /** Throws 404 when no quote has this number. */
  TryApprovalRules: async ({ db }, { num, requesterRole, draft }) => {
    const quote = await db.selectFrom('quote').selectAll().where('num', '=', num).executeTakeFirst();
    if (!quote) throw notFound('quote');
    const lines = await db
      .selectFrom('quote_item')
      .selectAll()
      .$castTo<TestedLine>()
      .where('quote_id', '=', quote.id)
      .orderBy('line_no')
      .execute();
    const saved = await loadRules(db);
    const stored = draft && (await readRules(db)).find(({ id }) => id === draft.id);
    const typed = draft && keptIn(draft, keptOf(stored));
    const rules = typed
      ? [...saved.filter(({ id }) => id !== typed.id), ...(typed.active ? [typed as Rule] : [])]
      : saved;
    const { fired } = await judgeQuote(db, quote, lines, [requesterRole], rules);
    return {
      number: quote.revision > 1 ? `${quote.num}-R${quote.revision}` : String(quote.num),
      facilityName: quote.facility_name,
      totalAmount: quote.total_amount,
      currnIdx: quote.currn_idx,
      fired,
    };
  },
};

/** The values that a save keeps when the input leaves them out. */
const keptOf = (rule: ApprovalRule | null | undefined) =>
  rule ? { filters: rule.filters, active: rule.active } : BLANK;

async function readReminders(db: Db, _id = 1, lock?: 'lock'): Promise<Reminders & { id: number }> {
  const row = await oneRecord('approvalReminder', db.selectFrom('approval_reminder').selectAll(), lock);
  return {
    id: row.id,
    remindAfterHours: row.remind_after_hours,
    escalateAfterHours: row.escalate_after_hours,
    version: row.version,
  };
}

async function readRules(db: Db, lock?: 'lock'): Promise<ApprovalRule[]> {
  const rows = await db
    .selectFrom('approval_rule')
    .select(['id', 'name', 'metric', 'operator', 'threshold', 'filters', 'role', 'active', 'version'])
    .orderBy('position')
    .orderBy('id')
    .$if(lock === 'lock', (query) => query.forUpdate())
    .execute();
  return rows.map(ruleOf);
}

async function readRule(db: Db, id: number, lock?: 'lock'): Promise<ApprovalRule> {
  const query = db
    .selectFrom('approval_rule')
    .select(['id', 'name', 'metric', 'operator', 'threshold', 'filters', 'role', 'active', 'version'])
    .where('id', '=', id);
  return ruleOf(await oneRecord('approvalRule', query, lock));
}

function ruleOf(row: { filters: unknown }): ApprovalRule {
  return ApprovalRule.parse({ ...row, filters: { ...NO_FILTERS, ...(row.filters as object) } });
}

function namedRecords(db: Db, table: 'item_class' | 'region' | 'facility', ids: number[]): Promise<Named[]> {
  return db
    .selectFrom(table)
    .select(['id', 'name'])
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .orderBy('name')
    .execute();
}

async function requireKnown(db: Db, filters: ApprovalRule['filters']): Promise<void> {
  const missing = [
    { path: 'filters.classIds', ids: filters.classIds, table: 'item_class', noun: 'item class' },
    { path: 'filters.regionIds', ids: filters.regionIds, table: 'region', noun: 'region' },
    { path: 'filters.facilityIds', ids: filters.facilityIds, table: 'facility', noun: 'facility' },
  ] as const;
  for (const { path, ids, table, noun } of missing) {
    const known = await namedRecords(db, table, ids);
    if (known.length < new Set(ids).size) throw invalid([{ path, message: `This ${noun} does not exist` }]);
  }
}

async function historyWords(db: Db, rule: ApprovalRule) {
  const { filters } = rule;
  return {
    name: rule.name,
    metric: METRIC_LABELS[rule.metric],
    operator: rule.operator,
    threshold: rule.threshold,
    role: ROLE_LABELS[rule.role],
    classes: await namedRecords(db, 'item_class', filters.classIds),
    regions: await namedRecords(db, 'region', filters.regionIds),
    facilities: await namedRecords(db, 'facility', filters.facilityIds),
    requesters: filters.requesterRoles.map((role) => ROLE_LABELS[role]),
    active: rule.active,
  };
}
