// One cell of the grid, edited in place: Enter saves and goes down, Escape gives the old value back, arrows move between rows.
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useUnsaved } from '#ui/unsaved.web.ts';
import classes from '../board.module.css';

type Props = {
  label: string;
  value: string;
  disabled?: boolean;
  figure?: boolean;
  invalid?: boolean;
  /** Which cell this is, so that keys find its neighbours: the row's index and the column's name. */
  row: number;
  column: string;
  /** Called with the new text when it differs. Answers a sentence when it cannot be taken; the text then stays. */
  onCommit: (text: string) => string | null;
  onMove: (row: number, column: string) => void;
};

export function CellInput({ label, value, disabled, figure, invalid, row, column, onCommit, onMove }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useUnsaved(typed !== null && typed.trim() !== value);
  useEffect(() => {
    setProblem(null);
  }, [value]);

  const commit = (): boolean => {
    if (typed === null || typed.trim() === value) {
      setTyped(null);
      setProblem(null);
      return true;
    }
    const refusal = onCommit(typed.trim());
    setProblem(refusal);
    if (refusal === null) setTyped(null);
    return refusal === null;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (commit()) onMove(row + (event.shiftKey ? -1 : 1), column);
    } else if (event.key === 'Escape' && typed !== null) {
      event.stopPropagation();
      setTyped(null);
      setProblem(null);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !event.altKey) {
      event.preventDefault();
      if (commit()) onMove(row + (event.key === 'ArrowDown' ? 1 : -1), column);
    }
  };
  return (
    <input
      className={`${classes['input']} ${figure ? classes['figure'] : ''}`}
      aria-label={label}
      aria-invalid={invalid || problem !== null}
      title={problem ?? undefined}
      data-cell={`${row}:${column}`}
      data-typed={typed === null ? undefined : ''}
      disabled={disabled}
      inputMode={figure ? 'decimal' : 'text'}
      autoComplete="off"
      value={typed ?? value}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={commit}
      onKeyDown={onKeyDown}
    />
  );
}
