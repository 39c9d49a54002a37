// Tests what the map of a plan draws: the open value of a territory comes from the plan's effect, before or after.
import { expect, it } from 'vitest';
import type { PlanEffect } from '../territory-plans.contract.ts';
import { asWeighed } from './plan-on-map.ts';

const worth = (amount: number) => [{ currnIdx: 1007, amount }];
const holding = (amount: number) => ({ zips: 0, pointZips: 0, facilities: 0, openQuotes: 0, openValue: worth(amount) });
const effect = (id: number, before: number, after: number): PlanEffect => ({
  territory: { id, name: `Territory ${id}` },
  rep: null,
  region: null,
  before: holding(before),
  after: holding(after),
});

it('uses the value before the moves for today, after them for planned, and keeps territories without moves', () => {
  const territories = [1, 2, 3].map((id) => ({ id, openValue: worth(7) }));
  const effects = [effect(1, 10, 4), effect(2, 0, 6)];
  const valuesOf = (look: 'today' | 'planned') =>
    asWeighed(territories, effects, look).map(({ openValue }) => openValue[0]?.amount);
  expect(valuesOf('today')).toEqual([10, 0, 7]);
  expect(valuesOf('planned')).toEqual([4, 6, 7]);
});
