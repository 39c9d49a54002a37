// Determines whether the right side of the board is beside the lines, folded, or temporarily over the lines.
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import { needsRoom } from './columns.ts';
import { useBoardLayout } from './layout.web.ts';

/** Up to this width the right side is below the lines, as in board.module.css. */
const STACKED = '(max-width: 75em)';

/**
 * Folds the right side when the descriptions need its space, unless the user has chosen or it must stay (`keepsBeside`). A folded right side opens
 * over the lines without changing the user's layout. `hasPanel` means that a panel takes its place beside the lines.
 */
export function useRail({ keepsBeside, hasPanel }: { keepsBeside: boolean; hasPanel: boolean }) {
  const { layout, change } = useBoardLayout();
  const isStacked = useMediaQuery(STACKED, false, { getInitialValueInEffect: false });
  const [isTight, setTight] = useState(false);
  const [isOver, setOver] = useState(false);
  const folds = layout.rail === 'hidden' || (layout.rail === 'auto' && !keepsBeside && (isStacked || isTight));
  const state = !folds ? undefined : isOver ? ('over' as const) : ('folded' as const);
  const arrange = (rail: typeof layout.rail) => {
    setOver(false);
    change({ ...layout, rail });
  };
  const hide = () => (folds ? setOver(false) : arrange('hidden'));
  return {
    /** Undefined when it is beside the lines. */
    state,
    hide,
    show: useCallback(() => setOver(true), []),
    toggle: () => {
      if (state !== 'folded') hide();
      else if (layout.rail === 'hidden' && !isTight && !isStacked) arrange('auto');
      else setOver(true);
    },
    keep: () => arrange('shown'),
    isBeside: !isStacked && (hasPanel || state === undefined),
    /** Called with the width of the description column, whether the right side is beside the lines, and the length of the longest description. */
    onRoom: useCallback(
      (width: number, isBeside: boolean, longest: number) => setTight(needsRoom(width, isBeside, longest)),
      [],
    ),
  };
}
