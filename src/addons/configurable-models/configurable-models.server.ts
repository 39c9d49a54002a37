// Answers the ConfigurableModels calls.
import { sql } from 'kysely';
import type { z } from 'zod';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { holds, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { findUniqueName, setRecordActive } from '#platform/history/record-kit.server.ts';
import type { ConfigurableModels, ModelCriteria, ModelRecord } from './configurable-models.contract.ts';
import { MODEL, readModel, saveModel } from './model-record.server.ts';

const CLASS = sql<string>`coalesce((select name from item_class c where c.id = configurable_model.class_id), '')`;
const BASE = sql<string>`coalesce((select item_number from item i where i.id = configurable_model.base_item_id), '')`;
const OPTIONS = sql<number>`(select count(*) from configurable_option o join configurable_group g on g.id = o.group_id
  where g.model_id = configurable_model.id)`;
const RULES = sql<number>`(select count(*) from configurable_rule r where r.model_id = configurable_model.id)`;
const CONFIGURATIONS = sql<number>`(select count(*) from quote_configuration c where c.model_id = configurable_model.id)`;

const ORDER = {
  sorts: {
    name: sql`lower(configurable_model.name)`,
    className: CLASS,
    active: sql`configurable_model.active`,
    options: OPTIONS,
    rules: RULES,
    configurations: CONFIGURATIONS,
    changedAt: sql`configurable_model.changed_at`,
  },
  key: sql`configurable_model.id`,
  first: { field: 'name', dir: 'asc' as const },
};

const BLANK: ModelRecord = {
  id: 0,
  name: '',
  description: '',
  classId: null,
  baseItemNumber: '',
  baseItemDescription: '',
  baseUnit: '',
  baseUnits: [],
  baseProblem: '',
  active: false,
  groups: [],
  rules: [],
  version: 0,
};

export const configurableModelAnswers: Answers<typeof ConfigurableModels> = {
  SearchConfigurableModels: ({ db }, criteria) => pageFrom(models(db, criteria), criteria, ORDER),

  ExportConfigurableModels: async ({ db }, criteria) => {
    const rows = await allFrom(models(db, criteria), criteria.sort, ORDER);
    const headings = [
      'Model',
      'Description',
      'Item class',
      'Base item',
      'Active',
      'Options',
      'Rules',
      'Configurations',
      'Changed',
    ];
    return csvAnswer('configurable-models.csv', headings, rows, (row) => [
      row.name,
      row.description,
      row.className,
      row.baseItemNumber,
      row.active ? 'yes' : 'no',
      row.options,
      row.rules,
      row.configurations,
      row.changedAt.slice(0, 10),
    ]);
  },

  GetConfigurableModel: async ({ db }, { id }) => {
    const classes = await db.selectFrom('item_class').select(['id', 'name']).orderBy(sql`lower(name)`).execute();
    if (!id) return { model: BLANK, classes, configurations: 0 };
    const model = await readModel(db, id);
    const { configurations } = await db
      .selectFrom('configurable_model')
      .select(CONFIGURATIONS.as('configurations'))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { model, classes, configurations };
  },

  SaveConfigurableModel: async ({ db, user }, input) =>
    saveModel(db, user, input.id === 0 ? null : await readModel(db, input.id, 'lock'), input),

  CopyConfigurableModel: async ({ db, user }, { id }) => {
    const source = await readModel(db, id);
    const name = await findUniqueName(db, MODEL.type, `Copy of ${source.name}`.slice(0, 90));
    // Negative ids mark new parts, so the copy gets its own ids.
    const groups = source.groups.map((group) => ({
      ...group,
      id: -group.id,
      options: group.options.map((option) => ({
        ...option,
        id: -option.id,
        fromId: option.fromId === null ? null : -option.fromId,
      })),
    }));
    const rules = source.rules.map((rule) => ({
      ...rule,
      optionId: -rule.optionId,
      otherIds: rule.otherIds.map((other) => -other),
    }));
    const { version: _version, ...copied } = source;
    return saveModel(db, user, null, { ...copied, id: 0, name, groups, rules, active: false }, source);
  },

  SwitchConfigurableModel: ({ db, user }, input) => setRecordActive({ db, user }, MODEL, input),
};

function models(db: Db, { keyword, active }: Pick<z.infer<typeof ModelCriteria>, 'keyword' | 'active'>) {
  let query = db
    .selectFrom('configurable_model')
    .select(['id', 'name', 'description', 'active', 'version', 'changed_at as changedAt'])
    .select([
      CLASS.as('className'),
      BASE.as('baseItemNumber'),
      OPTIONS.as('options'),
      RULES.as('rules'),
      CONFIGURATIONS.as('configurations'),
    ])
    .$if(typeof active === 'boolean', (all) => all.where('active', '=', active === true));
  for (const word of wordsOf(keyword ?? '')) {
    query = query.where((eb) => eb.or([holds(eb.ref('name'), word), holds(eb.ref('description'), word)]));
  }
  return query;
}
