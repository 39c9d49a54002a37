// What can be configured: a model with groups of options and rules between options. Groups and options share one range of ids.

export type Option = {
  id: number;
  /** Empty: a choice that brings no item, such as a color. */
  itemNumber: string;
  label: string;
  unit: string;
  /** fixed: `qty`. asked: the person says how many, `qty` is proposed. from: as many as of another choice, times `factor`. */
  quantity: 'fixed' | 'asked' | 'from';
  qty: number;
  minQty: number;
  /** Null: as many as one likes. */
  maxQty: number | null;
  /** Of 'from': the option whose quantity is taken, or the group, of which the chosen options are added up. */
  fromId: number | null;
  factor: number;
  /** Of 'from': to the next whole number. */
  roundUp: boolean;
  /** Why no quote can take it, in a sentence; empty: it can. */
  problem: string;
};

export type Group = {
  id: number;
  name: string;
  hint: string;
  /** At least and at most so many of its options are chosen; max null: any number. */
  min: number;
  max: number | null;
  options: Option[];
};

/** needs: whoever takes the option takes at least one of the others. excludes: the option and each of the others are never taken together. */
export type Rule = { kind: 'needs' | 'excludes'; optionId: number; otherIds: number[] };

export type Model = {
  name: string;
  /** What every configuration holds once; empty: only its options. */
  baseItemNumber: string;
  baseUnit: string;
  /** Why no quote can take the base item; empty: it can. */
  baseProblem: string;
  groups: Group[];
  rules: Rule[];
};

export type ModelRules = Pick<Model, 'groups' | 'rules'>;

/** The options of all groups with their groups, by id. */
export function optionsOf({ groups }: Pick<Model, 'groups'>): Map<number, { option: Option; group: Group }> {
  return new Map(groups.flatMap((group) => group.options.map((option) => [option.id, { option, group }])));
}

/** The options that a quantity comes from: one, or those of a group; none when the id means nothing. */
export function sourcesOf({ groups }: Pick<Model, 'groups'>, fromId: number): Option[] {
  return (
    groups.find(({ id }) => id === fromId)?.options ??
    groups.flatMap(({ options }) => options).filter(({ id }) => id === fromId)
  );
}

/**
 * The rules with those that follow from quantities: an option that takes its quantity from another choice needs that choice. `index` is
 * the rule's place in the model; null for those that follow.
 */
export function allRules(model: ModelRules): (Rule & { index: number | null })[] {
  const implied = model.groups.flatMap(({ options }) =>
    options.flatMap((option) =>
      option.quantity === 'from' && option.fromId !== null
        ? [
            {
              kind: 'needs' as const,
              optionId: option.id,
              otherIds: sourcesOf(model, option.fromId).map(({ id }) => id),
              index: null,
            },
          ]
        : [],
    ),
  );
  return [...model.rules.map((rule, index) => ({ ...rule, index })), ...implied];
}

/** 'A', 'A or B', 'A, B or C'; long lists end with how many more. */
export function listed(words: readonly string[], joint: 'or' | 'and'): string {
  const shown = words.length > MOST_LISTED ? words.slice(0, MOST_LISTED - 1) : words;
  const more = words.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${joint} ${all.at(-1)}`;
}
const MOST_LISTED = 6;

/** How many of a group are chosen, in words. */
export function limitInWords({ min, max }: Pick<Group, 'min' | 'max'>): string {
  if (max === 1) return min === 1 ? 'Choose one' : 'Choose one or none';
  if (max === null) return min === 0 ? 'Choose any number' : `Choose at least ${min}`;
  if (min === max) return `Choose ${min}`;
  return min === 0 ? `Choose up to ${max}` : `Choose ${min} to ${max}`;
}

/** A rule as a sentence; options that do not exist are said to be missing. */
export function ruleInWords(rule: Rule, labelOf: (id: number) => string): string {
  const others = rule.otherIds.map(labelOf);
  return rule.kind === 'needs'
    ? `${labelOf(rule.optionId)} needs ${listed(others, 'or')}`
    : `${labelOf(rule.optionId)} does not go with ${listed(others, 'or')}`;
}

/** The label of an option, for sentences. */
export function labelsOf(model: Pick<Model, 'groups'>): (id: number) => string {
  const all = optionsOf(model);
  return (id) =>
    all.get(id)?.option.label || (all.has(id) ? 'an option without a name' : 'an option that does not exist');
}

/** How many of an option are taken, in words. */
export function quantityInWords(model: Pick<Model, 'groups'>, option: Option): string {
  const unit = option.unit ? ` ${option.unit}` : '';
  if (option.quantity === 'fixed') return `${said(option.qty)}${unit}`;
  if (option.quantity === 'asked') {
    const limits =
      option.maxQty === null ? `at least ${said(option.minQty)}` : `${said(option.minQty)} to ${said(option.maxQty)}`;
    return `${limits}${unit}, asked`;
  }
  const group = model.groups.find(({ id }) => id === option.fromId);
  const source = group?.name ?? labelsOf(model)(option.fromId ?? 0);
  return `as many${unit} as ${source}${option.factor === 1 ? '' : ` × ${said(option.factor)}`}${option.roundUp ? ', rounded up' : ''}`;
}

/** A quantity for reading. */
export function said(qty: number): string {
  return qty.toLocaleString('en-US', { maximumFractionDigits: 4 });
}
