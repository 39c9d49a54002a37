// Finds what is wrong with a model that can still be stored: options that can never be chosen, and the rules that cause it.
import { labelsOf, type ModelRules } from './model.ts';
import { type Effort, rulesToSolve } from './solve.ts';

/** A finding about a rule (by its position in the model), an option, or the whole model (when both are null). */
export type Finding = { rule: number | null; optionId: number | null; message: string };

const MOST_EFFORT = 2_000_000;

/**
 * Looks for valid choices that include each option. An option without such choices can never be chosen. The findings name the rules
 * without which it could be chosen. When the search cannot decide, the findings say so.
 */
export function findingsOf(model: ModelRules, effort: Effort = { left: MOST_EFFORT }): Finding[] {
  const labelOf = labelsOf(model);
  const all = rulesToSolve(model);
  const whole = all.find([], effort);
  if (whole.is === 'unknown') return [UNDECIDED];
  const blame = (wanted: readonly number[]) =>
    model.rules.flatMap((_, index) => (rulesToSolve(model, index).find(wanted, effort).is === 'yes' ? [index] : []));
  if (whole.is === 'no') {
    const rules = blame([]).map((rule) => ({
      rule,
      optionId: null,
      message: 'This rule can never be met: with it, nobody can finish a configuration.',
    }));
    return [{ rule: null, optionId: null, message: 'Nobody can finish a configuration of this model.' }, ...rules];
  }
  const possible = new Set(whole.chosen);
  const never: number[] = [];
  for (const { options } of model.groups) {
    for (const { id, problem } of options) {
      if (possible.has(id) || problem) continue;
      const answer = all.find([id], effort);
      if (answer.is === 'unknown') return [UNDECIDED];
      if (answer.is === 'no') never.push(id);
      else for (const one of answer.chosen) possible.add(one);
    }
  }
  const byRule = new Map<number, number[]>();
  const findings: Finding[] = never.map((optionId) => {
    for (const rule of blame([optionId])) byRule.set(rule, [...(byRule.get(rule) ?? []), optionId]);
    return { rule: null, optionId, message: `${labelOf(optionId)} can never be chosen.` };
  });
  for (const [rule, ids] of byRule) {
    const names = ids.map(labelOf).join(', ');
    findings.push({
      rule,
      optionId: null,
      message: `This rule can never be met: with it, ${names} can never be chosen.`,
    });
  }
  return effort.left <= 0 ? [...findings, UNDECIDED] : findings;
}

const UNDECIDED: Finding = {
  rule: null,
  optionId: null,
  message: 'The rules are too many to check whether every option can be chosen. Try the ones you doubt.',
};
