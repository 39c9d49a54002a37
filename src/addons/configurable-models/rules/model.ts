// A configurable model: groups of options, and rules between options. Groups and options share one range of ids.

export type Option = {
  id: number;
  /** Empty for a choice without an item, such as a color. */
  itemNumber: string;
  label: string;
  unit: string;
  /** fixed: always `qty`. asked: the user enters a quantity, and `qty` is the default. from: the quantity of another choice, times `factor`. */
  quantity: 'fixed' | 'asked' | 'from';
  qty: number;
  minQty: number;
  /** Null means no maximum. */
  maxQty: number | null;
  /** For 'from': the option whose quantity applies, or the group whose chosen options are added up. */
  fromId: number | null;
  factor: number;
  /** For 'from': rounds up to the next whole number. */
  roundUp: boolean;
  /** Why the option cannot be added to a quote. Empty if it can. */
  problem: string;
};

export type Group = {
  id: number;
  name: string;
  hint: string;
  /** Minimum number of options. `max` is the maximum; null means unlimited. */
  min: number;
  max: number | null;
  options: Option[];
};

/** needs: the option needs at least one of the others. excludes: the option cannot be combined with any of the others. */
export type Rule = { kind: 'needs' | 'excludes'; optionId: number; otherIds: number[] };

export type Model = {
  name: string;
  /** The item that every configuration contains once. Empty if it contains only its options. */
  baseItemNumber: string;
  baseUnit: string;
  /** Why a quote cannot contain the base item. Empty if a quote can. */
  baseProblem: string;
  groups: Group[];
  rules: Rule[];
};

export type ModelRules = Pick<Model, 'groups' | 'rules'>;

/** All options with their groups, by option id. */
export function optionsOf({ groups }: Pick<Model, 'groups'>): Map<number, { option: Option; group: Group }> {
  return new Map(groups.flatMap((group) => group.options.map((option) => [option.id, { option, group }])));
}

/** The options that a quantity comes from: one option, or all options of a group. Empty if the id is unknown. */
export function quantitySources({ groups }: Pick<Model, 'groups'>, fromId: number): Option[] {
  return (
    groups.find(({ id }) => id === fromId)?.options ??
    groups.flatMap(({ options }) => options).filter(({ id }) => id === fromId)
  );
}

/** The model's rules and the rules implied by quantities: an option whose quantity comes from another choice needs that choice. */
export function allRules(model: ModelRules): Rule[] {
  const implied = model.groups.flatMap(({ options }) =>
    options.flatMap((option) =>
      option.quantity === 'from' && option.fromId !== null
        ? [
            {
              kind: 'needs' as const,
              optionId: option.id,
              otherIds: quantitySources(model, option.fromId).map(({ id }) => id),
            },
          ]
        : [],
    ),
  );
  return [...model.rules, ...implied];
}

/** 'A', 'A or B', 'A, B or C'. A long list ends with the number of omitted entries. */
export function joinList(words: readonly string[], conjunction: 'or' | 'and'): string {
  const visible = words.length > MAX_LISTED ? words.slice(0, MAX_LISTED - 1) : words;
  const more = words.length - visible.length;
  const all = more > 0 ? [...visible, `${more} more`] : visible;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${conjunction} ${all.at(-1)}`;
}
const MAX_LISTED = 6;

/** The number of options of a group to choose, in words. */
export function limitInWords({ min, max }: Pick<Group, 'min' | 'max'>): string {
  if (max === 1) return min === 1 ? 'Choose one' : 'Choose one or none';
  if (max === null) return min === 0 ? 'Choose any number' : `Choose at least ${min}`;
  if (min === max) return `Choose ${min}`;
  return min === 0 ? `Choose up to ${max}` : `Choose ${min} to ${max}`;
}

/** A rule as a sentence. A reference to a missing option appears as 'an option that does not exist'. */
export function ruleInWords(rule: Rule, labelOf: (id: number) => string): string {
  const others = rule.otherIds.map(labelOf);
  return rule.kind === 'needs'
    ? `${labelOf(rule.optionId)} needs ${joinList(others, 'or')}`
    : `${labelOf(rule.optionId)} cannot be combined with ${joinList(others, 'or')}`;
}

/** Returns a function that returns the label of an option, for use in sentences. */
export function labelsOf(model: Pick<Model, 'groups'>): (id: number) => string {
  const all = optionsOf(model);
  return (id) => all.get(id)?.option.label || (all.has(id) ? 'an unnamed option' : 'an option that does not exist');
}

/** The quantity of an option, in words. */
export function quantityInWords(model: Pick<Model, 'groups'>, option: Option): string {
  const unit = option.unit ? ` ${option.unit}` : '';
  if (option.quantity === 'fixed') return `${formatQuantity(option.qty)}${unit}`;
  if (option.quantity === 'asked') {
    const limits =
      option.maxQty === null
        ? `at least ${formatQuantity(option.minQty)}`
        : `${formatQuantity(option.minQty)} to ${formatQuantity(option.maxQty)}`;
    return `${limits}${unit}, entered when chosen`;
  }
  const group = model.groups.find(({ id }) => id === option.fromId);
  const source = group?.name ?? labelsOf(model)(option.fromId ?? 0);
  return `as many${unit} as ${source}${option.factor === 1 ? '' : ` × ${formatQuantity(option.factor)}`}${option.roundUp ? ', rounded up' : ''}`;
}

/** A quantity in the format for users. */
export function formatQuantity(qty: number): string {
  return qty.toLocaleString('en-US', { maximumFractionDigits: 4 });
}
