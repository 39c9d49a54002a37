// The pasted rows as a table that renders only visible rows, so that a thousand rows are as fast as ten.
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { unitWithContent } from '#platform/shared/unit-of-measure.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { rectInWindow } from '#platform/ui/in-window.web.ts';
import classes from './paste.module.css';
import { mayBeRemembered, type Remember, type Row, type RowAnswer, itemWords as wordsOfLine } from './paste-rows.ts';

type Props = {
  rows: readonly Row[];
  titles: readonly string[];
  /** The rows to show. Null shows all. */
  shown: readonly number[] | null;
  narrow: boolean;
  onSay: (index: number, answer: RowAnswer) => void;
  /** Searches for the item of a row. */
  onFind: (index: number) => void;
  /** How a number may be remembered. Empty when it cannot be. */
  remembers: readonly Remember[];
};

export function PasteRows({ rows, titles, shown, narrow, onSay, onFind, remembers }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  const count = shown?.length ?? rows.length;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    observeElementRect: rectInWindow,
    estimateSize: () => (narrow ? 76 : 40),
    overscan: 6,
    getItemKey: (place) => shown?.[place] ?? place,
  });
  // Focuses the rows when they appear, so that Enter adds them.
  useEffect(() => scroll.current?.focus({ preventScroll: true }), []);
  // The function keeps its identity while mounted, so that unchanged rows do not render again.
  const latest = useRef({ onSay, onFind });
  latest.current = { onSay, onFind };
  const say = useRef((index: number, answer: RowAnswer) => latest.current.onSay(index, answer)).current;
  const find = useRef((index: number) => latest.current.onFind(index)).current;
  return (
    <div
      ref={scroll}
      className={classes['scroll']}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keyboard too
      tabIndex={0}
      data-autofocus
      role="table"
      aria-label="Pasted rows"
      aria-rowcount={count + 1}
    >
      <div role="rowgroup" className={classes['head']}>
        <div role="row" aria-rowindex={1} className={classes['row']}>
          <span role="columnheader">
            <span className="visually-hidden">Take</span>
          </span>
          <span role="columnheader">Pasted</span>
          <span role="columnheader">Item</span>
          <span role="columnheader">Qty.</span>
          <span role="columnheader">Unit</span>
        </div>
      </div>
      <div role="rowgroup" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {virtualizer.getVirtualItems().map((place) => {
          const index = shown?.[place.index] ?? place.index;
          const row = rows[index];
          return row ? (
            <div
              key={place.key}
              ref={virtualizer.measureElement}
              data-index={place.index}
              role="row"
              aria-rowindex={place.index + 2}
              className={classes['row']}
              style={{ position: 'absolute', insetInline: 0, transform: `translateY(${place.start}px)` }}
            >
              <Cells row={row} index={index} titles={titles} remembers={remembers} onSay={say} onFind={find} />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}

type CellsProps = { row: Row; index: number } & Pick<Props, 'titles' | 'onSay' | 'onFind' | 'remembers'>;

const Cells = memo(function Cells({ row, index, titles, onSay, onFind, remembers }: CellsProps) {
  const { line, item, candidates } = row;
  const place = index + 1;
  const units = item?.units ?? [];
  const words = wordsOfLine(line);
  // Without a number, the text is shown in its place.
  const unused = line.unused.filter(({ text }) => line.itemNumber !== '' || text !== words);
  return (
    <>
      <span role="cell">
        <input
          type="checkbox"
          aria-label={`Take row ${place}`}
          checked={row.ready !== null}
          disabled={row.problems.length > 0}
          onChange={(event) => onSay(index, { isLeft: !event.currentTarget.checked })}
        />
      </span>
      <span role="cell" className={classes['pasted']}>
        <b>{line.itemNumber || words || <span className="muted">no item number</span>}</b> <RowState row={row} />
        {line.unit !== '' && line.unit !== row.unit ? <span className={classes['note']}>Unit: {line.unit}</span> : null}
        {line.price !== '' ? <span className={classes['note']}>Price: {line.price}</span> : null}
        {unused.length > 0 ? (
          <span className={classes['note']}>
            Not used:{' '}
            {unused.map(({ column, text }) => (titles[column] ? `${titles[column]} ${text}` : text)).join(' · ')}
          </span>
        ) : null}
        {row.problems.map((problem) => (
          <span key={problem} className={classes['problem']}>
            {problem}
          </span>
        ))}
      </span>
      <span role="cell" className={classes['item']}>
        {row.state !== 'found' && candidates.length > 0 ? (
          <select
            aria-label={`Item of row ${place}`}
            value={item?.itemId ?? ''}
            onChange={(event) => onSay(index, { itemId: Number(event.currentTarget.value) })}
          >
            <option value="" disabled>
              Choose
            </option>
            {candidates.map((candidate) => (
              <option key={candidate.itemId} value={candidate.itemId} disabled={candidate.gone}>
                {candidate.itemNumber} {candidate.description}
              </option>
            ))}
          </select>
        ) : item ? (
          `${item.itemNumber} ${item.description}`
        ) : (
          ''
        )}
        {item?.reference ? <span className={classes['note']}>{item.reference}</span> : null}
        {row.state === 'found' ? null : (
          <span className={classes['decide']}>
            <button type="button" aria-label={`Find it for row ${place}`} onClick={() => onFind(index)}>
              Find
            </button>
            {item && remembers.length > 0 && mayBeRemembered(line) ? (
              <RememberSelect row={row} place={place} remembers={remembers} onSay={(answer) => onSay(index, answer)} />
            ) : null}
          </span>
        )}
      </span>
      <span role="cell">
        {item && !item.gone ? (
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            aria-label={`Quantity of row ${place}`}
            aria-invalid={row.problems.some((problem) => /quantity|decimals/.test(problem))}
            value={row.qty}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => onSay(index, { qty: event.currentTarget.value })}
          />
        ) : (
          row.qty
        )}
      </span>
      <span role="cell">
        {item && !item.gone ? (
          <select
            aria-label={`Unit of row ${place}`}
            aria-invalid={row.unit === ''}
            value={row.unit}
            onChange={(event) => onSay(index, { unit: event.currentTarget.value })}
          >
            {row.unit === '' ? (
              <option value="" disabled>
                Choose
              </option>
            ) : null}
            {units.map((unit) => (
              <option key={unit.unit} value={unit.unit}>
                {unitWithContent(unit, units)}
              </option>
            ))}
          </select>
        ) : (
          line.unit
        )}
      </span>
    </>
  );
});

/** Offers to remember the number of a row for the item that the user chose. */
function RememberSelect({
  row,
  place,
  remembers,
  onSay,
}: Pick<CellsProps, 'row' | 'remembers'> & { place: number; onSay: (answer: RowAnswer) => void }) {
  const same = (remember: Remember) => remember.kind === row.remember?.kind && remember.scope === row.remember.scope;
  return (
    <label>
      Remember this number{' '}
      <select
        aria-label={`Remember the number of row ${place}`}
        value={remembers.findIndex(same)}
        onChange={(event) => onSay({ remember: remembers[Number(event.currentTarget.value)] ?? null })}
      >
        <option value={-1}>No</option>
        {remembers.map((remember, at) => (
          <option key={`${remember.kind} ${remember.scope}`} value={at}>
            {remember.kind === 'Same' ? 'Same item' : 'Equivalent'}, for{' '}
            {remember.scope === 'Facility' ? 'this facility' : 'everyone'}
          </option>
        ))}
      </select>
    </label>
  );
}

function RowState({ row: { state, item, problems } }: { row: Row }) {
  if (state === 'notFound' && !item) return <Chip tone="red">not found</Chip>;
  if (state === 'ambiguous' && !item) return <Chip tone="orange">ambiguous</Chip>;
  return problems.length > 0 ? <Chip tone="orange">to fix</Chip> : <Chip tone="green">found</Chip>;
}
