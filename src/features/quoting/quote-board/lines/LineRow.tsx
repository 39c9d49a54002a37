// One line of the grid: cells edited in place, its price source, and its problem.
import { ActionIcon, Button, Checkbox, Menu, Text, Tooltip } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { memo } from 'react';
import type { QuoteItem } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { type Decimal, formatAmount, formatPrice } from '#shared/money.ts';
import { readQuantity } from '#shared/quantity.ts';
import classes from '../board.module.css';
import type { Mark } from '../state/marks.ts';
import type { Pending } from '../state/save-queue.ts';
import type { RefusedCell } from '../state/board-store.ts';
import { CellInput, type Refusal, troubleId } from './CellInput.tsx';
import type { LineActions } from './line-actions.web.ts';
import { isPriced, lineTrouble, markWords, mayEditPrice, priceNote } from './line-words.ts';
import { PriceProof } from './PriceProof.tsx';
import { RefusedCells } from './RefusedCells.tsx';

export type RowActions = LineActions & { move: (row: number, column: string) => void };

type Props = {
  item: QuoteItem;
  row: number;
  currnIdx: number;
  internal: boolean;
  editable: boolean;
  promotable: boolean;
  selected: boolean;
  pending: Pending | undefined;
  /** Who else changed it, until that was seen. */
  mark: Mark | undefined;
  /** The same list as long as nothing in it changes. */
  refused: readonly RefusedCell[] | undefined;
  sectionSum: Decimal | null;
  actions: RowActions;
};

export const LineRow = memo(function LineRow(props: Props) {
  const { item, row, currnIdx, internal, editable, selected, pending, mark, refused, sectionSum, actions } = props;
  const priced = isPriced(item);
  const free = item.type === 'free';
  const canEdit = editable && !free;
  const note = priceNote(item);
  const trouble = lineTrouble(item, currnIdx);
  const cell = cellOf(props);
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className={classes['row']}
      data-selected={selected ? '' : undefined}
      data-inactive={item.active ? undefined : ''}
      data-section={item.type === 'section' ? '' : undefined}
      data-failed={pending?.state === 'failed' || pending?.state === 'conflict' || refused ? '' : undefined}
      data-marked={mark ? '' : undefined}
      onFocus={() => actions.look(item.id)}
      onKeyDown={(event) => {
        if (event.altKey && canEdit && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
          event.preventDefault();
          actions.shift(item, event.key === 'ArrowUp' ? -1 : 1);
        }
      }}
    >
      <span role="gridcell" className={classes['cell']}>
        {canEdit ? (
          <Checkbox
            size="xs"
            aria-label={`Select line ${item.lineNo}`}
            checked={selected}
            onChange={(event) =>
              actions.select(item.id, event.currentTarget.checked, (event.nativeEvent as MouseEvent).shiftKey)
            }
          />
        ) : null}
      </span>
      <span role="gridcell" className={`${classes['cell']} tabular muted`}>
        {row + 1}
      </span>
      <span role="gridcell" className={`${classes['cell']} ellipsis`} title={item.itemNumber}>
        {priced ? item.itemNumber : ''}
      </span>
      <span role="gridcell" className={classes['cell']}>
        {canEdit && item.type !== 'item' ? (
          <CellInput
            {...cell('description')}
            label={`Description of line ${item.lineNo}`}
            value={item.description}
            onCommit={(text, seen) => describe(actions, text, seen)}
          />
        ) : (
          <span className="ellipsis" style={{ display: 'block' }} title={item.description}>
            {item.description}
          </span>
        )}
      </span>
      {priced ? (
        <Figures {...props} canEdit={canEdit} />
      ) : (
        <SectionSum sum={sectionSum} currnIdx={currnIdx} internal={internal} />
      )}
      <span role="gridcell" className={classes['cell']}>
        {canEdit ? <LineMenu item={item} actions={actions} /> : null}
      </span>
      {mark ? (
        <span className={classes['mark']} role="gridcell">
          {markWords(mark)}
        </span>
      ) : null}
      {refused ? (
        <span className={classes['trouble']} role="gridcell" aria-live="assertive" id={troubleId(item.id)}>
          <RefusedCells refused={refused} refuse={actions.refuse} />
        </span>
      ) : null}
      {pending?.error ? (
        <span className={classes['trouble']} role="gridcell" aria-live="assertive">
          Not saved: {pending.error.message}{' '}
          {pending.state === 'failed' ? (
            <Button size="compact-xs" variant="subtle" onClick={actions.retry}>
              Try again
            </Button>
          ) : null}
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => actions.drop(item)}>
            Discard my change
          </Button>
        </span>
      ) : null}
      {trouble && !pending?.error ? (
        <span className={classes['trouble']} role="gridcell">
          {trouble}{' '}
          {item.priceProblem && mayEditPrice(item) && editable && internal ? (
            <Button size="compact-xs" variant="subtle" onClick={() => actions.move(row, 'price')}>
              Type a price
            </Button>
          ) : null}
        </span>
      ) : null}
      {!pending?.error && (note || item.optional || item.notes || item.promotions.length > 0) ? (
        <span className={classes['note']} role="gridcell">
          {[note, item.optional ? 'Optional, not in the total' : '', item.notes ? `Note: ${item.notes}` : '']
            .filter(Boolean)
            .join(' · ')}
          {canEdit && item.priceSource === 'Manual' && item.type === 'item' && item.systemPrice !== null ? (
            <Button size="compact-xs" variant="subtle" onClick={() => actions.change(item, { unitPrice: null })}>
              Use {formatPrice(item.systemPrice, currnIdx)}
            </Button>
          ) : null}
          <Promotions {...props} />
        </span>
      ) : null}
    </div>
  );
});

/** A short mark for each promotion, which opens its message and, for internal users, the button. */
function Promotions({ item, promotable, actions }: Props) {
  return item.promotions.map((promotion) => (
    <Tooltip key={promotion.id} label={promotion.message} multiline w={320}>
      <Button
        size="compact-xs"
        variant={promotion.applied ? 'light' : 'subtle'}
        color="orange"
        ml={6}
        aria-label={`${promotion.message}${promotable ? (promotion.applied ? ' Take it off' : ' Apply it') : ''}`}
        onClick={promotable ? () => actions.promote(item, promotion.applied ? null : promotion.id) : undefined}
      >
        {promotion.applied ? 'Promotion applied' : promotable ? 'Apply promotion' : 'Promotion'}
      </Button>
    </Tooltip>
  ));
}

/** What the cell of a column has in common with the others of its line. */
function cellOf({ item, row, refused, actions }: Props) {
  return (column: string) => ({
    item,
    row,
    column,
    refused: refused?.find((one) => one.column === column),
    refuse: actions.refuse,
    onMove: actions.move,
  });
}

/** Takes the text of a section, a note or a custom item. */
export function describe(actions: LineActions, text: string, item: QuoteItem): Refusal | null {
  if (text === '') return { problem: 'Type a description' };
  actions.change(item, { description: text });
  return null;
}

/** Sets a price or a discount, which may first ask for its reason. */
function setPrice(actions: LineActions, item: QuoteItem, patch: Parameters<LineActions['price']>[1]): Refusal | null {
  const isAsked = actions.price(item, patch);
  return isAsked ? { problem: `Give the reason for the price of line ${item.lineNo} first.`, isAsked } : null;
}

function Figures(props: Props & { canEdit: boolean }) {
  const { item, currnIdx, internal, canEdit, actions } = props;
  const cell = cellOf(props);
  return (
    <>
      <span role="gridcell" className={classes['cell']}>
        <CellInput
          {...cell('qty')}
          figure
          label={`Quantity of line ${item.lineNo}`}
          value={String(item.qty)}
          disabled={!canEdit}
          onCommit={(text, seen) => {
            const { qty, problem } = readQuantity(text);
            if (qty === null) return { problem: text === '' ? 'Type a quantity' : problem };
            actions.change(seen, { qty });
            return null;
          }}
        />
      </span>
      <span role="gridcell" className={classes['cell']}>
        {canEdit && item.units.length > 1 ? (
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
      <span role="gridcell" className={`${classes['cell']} ${classes['figure']} muted`}>
        {item.listPrice === null ? '' : formatPrice(item.listPrice, currnIdx)}
      </span>
      <span role="gridcell" className={`${classes['cell']} ${classes['figure']}`}>
        {canEdit && mayEditPrice(item) ? (
          <CellInput
            {...cell('price')}
            figure
            label={`Price of line ${item.lineNo}`}
            value={item.unitPrice === null ? '' : priceText(item.unitPrice)}
            invalid={item.priceProblem !== ''}
            onCommit={(text, seen) => {
              const price = Number(text.replace(/[$€,\s]/g, ''));
              if (text === '' || !(price >= 0)) return { problem: 'Type a price, 0 or more' };
              return setPrice(actions, seen, { unitPrice: Math.round(price * 10_000) / 10_000 });
            }}
          />
        ) : item.unitPrice === null ? (
          ''
        ) : (
          <span className="tabular">{formatPrice(item.unitPrice, currnIdx)}</span>
        )}
      </span>
      <span role="gridcell" className={classes['cell']}>
        <PriceProof item={item} currnIdx={currnIdx}>
          <button
            type="button"
            className={classes['sourceTag']}
            aria-label={`Price proof of line ${item.lineNo}: ${item.priceSource || 'no price'}`}
          >
            {item.priceSource || 'No price'}
          </button>
        </PriceProof>
      </span>
      <span role="gridcell" className={classes['cell']}>
        {canEdit && mayEditPrice(item) && item.type === 'item' ? (
          <CellInput
            {...cell('discount')}
            figure
            label={`Discount percent of line ${item.lineNo}`}
            value={item.discountPct === 0 ? '' : String(item.discountPct)}
            onCommit={(text, seen) => {
              const percent = text === '' ? 0 : Number(text.replace('%', ''));
              if (!(percent >= 0 && percent <= 100)) return { problem: 'Type a percentage from 0 to 100' };
              if (percent > 0) return setPrice(actions, seen, { discountPct: percent });
              actions.change(seen, { unitPrice: null });
              return null;
            }}
          />
        ) : item.discountPct ? (
          <span className={classes['figure']}>{item.discountPct} %</span>
        ) : null}
      </span>
      <span role="gridcell" className={`${classes['cell']} ${classes['figure']}`}>
        {item.optional ? (
          <span className="muted">{formatAmount(item.lineTotal, currnIdx)}</span>
        ) : (
          formatAmount(item.lineTotal, currnIdx)
        )}
      </span>
      {internal ? (
        <span role="gridcell" className={`${classes['cell']} ${classes['figure']} muted`}>
          {item.marginPct === null || item.marginPct === undefined ? '' : `${item.marginPct.toFixed(1)} %`}
        </span>
      ) : null}
    </>
  );
}

function SectionSum({ sum, currnIdx, internal }: { sum: Decimal | null; currnIdx: number; internal: boolean }) {
  return (
    <>
      <span style={{ gridColumn: 'span 6' }} />
      <span role="gridcell" className={`${classes['cell']} ${classes['figure']}`}>
        {sum === null ? '' : formatAmount(sum, currnIdx)}
      </span>
      {internal ? <span /> : null}
    </>
  );
}

/** The actions on one line; without cells to edit (`cards`) also its price and promotions. */
export function LineMenu({
  item,
  actions,
  cards,
}: {
  item: QuoteItem;
  actions: LineActions;
  cards?: { promotable: boolean };
}) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={cards ? 'lg' : 'sm'}
          aria-label={`Actions of line ${item.lineNo}`}
        >
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayEditPrice(item) ? <Menu.Item onClick={() => actions.edit(item)}>Edit Item…</Menu.Item> : null}
        {cards && mayEditPrice(item) ? <Menu.Item onClick={() => actions.price(item, {})}>Price…</Menu.Item> : null}
        {cards?.promotable
          ? item.promotions.map((promotion) => (
              <Menu.Item
                key={promotion.id}
                onClick={() => actions.promote(item, promotion.applied ? null : promotion.id)}
              >
                {promotion.applied ? 'Take the promotion off' : 'Apply promotion'}
                <Text size="xs" className="muted" maw={260}>
                  {promotion.message}
                </Text>
              </Menu.Item>
            ))
          : null}
        <Menu.Item onClick={() => actions.shift(item, -1)}>Move up (Alt+↑)</Menu.Item>
        <Menu.Item onClick={() => actions.shift(item, 1)}>Move down (Alt+↓)</Menu.Item>
        {isPriced(item) ? (
          <>
            <Menu.Item onClick={() => actions.change(item, { optional: !item.optional })}>
              {item.optional ? 'Not optional' : 'Optional, not in the total'}
            </Menu.Item>
            <Menu.Item onClick={() => actions.change(item, { active: !item.active })}>
              {item.active ? 'Set inactive' : 'Set active'}
            </Menu.Item>
          </>
        ) : null}
        <Menu.Item onClick={() => actions.duplicate([item])}>Duplicate</Menu.Item>
        <Menu.Item color="red" onClick={() => actions.remove([item])}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** A price for editing: two to four decimals, with thousands separators. */
function priceText(price: Decimal): string {
  return price.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
}
