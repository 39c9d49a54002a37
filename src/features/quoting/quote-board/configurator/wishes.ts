// What a person chose among the items of configurators: which are ticked, which of our items is meant, whose price they get.
import type { FoundRow } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import type { ConfiguratorItem } from '#features/quoting/configurator/configurator.contract.ts';
import type { ConfiguredWishes } from '../state/changes.ts';

/** What is said of one item; what is left out is as it was found. */
export type Choice = { ticked?: boolean; itemId?: number; unit?: string; custom?: boolean; theirs?: boolean };
export type Choices = ReadonlyMap<string, Choice>;

export const keyOf = ({ configId, position }: Pick<ConfiguratorItem, 'configId' | 'position'>): string =>
  `${configId}\n${position}`;

/** The item of ours that is meant: found, or chosen. */
export function candidateOf(item: ConfiguratorItem, choice: Choice = {}): FoundRow['candidates'][number] | undefined {
  if (choice.itemId !== undefined) return item.candidates.find(({ itemId }) => itemId === choice.itemId);
  return item.match === 'found' ? item.candidates[0] : undefined;
}

/** What still has to be said before an item is taken over, in a sentence; empty: nothing. */
export function openQuestion(item: ConfiguratorItem, choice: Choice = {}): string {
  if (!item.isUnderstood) return item.problem;
  if (item.change === 'gone' || item.change === 'same' || choice.custom || item.problem === '') return '';
  const candidate = candidateOf(item, choice);
  if (!candidate) return item.problem;
  if (candidate.gone) return candidate.problem;
  return candidate.unit === '' && !choice.unit ? candidate.problem : '';
}

/** Ticked unless the person says otherwise: all that differs and is clear, and what is surely gone. */
export function isTicked(item: ConfiguratorItem, choice: Choice = {}): boolean {
  if (item.change === 'same' || openQuestion(item, choice) !== '') return false;
  return choice.ticked ?? !(item.change === 'gone' && item.problem !== '');
}

/** Whether the line would get the configurator's price. */
export function getsTheirs(item: ConfiguratorItem, choice: Choice = {}): boolean {
  return (item.after?.price ?? null) !== null && (choice.theirs ?? item.line?.atPrice ?? false);
}

/** Whether a reason has to be given for the price: a line that has the configurator's already has one. */
export function needsReason(item: ConfiguratorItem, choice: Choice = {}): boolean {
  const isNew = item.line?.atPrice !== true;
  return item.change !== 'gone' && isNew && isTicked(item, choice) && getsTheirs(item, choice);
}

const ACTIONS = { new: 'add', changed: 'update', gone: 'remove' } as const;

export function wishesOf(items: readonly ConfiguratorItem[], choices: Choices): ConfiguredWishes['items'] {
  return items.flatMap((item) => {
    const choice = choices.get(keyOf(item)) ?? {};
    if (item.change === 'same' || !isTicked(item, choice)) return [];
    const { configId, position } = item;
    const { itemId, unit, custom } = choice;
    const theirs = getsTheirs(item, choice);
    const price = theirs ? ('configurator' as const) : ('ours' as const);
    // Left out, a line keeps to the configurator's price, with the reason that it has.
    const stays = item.change === 'gone' || (theirs && item.line?.atPrice);
    return [
      {
        configId,
        position,
        action: ACTIONS[item.change],
        ...(itemId === undefined || custom ? {} : { itemId }),
        ...(unit ? { unit } : {}),
        ...(custom ? { custom } : {}),
        ...(stays ? {} : { price }),
      },
    ];
  });
}
