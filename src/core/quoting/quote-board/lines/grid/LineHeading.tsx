// The heading of the lines, with a checkbox that selects all of them and column edges that users drag to resize.
import { Checkbox } from '@mantine/core';
import { type PointerEvent, useState } from 'react';
import classes from '../lines.module.css';
import { type PlacedColumn, WIDEST } from '../../layout/columns.ts';

type Props = {
  columns: readonly PlacedColumn[];
  selected: 'all' | 'some' | 'none';
  onSelectAll: (all: boolean) => void;
  /** Called during a drag and at its end (`isFinal`). A width of null restores the default. */
  onWidth: (column: PlacedColumn, width: number | null, isFinal: boolean) => void;
};

export function LineHeading({ columns, selected, onSelectAll, onWidth }: Props) {
  return (
    <div role="row" aria-rowindex={1} className={classes['gridHead']}>
      <span role="columnheader" className={classes['pinned']}>
        <Checkbox
          size="xs"
          aria-label="Select all lines"
          checked={selected === 'all'}
          indeterminate={selected === 'some'}
          onChange={() => onSelectAll(selected !== 'all')}
        />
      </span>
      <span role="columnheader" className={classes['pinned']}>
        #
      </span>
      {columns.map((column) => (
        <span
          key={column.key}
          role="columnheader"
          data-column={column.key}
          className={column.figure ? classes['figure'] : undefined}
        >
          {column.titleHidden ? <span className="visually-hidden">{column.title}</span> : column.title}
          <Edge column={column} onWidth={onWidth} />
        </span>
      ))}
      <span role="columnheader">
        <span className="visually-hidden">Actions</span>
      </span>
    </div>
  );
}

/** Resizes a column by mouse. Keyboard users do the same in the menu of columns. */
function Edge({ column, onWidth }: { column: PlacedColumn; onWidth: Props['onWidth'] }) {
  const [drag, setDrag] = useState<{ x: number; width: number } | null>(null);
  const widthAt = ({ clientX }: PointerEvent, from: { x: number; width: number }) =>
    Math.round(Math.min(WIDEST, Math.max(column.least, from.width + clientX - from.x)));
  return (
    <span
      aria-hidden
      className={classes['edge']}
      title="Drag to change the width, double-click to reset it"
      data-dragging={drag ? '' : undefined}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ x: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? column.width });
      }}
      onPointerMove={(event) => {
        if (drag) onWidth(column, widthAt(event, drag), false);
      }}
      onPointerUp={(event) => {
        if (drag && event.clientX !== drag.x) onWidth(column, widthAt(event, drag), true);
        setDrag(null);
      }}
      onDoubleClick={() => onWidth(column, null, true)}
    />
  );
}
