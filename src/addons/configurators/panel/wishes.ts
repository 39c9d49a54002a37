// The user's choices for configurator items: which are selected, which catalog item each one means, and whose price each one gets.
import type { FoundRow } from '#core/quoting/quote-edit/paste/pasted-row.ts';
import type { InputOf } from '#platform/api/endpoint.ts';
import type { ConfiguratorItem, QuoteConfigurator } from '../configurator.contract.ts';

/** The user's choices for one item. An omitted field keeps the server's result. */
export type Choice = { ticked?: boolean; itemId?: number; unit?: string; custom?: boolean; theirs?: boolean };
export type Choices = ReadonlyMap<string, Choice>;

export const positionKey = ({ configId, position }: Pick<ConfiguratorItem, 'configId' | 'position'>): string =>
  `${configId}\n${position}`;

/** The catalog item for a configurator item: the one that the server found, or the one that the user chose. */
export function candidateOf(item: ConfiguratorItem, choice: Choice = {}): FoundRow['candidates'][number] | undefined {
  if (choice.itemId !== undefined) return item.candidates.find(({ itemId }) => itemId === choice.itemId);
  return item.match === 'found' ? item.candidates[0] : undefined;
}

/** A question that the user must answer before the item can be added to the quote. Empty if there is none. */
export function openQuestion(item: ConfiguratorItem, choice: Choice = {}): string {
  if (!item.isUnderstood) return item.problem;
  if (item.change === 'gone' || item.change === 'same' || choice.custom || item.problem === '') return '';
  const candidate = candidateOf(item, choice);
  if (!candidate) return item.problem;
  if (candidate.gone) return candidate.problem;
  return candidate.unit === '' && !choice.unit ? candidate.problem : '';
}

/** Whether the item is selected. By default every clear difference is, and every item that is certainly gone. */
export function isTicked(item: ConfiguratorItem, choice: Choice = {}): boolean {
  if (item.change === 'same' || openQuestion(item, choice) !== '') return false;
  return choice.ticked ?? !(item.change === 'gone' && item.problem !== '');
}

/** Whether the line would get the configurator's price. */
export function getsTheirs(item: ConfiguratorItem, choice: Choice = {}): boolean {
  return (item.after?.price ?? null) !== null && (choice.theirs ?? item.line?.atPrice ?? false);
}

/** Whether the user must give a reason for the price. A line that already has the configurator's price has a reason. */
export function needsReason(item: ConfiguratorItem, choice: Choice = {}): boolean {
  const isNew = item.line?.atPrice !== true;
  return item.change !== 'gone' && isNew && isTicked(item, choice) && getsTheirs(item, choice);
}

const ACTIONS = { new: 'add', changed: 'update', gone: 'remove' } as const;

export function wishesOf(
  items: readonly ConfiguratorItem[],
  choices: Choices,
): InputOf<typeof QuoteConfigurator.SaveDmsItemsToQuote>['items'] {
  return items.flatMap((item) => {
    const choice = choices.get(positionKey(item)) ?? {};
    if (item.change === 'same' || !isTicked(item, choice)) return [];
    const { configId, position } = item;
    const { itemId, unit, custom } = choice;
    const theirs = getsTheirs(item, choice);
    const price = theirs ? ('configurator' as const) : ('ours' as const);
    // Without a `price` field, a line keeps the configurator's price and the reason for it.
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
