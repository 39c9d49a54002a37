// The choice for a paste with prices: keep ours, type theirs with a reason, or compare by line. No price is typed without a choice.
import { Group, Radio, Stack } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useRef } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import {
  type Currency,
  currencyWords,
  type Decimal,
  formatPrice,
  percentBelow,
  subtract,
} from '#platform/shared/money.ts';
import { formatPercent } from '#platform/shared/percent.ts';
import { rectInWindow } from '#platform/ui/in-window.web.ts';
import { ReasonField, useReasons } from '../lines/ReasonField.tsx';
import classes from './paste.module.css';
import { comparison, type Offer } from './paste-prices.ts';
import type { ReadyRow } from './paste-rows.ts';

export type PriceChoice = 'ours' | 'theirs' | 'compare';

/** A row that becomes a line, our price for it, and the pasted price. */
export type Priced = { index: number; row: ReadyRow; ours: Decimal | null | undefined; offer: Offer };

type Props = {
  priced: readonly Priced[];
  currnIdx: number;
  currency: Currency;
  /** Whether cells or the heading name the currency. */
  isCurrencySaid: boolean;
  choice: PriceChoice | null;
  onChoice: (choice: PriceChoice) => void;
  reason: string;
  onReason: (reason: string) => void;
  picked: ReadonlySet<number>;
  onPick: (picked: ReadonlySet<number>) => void;
  /** What is missing before the rows can be added. */
  problem: string;
  first: RefObject<HTMLInputElement | null>;
};

export function PastePrices(props: Omit<Props, 'currnIdx' | 'onPick'>) {
  const { priced, currency, isCurrencySaid, choice, onChoice, reason, onReason, picked, problem, first } = props;
  const { reasons } = useReasons();
  const counts = comparison(priced.map(({ ours, offer }) => ({ ours, theirs: offer.theirs })));
  const converted = priced.filter(({ offer }) => offer.typedAs).length;
  const types = choice === 'theirs' || (choice === 'compare' && picked.size > 0);
  return (
    <section className={classes['offer']} aria-label="Pasted prices">
      <Stack gap={6}>
        <Radio.Group
          label="The pasted rows have prices"
          description={[
            isCurrencySaid
              ? `In ${currencyWords(currency)}, as stated in the pasted rows.`
              : `No currency is stated: using ${currencyWords(currency)}, like the quote.`,
            converted > 0
              ? `Per the unit of each row; ${countOf(converted, 'price')} for another unit ${converted === 1 ? 'is' : 'are'} converted.`
              : 'Per the unit of each row.',
            summaryOf(counts),
          ].join(' ')}
          error={problem}
          value={choice}
          onChange={(next) => onChoice(next)}
        >
          <Group gap="lg" mt={6}>
            <Radio ref={first} value="ours" label="Keep ours" />
            <Radio value="theirs" label="Use theirs" />
            <Radio value="compare" label="Compare" />
          </Group>
        </Radio.Group>
        {types ? (
          <ReasonField
            description="Recorded with each price."
            maw={420}
            value={reason}
            onChange={onReason}
            reasons={reasons}
          />
        ) : null}
      </Stack>
    </section>
  );
}

function summaryOf({ lower, higher, same, none, unusable }: ReturnType<typeof comparison>): string {
  const parts = [
    `${lower} lower than ours`,
    `${higher} higher`,
    `${same} the same`,
    ...(none > 0 ? [`${none} where we have no price`] : []),
    ...(unusable > 0 ? [`${unusable} that cannot be used`] : []),
  ];
  return `${parts.join(', ')}.`;
}

/** Our price, the pasted price and the difference for each line, with a choice for each line. */
export function PriceComparison({
  priced,
  currnIdx,
  picked,
  onPick,
}: Pick<Props, 'priced' | 'currnIdx' | 'picked' | 'onPick'>) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: priced.length,
    getScrollElement: () => scroll.current,
    observeElementRect: rectInWindow,
    estimateSize: () => 36,
    overscan: 6,
  });
  const usable = priced.filter(({ offer }) => offer.theirs !== null);
  const toggle = (index: number, isOn: boolean) => {
    const next = new Set(picked);
    if (isOn) next.add(index);
    else next.delete(index);
    onPick(next);
  };
  const isAll = usable.length > 0 && usable.every(({ index }) => picked.has(index));
  return (
    <div
      ref={scroll}
      className={`${classes['scroll']} ${classes['comparison']}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keyboard too
      tabIndex={0}
      role="table"
      aria-label="Our prices and theirs"
      aria-rowcount={priced.length + 1}
    >
      <div role="rowgroup" className={classes['head']}>
        <div role="row" aria-rowindex={1} className={classes['row']}>
          <span role="columnheader">
            <input
              type="checkbox"
              aria-label="Use theirs in all lines"
              checked={isAll}
              onChange={() => onPick(new Set(isAll ? [] : usable.map(({ index }) => index)))}
            />
          </span>
          <span role="columnheader">Item</span>
          <span role="columnheader" className="figure">
            Ours
          </span>
          <span role="columnheader" className="figure">
            Theirs
          </span>
          <span role="columnheader" className="figure">
            Difference
          </span>
        </div>
      </div>
      <div role="rowgroup" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {virtualizer.getVirtualItems().map((place) => {
          const pricedRow = priced[place.index];
          if (!pricedRow) return null;
          const { index, row, ours, offer } = pricedRow;
          const { theirs } = offer;
          const number = index + 1;
          return (
            <div
              key={index}
              ref={virtualizer.measureElement}
              data-index={place.index}
              role="row"
              aria-rowindex={place.index + 2}
              className={classes['row']}
              style={{ position: 'absolute', insetInline: 0, transform: `translateY(${place.start}px)` }}
            >
              <span role="cell">
                <input
                  type="checkbox"
                  aria-label={`Use theirs in row ${number}`}
                  checked={picked.has(index)}
                  disabled={theirs === null}
                  onChange={(event) => toggle(index, event.currentTarget.checked)}
                />
              </span>
              <span role="cell" className={classes['item']}>
                {row.item.itemNumber} {row.item.description}
                <span className={classes['note']}>
                  {row.qty} {row.unit}
                  {offer.typedAs ? `, converted to a price per ${row.unit}` : ''}
                </span>
                {offer.problem ? <span className={classes['problem']}>{offer.problem}</span> : null}
              </span>
              <span role="cell" className="figure">
                {ours === undefined ? '…' : ours === null ? 'no price' : formatPrice(ours, currnIdx)}
              </span>
              <span role="cell" className="figure">
                {theirs === null ? '–' : formatPrice(theirs, currnIdx)}
              </span>
              <span role="cell" className="figure">
                {theirs === null || ours === null || ours === undefined ? '' : differenceOf(theirs, ours, currnIdx)}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** '−$1.20 (−8.3%)' */
function differenceOf(theirs: Decimal, ours: Decimal, currnIdx: number): string {
  const percent = -percentBelow(theirs, ours);
  const share = ours === 0 ? '' : ` (${percent > 0 ? '+' : ''}${formatPercent(percent)})`;
  const difference = subtract(theirs, ours);
  return `${difference > 0 ? '+' : ''}${formatPrice(difference, currnIdx)}${share}`;
}
