// One line of the grid as a row of cells edited in place. Only input that could not be saved appears below it.
import { Button, Checkbox } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { Thumbnail } from '#core/catalog/items/ItemMarks.tsx';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { refusalWords } from '#core/quoting/quote-edit/settle/field-words.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { type Decimal, formatAmount, formatPrice } from '#platform/shared/money.ts';
import { readQuantity } from '#platform/shared/quantity.ts';
import { readMoney, readPercent } from '#platform/shared/typed-money.ts';
import classes from '../lines.module.css';
import { type ColumnKey, spaceBehind } from '../../layout/columns.ts';
import { FoundText } from '../find/FoundText.tsx';
import { CellInput, type Refusal, troubleId } from './CellInput.tsx';
import { LineMenu } from './LineMenu.tsx';
import type { LineActions } from '../line-actions.web.ts';
import { isLinked, isPriced, marginText, mayEditPrice } from '../line-words.ts';
import { ProofButton } from '../ProofButton.tsx';
import { LineRemarks } from './LineRemarks.tsx';
import { takenBy } from '../../presence/others.web.ts';
import { Taken } from '../../presence/Taken.tsx';
import { RefusedCells } from './RefusedCells.tsx';
import type { RowProps } from './row-props.web.ts';

export const LineRow = memo(function LineRow(props: RowProps) {
  const { item, row, columns, currnIdx, editable, selected, pending, mark, refused, actions, word, others } = props;
  const canEdit = editable && item.type !== 'free';
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={selected}
      className={classes['row']}
      data-line={item.id}
      data-free={item.type === 'free' ? '' : undefined}
      data-selected={selected ? '' : undefined}
      data-inactive={item.active ? undefined : ''}
      data-section={item.type === 'section' ? '' : undefined}
      data-failed={pending?.state === 'failed' || pending?.state === 'conflict' || refused ? '' : undefined}
      data-marked={mark ? '' : undefined}
      data-found={word === '' ? undefined : props.isCurrent ? 'current' : ''}
      {...takenBy(others)}
      onFocus={() => actions.look(item.id)}
    >
      <span role="gridcell" className={`${classes['cell']} ${classes['pinned']}`}>
        {item.type === 'free' ? null : (
          <Checkbox
            size="xs"
            aria-label={`Select line ${item.lineNo}`}
            data-cell={`${row}:select`}
            checked={selected}
            onChange={(event) =>
              actions.selection.tick(item.id, event.currentTarget.checked, (event.nativeEvent as MouseEvent).shiftKey)
            }
            onKeyDown={(event) => {
              if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || event.shiftKey || event.altKey) return;
              event.preventDefault();
              const step = event.key === 'ArrowDown' ? 1 : -1;
              actions.move(row + step, 'select', step);
            }}
          />
        )}
      </span>
      <span
        role="gridcell"
        className={`${classes['cell']} ${classes['pinned']} ${classes['handle']} tabular muted`}
        draggable={canEdit}
        title={canEdit ? 'Drag to move the line (Alt+↑, Alt+↓)' : undefined}
      >
        {row + 1}
        <Taken others={others} />
      </span>
      {isPriced(item)
        ? columns.map(({ key }) => <Cell key={key} column={key} {...props} canEdit={canEdit} />)
        : sectionCells(props, canEdit)}
      <span role="gridcell" className={classes['cell']}>
        {canEdit ? <LineMenu item={item} currnIdx={currnIdx} actions={actions} /> : null}
      </span>
      {refused ? (
        <span className={classes['trouble']} role="gridcell" aria-live="assertive" id={troubleId(item.id)}>
          <RefusedCells refused={refused} refuse={actions.refuse} />
        </span>
      ) : null}
      {pending?.error ? (
        <span className={classes['trouble']} role="gridcell" aria-live="assertive">
          Not saved: {refusalWords(pending.error)}{' '}
          {pending.state === 'failed' ? (
            <Button size="compact-xs" variant="subtle" onClick={actions.retry}>
              Try again
            </Button>
          ) : null}
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => actions.drop(item)}>
            Discard change
          </Button>
        </span>
      ) : null}
    </div>
  );
});

/** The properties that all cells of a line share. */
function cellOf({ item, row, refused, actions }: RowProps) {
  return (column: string) => ({
    item,
    row,
    column,
    refused: refused?.find((candidate) => candidate.column === column),
    refuse: actions.refuse,
    onMove: actions.move,
  });
}

/** Saves the text of a section, a note or a custom item. */
export function describe(actions: LineActions, text: string, item: QuoteItem): Refusal | null {
  if (text === '') return { problem: 'Enter a description' };
  actions.change(item, { description: text });
  return null;
}

/** Sets a price or a discount. A dialog may ask for its reason first. */
function setPrice(actions: LineActions, item: QuoteItem, patch: Parameters<LineActions['price']>[1]): Refusal | null {
  const isAsked = actions.price(item, patch);
  return isAsked ? { problem: `Enter the reason for the price of line ${item.lineNo} first.`, isAsked } : null;
}

type CellProps = RowProps & { canEdit: boolean };

/** The cell of one column for a line that has a price. */
function Cell({ column, ...props }: CellProps & { column: ColumnKey }): ReactNode {
  const { item, currnIdx, canEdit, actions, word } = props;
  const cell = cellOf(props);
  switch (column) {
    case 'item':
      return (
        <span
          role="gridcell"
          data-column="item"
          className={`${classes['cell']} ${classes['itemCell']} ellipsis`}
          title={item.itemNumber}
        >
          <FoundText text={item.itemNumber} word={word} />
        </span>
      );
    case 'picture':
      return (
        <span role="gridcell" className={classes['cell']}>
          {item.imgThumbnailUrl ? <Thumbnail url={item.imgThumbnailUrl} size={24} /> : null}
        </span>
      );
    case 'description':
      return <Description {...props} />;
    case 'qty':
      return (
        <Figure column="qty">
          <CellInput
            {...cell('qty')}
            figure
            label={`Quantity of line ${item.lineNo}`}
            value={String(item.qty)}
            disabled={!canEdit || isLinked(item)}
            onCommit={(text, seen) => {
              const { qty, problem } = readQuantity(text);
              if (qty === null) return { problem: text === '' ? 'Enter a quantity' : problem };
              actions.change(seen, { qty });
              return null;
            }}
          />
        </Figure>
      );
    case 'unit':
      return (
        <span role="gridcell" data-column="unit" className={classes['cell']}>
          {canEdit && item.units.length > 1 && !isLinked(item) ? (
            <select
              className={classes['input']}
              aria-label={`Unit of line ${item.lineNo}`}
              value={item.unit}
              onChange={(event) => actions.change(item, { unit: event.currentTarget.value })}
            >
              {item.units.map((unit) => (
                <option key={unit}>{unit}</option>
              ))}
            </select>
          ) : (
            item.unit
          )}
        </span>
      );
    case 'list':
      return (
        <Figure column="list" muted>
          {item.listPrice === null ? '' : <Aligned text={formatPrice(item.listPrice, currnIdx)} />}
        </Figure>
      );
    case 'price':
      return (
        <Figure column="price">
          {canEdit && mayEditPrice(item) ? (
            <CellInput
              {...cell('price')}
              figure
              label={`Price of line ${item.lineNo}`}
              value={item.unitPrice === null ? '' : priceText(item.unitPrice)}
              invalid={item.priceProblem !== ''}
              onCommit={(text, seen) => {
                const { value: unitPrice, problem } = readMoney(text, currnIdx);
                if (unitPrice === null) return { problem: text === '' ? 'Enter a price, 0 or more' : problem };
                return setPrice(actions, seen, { unitPrice });
              }}
            />
          ) : item.unitPrice === null ? (
            ''
          ) : (
            <Aligned text={formatPrice(item.unitPrice, currnIdx)} />
          )}
        </Figure>
      );
    case 'source':
      return (
        <span role="gridcell" data-column="source" className={classes['cell']}>
          <ProofButton
            item={item}
            currnIdx={currnIdx}
            onSystemPrice={canEdit ? () => actions.change(item, { unitPrice: null }) : undefined}
          />
        </span>
      );
    case 'discount':
      return (
        <Figure column="discount">
          {canEdit && item.type === 'item' ? (
            <CellInput
              {...cell('discount')}
              figure
              label={`Discount percentage for line ${item.lineNo}`}
              value={item.discountPct === 0 ? '' : String(item.discountPct)}
              onCommit={(text, seen) => {
                const { value: discountPct, problem } = readPercent(text || '0');
                if (discountPct === null) return { problem };
                if (discountPct > 0) return setPrice(actions, seen, { discountPct });
                actions.change(seen, { unitPrice: null });
                return null;
              }}
            />
          ) : item.discountPct ? (
            <Aligned text={String(item.discountPct)} />
          ) : null}
        </Figure>
      );
    case 'amount':
      return (
        <Figure column="amount" muted={item.optional}>
          {formatAmount(item.lineTotal, currnIdx)}
        </Figure>
      );
    case 'margin':
      return (
        <Figure column="margin" muted>
          {marginText(item.marginPct)}
        </Figure>
      );
  }
}

function Description(props: CellProps & { span?: number }) {
  const { item, canEdit, actions, word, span = 1 } = props;
  return (
    <span
      role="gridcell"
      data-column="description"
      className={`${classes['cell']} ${classes['what']}`}
      style={span > 1 ? { gridColumn: `span ${span}` } : undefined}
      aria-colspan={span > 1 ? span : undefined}
    >
      {canEdit && item.type !== 'item' ? (
        <CellInput
          {...cellOf(props)('description')}
          words
          label={`Description of line ${item.lineNo}`}
          value={item.description}
          onCommit={(text, seen) => describe(actions, text, seen)}
        />
      ) : (
        <span className={`${classes['words']} ellipsis`} title={item.description}>
          <FoundText text={item.description} word={word} />
        </span>
      )}
      {props.comments > 0 ? (
        <button
          type="button"
          className={classes['comments']}
          aria-label={`${countOf(props.comments, 'comment')} on line ${item.lineNo}`}
          onClick={() => actions.comment(item)}
        >
          <IconMessage size={14} aria-hidden /> {props.comments}
        </button>
      ) : null}
      <LineRemarks {...props} />
    </span>
  );
}

/** The cells of a section or a note. The text spans all columns up to the amount, which shows a section's sum. */
function sectionCells(props: RowProps, canEdit: boolean): ReactNode[] {
  const { columns, sectionSum, currnIdx } = props;
  const start = columns.findIndex(({ key }) => key === 'description');
  const end = columns.findIndex(({ key }, index) => index > start && key === 'amount');
  const span = (end === -1 ? columns.length : end) - start;
  return columns.flatMap(({ key }, index) => {
    if (key === 'description') return [<Description key={key} {...props} canEdit={canEdit} span={span} />];
    if (index > start && index < start + span) return [];
    return [
      <span key={key} role="gridcell" className={`${classes['cell']} ${classes['figure']}`}>
        {key === 'amount' && sectionSum !== null ? formatAmount(sectionSum, currnIdx) : ''}
      </span>,
    ];
  });
}

function Figure({ column, muted = false, children }: { column: ColumnKey; muted?: boolean; children: ReactNode }) {
  // The most decimal places in the column, which align the points.
  const style: Record<string, string> = { '--places': `var(--places-${column}, 0)` };
  return (
    <span
      role="gridcell"
      data-column={column}
      className={`${classes['cell']} ${classes['figure']} ${muted ? 'muted' : ''}`}
      style={style}
    >
      {children}
    </span>
  );
}

function Aligned({ text }: { text: string }) {
  return (
    <span className="tabular" style={{ paddingRight: spaceBehind(text) }}>
      {text}
    </span>
  );
}

/** A price for editing: two to four decimals, with thousands separators. */
function priceText(price: Decimal): string {
  return price.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
}
