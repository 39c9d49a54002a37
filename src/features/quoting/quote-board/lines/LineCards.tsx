// The lines as cards, for a phone: first item and amount, then the description, then quantity, price and source.
import { Group, Text, UnstyledButton } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef } from 'react';
import { ItemName, Thumbnail } from '#features/catalogue/items/ItemMarks.tsx';
import { useCommentCounts } from '#features/quoting/comments/comments.web.ts';
import type { QuoteItem } from '#features/quoting/quote-edit/lines/quote-item.ts';
import { netOf } from '#features/quoting/quotes/totals/net-price.ts';
import { countOf } from '#shared/count-of.ts';
import { formatAmount } from '#shared/money.ts';
import { usePlaceOnPage } from '#ui/in-window.web.ts';
import { usePrinting } from '#ui/printing.web.ts';
import classes from './lines.module.css';
import { othersByLine, takenBy, useOthers } from '../presence/others.web.ts';
import { Taken } from '../presence/Taken.tsx';
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

/** From so many lines on, only the cards near the window are drawn. */
const VIRTUAL_FROM = 100;
/** The usual height of a card in pixels. */
const CARD_HEIGHT = 81;

export function LineCards({ items, actions }: Props) {
  const { data, refused, marks } = useBoard();
  const { currnIdx, discountPct } = data.quote;
  const editable = data.editable.commercial;
  const refusedOf = ({ id }: QuoteItem) => refused.filter((cell) => cell.item.id === id);
  const taken = othersByLine(useOthers());
  const comments = useCommentCounts(data.quote.id);
  const saidAbove = useMemo(() => sharedReasons(items), [items]);
  const list = useRef<HTMLUListElement>(null);
  const isPrinting = usePrinting();
  const virtual = items.length > VIRTUAL_FROM && !isPrinting;
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
  /** The lines to draw, each with where it begins when only some are drawn. */
  const drawn = virtual
    ? virtualizer.getVirtualItems().flatMap(({ index, start }) => {
        const item = items[index];
        return item ? [{ item, index, start: start - top }] : [];
      })
    : items.map((item, index) => ({ item, index, start: null }));
  const noteOf = (item: QuoteItem) =>
    [
      item.priceSource === 'Manual' && saidAbove.has(item.priceReason) ? '' : priceNote(item, currnIdx),
      item.optional ? 'optional' : '',
      configuredNote(item),
    ]
      .filter(Boolean)
      .join(' · ');
  const menuOf = (item: QuoteItem) =>
    editable && item.type !== 'free' ? (
      <LineMenu item={item} currnIdx={currnIdx} actions={actions} cards={{ promotable: data.editable.promotions }} />
    ) : null;
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
          <Taken others={taken.get(item.id)} />
          {isPriced(item) ? (
            <div style={{ opacity: item.active ? 1 : 0.55 }}>
              <Group wrap="nowrap" gap={0} align="start" pr={menuOf(item) ? 4 : 0}>
                <UnstyledButton
                  flex={1}
                  miw={0}
                  pl="sm"
                  pr={menuOf(item) ? 4 : 'sm'}
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
                {menuOf(item)}
              </Group>
              <Group gap="xs" px="sm" pb={6}>
                <Text size="sm" className="figure">
                  {item.qty} {item.unit} × {paidWords(netOf(item, discountPct), currnIdx)}
                </Text>
                <ProofButton item={item} currnIdx={currnIdx} className={classes['thumb']} />
                {(comments.get(item.id) ?? 0) > 0 ? (
                  <button
                    type="button"
                    className={`${classes['comments']} ${classes['thumb']}`}
                    aria-label={`${countOf(comments.get(item.id) ?? 0, 'comment')} on line ${item.lineNo}`}
                    onClick={() => actions.comment(item)}
                  >
                    <IconMessage size={14} aria-hidden /> {comments.get(item.id)}
                  </button>
                ) : null}
                {noteOf(item) ? (
                  <Text size="xs" className="muted">
                    {noteOf(item)}
                  </Text>
                ) : null}
                {lineTrouble(item, currnIdx) ? (
                  <Text size="xs" c="red" w="100%">
                    {lineTrouble(item, currnIdx)}
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
                    row={index}
                    column="description"
                    words
                    label={`Description of line ${item.lineNo}`}
                    value={item.description}
                    refused={refusedOf(item)[0]}
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
                  {formatAmount(sectionTotal(items, index), currnIdx)}
                </Text>
              ) : null}
              {menuOf(item)}
            </Group>
          )}
          {marks.has(item.id) ? (
            <Text size="xs" className={classes['mark']} px="sm" pb={6}>
              {markWords(marks.get(item.id))}
            </Text>
          ) : null}
          {refusedOf(item).length > 0 ? (
            <Text size="xs" c="red" component="div" px="sm" pb={6} role="alert" id={troubleId(item.id)}>
              <RefusedCells refused={refusedOf(item)} refuse={actions.refuse} />
            </Text>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
