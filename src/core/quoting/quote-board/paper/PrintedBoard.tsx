// The board on paper: a document with head, lines and totals, instead of the screen with its fields and buttons.
import { Fragment, type ReactNode } from 'react';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { QUOTE_LABELS, QUOTE_TEXTS } from '#core/quoting/quotes/quote-fields.ts';
import { quoteNumber, STATUS_LABELS } from '#core/quoting/quotes/status.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount, formatPrice, pricesAligned } from '#platform/shared/money.ts';
import { cityStateZip } from '#platform/shared/place-words.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { cssText, usePrinting } from '#platform/ui/printing.web.ts';
import { type ColumnKey, placedColumns } from '../layout/columns.ts';
import { useBoardLayout } from '../layout/layout.web.ts';
import { isPriced, marginText, sourceTag } from '../lines/line-words.ts';
import { useBoard } from '../state/board.web.ts';
import { totalsInWords } from '../terms/totals-in-words.ts';
import classes from './paper.module.css';

export default function PrintedBoard() {
  return usePrinting() ? <Paper /> : null;
}

function Paper() {
  const { data, items, quote, view } = useBoard();
  const { layout } = useBoardLayout();
  const columns = placedColumns(layout, view === 'internal').filter(({ key, hidden }) => !hidden && key !== 'picture');
  const textOf = cellTexts(items, quote.currnIdx);
  const number = quoteNumber(quote.num, quote.revision);
  return (
    <article className={classes['paper']} aria-label={`Quote ${number}`}>
      <header className={classes['head']}>
        <div>
          <h1>Quote {number}</h1>
          <strong>{quote.facilityName || 'No facility yet'}</strong>
          {quote.facilityAcctNo ? <span> · Acct. {quote.facilityAcctNo}</span> : null}
        </div>
        <div className={classes['company']}>
          <strong>{appConfig.companyName}</strong>
          <div>
            {STATUS_LABELS[quote.statusId]}
            {quote.expired ? ', expired' : ''}
          </div>
        </div>
      </header>
      <dl className={classes['facts']}>
        {factsOf(quote).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <table className={classes['lines']}>
        <thead>
          <tr>
            <th scope="col" className={classes['figure']}>
              #
            </th>
            {columns.map(({ key, title, figure }) => (
              <th key={key} scope="col" className={figure ? classes['figure'] : classes[key]}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, row) => (
            <tr key={item.id} className={classes[item.type]} data-inactive={item.active ? undefined : ''}>
              <td className={classes['figure']}>{row + 1}</td>
              {isPriced(item) ? (
                columns.map(({ key, figure }) => (
                  <td key={key} className={figure ? classes['figure'] : classes[key]}>
                    {key === 'description' ? <Description item={item} currnIdx={quote.currnIdx} /> : textOf(item, key)}
                  </td>
                ))
              ) : (
                <td colSpan={columns.length}>{item.description}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes['foot']}>
        <div>
          {data.provisional ? <p>{data.provisional.text}</p> : null}
          {quote.discountPct > 0 && quote.discountReason ? (
            <p>
              {quote.discountPct}% off: {quote.discountReason}
            </p>
          ) : null}
          {quote.customerMessage ? <p className={classes['message']}>{quote.customerMessage}</p> : null}
        </div>
        <dl>
          {totalsInWords(quote).map(([label, value]) => (
            <div key={label} data-total={label === 'Total' ? '' : undefined}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <style nonce={appConfig.styleNonce}>{pageMargin(`Quote ${number}  ·  ${quote.facilityName}`)}</style>
    </article>
  );
}

const TEXTS = QUOTE_TEXTS.filter((text) => text.reader !== 'internal' && !('ownPlace' in text));

/** The facts above the lines, without empty ones. */
function factsOf(quote: ReturnType<typeof useBoard>['quote']): [string, string][] {
  const { shipTo } = quote;
  const facts: [string, string][] = [
    [QUOTE_LABELS.quoteDate, formatDate(quote.quoteDate)],
    [QUOTE_LABELS.validUntil, formatDate(quote.validUntil)],
    [QUOTE_LABELS.contactName, [quote.contactName, quote.phone, quote.contactEmail].filter(Boolean).join(', ')],
    ['Ship to', [shipTo.line1, shipTo.line2, cityStateZip(shipTo)].filter(Boolean).join(', ')],
    [QUOTE_LABELS.salesRepId, quote.salesRep.name],
    [QUOTE_LABELS.csRepId, quote.csRep.name],
    [QUOTE_LABELS.isRepId, quote.isRep.name],
    ...TEXTS.map(({ name, label }): [string, string] => [label, quote[name] ?? '']),
  ];
  return facts.filter(([, value]) => value !== '');
}

/** The text of each cell. Decimal points of prices align. */
function cellTexts(items: readonly QuoteItem[], currnIdx: number) {
  const inList = pricesAligned(items.map(({ listPrice }) => ({ price: listPrice })));
  const inPrice = pricesAligned(items.map(({ unitPrice }) => ({ price: unitPrice })));
  const priceText = (price: number | null, write: typeof inList) => (price === null ? '' : write(price, currnIdx));
  const columns: Record<Exclude<ColumnKey, 'picture' | 'description'>, (item: QuoteItem) => string> = {
    item: ({ itemNumber }) => itemNumber,
    qty: ({ qty }) => qty.toLocaleString('en-US', { maximumFractionDigits: 4 }),
    unit: ({ unit }) => unit,
    list: ({ listPrice }) => priceText(listPrice, inList),
    price: ({ type, unitPrice }) => (type === 'free' ? '' : priceText(unitPrice, inPrice)),
    source: sourceTag,
    discount: ({ discountPct }) => (discountPct === 0 ? '' : String(discountPct)),
    amount: ({ type, lineTotal }) => (type === 'free' ? 'no charge' : formatAmount(lineTotal, currnIdx)),
    margin: ({ marginPct }) => marginText(marginPct),
  };
  return (item: QuoteItem, column: ColumnKey) =>
    column === 'picture' || column === 'description' ? '' : columns[column](item);
}

function Description({ item, currnIdx }: { item: QuoteItem; currnIdx: number }): ReactNode {
  const remarks = [
    item.customerItemNumber ? `Customer’s item # ${item.customerItemNumber}` : '',
    item.optional ? 'Optional, not in total' : '',
    item.active ? '' : 'Inactive, not on the quote',
    item.fallback?.unitPrice ? `Price without approval: ${formatPrice(item.fallback.unitPrice, currnIdx)}` : '',
    item.priceProblem,
  ].filter(Boolean);
  return (
    <>
      {item.description}
      {remarks.map((remark) => (
        <Fragment key={remark}>
          <br />
          <small>{remark}</small>
        </Fragment>
      ))}
    </>
  );
}

/** Prints the quote's name at the foot of each page. The style sheet adds the page number. */
function pageMargin(words: string): string {
  return `@page board { @bottom-left { content: ${cssText(words)}; font: 8pt system-ui, sans-serif; color: #59616b; } }`;
}
