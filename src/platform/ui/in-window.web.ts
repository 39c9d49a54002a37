// Measures how much of a long list is visible.
import { type RefObject, useLayoutEffect, useState } from 'react';
import { observeElementRect, type Rect, type Virtualizer } from '@tanstack/react-virtual';

/**
 * Reports the size of a list's scroll area, at most the height of the window. Until its own height is limited, an area is as high as all its rows,
 * and a list of a thousand rows would render them all once.
 */
export function rectInWindow<Area extends Element, Row extends Element>(
  virtualizer: Virtualizer<Area, Row>,
  onSize: (rect: Rect) => void,
): (() => void) | undefined {
  return observeElementRect(virtualizer, ({ width, height }) =>
    onSize({ width, height: Math.min(height, window.innerHeight) }),
  );
}

/** Returns where a list begins on the page, and how much of the window is covered by sticky parts above and below it. */
export function usePlaceOnPage(
  list: RefObject<HTMLElement | null>,
  isOn: boolean,
): { top: number; above: number; below: number } {
  const [place, setPlace] = useState({ top: 0, above: 0, below: 0 });
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const measure = () => {
      const area = list.current;
      if (!area) return;
      const style = getComputedStyle(document.documentElement);
      const top = Math.round(area.getBoundingClientRect().top + window.scrollY);
      const [above, below] = [parseFloat(style.scrollPaddingTop) || 0, parseFloat(style.scrollPaddingBottom) || 0];
      setPlace((now) => (now.top === top && now.above === above && now.below === below ? now : { top, above, below }));
    };
    measure();
    // The parts above the list determine where it begins, and all of them change the height of the page.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list, isOn]);
  return place;
}
