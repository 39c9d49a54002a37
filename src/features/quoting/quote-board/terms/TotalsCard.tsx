// The totals of the quote and its discount: at the foot of the lines, and as a card on a phone.
import type { ReactNode } from 'react';
import { formatAmount } from '#shared/money.ts';
import classes from '../board.module.css';
import { useBoard } from '../state/board.web.ts';
import { NumberOf } from './TermFields.tsx';

/** For a phone. */
export function TotalsCard() {
  return (
    <section className="card" aria-label="Totals">
      <Totals />
    </section>
  );
}

type Row = [label: string, value: ReactNode];

export function Totals() {
  const { data, quote, store, view } = useBoard();
  const money = (value: number) => formatAmount(value, quote.currnIdx);
  const discount: Row | null =
    data.editable.commercial && view === 'internal'
      ? [
          'Quote disc. %',
          <NumberOf
            key="discount"
            label="Discount on the whole quote, %"
            compact
            max={100}
            disabled={false}
            value={quote.discountPct}
            onSave={(discountPct) => store.changeQuote({ discountPct })}
          />,
        ]
      : quote.discountPct > 0
        ? ['Quote disc.', `${quote.discountPct} %`]
        : null;
  const rows: Row[] = [
    ['List', money(quote.listTotal)],
    // Typed prices above the list price are not a discount.
    quote.discountTotal < 0
      ? ['Above list', money(-quote.discountTotal)]
      : ['Discount', money(quote.discountTotal === 0 ? 0 : -quote.discountTotal)],
    ...(discount === null ? [] : [discount]),
    ['Subtotal', money(quote.subtotal)],
    ['Freight', money(quote.freightAmount)],
    [quote.taxExempt ? 'Tax (exempt)' : `Tax ${quote.taxRate} %`, money(quote.taxAmount)],
    ['Total', money(quote.totalAmount)],
  ];
  return (
    <>
      {data.provisional ? (
        <p className={classes['footNote']}>
          {data.provisional.text}{' '}
          {quote.fallbackTotal === null
            ? 'Without it there is no total.'
            : `Without it the total is ${money(quote.fallbackTotal)}.`}
        </p>
      ) : null}
      <dl className={classes['totals']}>
        {rows.map(([label, value]) => (
          <div key={label} data-total={label === 'Total' ? '' : undefined}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
