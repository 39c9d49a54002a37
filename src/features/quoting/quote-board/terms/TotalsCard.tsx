// The totals of the quote and its discount.
import { formatAmount } from '#shared/money.ts';
import classes from '../board.module.css';
import { useBoard } from '../state/board.web.ts';
import { NumberOf } from './TermFields.tsx';

export function TotalsCard() {
  const { data, quote, store, view } = useBoard();
  const money = (value: number) => formatAmount(value, quote.currnIdx);
  const rows: [string, string][] = [
    ['List', money(quote.listTotal)],
    // Typed prices above the list price are not a discount.
    quote.discountTotal < 0
      ? ['Above list', money(-quote.discountTotal)]
      : ['Discount', money(quote.discountTotal === 0 ? 0 : -quote.discountTotal)],
    ['Subtotal', money(quote.subtotal)],
    ['Freight', money(quote.freightAmount)],
    [quote.taxExempt ? 'Tax (exempt)' : `Tax ${quote.taxRate} %`, money(quote.taxAmount)],
    ['Total', money(quote.totalAmount)],
  ];
  return (
    <section className="card" aria-label="Totals">
      <dl className={classes['totals']}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd style={label === 'Total' ? { fontWeight: 700, fontSize: '1rem' } : undefined}>{value}</dd>
          </div>
        ))}
      </dl>
      {data.provisional ? (
        <p style={{ padding: '0 16px 12px', margin: 0, textAlign: 'right' }}>
          {data.provisional.text}{' '}
          {quote.fallbackTotal === null
            ? 'Without it there is no total.'
            : `Without it the total is ${money(quote.fallbackTotal)}.`}
        </p>
      ) : null}
      {data.editable.commercial && view === 'internal' ? (
        <div style={{ padding: '0 16px 12px', display: 'flex', justifyContent: 'flex-end' }} className="no-print">
          <NumberOf
            label="Discount on the whole quote, %"
            max={100}
            disabled={false}
            value={quote.discountPct}
            onSave={(discountPct) => store.changeQuote({ discountPct })}
          />
        </div>
      ) : quote.discountPct > 0 ? (
        <p className="muted" style={{ padding: '0 16px 12px', margin: 0, textAlign: 'right' }}>
          With {quote.discountPct} % off the whole quote
        </p>
      ) : null}
    </section>
  );
}
