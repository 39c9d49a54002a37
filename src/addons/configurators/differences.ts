// Compares the items that a configurator posted with the lines made from its earlier items: new, changed, the same, or gone.
import type { Line, TakenItem } from '#core/quoting/quotes/quote-rows.ts';
import { compare } from '#platform/shared/money.ts';

export const CHANGES = ['new', 'same', 'changed', 'gone'] as const;
export type Change = (typeof CHANGES)[number];

export const TAKEN_FIELDS = ['itemNumber', 'description', 'qty', 'unit', 'optionText', 'price'] as const;
export type TakenField = (typeof TAKEN_FIELDS)[number];

/** An item that waits on the quote. `problem` explains why its row could not be read. */
export type Waiting = Omit<TakenItem, 'qty'> & { position: string; qty: number | null; problem: string };

export type Difference = {
  position: string;
  change: Change;
  /** The fields that differ in a changed item. */
  fields: TakenField[];
  waiting: Waiting | null;
  /** The line made from the item. */
  line: Line | null;
};

/** One difference for each waiting item, in order, then one for each line whose item is gone. `lines` are all lines of the quote. */
export function differencesOf(configId: string, waiting: readonly Waiting[], lines: readonly Line[]): Difference[] {
  const own = lines.filter(({ configured }) => configured?.configId === configId && configured.taken !== null);
  const lineAt = new Map(own.toReversed().map((line) => [line.configured?.position ?? '', line]));
  const isThere = new Set(waiting.map(({ position }) => position));
  return [
    ...waiting.map((item): Difference => {
      const line = lineAt.get(item.position) ?? null;
      const fields = fieldsOf(line?.configured?.taken ?? null, item);
      const change = line === null ? 'new' : fields.length > 0 ? 'changed' : 'same';
      return { position: item.position, change, fields, waiting: item, line };
    }),
    ...own
      .filter(({ configured }) => !isThere.has(configured?.position ?? ''))
      .map(
        (line): Difference => ({
          position: line.configured?.position ?? '',
          change: 'gone',
          fields: [],
          waiting: null,
          line,
        }),
      ),
  ];
}

function fieldsOf(taken: TakenItem | null, now: Waiting): TakenField[] {
  if (!taken) return [];
  return TAKEN_FIELDS.filter((field) => {
    const [before, after] = [taken[field], now[field]];
    return typeof before === 'number' && typeof after === 'number' ? compare(before, after) !== 0 : before !== after;
  });
}
