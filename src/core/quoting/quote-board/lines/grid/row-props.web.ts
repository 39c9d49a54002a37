// The props of a row of the grid. Unchanged rows get the same values and do not render again.
import type { Other } from '#platform/live/live.contract.ts';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { Decimal } from '#platform/shared/money.ts';
import type { PlacedColumn } from '../../layout/columns.ts';
import type { RefusedText } from '../../state/board-store.ts';
import type { Mark } from '../../state/marks.ts';
import type { Pending } from '../../state/save-queue.ts';
import type { LineActions } from '../line-actions.web.ts';

type RowActions = LineActions & { move: (row: number, column: string, step: -1 | 1) => void };

export type RowProps = {
  item: QuoteItem;
  row: number;
  columns: readonly PlacedColumn[];
  currnIdx: number;
  internal: boolean;
  editable: boolean;
  promotable: boolean;
  selected: boolean;
  pending: Pending | undefined;
  /** The other user's change to the line, until this user looks at it. */
  mark: Mark | undefined;
  /** The other users who are on the line now. */
  others: readonly Other[] | undefined;
  /** The number of comments on the line. */
  comments: number;
  /** The list keeps its identity until something in it changes. */
  refused: readonly RefusedText[] | undefined;
  sectionSum: Decimal | null;
  /** Whether the reason for the manual price appears above the lines, so that the row does not repeat it. */
  isReasonAbove: boolean;
  /** The searched word if the line contains it, otherwise ''. */
  word: string;
  /** Whether the line is the current hit of the search. */
  isCurrent: boolean;
  actions: RowActions;
};
