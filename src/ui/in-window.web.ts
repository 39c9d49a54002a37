// Measures how much of a long list is in sight.
import { observeElementRect, type Rect, type Virtualizer } from '@tanstack/react-virtual';

/**
 * The size of a list's scroll area, at most as high as the window. Until its own height is limited, an area is as high as all its rows,
 * and a list of a thousand would draw them all once.
 */
export function rectInWindow<Area extends Element, Row extends Element>(
  virtualizer: Virtualizer<Area, Row>,
  tell: (rect: Rect) => void,
): (() => void) | undefined {
  return observeElementRect(virtualizer, ({ width, height }) =>
    tell({ width, height: Math.min(height, window.innerHeight) }),
  );
}
