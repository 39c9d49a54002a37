// Measures how much of a long list is in sight.
import { type RefObject, useLayoutEffect, useState } from 'react';
import { observeElementRect, type Rect, type Virtualizer } from '@tanstack/react-virtual';

/**
 * The size of a list's scroll area, at most as high as the window. Until its own height is limited, an area is as high as all its rows,
 * and a list of a thousand would draw them all once.
 */
export function rectInWindow<Area extends Element, Row extends Element>(
  virtualizer: Virtualizer<Area, Row>,
  onSize: (rect: Rect) => void,
): (() => void) | undefined {
  return observeElementRect(virtualizer, ({ width, height }) =>
    onSize({ width, height: Math.min(height, window.innerHeight) }),
  );
}

/** Where a list begins on the page, and how much of the window the parts above and below it cover that stay in sight. */
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
    // What lies above the list decides where it begins, and all of it makes the page higher.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list, isOn]);
  return place;
}
