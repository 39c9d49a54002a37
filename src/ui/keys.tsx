// Keyboard shortcuts: a page registers its keys, and `?` lists them all.
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { listeners } from '#shared/listeners.ts';
import { laterOver } from './later.tsx';
import { isSpent } from './one-escape.web.ts';

export type Key = {
  /** 'n', '/', 'mod+Enter', 'Escape', 'shift+P', 'alt+ArrowUp'; `mod` is ⌘ or Ctrl. Without one, the action is offered only by its label (`keysNow`). */
  key?: string;
  label: string;
  run: (event: KeyboardEvent) => void;
  /** Also works while typing in a field; only for keys that type nothing. */
  whileTyping?: boolean | ((field: HTMLElement) => boolean);
  disabled?: boolean;
  /** Means something only where the focus is, so that it is not offered by its label. */
  atFocus?: boolean;
};

const layers: { keys: Key[] }[] = [];
let listed: Key[] | null = null;
const lists = listeners();

function setListed(keys: Key[] | null) {
  listed = keys;
  lists.tell();
}

/** Opens the list of keys, as `?` does. */
export function showKeys(): void {
  setListed(layers.flatMap((layer) => layer.keys).filter(({ key }) => key !== undefined));
}

/** What can be done on the screen now, each label once; the newest layer wins. */
export function keysNow(): Key[] {
  const known = new Map<string, Key>();
  for (const { keys } of layers.toReversed())
    for (const key of keys)
      if (!known.has(key.label) && !key.atFocus && key.key !== 'Escape') known.set(key.label, key);
  return [...known.values()].filter(({ disabled }) => !disabled);
}

/** Registers the keys of a page or panel while it is mounted. The newest layer wins. */
export function useKeys(keys: Key[]): void {
  const layer = useRef<{ keys: Key[] }>({ keys });
  useLayoutEffect(() => {
    layer.current.keys = keys;
  });
  useEffect(() => {
    const mine = layer.current;
    layers.push(mine);
    return () => {
      layers.splice(layers.indexOf(mine), 1);
    };
  }, []);
}

function matches({ key }: Key, event: KeyboardEvent): boolean {
  if (key === undefined) return false;
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

/** Checkboxes take no text, so shortcuts work on them. */
const TICKED = 'input:is([type="checkbox"], [type="radio"])';

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target.matches(TICKED)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function worksIn({ whileTyping = false }: Key, field: EventTarget | null): boolean {
  return typeof whileTyping === 'boolean' ? whileTyping : field instanceof HTMLElement && whileTyping(field);
}

/** Focuses the button with the same key (`aria-keyshortcuts`), so that the focus returns there when its dialog closes. */
function focusButtonOf({ key = '' }: Key) {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || isSpent(event)) return;
  const typing = isTyping(event.target);
  if (event.key === '?' && !typing) {
    showKeys();
    return;
  }
  // The next screen loads. What is typed is meant for that one, and does nothing on this one.
  if (document.getElementById('main')?.getAttribute('aria-busy') === 'true') return;
  // An open dialog blocks the page's keys behind it.
  const inDialog = event.target instanceof HTMLElement && event.target.closest('[role="dialog"]') !== null;
  for (const layer of layers.toReversed()) {
    for (const key of layer.keys) {
      if (key.disabled || !matches(key, event)) continue;
      if ((typing || inDialog) && !worksIn(key, event.target)) continue;
      event.preventDefault();
      focusButtonOf(key);
      key.run(event);
      return;
    }
  }
}

/** A key as keyboards show it: 'Ctrl+Shift+Z', 'Alt+↑'. */
export function writtenKey(key: string): string {
  const words: Record<string, string> = {
    mod: navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl',
    shift: 'Shift',
    alt: 'Alt',
    ArrowUp: '↑',
    ArrowDown: '↓',
  };
  return key
    .split(/(?<=.)\+/)
    .map((part, index) => words[part] ?? (index > 0 && part.length === 1 ? part.toUpperCase() : part))
    .join('+');
}

/** Listens for keys and shows their list. The shell renders it once. */
export function KeyList() {
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  const keys = useSyncExternalStore(lists.add, () => listed);
  return <KeysDialog opened={keys !== null} onClose={() => setListed(null)} keys={keys ?? []} />;
}

const KeysDialog = laterOver(
  () => import('./KeysDialog.tsx'),
  'The keys could not be loaded. Check the network and reload the page.',
);
