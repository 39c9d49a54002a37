// What the template of the savings sheet sets, word for word.

type Cell = { main: string; small: string };

export type SheetContent = {
  title: string;
  company: string;
  date: string;
  /** Year, month and day: the date of the PDF itself, so that the same sheet gives the same bytes. */
  day: [number, number, number];
  result: string;
  sums: { label: string; value: string }[];
  assumptions: string[];
  /** Name, rows, theirs, ours, difference, percent. */
  classes: string[][];
  headings: string[];
  rows: Cell[][];
};
