// The keyboard shortcuts of the lines, which `?` lists, and the clipboard functions.
import { notifications } from '@mantine/notifications';
import { useEffect, useEffectEvent } from 'react';
import { isTable } from '#core/quoting/quote-edit/paste/parse-paste.ts';
import { useKeys } from '#platform/ui/keys.tsx';
import type { LineActions } from './line-actions.web.ts';

type Doings = {
  editable: boolean;
  selected: ReadonlySet<number>;
  actions: LineActions;
  /** Whether the lines are a grid. Cards have no selection and no search. */
  isGrid: boolean;
  canUndo: boolean;
  canRedo: boolean;
  onAdd: () => void;
  onType: () => void;
  onFind: () => void;
  /** Opens a comment on a line. */
  onComment: (id: number) => void;
  goBack: (which: 'undo' | 'redo') => void;
  /** Focuses a cell of a line. */
  goTo: (id: number, column: string) => void;
};

/** True in a cell without typed input. With typed input the keys edit that text instead. */
const inCell = (field: HTMLElement) => field.matches('[data-cell]:not([data-typed])');

/** True when the field has no text of its own to undo. After lines are added or removed, the focus stays in the empty field for the next one. */
const hasNoText = (field: HTMLElement) =>
  inCell(field) || (field instanceof HTMLInputElement && 'adds' in field.dataset && field.value === '');

/** The line and column of the focused element. */
function placeOf({ target }: Event): { id: number; column: string } | null {
  const element = target instanceof HTMLElement ? target : null;
  const id = Number(element?.closest<HTMLElement>('[data-line]')?.dataset['line']);
  const cell = element?.closest<HTMLElement>('[data-cell]')?.dataset['cell'] ?? '';
  return id ? { id, column: cell.split(':')[1] ?? 'select' } : null;
}

export function useLineKeys(doings: Doings): void {
  const { editable, selected, actions, isGrid, canUndo, canRedo, goBack, goTo } = doings;
  const extend = (by: -1 | 1) => (event: Event) => {
    const place = placeOf(event);
    const next = place && actions.selection.extend(place.id, by);
    if (place && next !== null) goTo(next, place.column);
  };
  const shift = (by: -1 | 1) => (event: Event) => {
    const place = placeOf(event);
    const [first] = selected;
    const id = place?.id ?? first;
    if (id !== undefined) actions.shift(id, by);
  };
  const comment = (event: Event) => {
    const [first] = selected;
    const id = placeOf(event)?.id ?? first ?? actions.lastLine();
    if (id !== null && id !== undefined) doings.onComment(id);
  };
  useKeys([
    { key: 'c', label: 'Comment on the line', run: comment },
    { key: 'a', label: 'Add Item', run: doings.onAdd, disabled: !editable },
    { key: '+', label: 'Add a line', run: doings.onType, disabled: !editable },
    { key: 'mod+z', label: 'Undo', run: () => goBack('undo'), disabled: !canUndo, whileTyping: hasNoText },
    { key: 'mod+shift+z', label: 'Redo', run: () => goBack('redo'), disabled: !canRedo, whileTyping: hasNoText },
    { key: 'mod+y', label: 'Redo', run: () => goBack('redo'), disabled: !canRedo, whileTyping: hasNoText },
    { key: 'mod+a', label: 'Select all lines', run: actions.selection.all, disabled: !isGrid, whileTyping: inCell },
    {
      key: 'shift+ArrowDown',
      label: 'Select down',
      run: extend(1),
      disabled: !isGrid,
      whileTyping: inCell,
      atFocus: true,
    },
    {
      key: 'shift+ArrowUp',
      label: 'Select up',
      run: extend(-1),
      disabled: !isGrid,
      whileTyping: inCell,
      atFocus: true,
    },
    {
      key: 'alt+ArrowUp',
      label: 'Move lines up',
      run: shift(-1),
      disabled: !editable,
      whileTyping: inCell,
      atFocus: true,
    },
    {
      key: 'alt+ArrowDown',
      label: 'Move lines down',
      run: shift(1),
      disabled: !editable,
      whileTyping: inCell,
      atFocus: true,
    },
    // The browser's copy event does this; see useCopyLines.
    { key: 'mod+c', label: 'Copy the selected lines', run: () => {}, disabled: true },
    {
      key: 'mod+f',
      label: 'Find in lines',
      run: doings.onFind,
      disabled: !isGrid,
      // A second press, inside the search bar, opens the browser's own search.
      whileTyping: (field) => field.closest('[role="search"], [role="dialog"]') === null,
    },
    {
      key: 'Escape',
      label: 'Clear selection',
      run: actions.selection.none,
      disabled: selected.size === 0,
      whileTyping: true,
    },
  ]);
}

type Copied = { text: string; html: string };

/** Ctrl+C copies the selected lines, unless the user has selected or typed text. */
export function useCopyLines(isOn: boolean, copied: () => Copied): void {
  const copy = useEffectEvent(copied);
  useEffect(() => {
    if (!isOn) return;
    const onCopy = (event: ClipboardEvent) => {
      const field = event.target instanceof HTMLElement ? event.target : document.body;
      if (field.closest('[role="dialog"]') || (field.matches('input, textarea') && !field.matches(OWN_CELL))) return;
      if (!field.matches(OWN_CELL) && document.getSelection()?.isCollapsed === false) return;
      const { text, html } = copy();
      event.clipboardData?.setData('text/plain', text);
      event.clipboardData?.setData('text/html', html);
      event.preventDefault();
    };
    document.addEventListener('copy', onCopy);
    return () => document.removeEventListener('copy', onCopy);
  }, [isOn]);
}

const OWN_CELL = '[data-cell]:not([data-typed]), input[type="checkbox"]';

/** Copies the lines when the user presses a button. */
export async function copyToClipboard({ text, html }: Copied, count: number): Promise<void> {
  try {
    const blob = (content: string, type: string) => new Blob([content], { type });
    await navigator.clipboard.write([
      new ClipboardItem({ 'text/plain': blob(text, 'text/plain'), 'text/html': blob(html, 'text/html') }),
    ]);
    notifications.show({ message: count === 1 ? 'Line copied' : `${count} lines copied` });
  } catch {
    // Without an encrypted connection, browsers allow clipboard access only through keys.
    notifications.show({ message: 'Your browser blocked access to the clipboard. Press Ctrl+C to copy.' });
  }
}

/** A table pasted anywhere on the board (not into a field) opens the paste dialog. */
export function usePasteAnywhere(on: boolean, open: (text: string) => void): void {
  const onTable = useEffectEvent(open);
  useEffect(() => {
    if (!on) return;
    const onPaste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea, [role="dialog"]')) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isTable(text)) return;
      event.preventDefault();
      onTable(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [on]);
}
