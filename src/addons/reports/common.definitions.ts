// The definitions that apply to the figures of every report, which its '?' shows.

/** A term of a report and what it means. */
export type Definition = { term: string; meaning: string };

/** The number of days that the bridge of the pipeline looks back. */
export const BRIDGE_DAYS = 7;

export const COMMON_DEFINITIONS: readonly Definition[] = [
  {
    term: 'Quote',
    meaning:
      'All revisions of a quote count as one quote, with the status and total of the current revision. Figures include only quotes that you can see.',
  },
  {
    term: 'Amount',
    meaning:
      'The quote total, including freight and tax, unless the chart says otherwise. Amounts are in one currency. Quotes in other currencies are not converted and not included.',
  },
  {
    term: 'Day, week, month',
    meaning: 'Days follow the company’s time zone. Weeks start on Monday.',
  },
  {
    term: 'Class and contract filters',
    meaning:
      'These filters select quotes with at least one matching line that counts toward the total. Quote figures include the whole quote. Line figures (item classes, contracts, items, below system price) include only the matching lines.',
  },
];

/** The terms of one report, followed by the common ones. */
export const withCommon = (own: readonly Definition[]): readonly Definition[] => [...own, ...COMMON_DEFINITIONS];
