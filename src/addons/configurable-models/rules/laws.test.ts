// Tests laws of the rules on small random models, compared with a check of every possible choice.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aGroup, aModel, anOption } from './a-model.server.ts';
import { judge, toggled } from './judge.ts';
import type { Model, Rule } from './model.ts';

const OPTIONS = 7;
const ids = [...Array(OPTIONS).keys()].map((index) => index + 1);

/** Up to three groups with seven options, and rules between any of them. Quotes cannot contain some of the options. */
const someModel: fc.Arbitrary<Model> = fc
  .record({
    cuts: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 6 })),
    limits: fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.constantFrom(null, 1, 1, 2, 3)), {
      minLength: 3,
      maxLength: 3,
    }),
    from: fc.array(fc.option(fc.integer({ min: 1, max: OPTIONS }), { freq: 4 }), {
      minLength: OPTIONS,
      maxLength: OPTIONS,
    }),
    problems: fc.uniqueArray(fc.integer({ min: 1, max: OPTIONS }), { maxLength: 1 }),
    rules: fc.array(
      fc.record({
        kind: fc.constantFrom('needs' as const, 'excludes' as const),
        optionId: fc.constantFrom(...ids),
        otherIds: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 6 },
    ),
  })
  .map(({ cuts: [a, b], limits, from, problems, rules }) => {
    const options = ids.map((id) => {
      // Uses only an option with a lower number, so that no circle appears.
      const fromId = from[id - 1] ?? null;
      return anOption(id, {
        ...(fromId !== null && fromId < id ? { quantity: 'from' as const, fromId } : {}),
        problem: problems.includes(id) ? 'It is discontinued.' : '',
      });
    });
    const groups = [options.slice(0, a), options.slice(a, b), options.slice(b)].map((own, index) => {
      const [min, max] = limits[index] ?? [0, null];
      return aGroup(100 + index, own, { min: Math.min(min, max ?? min), max });
    });
    const others = (rule: Rule) => rule.otherIds.filter((id) => id !== rule.optionId);
    return aModel(
      groups,
      rules.map((rule) => ({ ...rule, otherIds: others(rule) })).filter(({ otherIds }) => otherIds.length > 0),
    );
  });

/** The same check, written as simply as possible. */
function isValid(model: Model, chosen: ReadonlySet<number>): boolean {
  const holds = ({ kind, optionId, otherIds }: Rule) =>
    !chosen.has(optionId) || (kind === 'needs') === otherIds.some((id) => chosen.has(id));
  return (
    model.groups.every((group) => {
      const taken = group.options.filter(({ id }) => chosen.has(id));
      return (
        taken.length >= group.min &&
        taken.length <= (group.max ?? OPTIONS) &&
        taken.every(({ problem, fromId }) => problem === '' && (fromId === null || chosen.has(fromId)))
      );
    }) && model.rules.every(holds)
  );
}

const everyChoice = [...Array(2 ** OPTIONS).keys()].map((bits) => new Set(ids.filter((id) => (bits >> (id - 1)) & 1)));
const picksOf = (chosen: Iterable<number>) => [...chosen].map((optionId) => ({ optionId }));
const someChoice = fc.uniqueArray(fc.constantFrom(...ids)).map((chosen) => new Set(chosen));

describe('laws', () => {
  it('a configuration is complete exactly when every rule is met and something is chosen', () => {
    fc.assert(
      fc.property(someModel, someChoice, (model, chosen) => {
        const { missing, items } = judge(model, { sets: 1, picks: picksOf(chosen) });
        expect(missing.length === 0).toBe(isValid(model, chosen) && chosen.size > 0);
        const inOrder = [...chosen].toSorted((a, b) => a - b).join(' ');
        const isListed = items.map(({ optionId }) => optionId).join(' ') === inOrder;
        expect(missing.length > 0 || isListed).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('a blocked option could not be completed with the choices that stay', () => {
    fc.assert(
      fc.property(someModel, someChoice, (model, chosen) => {
        const { blocked } = judge(model, { sets: 1, picks: picksOf(chosen) });
        for (const id of blocked.keys()) {
          const next = new Set(
            toggled(model, { sets: 1, picks: picksOf(chosen) }, id).picks.map((pick) => pick.optionId),
          );
          const completions = everyChoice.filter(
            (candidate) => isValid(model, candidate) && [...next].every((each) => candidate.has(each)),
          );
          expect(completions).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('an offered option never conflicts with a choice, and never overfills its group', () => {
    fc.assert(
      fc.property(someModel, someChoice, (model, chosen) => {
        const before = { sets: 1, picks: picksOf(chosen) };
        const { blocked } = judge(model, before);
        for (const id of ids.filter((candidate) => !chosen.has(candidate) && !blocked.has(candidate))) {
          const next = new Set(toggled(model, before, id).picks.map((pick) => pick.optionId));
          expect(next.has(id)).toBe(true);
          const clash = model.rules.some(
            ({ kind, optionId, otherIds }) =>
              kind === 'excludes' &&
              ((optionId === id && otherIds.some((candidate) => next.has(candidate))) ||
                (otherIds.includes(id) && next.has(optionId))),
          );
          expect(clash).toBe(false);
          const group = model.groups.find(({ options }) => options.some((option) => option.id === id));
          const had = group?.options.filter((option) => chosen.has(option.id)).length ?? 0;
          const has = group?.options.filter((option) => next.has(option.id)).length ?? 0;
          expect(has).toBeLessThanOrEqual(Math.max(had, group?.max ?? OPTIONS));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
