// Keeps the keyboard position: when the focused element disappears or is disabled, the focus moves nearby instead of to the top of the page.

const REMEMBERED = 20;
const FOCUSABLE = 'button, a[href], input, select, textarea, [tabindex="0"]';

type Place = { element: HTMLElement; page: string };

function placesIn(group: Element | null): HTMLElement[] {
  return group?.isConnected ? [...group.querySelectorAll<HTMLElement>(FOCUSABLE)] : [];
}

const isInDialog = (element: Element): boolean => element.closest('[role="dialog"]') !== null;

/** Returns whether no control has the focus, but only the page or the screen as a whole. */
export const isUnfocused = (): boolean => !document.activeElement?.matches(':not(body, #main)');

/** Focuses a new screen if the focus disappeared with the old one, so that a screen reader begins there. */
export function focusScreen(): void {
  if (isUnfocused()) document.getElementById('main')?.focus({ preventScroll: true });
}

/**
 * Watches the page from now on. The focus stays within its `data-focus-group` if it was in one. Otherwise it returns to its previous place, or else
 * to the first such group.
 */
export function keepFocus(): void {
  let last: HTMLElement | null = null;
  /** The group of `last`, stored because it may leave the page together with its button. */
  let group: Element | null = null;
  /** `last` was disabled while focused. It gets the focus back when it is enabled again. */
  let isOff = false;
  /** The previous places of the focus, newest first, each with its address. */
  let past: Place[] = [];
  let page = window.location.pathname;

  /**
   * Returns the places of this screen. Places of another screen no longer exist, except those in the frame, which are not nearby. During a prompt
   * about a step back, the address may already be another one although the screen is still there.
   */
  const nearby = () =>
    past
      .filter((place) => place.page === page || isInDialog(place.element) || place.element.closest('main'))
      .map(({ element }) => element);
  const check = () => {
    if (page !== window.location.pathname) {
      page = window.location.pathname;
      group = null;
      // The dialog may be a prompt about leaving the screen. Closing it returns the focus, at either address.
      if (last && !isInDialog(last)) last = null;
    }
    if (!last) return;
    // A disabled element keeps the focus until the next paint, so its state is stored before the focus is lost.
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
  // A click on an empty area removes the focus on purpose.
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
