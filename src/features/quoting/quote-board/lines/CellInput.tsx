// One cell of the grid, edited in place: Enter saves and moves down, Escape restores the old value, arrows move between rows.
import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import type { QuoteItem } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { useUnsaved } from '#ui/unsaved.web.ts';
import classes from '../board.module.css';
import { spaceBehind } from '../layout/columns.ts';
import type { RefusedCell } from '../state/board-store.ts';
import type { LineActions } from './line-actions.web.ts';

type Props = {
  label: string;
  item: QuoteItem;
  value: string;
  disabled?: boolean;
  figure?: boolean;
  /** Its text goes on in the next lines. */
  words?: boolean;
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
  onMove: (row: number, column: string, step: -1 | 1) => void;
};

/** `isAsked`: a dialog asks for what is missing and holds what was typed; otherwise the text stays in the cell. */
export type Refusal = { problem: string; isAsked?: boolean };

export function CellInput(props: Props) {
  const { label, item, value, disabled, figure, words, invalid, refused, refuse, row, column, onCommit, onMove } =
    props;
  const [typing, setTyping] = useState<{ text: string; item: QuoteItem } | null>(null);
  const typed = typing ?? refused ?? null;

  const giveUp = () => {
    setTyping(null);
    if (refused) refuse(item, column, null);
  };
  /** Takes in what was typed; answers why not. */
  const commit = (): string | null => {
    const text = typed?.text.replaceAll(/\s+/g, ' ').trim();
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

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const step = event.shiftKey ? -1 : 1;
      if (commit() === null) onMove(row + step, column, step);
    } else if (event.key === 'Escape' && typed !== null) {
      event.stopPropagation();
      giveUp();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (commit() === null) onMove(row + step, column, step);
    }
  };
  const isRefused = refused !== undefined && typing === null;
  const common = {
    className: `${classes['input']} ${figure ? classes['figure'] : ''}`,
    'aria-label': label,
    'aria-invalid': invalid || isRefused,
    'aria-describedby': isRefused ? troubleId(item.id) : undefined,
    'data-cell': `${row}:${column}`,
    'data-typed': typed === null ? undefined : '',
    disabled,
    autoComplete: 'off',
    value: disabled ? value : (typed?.text ?? value),
    onChange: (event: ChangeEvent<Field>) => setTyping({ text: event.currentTarget.value, item: typed?.item ?? item }),
    onFocus: (event: FocusEvent<Field>) => event.currentTarget.select(),
    onBlur: commit,
    onKeyDown,
  };
  if (words) return <textarea {...common} rows={1} />;
  return (
    <input
      {...common}
      style={figure ? { paddingRight: `calc(6px + ${spaceBehind(value)})` } : undefined}
      inputMode={figure ? 'decimal' : 'text'}
    />
  );
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The element under a line that says what is wrong with it. */
export function troubleId(id: number): string {
  return `line-trouble-${id}`;
}
