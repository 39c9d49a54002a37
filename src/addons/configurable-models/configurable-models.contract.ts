// Defines the calls with which administrators list and edit configurable models with their groups, options and rules.
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import type { Role } from '#platform/shared/roles.ts';
import {
  changesOverVersion,
  Id,
  Named,
  PageInput,
  pageOf,
  Quantity,
  RequiredText,
  Text,
  Version,
} from '#platform/shared/wire.ts';

const ADMINISTRATORS: readonly Role[] = ['systemadmin', 'salesadmin'];
export const MAX_GROUPS = 100;
export const MAX_OPTIONS = 500;
export const MAX_RULES = 500;

/** The id of a group or an option. The caller gives a new one any id below 0, and uses this id in rules and quantities of the same save. */
const PartId = z
  .number()
  .int()
  .min(-2_147_483_647)
  .max(2_147_483_647)
  .refine((id) => id !== 0, 'Use ids below 0 for new groups and options.');
const Picks = z.number().int().min(0, 'At least 0').max(MAX_OPTIONS, `At most ${MAX_OPTIONS}`);

const OptionInput = z.object({
  id: PartId,
  /** Empty for a choice without an item. */
  itemNumber: Text(100).default(''),
  label: RequiredText(100),
  /** Empty means the item's base unit. */
  unit: Text(20).default(''),
  quantity: z.enum(['fixed', 'asked', 'from']).default('fixed'),
  /** For 'fixed' the quantity, for 'asked' the default quantity. */
  qty: Quantity.default(1),
  minQty: Quantity.default(1),
  maxQty: Quantity.nullable().default(null),
  /** For 'from': an option or a group of this model. */
  fromId: PartId.nullable().default(null),
  factor: Quantity.default(1),
  roundUp: z.boolean().default(false),
});
export type OptionInput = z.output<typeof OptionInput>;

const GroupInput = z.object({
  id: PartId,
  name: RequiredText(100),
  hint: Text(300).default(''),
  /** Minimum number of options. `max` is the maximum; null means unlimited. */
  min: Picks.default(0),
  max: Picks.min(1, 'At least 1').nullable().default(null),
  options: z.array(OptionInput).min(1, 'Add at least one option to the group.').max(MAX_OPTIONS),
});
export type GroupInput = z.output<typeof GroupInput>;

const RuleInput = z.object({
  /** needs: the option needs at least one of the others. excludes: the option allows none of them. */
  kind: z.enum(['needs', 'excludes']),
  optionId: PartId,
  otherIds: z.array(PartId).max(MAX_OPTIONS),
});

/** Omitted fields stay unchanged. A new model is inactive and otherwise empty. */
export const ModelInput = z
  .object({
    /** 0 for a new model. */
    id: Id.or(z.literal(0)).default(0),
    name: RequiredText(100),
    description: Text(500).optional(),
    classId: Id.nullish(),
    /** The item that every configuration contains once. Empty if it contains only its options. */
    baseItemNumber: Text(100).optional(),
    /** Empty means the item's base unit. */
    baseUnit: Text(20).optional(),
    active: z.boolean().optional(),
    groups: z
      .array(GroupInput)
      .max(MAX_GROUPS, `A model can have at most ${MAX_GROUPS} groups.`)
      .refine(
        (groups) => groups.reduce((sum, { options }) => sum + options.length, 0) <= MAX_OPTIONS,
        `A model can have at most ${MAX_OPTIONS} options.`,
      ),
    rules: z.array(RuleInput).max(MAX_RULES, `A model can have at most ${MAX_RULES} rules.`).optional(),
    version: Version.optional(),
  })
  .check(changesOverVersion);
export type ModelInput = z.output<typeof ModelInput>;
/** A save with all omitted fields filled in. */
export type ModelContent = Omit<
  ModelInput,
  'description' | 'classId' | 'baseItemNumber' | 'baseUnit' | 'active' | 'rules'
> &
  Pick<ModelRecord, 'description' | 'classId' | 'baseItemNumber' | 'baseUnit' | 'active' | 'rules'>;

export const ModelOption = z.object({
  id: z.number().int(),
  itemNumber: z.string(),
  itemDescription: z.string(),
  label: z.string(),
  unit: z.string(),
  units: z.array(z.string()),
  quantity: z.enum(['fixed', 'asked', 'from']),
  qty: z.number(),
  minQty: z.number(),
  maxQty: z.number().nullable(),
  fromId: z.number().int().nullable(),
  factor: z.number(),
  roundUp: z.boolean(),
  /** Why the option cannot be added to a quote. Empty if it can. */
  problem: z.string(),
});
export type ModelOption = z.infer<typeof ModelOption>;

export const ModelGroup = z.object({
  id: z.number().int(),
  name: z.string(),
  hint: z.string(),
  min: z.number().int(),
  max: z.number().int().nullable(),
  options: z.array(ModelOption),
});
export type ModelGroup = z.infer<typeof ModelGroup>;

export const ModelRule = z.object({
  kind: z.enum(['needs', 'excludes']),
  optionId: z.number().int(),
  otherIds: z.array(z.number().int()),
});

export const ModelRecord = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  classId: z.number().int().nullable(),
  baseItemNumber: z.string(),
  baseItemDescription: z.string(),
  baseUnit: z.string(),
  baseUnits: z.array(z.string()),
  baseProblem: z.string(),
  active: z.boolean(),
  groups: z.array(ModelGroup),
  rules: z.array(ModelRule),
  version: z.number().int(),
});
export type ModelRecord = z.infer<typeof ModelRecord>;

export const ModelRow = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  className: z.string(),
  baseItemNumber: z.string(),
  active: z.boolean(),
  options: z.number().int(),
  rules: z.number().int(),
  /** The number of configurations that use it, on quotes in any status. */
  configurations: z.number().int(),
  changedAt: z.string(),
  version: z.number().int(),
});
export type ModelRow = z.infer<typeof ModelRow>;

export const ModelCriteria = PageInput.extend({
  keyword: Text(100).nullish(),
  /** Null means both active and inactive models. */
  active: z.boolean().nullish(),
});

const write = { access: ADMINISTRATORS, writes: true } as const;

export const ConfigurableModels = {
  SearchConfigurableModels: post('/api/ConfigurableModel/SearchConfigurableModels', ModelCriteria, pageOf(ModelRow), {
    access: ADMINISTRATORS,
    summary: 'Configurable models with the number of their options, rules and configurations.',
  }),
  ExportConfigurableModels: post('/api/ConfigurableModel/ExportConfigurableModels', ModelCriteria, Bytes, {
    access: ADMINISTRATORS,
    file: 'text/csv',
  }),
  GetConfigurableModel: post(
    '/api/ConfigurableModel/GetConfigurableModel',
    z.object({ id: Id.or(z.literal(0)).default(0) }),
    z.object({
      model: ModelRecord,
      classes: z.array(Named),
      configurations: z.number().int(),
    }),
    { access: ADMINISTRATORS, summary: 'Returns the model to edit. Without an id, returns an empty model.' },
  ),
  SaveConfigurableModel: post('/api/ConfigurableModel/SaveConfigurableModel', ModelInput, ModelRecord, {
    ...write,
    bodyLimit: 1024 * 1024,
    summary:
      'Saves a model with all its groups and options, and removes omitted ones. Other omitted fields stay unchanged. 422 for a rule that refers to an unknown option, quantities that depend on each other, or an unknown item.',
  }),
  CopyConfigurableModel: post('/api/ConfigurableModel/CopyConfigurableModel', z.object({ id: Id }), ModelRecord, {
    ...write,
    summary: 'Copies a model with its groups and rules. The copy is inactive.',
  }),
  SwitchConfigurableModel: post(
    '/api/ConfigurableModel/SwitchConfigurableModel',
    z.object({ id: Id, active: z.boolean().optional(), version: Version }),
    z.object({ id: z.number().int(), active: z.boolean(), version: z.number().int() }),
    { ...write, summary: 'Activates or deactivates a model. Without active, toggles it.' },
  ),
};
