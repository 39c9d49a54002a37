// Keyboard shortcuts: a page registers its keys, and `?` lists them all. A single letter works only if it cannot be meant as text.
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { listeners } from '#platform/shared/listeners.ts';
import { isUnfocused } from './keep-focus.web.ts';
import { laterOver } from './later.tsx';
import { hasOverlay, isSpent } from './one-escape.web.ts';

export type Key = {
  /**
   * 'a', '/', 'mod+Enter', 'Escape', 'shift+P', 'alt+ArrowUp'; `mod` is ⌘ or Ctrl. 'g n' means two keys, one after the other, for jumps between
   * screens. Without a key, the action is available only by its label (`keysNow`).
   */
  key?: string;
  label: string;
  run: (event: KeyboardEvent) => void;
  /** Also works while typing in a field; only for keys that type nothing. */
  whileTyping?: boolean | ((field: HTMLElement) => boolean);
  disabled?: boolean;
  /** Works only at the current focus, so it is not offered by its label. */
  atFocus?: boolean;
};

type Layer = { keys: Key[]; isOver: boolean };

const layers: Layer[] = [];
let listed: Key[][] | null = null;
const lists = listeners();

function setListed(keys: Key[][] | null) {
  listed = keys;
  lists.notify();
}

/** Opens the list of keys, like `?`. */
export function showKeys(): void {
  setListed(layers.map(({ keys }) => keys));
}

/** Returns the actions that are available on the screen now, each label once; the newest layer wins. */
export function keysNow(): Key[] {
  const known = new Map<string, Key>();
  for (const { keys } of layers.toReversed())
    for (const key of keys)
      if (!known.has(key.label) && !key.atFocus && key.key !== 'Escape') known.set(key.label, key);
  return [...known.values()].filter(({ disabled }) => !disabled);
}

/**
 * Registers the keys of a page or panel while it is mounted. The newest layer wins. `isOver` is for a panel that opened over or beside the page and
 * waits for input: the single letters of the page do nothing until it closes.
 */
export function useKeys(keys: Key[], { isOver = false }: { isOver?: boolean } = {}): void {
  const layer = useRef<Layer>({ keys, isOver });
  useLayoutEffect(() => {
    layer.current.keys = keys;
    layer.current.isOver = isOver;
  });
  useEffect(() => {
    const mine = layer.current;
    layers.push(mine);
    return () => {
      layers.splice(layers.indexOf(mine), 1);
    };
  }, []);
}

/** Returns whether the key types a character, so that it could be meant for a field. */
const isLetter = (key: string) => key.length === 1 || key.includes(' ');

function matches({ key }: Key, event: KeyboardEvent): boolean {
  if (key === undefined || key.includes(' ')) return false;
  // 'mod+Enter' has two parts, and '+' itself is one part.
  const parts = key.split(/(?<=.)\+/);
  const name = parts.pop() ?? '';
  const mod = parts.includes('mod');
  if ((event.ctrlKey || event.metaKey) !== mod || event.altKey !== parts.includes('alt')) return false;
  // 'shift' is part of how '+' or '?' is typed, but Ctrl+Shift+Z is not Ctrl+Z.
  const shift = parts.includes('shift');
  if (shift !== event.shiftKey && (shift || mod)) return false;
  return event.key.toLowerCase() === name.toLowerCase();
}

/** Checkboxes and radio buttons accept no text, so shortcuts work on them. */
const TICKED = 'input:is([type="checkbox"], [type="radio"])';

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target.matches(TICKED)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function worksIn({ whileTyping = false }: Key, field: EventTarget | null): boolean {
  return typeof whileTyping === 'boolean' ? whileTyping : field instanceof HTMLElement && whileTyping(field);
}

/** Focuses the button with the same key (`aria-keyshortcuts`), so that the focus returns to it when its dialog closes. */
function focusButtonOf({ key = '' }: Key) {
  if (!isUnfocused()) return;
  document.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** The time limit for the second key of a jump. */
const JUMP_MS = 2000;
/** The first key of a jump, until its second one is pressed. */
let begun: { key: string; until: number } | null = null;

/** Returns and clears the first key of a jump, if it was pressed recently enough. */
function takeBegun(event: KeyboardEvent): string | null {
  const key = begun && event.timeStamp < begun.until ? begun.key : null;
  begun = null;
  return key;
}

const allKeys = () => layers.toReversed().flatMap(({ keys }) => keys.filter(({ disabled }) => !disabled));

/** Handles the two keys of a jump. Returns whether the event is one of them, or an unknown second key, which does nothing. */
function jumps(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) {
    // Shift alone is part of typing a capital letter.
    if (event.key !== 'Shift') begun = null;
    return false;
  }
  const first = takeBegun(event);
  const typed = event.key.toLowerCase();
  if (first !== null) {
    const jump = allKeys().find(({ key }) => key === `${first} ${typed}`);
    event.preventDefault();
    jump?.run(event);
    return true;
  }
  if (!allKeys().some(({ key }) => key?.startsWith(`${typed} `))) return false;
  begun = { key: typed, until: event.timeStamp + JUMP_MS };
  event.preventDefault();
  return true;
}

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || isSpent(event)) return;
  const typing = isTyping(event.target);
  // While the next screen loads, keys are meant for that screen and do nothing on this one.
  const isBusy = document.getElementById('main')?.getAttribute('aria-busy') === 'true';
  if (typing || isBusy) begun = null;
  if (event.key === '?' && !typing) {
    showKeys();
    return;
  }
  if (isBusy) return;
  const isCovered = hasOverlay() || layers.some(({ isOver }) => isOver);
  if (!typing && !isCovered && jumps(event)) return;
  // An open dialog blocks the keys of the page behind it.
  const inDialog = event.target instanceof HTMLElement && event.target.closest('[role="dialog"]') !== null;
  for (const layer of layers.toReversed()) {
    for (const key of layer.keys) {
      if (key.disabled || !matches(key, event)) continue;
      if (isCovered && !layer.isOver && isLetter(key.key ?? '')) continue;
      if ((typing || inDialog) && !worksIn(key, event.target)) continue;
      event.preventDefault();
      focusButtonOf(key);
      key.run(event);
      return;
    }
  }
  // Escape leaves a search field and keeps its text, so that its results and the keys of the screen can be used.
  if (event.key === 'Escape' && !isCovered && event.target instanceof HTMLElement && 'search' in event.target.dataset) {
    event.preventDefault();
    event.target.blur();
  }
}

/** Listens for keys and shows their list. The shell renders it once. */
export function KeyList() {
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  const keys = useSyncExternalStore(lists.add, () => listed);
  return <KeysDialog opened={keys !== null} onClose={() => setListed(null)} layers={keys ?? []} />;
}

const KeysDialog = laterOver(
  () => import('./KeysDialog.tsx'),
  'The shortcuts could not be loaded. Check the network and reload the page.',
);
