// The lines as cards, for a phone: first the item and the amount, then the description, then quantity, price and source.
import { Group, Text, UnstyledButton } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef } from 'react';
import { ItemName, Thumbnail } from '#core/catalog/items/ItemMarks.tsx';
import { useCommentCounts } from '#core/quoting/comments/comments.web.ts';
import type { Other } from '#platform/live/live.contract.ts';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { netOf } from '#core/quoting/quotes/totals/net-price.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { usePlaceOnPage } from '#platform/ui/in-window.web.ts';
import classes from './lines.module.css';
import { othersByLine, takenBy, useOthers } from '../presence/others.web.ts';
import { Taken } from '../presence/Taken.tsx';
import type { RefusedText } from '../state/board-store.ts';
import { useBoard } from '../state/board.web.ts';
import { CellInput, troubleId } from './grid/CellInput.tsx';
import { LineMenu } from './grid/LineMenu.tsx';
import { describe } from './grid/LineRow.tsx';
import type { LineActions } from './line-actions.web.ts';
import {
  configuredNote,
  isPriced,
  lineTrouble,
  markWords,
  paidWords,
  priceNote,
  sectionTotal,
  sharedReasons,
} from './line-words.ts';
import { ProofButton } from './ProofButton.tsx';
import { RefusedCells } from './grid/RefusedCells.tsx';

type Props = { items: readonly QuoteItem[]; actions: LineActions };

/** From this number of lines, only the cards near the window are rendered. */
const VIRTUAL_FROM = 100;
/** The usual height of a card in pixels. */
const CARD_HEIGHT = 81;
const NONE_REFUSED: readonly RefusedText[] = [];

export function LineCards({ items, actions }: Props) {
  const { data, refused } = useBoard();
  const refusedBy = Map.groupBy(refused, ({ item }) => item.id);
  const taken = othersByLine(useOthers());
  const comments = useCommentCounts(data.quote.id);
  const saidAbove = useMemo(() => sharedReasons(items), [items]);
  const list = useRef<HTMLUListElement>(null);
  const virtual = items.length > VIRTUAL_FROM;
  const { top, above, below } = usePlaceOnPage(list, virtual);
  const virtualizer = useWindowVirtualizer({
    count: virtual ? items.length : 0,
    estimateSize: () => CARD_HEIGHT,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: above,
    scrollPaddingEnd: below,
    getItemKey: useCallback((index: number) => items[index]?.id ?? index, [items]),
  });
  /** The lines to render. When only some are rendered, each includes its start position. */
  const drawn = virtual
    ? virtualizer.getVirtualItems().flatMap(({ index, start }) => {
        const item = items[index];
        return item ? [{ item, index, start: start - top }] : [];
      })
    : items.map((item, index) => ({ item, index, start: null }));
  return (
    <ul
      ref={list}
      aria-label="Lines"
      className={classes['cards']}
      style={virtual ? { height: virtualizer.getTotalSize() } : undefined}
    >
      {drawn.map(({ item, index, start }) => (
        <li
          key={item.id}
          className={classes['card']}
          data-card={item.id}
          {...takenBy(taken.get(item.id))}
          {...(start === null
            ? {}
            : {
                ref: virtualizer.measureElement,
                'data-index': index,
                'aria-setsize': items.length,
                'aria-posinset': index + 1,
                style: { transform: `translateY(${start}px)` },
              })}
        >
          <LineCard
            item={item}
            row={index}
            actions={actions}
            sectionSum={item.type === 'section' ? sectionTotal(items, index) : null}
            others={taken.get(item.id)}
            comments={comments.get(item.id) ?? 0}
            refused={refusedBy.get(item.id) ?? NONE_REFUSED}
            isReasonAbove={saidAbove.has(item.priceReason)}
          />
        </li>
      ))}
    </ul>
  );
}

type CardProps = {
  item: QuoteItem;
  /** The position of the line among all lines. */
  row: number;
  actions: LineActions;
  /** The total of the section that the line begins. Null for other lines. */
  sectionSum: number | null;
  others: readonly Other[] | undefined;
  comments: number;
  refused: readonly RefusedText[];
  /** Whether the reason for its price is shown above the lines. */
  isReasonAbove: boolean;
};

function LineCard({ item, row, actions, sectionSum, others, comments, refused, isReasonAbove }: CardProps) {
  const { data, marks } = useBoard();
  const { currnIdx, discountPct } = data.quote;
  const editable = data.editable.commercial;
  const note = [
    item.priceSource === 'Manual' && isReasonAbove ? '' : priceNote(item, currnIdx),
    item.optional ? 'optional' : '',
    configuredNote(item),
  ]
    .filter(Boolean)
    .join(' · ');
  const trouble = lineTrouble(item, currnIdx);
  const menu =
    editable && item.type !== 'free' ? (
      <LineMenu item={item} currnIdx={currnIdx} actions={actions} cards={{ promotable: data.editable.promotions }} />
    ) : null;
  return (
    <>
      <Taken others={others} />
      {isPriced(item) ? (
        <div style={{ opacity: item.active ? 1 : 0.55 }}>
          <Group wrap="nowrap" gap={0} align="start" pr={menu ? 4 : 0}>
            <UnstyledButton
              flex={1}
              miw={0}
              pl="sm"
              pr={menu ? 4 : 'sm'}
              pt={8}
              disabled={!editable || item.type === 'free'}
              onClick={() => actions.edit(item)}
            >
              <Group gap="xs" wrap="nowrap" align="start">
                {item.imgThumbnailUrl ? <Thumbnail url={item.imgThumbnailUrl} /> : null}
                <div style={{ flex: 1, minWidth: 0 }}>
                  <Group justify="space-between" wrap="nowrap">
                    <Text fw={600} size="sm" className="ellipsis tabular">
                      {item.itemNumber}
                    </Text>
                    <Text fw={600} size="sm" className="figure">
                      {formatAmount(item.lineTotal, currnIdx)}
                    </Text>
                  </Group>
                  <Text size="sm">
                    <ItemName item={item} />
                  </Text>
                </div>
              </Group>
            </UnstyledButton>
            {menu}
          </Group>
          <Group gap="xs" px="sm" pb={6}>
            <Text size="sm" className="figure">
              {item.qty} {item.unit} × {paidWords(netOf(item, discountPct), currnIdx)}
            </Text>
            <ProofButton item={item} currnIdx={currnIdx} className={classes['thumb']} />
            {comments > 0 ? (
              <button
                type="button"
                className={`${classes['comments']} ${classes['thumb']}`}
                aria-label={`${countOf(comments, 'comment')} on line ${item.lineNo}`}
                onClick={() => actions.comment(item)}
              >
                <IconMessage size={14} aria-hidden /> {comments}
              </button>
            ) : null}
            {note ? (
              <Text size="xs" className="muted">
                {note}
              </Text>
            ) : null}
            {trouble ? (
              <Text size="xs" c="red" w="100%">
                {trouble}
              </Text>
            ) : null}
          </Group>
        </div>
      ) : (
        <Group wrap="nowrap" gap={4} pl="sm" pr={4} py={4} style={{ background: 'var(--app-surface)' }}>
          <Text fw={600} size="sm" component="div" flex={1} miw={0}>
            {editable ? (
              <CellInput
                item={item}
                row={row}
                column="description"
                words
                label={`Description of line ${item.lineNo}`}
                value={item.description}
                refused={refused[0]}
                refuse={actions.refuse}
                onMove={() => {}}
                onCommit={(text, seen) => describe(actions, text, seen)}
              />
            ) : (
              item.description
            )}
          </Text>
          {item.type === 'section' ? (
            <Text size="sm" className="figure">
              {formatAmount(sectionSum ?? 0, currnIdx)}
            </Text>
          ) : null}
          {menu}
        </Group>
      )}
      {marks.has(item.id) ? (
        <Text size="xs" className={classes['mark']} px="sm" pb={6}>
          {markWords(marks.get(item.id))}
        </Text>
      ) : null}
      {refused.length > 0 ? (
        <Text size="xs" c="red" component="div" px="sm" pb={6} role="alert" id={troubleId(item.id)}>
          <RefusedCells refused={refused} refuse={actions.refuse} />
        </Text>
      ) : null}
    </>
  );
}
