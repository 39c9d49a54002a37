// One cell of the grid, edited in place: Enter saves and moves down, Escape restores the old value, arrows move between rows.
import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import classes from '../lines.module.css';
import { spaceBehind } from '../../layout/columns.ts';
import type { RefusedText } from '../../state/board-store.ts';
import type { LineActions } from '../line-actions.web.ts';

type Props = {
  label: string;
  item: QuoteItem;
  value: string;
  disabled?: boolean;
  figure?: boolean;
  /** Whether the text wraps. */
  words?: boolean;
  invalid?: boolean;
  /** The text that the user typed here and the cell refused. */
  refused: RefusedText | undefined;
  refuse: LineActions['refuse'];
  /** Identifies the cell, so that keys find its neighbors: the row's index and the column's name. */
  row: number;
  column: string;
  /**
   * Called with the new text when it differs, and with the line as it was when typing began. Returns why the cell refuses the text, or what a dialog
   * must still ask before the board saves it.
   */
  onCommit: (text: string, item: QuoteItem) => Refusal | null;
  onMove: (row: number, column: string, step: -1 | 1) => void;
};

/** `isAsked`: a dialog holds the typed text and prompts for the missing input. Otherwise the text stays in the cell. */
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
  /** Submits the typed text. Returns why the cell refuses it, or null. */
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
  // A row that scrolls out of view unmounts its cells, but must not lose what the user typed in them.
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

/** The id of the element under a line that shows what is wrong with it. */
export function troubleId(id: number): string {
  return `line-trouble-${id}`;
}
