// Checks choices against a model: which options are blocked and why, what is missing, and which items result.
import {
  allRules,
  type Group,
  labelsOf,
  limitInWords,
  joinList,
  type Model,
  type Option,
  optionsOf,
  type Rule,
} from './model.ts';
import { MAX_QTY, quantitiesOf, times } from './quantities.ts';

/** `qty` belongs to an option with a user-entered quantity. Without it, the default quantity applies. */
export type OptionPick = { optionId: number; qty?: number | null | undefined };
/** `sets` is the number of complete sets. */
export type Choices = { sets: number; picks: readonly OptionPick[] };

export type ListItem = {
  /** 0 for the base item. */
  optionId: number;
  itemNumber: string;
  label: string;
  /** For all sets together. */
  qty: number;
  unit: string;
  /** The choice in words: 'Mattress: Foam'. The first item also lists the choices without an item. */
  optionText: string;
};

export type Missing = {
  /** The affected group or option. Null for the whole model. */
  partId: number | null;
  message: string;
  /** Each of these options fixes it. */
  fixedBy: number[];
};

export type Judgement = {
  /** Why an option cannot be chosen. Empty or absent if it can, or if it is already chosen. */
  blocked: Map<number, string>;
  /** What else an option needs, in words, while none of that is chosen. */
  needs: Map<number, string>;
  missing: Missing[];
  items: ListItem[];
};

export function judge(model: Model, choices: Choices): Judgement {
  const known = optionsOf(model);
  const rules = rulesByOption(model);
  const chosen = new Map(choices.picks.map(({ optionId, qty }) => [optionId, qty]));
  const labelOf = labelsOf(model);
  const blocked = new Map<number, string>();
  const needs = new Map<number, string>();
  let beside: Map<number, string> | undefined;
  for (const group of model.groups) {
    const takesPlace = group.max === 1 && group.options.some(({ id }) => chosen.has(id));
    const reasons = takesPlace
      ? reasonsFor(model, group, chosen, rules)
      : (beside ??= reasonsFor(model, null, chosen, rules));
    for (const { id } of group.options) {
      if (chosen.has(id)) continue;
      const reason = reasons.get(id);
      if (reason) blocked.set(id, reason);
      const unmet = (rules.get(id) ?? []).filter(
        ({ kind, optionId, otherIds }) =>
          kind === 'needs' && optionId === id && !otherIds.some((candidate) => chosen.has(candidate)),
      );
      if (unmet.length > 0) {
        needs.set(id, unmet.map(({ otherIds }) => `Needs ${joinList(otherIds.map(labelOf), 'or')}`).join('. '));
      }
    }
  }
  const { items, problems } = itemsOf(model, {
    ...choices,
    picks: choices.picks.filter(({ optionId }) => known.has(optionId)),
  });
  const missing = [...missingOf(model, choices, chosen, blocked), ...problems];
  if (items.length === 0 && missing.length === 0) {
    missing.push({ partId: null, message: 'None of the chosen options adds an item.', fixedBy: [] });
  }
  return { blocked, needs, missing, items };
}

/** The choices after the user clicks an option. In a group that allows one choice, the option replaces the other one. */
export function toggled(model: Model, choices: Choices, optionId: number): Choices {
  const { picks } = choices;
  if (picks.some((pick) => pick.optionId === optionId)) {
    return { ...choices, picks: picks.filter((pick) => pick.optionId !== optionId) };
  }
  const group = optionsOf(model).get(optionId)?.group;
  if (!group) return choices;
  const siblings = new Set(group.max === 1 ? group.options.map(({ id }) => id) : []);
  return { ...choices, picks: [...picks.filter((pick) => !siblings.has(pick.optionId)), { optionId }] };
}

type Rules = ReadonlyMap<number, Rule[]>;

/** The rules that mention each option, by option id. */
function rulesByOption(model: Model): Rules {
  const result = new Map<number, Rule[]>();
  for (const rule of allRules(model)) {
    for (const id of new Set([rule.optionId, ...rule.otherIds])) result.set(id, [...(result.get(id) ?? []), rule]);
  }
  return result;
}

/**
 * Why options of the model cannot be chosen together with the current choices. `own` is a group that allows one choice, whose chosen option is about
 * to be replaced.
 */
function reasonsFor(
  model: Model,
  own: Group | null,
  chosen: ReadonlyMap<number, unknown>,
  rules: Rules,
): Map<number, string> {
  const stays = new Set(chosen.keys());
  for (const { id } of own?.options ?? []) stays.delete(id);
  const labelOf = labelsOf(model);
  const reasons = new Map<number, string>();
  for (const group of model.groups) {
    const taken = group.options.filter(({ id }) => stays.has(id)).length;
    for (const option of group.options) {
      if (stays.has(option.id)) continue;
      const reason = option.problem || conflictOf(option, stays, rules, labelOf) || fullOf(group, taken);
      if (reason) reasons.set(option.id, reason);
    }
  }
  // The options that an option needs may be unavailable, too.
  const all = optionsOf(model);
  const isOut = (id: number, by: number) =>
    !stays.has(id) && (reasons.has(id) || !all.has(id) || replaces(all, by, id));
  for (let more = true; more; ) {
    more = false;
    for (const { option } of all.values()) {
      if (stays.has(option.id) || reasons.has(option.id)) continue;
      const unmet = (rules.get(option.id) ?? []).find(
        (rule) =>
          rule.kind === 'needs' && rule.optionId === option.id && rule.otherIds.every((id) => isOut(id, option.id)),
      );
      if (!unmet) continue;
      reasons.set(option.id, `Needs ${joinList(unmet.otherIds.map(labelOf), 'or')}, which cannot be chosen.`);
      more = true;
    }
  }
  return reasons;
}

/** Whether both options are in the same group, and the group allows only one choice. */
function replaces(all: ReturnType<typeof optionsOf>, id: number, other: number): boolean {
  const group = all.get(id)?.group;
  return id !== other && group?.max === 1 && group === all.get(other)?.group;
}

function conflictOf(option: Option, stays: ReadonlySet<number>, rules: Rules, labelOf: (id: number) => string): string {
  const against = conflictsOf(option.id, stays, rules);
  return against.length > 0 ? `Cannot be combined with ${joinList(against.map(labelOf), 'and')}.` : '';
}

/** The chosen options that the rules do not allow together with this option. */
function conflictsOf(id: number, stays: ReadonlySet<number>, rules: Rules): number[] {
  const against = (rules.get(id) ?? []).flatMap(({ kind, optionId, otherIds }) =>
    kind === 'needs' ? [] : optionId === id ? otherIds : [optionId],
  );
  return [...new Set(against)].filter((candidate) => candidate !== id && stays.has(candidate));
}

function fullOf({ name, max }: Group, taken: number): string {
  return max !== null && max > 1 && taken >= max ? `You can choose at most ${max} in ${name}. Remove one first.` : '';
}

function missingOf(
  model: Model,
  { picks }: Choices,
  chosen: ReadonlyMap<number, unknown>,
  blocked: ReadonlyMap<number, string>,
): Missing[] {
  const all = optionsOf(model);
  const labelOf = labelsOf(model);
  const missing: Missing[] = [];
  const say = (partId: number | null, message: string, fixedBy: number[] = []) =>
    missing.push({ partId, message, fixedBy });
  const free = (ids: readonly number[]) => ids.filter((id) => all.has(id) && !chosen.has(id) && !blocked.has(id));
  const gone = picks.filter(({ optionId }) => !all.has(optionId)).length;
  if (gone > 0) say(null, `${gone === 1 ? '1 choice is' : `${gone} choices are`} no longer available.`);
  if (model.baseProblem) say(null, model.baseProblem);
  for (const group of model.groups) {
    const taken = group.options.filter(({ id }) => chosen.has(id)).length;
    const isOver = group.max !== null && taken > group.max;
    if (taken < group.min || isOver) {
      const fixes = isOver ? [] : free(group.options.map(({ id }) => id));
      say(group.id, `${group.name}: ${limitInWords(group).toLowerCase()}; ${taken} chosen.`, fixes);
    }
    for (const option of group.options) {
      if (chosen.has(option.id) && option.problem) say(option.id, `${option.label}: ${option.problem}`);
    }
  }
  const reported = new Set<string>();
  for (const { kind, optionId, otherIds } of allRules(model)) {
    if (!chosen.has(optionId)) continue;
    const met = otherIds.filter((id) => chosen.has(id) && id !== optionId);
    if (kind === 'needs' && met.length === 0) {
      const words = `${labelOf(optionId)} needs ${joinList(otherIds.map(labelOf), 'or')}.`;
      if (!reported.has(words)) say(optionId, words, free(otherIds));
      reported.add(words);
    }
    for (const id of kind === 'excludes' ? met : []) {
      const pair = [optionId, id].toSorted((a, b) => a - b).join(' ');
      if (!reported.has(pair)) say(optionId, `${labelOf(optionId)} cannot be combined with ${labelOf(id)}.`);
      reported.add(pair);
    }
  }
  return missing;
}

/** The items in the order of the model. The first item also lists the choices without an item. */
function itemsOf(model: Model, { sets, picks }: Choices): { items: ListItem[]; problems: Missing[] } {
  const chosen = new Map(picks.map(({ optionId, qty }) => [optionId, qty]));
  const quantities = quantitiesOf(model, chosen);
  const items: ListItem[] = [];
  const problems: Missing[] = [];
  const textsWithoutItem: string[] = [];
  if (!Number.isSafeInteger(sets) || sets < 1 || sets > MAX_QTY) {
    return {
      items,
      problems: [{ partId: null, message: 'Enter the number of sets as a whole number above 0.', fixedBy: [] }],
    };
  }
  if (model.baseItemNumber) {
    items.push({
      optionId: 0,
      itemNumber: model.baseItemNumber,
      label: model.name,
      qty: sets,
      unit: model.baseUnit,
      optionText: '',
    });
  }
  for (const group of model.groups) {
    for (const option of group.options) {
      const { id, itemNumber, label, unit } = option;
      if (!chosen.has(id)) continue;
      const quantity = quantities.get(id);
      const all = quantity && quantity.qty !== null ? times(label, quantity.qty, sets) : quantity;
      if (!all || all.qty === null) {
        // The source of its quantity is already listed among the needed options.
        const isReported = option.quantity === 'from' && !model.groups.some((each) => isSource(each, option, chosen));
        const message = all?.problem ?? '';
        if (message && !isReported && !problems.some((problem) => problem.message === message)) {
          problems.push({ partId: id, message, fixedBy: [] });
        }
        continue;
      }
      const text = `${group.name}: ${label}`;
      if (itemNumber) items.push({ optionId: id, itemNumber, label, qty: all.qty, unit, optionText: text });
      else textsWithoutItem.push(text);
    }
  }
  const [first] = items;
  if (first) first.optionText = [first.optionText, ...textsWithoutItem].filter((text) => text !== '').join('; ');
  return { items, problems };
}

function isSource(group: Group, { fromId }: Option, chosen: ReadonlyMap<number, unknown>): boolean {
  return group.options.some(({ id }) => chosen.has(id) && (group.id === fromId || id === fromId));
}
