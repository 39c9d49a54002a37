// The totals of the quote and its discount: at the foot of the lines, and as a card on a phone.
import { type ReactNode, useState } from 'react';
import { isDiscountable } from '#core/quoting/quotes/totals/quote-totals.ts';
import { add, extend, formatAmount } from '#platform/shared/money.ts';
import classes from '../board.module.css';
import { useBoard } from '../state/board.web.ts';
import { QuoteDiscountDialog } from './QuoteDiscountDialog.tsx';
import { NumberOf } from './TermFields.tsx';
import { totalsInWords } from './totals-in-words.ts';

/** The totals as a card, for a phone. */
export function TotalsCard() {
  return (
    <section className="card" aria-label="Totals">
      <Totals />
    </section>
  );
}

type Row = [label: string, value: ReactNode, field: string];

/** `lines` is the number of lines. Passed where nothing else shows it. */
export function Totals({ lines }: { lines?: number }) {
  const { data, items, quote, store, view } = useBoard();
  const money = (value: number) => formatAmount(value, quote.currnIdx);
  const [request, setAsked] = useState<number | null>(null);
  const setDiscount = (discountPct: number): string | void => {
    if (discountPct === 0) return store.changeQuote({ discountPct });
    setAsked(discountPct);
    return 'Enter the reason for the discount on the whole quote first.';
  };
  const discount: Row = [
    'Quote disc. %',
    <NumberOf
      key="discount"
      field="discountPct"
      label="Discount on the whole quote, %"
      compact
      max={100}
      disabled={false}
      value={quote.discountPct}
      onSave={setDiscount}
    />,
    'discountPct',
  ];
  const isDiscountEditable = data.editable.commercial && view === 'internal';
  const rows: Row[] = [
    ...(lines === undefined ? [] : [['Lines', lines.toLocaleString('en-US'), 'items'] satisfies Row]),
    ...totalsInWords(quote).filter(([, , field]) => !(isDiscountEditable && field === 'discountPct')),
  ];
  if (isDiscountEditable)
    rows.splice(
      rows.findIndex(([, , field]) => field === 'subtotal'),
      0,
      discount,
    );
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
      {quote.discountPct > 0 && quote.discountReason ? (
        <p
          className={`${classes['discountNote']} ellipsis`}
          title={`${quote.discountPct}% off the whole quote: ${quote.discountReason}`}
        >
          {quote.discountPct}% off: {quote.discountReason}
        </p>
      ) : null}
      {request === null ? null : (
        <QuoteDiscountDialog
          discountPct={request}
          gross={add(...items.filter(isDiscountable).map(({ unitPrice, qty }) => extend(unitPrice ?? 0, qty)))}
          currnIdx={quote.currnIdx}
          onSave={(discountReason) => {
            store.changeQuote({ discountPct: request, discountReason });
            setAsked(null);
          }}
          onClose={() => setAsked(null)}
        />
      )}
      <dl className={classes['totals']}>
        {rows.map(([label, value, field]) => (
          <div key={label} data-shows={field} data-total={label === 'Total' ? '' : undefined}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
