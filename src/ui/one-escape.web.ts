// One Escape closes one thing: a menu or list before the dialog it is in, a dialog before the drawer beneath it.

/** What Mantine's dialogs look for on the element with the focus, to leave an Escape alone. */
const LEAVE_ALONE = 'data-mantine-stop-propagation';
const DIALOG = '[role="dialog"][aria-modal="true"]';
/** Menus, lists of choices and calendars. */
const DROPDOWN = '[data-position][class*="-dropdown"]';
const CLOSE = '.mantine-Modal-close, .mantine-Drawer-close';

const spent = new WeakSet<Event>();

/** Whether this Escape closes something that lies over what asks. */
export function isSpent(event: Event): boolean {
  return spent.has(event);
}

/** Once, before anything listens for keys. */
export function oneEscape(): void {
  let under: HTMLElement[] = [];
  window.addEventListener(
    'keydown',
    (event) => {
      under = [];
      const { target } = event;
      if (event.key !== 'Escape' || event.isComposing || !(target instanceof HTMLElement)) return;
      const dialogs = openOf(DIALOG);
      const inDropdown = target.closest(DROPDOWN) ?? target.closest('[aria-expanded="true"]');
      if (inDropdown && openOf(DROPDOWN).length > 0) spent.add(event);
      else if (dialogs.length < 2) return;
      else under = dialogs;
      if (target.hasAttribute(LEAVE_ALONE)) return;
      target.setAttribute(LEAVE_ALONE, 'true');
      setTimeout(() => target.removeAttribute(LEAVE_ALONE));
    },
    { capture: true },
  );
  // The dialogs left it alone. The last one in the page lies on top, and closes unless something in it took the key.
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) under.at(-1)?.querySelector<HTMLElement>(CLOSE)?.click();
  });
}

function openOf(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => one.getClientRects().length > 0);
}
