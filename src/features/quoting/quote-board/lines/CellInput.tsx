// One cell of the grid, edited in place: Enter saves and moves down, Escape restores the old value, arrows move between rows.
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import type { QuoteItem } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { useUnsaved } from '#ui/unsaved.web.ts';
import classes from '../board.module.css';
import type { RefusedCell } from '../state/board-store.ts';
import type { LineActions } from './line-actions.web.ts';

type Props = {
  label: string;
  item: QuoteItem;
  value: string;
  disabled?: boolean;
  figure?: boolean;
  invalid?: boolean;
  /** What was typed here and could not be taken. */
  refused: RefusedCell | undefined;
  refuse: LineActions['refuse'];
  /** Which cell this is, so that keys find its neighbors: the row's index and the column's name. */
  row: number;
  column: string;
  /**
   * Called with the new text when it differs, and the line as it was when typing began. Answers why the text cannot be taken, or
   * what is asked before it is saved.
   */
  onCommit: (text: string, item: QuoteItem) => Refusal | null;
  onMove: (row: number, column: string) => void;
};

/** `isAsked`: a dialog asks for what is missing and holds what was typed; otherwise the text stays in the cell. */
export type Refusal = { problem: string; isAsked?: boolean };

export function CellInput(props: Props) {
  const { label, item, value, disabled, figure, invalid, refused, refuse, row, column, onCommit, onMove } = props;
  const [typing, setTyping] = useState<{ text: string; item: QuoteItem } | null>(null);
  const typed = typing ?? refused ?? null;

  const giveUp = () => {
    setTyping(null);
    if (refused) refuse(item, column, null);
  };
  /** Takes in what was typed; answers why not. */
  const commit = (): string | null => {
    const text = typed?.text.trim();
    if (!typed || text === undefined || text === value) {
      giveUp();
      return null;
    }
    const refusal = onCommit(text, typed.item);
    setTyping(null);
    if (refusal && !refusal.isAsked) refuse(typed.item, column, { label, text, problem: refusal.problem });
    else if (refused) refuse(item, column, null);
    return refusal?.problem ?? null;
  };
  useUnsaved(typing !== null && typing.text.trim() !== value, commit);
  // A row that leaves the screen takes its cells with it, but not what was typed in them.
  const commitLast = useEffectEvent(() => {
    if (typing) commit();
  });
  useEffect(() => () => commitLast(), []);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (commit() === null) onMove(row + (event.shiftKey ? -1 : 1), column);
    } else if (event.key === 'Escape' && typed !== null) {
      event.stopPropagation();
      giveUp();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !event.altKey) {
      event.preventDefault();
      if (commit() === null) onMove(row + (event.key === 'ArrowDown' ? 1 : -1), column);
    }
  };
  const isRefused = refused !== undefined && typing === null;
  return (
    <input
      className={`${classes['input']} ${figure ? classes['figure'] : ''}`}
      aria-label={label}
      aria-invalid={invalid || isRefused}
      aria-describedby={isRefused ? troubleId(item.id) : undefined}
      data-cell={`${row}:${column}`}
      data-typed={typed === null ? undefined : ''}
      disabled={disabled}
      inputMode={figure ? 'decimal' : 'text'}
      autoComplete="off"
      value={disabled ? value : (typed?.text ?? value)}
      onChange={(event) => setTyping({ text: event.currentTarget.value, item: typed?.item ?? item })}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={commit}
      onKeyDown={onKeyDown}
    />
  );
}

/** The element under a line that says what is wrong with it. */
export function troubleId(id: number): string {
  return `line-trouble-${id}`;
}
