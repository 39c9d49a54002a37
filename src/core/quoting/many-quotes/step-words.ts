// The labels and sentences for the steps with many quotes. Pure.
import { countOf } from '#platform/shared/count-of.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import type { QuoteRow } from '#core/quoting/quotes/quotes.contract.ts';
import type { QuoteChange } from './many-quotes.contract.ts';
import type { Fate, State } from './run-piecewise.ts';

export type Kind = QuoteChange['kind'];

/** `verb` names the step ('Cancel'), `ended` its result ('canceled'). */
export const STEPS: Record<Kind, { verb: string; ended: string }> = {
  assign: { verb: 'Assign', ended: 'assigned' },
  extend: { verb: 'Extend', ended: 'extended' },
  cancel: { verb: 'Cancel', ended: 'canceled' },
};
export const KINDS: readonly Kind[] = ['assign', 'extend', 'cancel'];

/** '9 of 12 quotes can be canceled.' */
export function canWords(kind: Kind, can: number, all: number): string {
  const { ended } = STEPS[kind];
  if (can === 0) return all === 1 ? `This quote cannot be ${ended}.` : `None of the ${all} quotes can be ${ended}.`;
  if (can === all) return all === 1 ? `The quote can be ${ended}.` : `All ${all} quotes can be ${ended}.`;
  return `${can} of ${countOf(all, 'quote')} can be ${ended}. The others do not change.`;
}

export function stateWord(kind: Kind, state: State): string {
  const { ended } = STEPS[kind];
  switch (state) {
    case 'done':
      return ended[0]?.toUpperCase() + ended.slice(1);
    case 'refused':
      return `Not ${ended}`;
    case 'unknown':
      return 'Unknown';
    case 'left':
      return 'Not tried';
    case 'back':
      return 'Undone';
  }
}

/** '9 canceled, 2 not canceled, 1 unknown' */
export function resultWords(kind: Kind, fates: Iterable<Fate>): string {
  const counts = new Map<State, number>();
  for (const { state } of fates) counts.set(state, (counts.get(state) ?? 0) + 1);
  return (['done', 'back', 'refused', 'unknown', 'left'] as const)
    .flatMap((state) => (counts.has(state) ? [`${counts.get(state)} ${stateWord(kind, state).toLowerCase()}`] : []))
    .join(', ');
}

/** The result as a table of texts, for spreadsheets. */
export function resultCells(kind: Kind, rows: readonly QuoteRow[], fates: ReadonlyMap<number, Fate>): string[][] {
  return [
    ['#', 'Facility', 'Outcome', 'Why'],
    ...rows.map((row) => {
      const { state = 'left', message = '' } = fates.get(row.id) ?? {};
      return [quoteNumber(row.num, row.revision), row.facilityName, stateWord(kind, state), message];
    }),
  ];
}
