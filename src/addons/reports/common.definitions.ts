// The definitions that apply to the figures of every report, which its '?' shows.

/** A term of a report and what it means. */
export type Definition = { term: string; meaning: string };

/** The number of days that the bridge of the pipeline looks back. */
export const BRIDGE_DAYS = 7;

export const COMMON_DEFINITIONS: readonly Definition[] = [
  {
    term: 'Quote',
    meaning:
      'All revisions of one number are one quote: its current revision counts, with its status and its total now. Only quotes that you may see count.',
  },
  {
    term: 'Amount',
    meaning:
      'The total of the quote, with freight and tax, unless the plot says otherwise. Amounts are of one currency; quotes in another one are not converted and not added.',
  },
  {
    term: 'Day, week, month',
    meaning: 'As the calendar of the company says, in its time zone. A week begins on Monday.',
  },
  {
    term: 'Class and contract filters',
    meaning:
      'They select quotes with at least one such line that counts in the total. Figures of quotes take the whole quote; figures of lines (classes, contracts, items, below the rules) take only such lines.',
  },
];

/** The terms of one report, followed by the common ones. */
export const withCommon = (own: readonly Definition[]): readonly Definition[] => [...own, ...COMMON_DEFINITIONS];
