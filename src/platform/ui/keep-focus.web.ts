// Keeps the keyboard's place: when the focused element disappears or is disabled, the focus moves nearby instead of to the top of the page.

const REMEMBERED = 20;
const FOCUSABLE = 'button, a[href], input, select, textarea, [tabindex="0"]';

type Place = { element: HTMLElement; page: string };

function placesIn(group: Element | null): HTMLElement[] {
  return group?.isConnected ? [...group.querySelectorAll<HTMLElement>(FOCUSABLE)] : [];
}

const isInDialog = (element: Element): boolean => element.closest('[role="dialog"]') !== null;

/** Whether no control has the focus: it is on the page, or on the screen as a whole. */
export const isUnfocused = (): boolean => !document.activeElement?.matches(':not(body, #main)');

/** A new screen takes the focus that went with the old one, so that a reader of the screen begins there. */
export function focusScreen(): void {
  if (isUnfocused()) document.getElementById('main')?.focus({ preventScroll: true });
}

/**
 * Watches the page from now on. The focus stays within its `data-focus-group` if it was in one. Otherwise it returns to where it was
 * before, or else to the first such group.
 */
export function keepFocus(): void {
  let last: HTMLElement | null = null;
  /** The group of `last`, remembered because it may leave the page together with its button. */
  let group: Element | null = null;
  /** `last` was disabled while focused. It gets the focus back when it is enabled again. */
  let isOff = false;
  /** Where the focus was, newest first, and at which address. */
  let past: Place[] = [];
  let page = window.location.pathname;

  /**
   * The places of this screen. Another screen's are gone, but for the frame's, which are not nearby. While a step back is asked about, the address
   * is another one already, or still, and the screen is there.
   */
  const nearby = () =>
    past
      .filter((place) => place.page === page || isInDialog(place.element) || place.element.closest('main'))
      .map(({ element }) => element);
  const check = () => {
    if (page !== window.location.pathname) {
      page = window.location.pathname;
      group = null;
      // A dialog may be the question whether to leave: its end gives the focus back, at either address.
      if (last && !isInDialog(last)) last = null;
    }
    if (!last) return;
    // A disabled element keeps the focus until the next paint, so note that it is disabled before the focus is lost.
    if (last.isConnected && last.matches(':disabled')) isOff = true;
    else if (document.activeElement === document.body && (isOff || !last.isConnected)) {
      const isSameScreen = past[0]?.page === page;
      const groups = isSameScreen ? [...document.querySelectorAll('[data-focus-group]')] : [];
      go([last, ...placesIn(group), ...nearby(), ...groups.flatMap(placesIn)]);
    }
  };
  const go = (places: HTMLElement[]) => {
    isOff = false;
    for (const place of places) {
      if (!place.isConnected || place.matches(':disabled') || !place.checkVisibility()) continue;
      place.focus({ preventScroll: true });
      if (document.activeElement === place) return;
    }
  };

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || isUnfocused()) return;
    const others = past.filter(({ element }) => element !== target && element.isConnected);
    past = [{ element: target, page: window.location.pathname }, ...others].slice(0, REMEMBERED);
    last = target;
    group = target.closest('[data-focus-group]');
    isOff = false;
  });
  // A click on an empty place removes the focus on purpose.
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !target.closest(FOCUSABLE)) last = null;
  });
  new MutationObserver(check).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
}
