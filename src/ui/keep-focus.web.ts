// Keeps the keyboard's place: when the focused element disappears or is disabled, the focus moves nearby instead of to the top of the page.

const REMEMBERED = 20;
const FOCUSABLE = 'button, a[href], input, select, textarea, [tabindex="0"]';

function placesIn(group: Element | null): HTMLElement[] {
  return group?.isConnected ? [...group.querySelectorAll<HTMLElement>(FOCUSABLE)] : [];
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
  let past: HTMLElement[] = [];
  let page = window.location.pathname;
  let left = { page: '', past };

  const check = () => {
    if (page !== window.location.pathname) {
      // On another screen nothing of the previous one is nearby. A step back that is asked about is undone: its screen is still there.
      const back = left.page === window.location.pathname ? left.past : [];
      left = { page, past };
      page = window.location.pathname;
      [last, group, past] = [null, null, back];
    }
    if (!last) return;
    // A disabled element keeps the focus until the next paint, so note that it is disabled before the focus is lost.
    if (last.isConnected && last.matches(':disabled')) isOff = true;
    else if (document.activeElement === document.body && (isOff || !last.isConnected)) {
      const groups = [...document.querySelectorAll('[data-focus-group]')];
      go([last, ...placesIn(group), ...past, ...groups.flatMap(placesIn)]);
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
    if (!(target instanceof HTMLElement)) return;
    past = [target, ...past.filter((place) => place !== target && place.isConnected)].slice(0, REMEMBERED);
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
