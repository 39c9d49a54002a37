// Finds the errors that prevent storing a model, by the path of the field.
import { labelsOf, type ModelRules, optionsOf } from './model.ts';
import { circlesOf } from './quantities.ts';

export type ModelError = { path: string; message: string };

/** Finds rules and quantities that refer to a missing part or to themselves, circles, limits that no choice can meet, and duplicate names. */
export function errorsOf(model: ModelRules): ModelError[] {
  const errors: ModelError[] = [];
  const say = (path: string, message: string) => errors.push({ path, message });
  const all = optionsOf(model);
  const groupIds = new Set(model.groups.map(({ id }) => id));
  const ids = model.groups.flatMap(({ id, options }) => [id, ...options.map((option) => option.id)]);
  // References to a duplicate id are ambiguous, so no other check makes sense.
  if (new Set(ids).size < ids.length) return [{ path: 'groups', message: 'Two groups or options have the same id.' }];

  repeated(model.groups.map(({ name }) => name)).forEach((index) => {
    say(`groups.${index}.name`, `Another group is already named ${model.groups[index]?.name}.`);
  });
  for (const [g, { options, min, max }] of model.groups.entries()) {
    if (max !== null && min > max) say(`groups.${g}.max`, 'The maximum cannot be less than the minimum.');
    if (min > options.length) {
      say(`groups.${g}.min`, `The group has only ${options.length} ${options.length === 1 ? 'option' : 'options'}.`);
    }
    repeated(options.map(({ label }) => label)).forEach((index) => {
      say(
        `groups.${g}.options.${index}.label`,
        `Another option in this group is already named ${options[index]?.label}.`,
      );
    });
    for (const [o, option] of options.entries()) {
      const at = `groups.${g}.options.${o}`;
      if (option.quantity === 'asked' && option.maxQty !== null && option.maxQty < option.minQty) {
        say(`${at}.maxQty`, 'The maximum cannot be less than the minimum.');
      } else if (
        option.quantity === 'asked' &&
        (option.qty < option.minQty || (option.maxQty !== null && option.qty > option.maxQty))
      ) {
        say(`${at}.qty`, 'The default quantity is outside the limits.');
      }
      if (option.quantity === 'from' && !all.has(option.fromId ?? 0) && !groupIds.has(option.fromId ?? 0)) {
        say(`${at}.fromId`, 'Choose the option or group to take the quantity from.');
      }
    }
  }
  const places = new Map(
    model.groups.flatMap(({ options }, g) => options.map(({ id }, o) => [id, `groups.${g}.options.${o}.fromId`])),
  );
  for (const { optionId, names } of circlesOf(model)) {
    say(places.get(optionId) ?? 'groups', `These quantities depend on each other: ${names.join(' → ')}.`);
  }
  const labelOf = labelsOf(model);
  const ruleByKey = new Map<string, number>();
  for (const [r, { kind, optionId, otherIds }] of model.rules.entries()) {
    if (!all.has(optionId)) say(`rules.${r}.optionId`, 'This rule refers to an option that does not exist.');
    if (otherIds.length === 0) say(`rules.${r}.otherIds`, 'Choose at least one other option.');
    if (otherIds.some((id) => !all.has(id))) {
      say(`rules.${r}.otherIds`, 'This rule refers to an option that does not exist.');
    } else if (otherIds.includes(optionId)) say(`rules.${r}.otherIds`, `${labelOf(optionId)} cannot refer to itself.`);
    const key = `${kind} ${optionId} ${otherIds.toSorted((a, b) => a - b).join(' ')}`;
    const before = ruleByKey.get(key);
    if (before !== undefined) say(`rules.${r}.optionId`, `This rule is the same as rule ${before + 1}.`);
    else ruleByKey.set(key, r);
  }
  return errors;
}

/** The positions of names that repeat an earlier name, ignoring case. */
function repeated(names: readonly string[]): number[] {
  const lower = names.map((name) => name.toLowerCase());
  return lower.flatMap((name, index) => (lower.indexOf(name) < index ? [index] : []));
}
