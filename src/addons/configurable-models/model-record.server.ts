// Reads, checks and writes one configurable model with its groups, options, rules and history.
import { sql } from 'kysely';
import { type FieldError, invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { requireFresh } from '#platform/history/record-change.server.ts';
import { keptIn, oneRecord, type RecordKind, saveRecord, wrongName } from '#platform/history/record-kit.server.ts';
import { wordsApart } from '#platform/history/words-apart.ts';
import { itemsMeant } from '#core/catalog/item-finder/find-by-number.server.ts';
import type { ItemFacts } from '#core/prices/pricing/priced-item.server.ts';
import { notAddable } from '#core/quoting/quote-edit/lines/line-items.server.ts';
import { loadMissingItems } from '#core/quoting/quote-edit/settle/known-items.server.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import type { ModelContent, ModelInput, ModelRecord } from './configurable-models.contract.ts';
import { writeParts } from './model-parts.server.ts';
import { errorsOf } from './rules/check-model.ts';
import { labelsOf, limitInWords, quantityInWords, ruleInWords } from './rules/model.ts';

const LABELS = {
  name: 'Name',
  description: 'Description',
  className: 'Item class',
  baseItemNumber: 'Base item',
  baseUnit: 'Unit of the base item',
  active: 'Active',
};

type ModelDefaults = Pick<ModelContent, 'description' | 'classId' | 'baseItemNumber' | 'baseUnit' | 'active' | 'rules'>;

/** The defaults of a new model. */
const BLANK: ModelDefaults = {
  description: '',
  classId: null,
  baseItemNumber: '',
  baseUnit: '',
  active: false,
  rules: [],
};

/** A stored model, with the names that its history shows. */
export type StoredModel = ModelRecord & { className: string };

export async function readModel(db: Db, id: number, lock?: 'lock'): Promise<StoredModel> {
  const query = db
    .selectFrom('configurable_model')
    .select(['id', 'name', 'description', 'class_id as classId', 'base_item_id as baseItemId'])
    .select(['base_unit as baseUnit', 'active', 'version'])
    .where('id', '=', id);
  const { baseItemId, ...model } = await oneRecord('configurableModel', query, lock);
  const [groups, options, rules] = await Promise.all([
    db.selectFrom('configurable_group').selectAll().where('model_id', '=', id).orderBy('position').execute(),
    db
      .selectFrom('configurable_option as o')
      .innerJoin('configurable_group as g', 'g.id', 'o.group_id')
      .selectAll('o')
      .where('g.model_id', '=', id)
      .orderBy('o.position')
      .execute(),
    db.selectFrom('configurable_rule').selectAll().where('model_id', '=', id).orderBy('position').execute(),
  ]);
  const items = new Map<number, ItemFacts>();
  await loadMissingItems(db, items, [baseItemId, ...options.map((option) => option.item_id)]);
  const className = await classNameOf(db, model.classId);
  const base = items.get(baseItemId ?? 0);
  const byGroup = Map.groupBy(options, ({ group_id }) => group_id);
  return {
    ...model,
    className,
    baseItemNumber: base?.item_number ?? '',
    baseItemDescription: base?.description ?? '',
    baseUnits: base?.units.map(({ unit }) => unit) ?? [],
    baseProblem: baseItemId === null ? '' : notAddable(base, model.baseUnit),
    groups: groups.map((group) => ({
      id: group.id,
      name: group.name,
      hint: group.hint,
      min: group.min_picks,
      max: group.max_picks,
      options: (byGroup.get(group.id) ?? []).map((option) => {
        const facts = items.get(option.item_id ?? 0);
        return {
          id: option.id,
          itemNumber: facts?.item_number ?? '',
          itemDescription: facts?.description ?? '',
          label: option.label,
          unit: option.unit,
          units: facts?.units.map(({ unit }) => unit) ?? [],
          quantity: option.quantity as 'fixed' | 'asked' | 'from',
          qty: option.qty,
          minQty: option.min_qty,
          maxQty: option.max_qty,
          fromId: option.from_id,
          factor: option.factor,
          roundUp: option.round_up,
          problem: option.item_id === null ? '' : notAddable(facts, option.unit),
        };
      }),
    })),
    rules: rules.map(({ kind, option_id, other_ids }) => ({
      kind: kind as 'needs' | 'excludes',
      optionId: option_id,
      otherIds: other_ids,
    })),
  };
}

async function classNameOf(db: Db, id: number | null): Promise<string> {
  if (id === null) return '';
  const row = await db.selectFrom('item_class').select('name').where('id', '=', id).executeTakeFirst();
  return row?.name ?? '';
}

/**
 * Writes a model and its history. Throws 409 if another user has changed the model. Throws 422 by field for contradictions, and for items that a
 * quote cannot contain, unless the model already contained them.
 */
export async function saveModel(
  db: Db,
  user: { id: number; fullName: string },
  before: StoredModel | null,
  input: ModelInput,
  known: ModelRecord | null = before,
): Promise<StoredModel> {
  if (before) await requireFresh(db, 'configurableModel', before, input.version);
  const previous: ModelDefaults = before ?? BLANK;
  const { model, itemIds, errors } = await resolveItems(db, keptIn(input, previous), known);
  errors.push(...errorsOf(model), ...foreignPartErrors(model, before));
  errors.push(...(await wrongName(db, 'configurableModel', { id: before?.id ?? 0, name: model.name })));
  if (model.classId !== null && (await classNameOf(db, model.classId)) === '') {
    errors.push({ path: 'classId', message: 'This item class does not exist.' });
  }
  if (errors.length > 0) throw invalid(errors);
  if (before && contentKey(before) === contentKey(model)) return before;
  const values = {
    name: model.name,
    description: model.description,
    class_id: model.classId,
    base_item_id: itemIds.get(model.baseItemNumber) ?? null,
    base_unit: model.baseUnit,
    active: model.active,
    changed_at: sql<string>`now()`,
  };
  return saveRecord({ db, user }, MODEL, before, values, {
    parts: (id) => writeParts(db, id, model, itemIds),
    comment: before ? '' : describeModelSize(model),
  });
}

export const MODEL: RecordKind<StoredModel, 'configurableModel'> = {
  type: 'configurableModel',
  read: readModel,
  nameOf: ({ name }) => name,
  changes: (before, after) =>
    before
      ? [
          ...changesBetween(before, after, LABELS),
          ...partsChanged('Groups and options', optionsInWords(before), optionsInWords(after)),
          ...partsChanged('Rules', rulesInWords(before), rulesInWords(after)),
        ]
      : [],
};

function partsChanged(field: string, before: string[], after: string[]): FieldChange[] {
  if (before.join('\n') === after.join('\n')) return [];
  return [{ field, before: wordsApart(before, after), after: wordsApart(after, before) }];
}

function optionsInWords(model: StoredModel): string[] {
  return model.groups.flatMap((group) => [
    `${group.name} (${limitInWords(group).toLowerCase()})${group.hint ? `: ${group.hint}` : ''}`,
    ...group.options.map((option) =>
      [`${group.name}: ${option.label}`, option.itemNumber, quantityInWords(model, option)].filter(Boolean).join(', '),
    ),
  ]);
}

function rulesInWords(model: StoredModel): string[] {
  const labelOf = labelsOf(model);
  return model.rules.map((rule) => ruleInWords(rule, labelOf));
}

function describeModelSize({ groups, rules }: Pick<ModelContent, 'groups' | 'rules'>): string {
  const options = groups.reduce((sum, group) => sum + group.options.length, 0);
  return `${options} ${options === 1 ? 'option' : 'options'}, ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`;
}

/** The content of a model as text, to find out whether a save changes it. */
function contentKey(model: Omit<ModelContent, 'id' | 'version'>): string {
  return JSON.stringify([
    [model.name, model.description, model.classId, model.baseItemNumber, model.baseUnit, model.active],
    model.groups.map(({ id, name, hint, min, max, options }) => [
      [id, name, hint, min, max],
      options.map((option) => [
        [option.id, option.itemNumber, option.label, option.unit, option.quantity, option.qty],
        [option.minQty, option.maxQty, option.fromId, option.factor, option.roundUp],
      ]),
    ]),
    model.rules.map(({ kind, optionId, otherIds }) => [kind, optionId, otherIds]),
  ]);
}

type ResolvedModel = ModelContent & {
  baseProblem: string;
  groups: (ModelContent['groups'][number] & {
    options: (ModelContent['groups'][number]['options'][number] & { problem: string })[];
  })[];
};

/** The model with numbers and units spelled as the items spell them, and without fields that its kinds of quantity do not use. */
async function resolveItems(
  db: Db,
  content: ModelContent,
  known: ModelRecord | null,
): Promise<{ model: ResolvedModel; itemIds: Map<string, number>; errors: FieldError[] }> {
  const numbers = [
    content.baseItemNumber,
    ...content.groups.flatMap(({ options }) => options.map((option) => option.itemNumber)),
  ];
  const ids = await loadItemLookup(db, numbers);
  const before = new Set(
    known === null
      ? []
      : [
          `${known.baseItemNumber} ${known.baseUnit}`,
          ...known.groups.flatMap(({ options }) => options.map((option) => `${option.itemNumber} ${option.unit}`)),
        ],
  );
  const errors: FieldError[] = [];
  const itemIds = new Map<string, number>();
  const resolveItem = (number: string, wanted: string, at: { item: string; unit: string }) => {
    if (number === '') return { itemNumber: '', unit: '', problem: '' };
    const facts = ids(number);
    if (!facts || facts === 'several') {
      const message = facts ? `${number} matches several items. Choose one of them.` : `Item ${number} does not exist.`;
      errors.push({ path: at.item, message });
      return { itemNumber: number, unit: wanted, problem: message };
    }
    const unit = facts.units.find((candidate) => candidate.unit.toLowerCase() === wanted.toLowerCase())?.unit ?? wanted;
    const resolvedUnit = unit || facts.base_unit;
    const problem = notAddable(facts, resolvedUnit);
    if (problem && !before.has(`${facts.item_number} ${resolvedUnit}`)) {
      errors.push({
        path: facts.units.some((candidate) => candidate.unit === resolvedUnit) ? at.item : at.unit,
        message: problem,
      });
    }
    itemIds.set(facts.item_number, facts.id);
    return { itemNumber: facts.item_number, unit: resolvedUnit, problem };
  };
  const base = resolveItem(content.baseItemNumber, content.baseUnit, { item: 'baseItemNumber', unit: 'baseUnit' });
  const model: ResolvedModel = {
    ...content,
    baseItemNumber: base.itemNumber,
    baseUnit: base.unit,
    baseProblem: base.problem,
    groups: content.groups.map((group, g) => ({
      ...group,
      options: group.options.map((option, o) => {
        const at = `groups.${g}.options.${o}`;
        const isAsked = option.quantity === 'asked';
        const from = option.quantity === 'from';
        return {
          ...option,
          ...resolveItem(option.itemNumber, option.unit, { item: `${at}.itemNumber`, unit: `${at}.unit` }),
          qty: from ? 1 : option.qty,
          minQty: isAsked ? option.minQty : 1,
          maxQty: isAsked ? option.maxQty : null,
          fromId: from ? option.fromId : null,
          factor: from ? option.factor : 1,
          roundUp: from && option.roundUp,
        };
      }),
    })),
  };
  return { model, itemIds, errors };
}

/** Finds items by number. 'several' if a number matches more than one. */
async function loadItemLookup(
  db: Db,
  numbers: string[],
): Promise<(number: string) => ItemFacts | 'several' | undefined> {
  const matches = await itemsMeant(db, numbers, null, { references: false });
  const items = new Map<number, ItemFacts>();
  await loadMissingItems(
    db,
    items,
    [...matches.values()].flatMap(({ fits }) => fits.map(({ id }) => id)),
  );
  return (number) => {
    const meaning = matches.get(number);
    return meaning && !meaning.isSure ? 'several' : items.get(meaning?.fits[0]?.id ?? 0);
  };
}

/** Returns an error for each id above 0 that is not one of the model's own groups or options. */
function foreignPartErrors(model: ModelContent, before: ModelRecord | null): FieldError[] {
  const groups = new Set(before?.groups.map(({ id }) => id));
  const options = new Set(before?.groups.flatMap((group) => group.options.map(({ id }) => id)));
  return model.groups.flatMap((group, g) => [
    ...(group.id > 0 && !groups.has(group.id)
      ? [{ path: `groups.${g}.id`, message: 'This group does not belong to this model.' }]
      : []),
    ...group.options.flatMap((option, o) =>
      option.id > 0 && !options.has(option.id)
        ? [{ path: `groups.${g}.options.${o}.id`, message: 'This option does not belong to this model.' }]
        : [],
    ),
  ]);
}
