// Creates models for the tests of the rules.
import type { Group, Model, Option, Rule } from './model.ts';

export const anOption = (id: number, input: Partial<Option> = {}): Option => ({
  id,
  itemNumber: `I-${id}`,
  label: `O${id}`,
  unit: 'EA',
  quantity: 'fixed',
  qty: 1,
  minQty: 1,
  maxQty: null,
  fromId: null,
  factor: 1,
  roundUp: false,
  problem: '',
  ...input,
});

export const aGroup = (id: number, options: Option[], input: Partial<Group> = {}): Group => ({
  id,
  name: `G${id}`,
  hint: '',
  min: 0,
  max: null,
  options,
  ...input,
});

export const needs = (optionId: number, ...otherIds: number[]): Rule => ({ kind: 'needs', optionId, otherIds });
export const excludes = (optionId: number, ...otherIds: number[]): Rule => ({ kind: 'excludes', optionId, otherIds });

export const aModel = (groups: Group[], rules: Rule[] = [], input: Partial<Model> = {}): Model => ({
  name: 'Bed',
  baseItemNumber: '',
  baseUnit: 'EA',
  baseProblem: '',
  groups,
  rules,
  ...input,
});
