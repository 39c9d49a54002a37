// The words for plans: states, which territories gain and lose, what prevents publishing.
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { someOf } from '#platform/shared/first-few.ts';
import { formatAmount, subtract } from '#platform/shared/money.ts';
import { signedAmount } from '#platform/shared/signed-figures.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { Tone } from '#platform/ui/tones.ts';
import type {
  Holding,
  LoadedMap,
  PlanConflict,
  PlanCopy,
  PlanEffect,
  PlanState,
  PlanWork,
  SavedMap,
} from './territory-plans.contract.ts';

export const STATE_WORDS: Record<PlanState, string> = {
  Draft: 'Draft',
  Published: 'Published',
  RolledBack: 'Rolled back',
  Archived: 'Archived',
};

export const STATE_TONES: Record<PlanState, Tone> = {
  Draft: 'blue',
  Published: 'green',
  RolledBack: 'violet',
  Archived: 'violet',
};

export const KIND_WORDS: Record<PlanConflict['kind'], string> = {
  moved: 'Assigned to another territory in the meantime',
  later: 'Has an assignment from a later day',
  begins: 'An assignment begins on that day',
  inactive: 'The territory is inactive',
};

const MAX_NAMED = 12;

/** '68101, 68102 and 30 more' */
export function listSome(words: readonly string[]): string {
  return someOf(MAX_NAMED, words);
}

export function territoryWords(territory: Named | null): string {
  return territory?.name ?? 'No territory';
}

type Money = Holding['openValue'];

/** '$1,200.00 + €80.00' */
export function moneyWords(money: Money): string {
  return money.map(({ amount, currnIdx }) => formatAmount(amount, currnIdx)).join(' + ') || formatAmount(0);
}

/** After minus before, for each currency that changes. */
export function moneyChange(before: Money, after: Money): Money {
  const amountOf = (money: Money, currnIdx: number) =>
    money.find((candidate) => candidate.currnIdx === currnIdx)?.amount ?? 0;
  return [...new Set([...before, ...after].map(({ currnIdx }) => currnIdx))]
    .map((currnIdx) => ({ currnIdx, amount: subtract(amountOf(after, currnIdx), amountOf(before, currnIdx)) }))
    .filter(({ amount }) => amount !== 0);
}

/** '+1,200', '−3', '' for no change. */
export function changeWords(before: number, after: number): string {
  const change = after - before;
  if (change === 0) return '';
  return `${change > 0 ? '+' : '−'}${Math.abs(change).toLocaleString('en-US')}`;
}

/** '+$1,200.00 −€80.00', '' for no change. */
export function moneyChangeWords(before: Money, after: Money): string {
  return moneyChange(before, after)
    .map(({ amount, currnIdx }) => signedAmount(amount, currnIdx))
    .join(' ');
}

/** The totals of everything that leaves a territory, or that had none. */
export function movedTotals(effects: readonly PlanEffect[]): Omit<Holding, 'openValue'> & { openValue: Money } {
  const lost = (key: 'zips' | 'pointZips' | 'facilities' | 'openQuotes') =>
    effects.reduce((sum, { before, after }) => sum + Math.max(0, before[key] - after[key]), 0);
  const value = new Map<number, number>();
  for (const { before, after } of effects)
    for (const { currnIdx, amount } of moneyChange(after.openValue, before.openValue))
      if (amount > 0) value.set(currnIdx, subtract(value.get(currnIdx) ?? 0, -amount));
  return {
    zips: lost('zips'),
    pointZips: lost('pointZips'),
    facilities: lost('facilities'),
    openQuotes: lost('openQuotes'),
    openValue: [...value].map(([currnIdx, amount]) => ({ currnIdx, amount })),
  };
}

/** Whether a job is publishing the plan or rolling it back. */
export const isWorking = ({ work }: Pick<SavedMap, 'work'>): boolean => work !== null && work.error === '';

/** 'Publishing from 01/01/2027: 10,000 of 33,787 ZIPs, started by Ada Admin.' */
export function workWords({ action, effectiveDay, by, done, total }: PlanWork): string {
  const what = action === 'Publish' ? `Publishing from ${formatDate(effectiveDay)}` : 'Rolling back';
  const far = done > 0 ? `${done.toLocaleString('en-US')} of ${countOf(total, 'ZIP')}` : countOf(total, 'ZIP');
  return `${what}: ${far}, started by ${by}.`;
}

type Copied = Pick<PlanCopy, 'leftOut'> & { map: { name: string }; moves: readonly unknown[] };

/** 'Copy of West is a draft with 8 of 10 moves. 2 ZIPs left out: already in the new territory.' */
export function copiedWords({ map, moves, leftOut: { inactive, there } }: Copied): string {
  if (inactive + there === 0) return `${map.name} is a draft with the same moves.`;
  const all = countOf(moves.length + inactive + there, 'move');
  return [
    `${map.name} is a draft with ${moves.length.toLocaleString('en-US')} of ${all}.`,
    ...(inactive > 0 ? [`${countOf(inactive, 'ZIP')} left out: the territory is inactive.`] : []),
    ...(there > 0 ? [`${countOf(there, 'ZIP')} left out: already in the new territory.`] : []),
  ].join(' ');
}

/** Describes what rolling back a published plan does. An assignment that began today stays until tonight. */
export function rollBackWords(effectiveDay: IsoDate, today: IsoDate): string {
  const day = formatDate(effectiveDay);
  if (effectiveDay > today)
    return `The new assignments begin on ${day}. They are removed, and the ZIPs stay in their current territories.`;
  if (effectiveDay === today)
    return 'The new assignments began today. They end today, and tomorrow the ZIPs return to their previous territories.';
  return `The new assignments began on ${day}. They end, and today the ZIPs return to their previous territories.`;
}

/** Explains why the plan cannot be changed, and what to do instead. Null if it can be changed. */
export function lockedWords({ map, allowed }: LoadedMap): string | null {
  if (isWorking(map)) return 'You can change the plan again when this is done.';
  switch (map.state) {
    case 'Published':
      return 'This plan is published. Copy it to plan more changes.';
    case 'RolledBack':
      return 'This plan was rolled back. Copy it to plan again.';
    case 'Archived':
      return 'This plan is archived.';
    case 'Draft':
      return allowed.edit ? null : `You can view this plan. To change it, ask ${map.owner.name} for access.`;
  }
}

/** Describes what changes territory on balance. If two territories exchange facilities, only the difference is included. */
export function balanceInWords(effects: readonly PlanEffect[]): string {
  const { facilities, openQuotes, openValue } = movedTotals(effects);
  if (facilities === 0 && openQuotes === 0) return 'Overall, no facilities or open quotes change territory.';
  const quotes =
    openQuotes === 0 ? 'no open quotes' : `${countOf(openQuotes, 'open quote')} worth ${moneyWords(openValue)}`;
  return `Overall, ${countOf(facilities, 'facility', 'facilities')} and ${quotes} move to another territory.`;
}
