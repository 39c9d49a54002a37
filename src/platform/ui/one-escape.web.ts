// Each Escape closes only one thing: a menu or list before the dialog that contains it, a dialog before the drawer beneath it.

/** The attribute that makes Mantine's dialogs ignore an Escape. They look for it on the focused element. */
const LEAVE_ALONE = 'data-mantine-stop-propagation';
const DIALOG = '[role="dialog"][aria-modal="true"]';
/** Menus, lists of choices and calendars. */
const DROPDOWN = '[data-position][class*="-dropdown"]';
const CLOSE = '.mantine-Modal-close, .mantine-Drawer-close';
/** The button of an open menu or popover. */
const OPEN_BUTTON = '[aria-expanded="true"]:is([aria-haspopup="menu"], [aria-haspopup="dialog"])';

const spent = new WeakSet<Event>();

/** Returns whether this Escape already closes something that lies over the caller. */
export function isSpent(event: Event): boolean {
  return spent.has(event);
}

/** Returns whether a dialog, drawer, menu, list of choices or calendar is open. */
export function hasOverlay(): boolean {
  return openOf(`[role="dialog"], [role="alertdialog"], [role="menu"], ${DROPDOWN}`).length > 0;
}

/** Call once, before anything listens for keys. */
export function oneEscape(): void {
  let under: HTMLElement[] = [];
  window.addEventListener(
    'keydown',
    (event) => {
      under = [];
      const { target } = event;
      if (event.key !== 'Escape' || event.isComposing || !(target instanceof HTMLElement)) return;
      const button = target.closest<HTMLElement>(OPEN_BUTTON);
      if (button) closeByButton(button);
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
  // The dialogs ignored the key. The last one in the page is on top, and closes unless something in it handled the key.
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) under.at(-1)?.querySelector<HTMLElement>(CLOSE)?.click();
  });
}

/**
 * Closes a menu or popover on an Escape that its button received, because Mantine listens only inside it. The focus moves into it a moment after it
 * opens, so this also waits; otherwise the focus would be lost in the closed menu.
 */
function closeByButton(button: HTMLElement): void {
  setTimeout(() => {
    if (button.matches(OPEN_BUTTON)) button.click();
  });
}

function openOf(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (candidate) => candidate.getClientRects().length > 0,
  );
}
