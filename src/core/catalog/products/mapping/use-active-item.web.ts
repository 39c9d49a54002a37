// Keeps the item and the suggestion that the keys of the mapping screen act on, and moves the focus with the item.
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { isUnfocused } from '#platform/ui/keep-focus.web.ts';
import type { NotMappedItem } from './mapping.contract.ts';

/** `list` is the list of the items' buttons. */
export function useActiveItem(items: readonly NotMappedItem[], list: RefObject<HTMLUListElement | null>) {
  const [activeId, setActiveId] = useState<number | null>(null);
  const index = Math.max(
    0,
    items.findIndex(({ id }) => id === activeId),
  );
  const active = items[index];
  const [chosen, setChosen] = useState(0);
  useEffect(() => setChosen(0), [active?.id]);
  const goTo = (item: NotMappedItem | undefined) => {
    setActiveId(item?.id ?? null);
    focusOn(list.current, item?.id);
  };
  // Lets the keys work without a click first.
  const isThere = items.length > 0;
  const focusActive = useEffectEvent(() => {
    if (isUnfocused()) focusOn(list.current, active?.id);
  });
  // Runs only when the list arrives, not when another item becomes active.
  useEffect(() => {
    if (isThere) focusActive();
  }, [isThere]);
  return {
    active,
    /** The position of the chosen suggestion among those of the active item. */
    chosen,
    setActive: setActiveId,
    /** Makes an item active and focuses it. */
    goTo,
    /** The item after the active one. At the end of the list, the item before it. */
    next: items[index + 1] ?? items[index - 1],
    move: (by: number) => {
      const item = items[Math.max(0, Math.min(items.length - 1, index + by))];
      if (item) goTo(item);
    },
    choose: (by: number) => setChosen((now) => Math.max(0, Math.min((active?.suggestions.length ?? 1) - 1, now + by))),
  };
}

/** Focuses the item's button after the list is drawn, and scrolls it into view. */
function focusOn(list: HTMLUListElement | null, id: number | undefined): void {
  if (id === undefined) return;
  requestAnimationFrame(() => {
    const button = list?.querySelector<HTMLElement>(`[data-item="${id}"]`);
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: 'nearest' });
  });
}
