// The keyboard's place: when what had the focus goes away or is switched off, the focus goes on nearby instead of to the top of the page.

const REMEMBERED = 20;
const FOCUSABLE = 'button, a[href], input, select, textarea, [tabindex="0"]';

function placesIn(group: Element | null): HTMLElement[] {
  return group?.isConnected ? [...group.querySelectorAll<HTMLElement>(FOCUSABLE)] : [];
}

/**
 * Watches the page from now on. Among what stood in one `data-focus-group` the focus stays there; else it goes back to where it was
 * before, else to the first such group.
 */
export function keepFocus(): void {
  let last: HTMLElement | null = null;
  /** The group `last` stood in, remembered because it may be taken off the page with its button. */
  let group: Element | null = null;
  /** `last` was switched off while it had the focus: it gets it back when it is on again. */
  let isOff = false;
  let past: HTMLElement[] = [];
  let page = window.location.pathname;

  const check = () => {
    if (page !== window.location.pathname) {
      // Another screen: nothing of the former one is nearby.
      page = window.location.pathname;
      [last, group, past] = [null, null, []];
    }
    if (!last) return;
    // Switched off, it keeps the focus until the page is drawn: that it is off must be noted before the focus is gone.
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
  // Who presses on nothing takes the focus away themselves.
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
