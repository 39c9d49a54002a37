// Manages where the focus goes among the lines: to a cell of a line, or to the field that adds lines.
import { useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { isUnfocused } from '#platform/ui/keep-focus.web.ts';
import { focusCell } from './grid/focus-cell.web.ts';
import { useBoard } from '../state/board.web.ts';

/**
 * With `startsTyping`, a quote that is new or has no lines focuses the field that adds lines. It is false on a phone, where the keyboard would cover
 * the page.
 */
export function useLineFocus(startsTyping: boolean) {
  const { items, store } = useBoard();
  const addField = useRef<HTMLInputElement>(null);
  /** Set by the grid to a function that scrolls to one of its rows. */
  const reveal = useRef<((row: number) => void) | null>(null);
  const toAddField = useCallback(() => addField.current?.focus(), []);
  const isNew = useLocation({ select: ({ state }) => state.isNewQuote === true });
  const startsHere = useEffectEvent(() => {
    const isIdle = items.length === 0 && isUnfocused();
    if (startsTyping && (isNew || isIdle)) toAddField();
  });
  useEffect(() => startsHere(), []);
  return {
    addField,
    reveal,
    toAddField,
    /** Scrolls a line into view. */
    show: (id: number) => reveal.current?.(items.findIndex((item) => item.id === id)),
    /** Scrolls a line into view and focuses one of its cells. Focuses the field that adds lines if the row does not appear. */
    goTo: (id: number, column: string) => {
      const row = () => {
        const at = store.snapshot().board?.items.findIndex((item) => item.id === id) ?? -1;
        if (at >= 0) reveal.current?.(at);
        return at;
      };
      focusCell(row, column, toAddField);
    },
  };
}
