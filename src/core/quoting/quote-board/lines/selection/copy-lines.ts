// Formats lines for a spreadsheet's clipboard: tab-separated and as an HTML table, with exact values and a heading.
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { tsvCell } from '#platform/shared/csv.ts';
import type { ColumnKey } from '../../layout/columns.ts';
import { isPriced } from '../line-words.ts';

type Value = string | number | null;
/** The clipboard text cannot contain pictures. */
type CopiedKey = Exclude<ColumnKey, 'picture'>;

function valueOf(item: QuoteItem, column: CopiedKey): Value {
  if (column === 'description') return item.description;
  if (!isPriced(item)) return null;
  const values: Record<Exclude<CopiedKey, 'description'>, Value> = {
    item: item.itemNumber,
    qty: item.qty,
    unit: item.unit,
    list: item.listPrice,
    price: item.unitPrice,
    source: item.priceSource,
    discount: item.discountPct,
    amount: item.lineTotal,
    margin: item.marginPct ?? null,
  };
  return values[column];
}

/** `columns` are the visible ones, in display order. */
export function copyOf(
  items: readonly QuoteItem[],
  columns: readonly { key: ColumnKey; title: string }[],
): { text: string; html: string } {
  const copied = columns.flatMap(({ key, title }) => (key === 'picture' ? [] : [{ key, title }]));
  const heading: Value[] = copied.map(({ title }) => title);
  const rows = [heading, ...items.map((item) => copied.map(({ key }) => valueOf(item, key)))];
  return {
    text: rows.map((cells) => cells.map(tsvCell).join('\t')).join('\r\n'),
    html: `<table>${rows.map((cells) => `<tr>${cells.map(htmlCell).join('')}</tr>`).join('')}</table>`,
  };
}

/** Marks text as text, so that an item number keeps its leading zeros and the spreadsheet computes nothing. */
function htmlCell(value: Value): string {
  if (typeof value === 'number') return `<td>${value}</td>`;
  return `<td style="mso-number-format:'\\@'">${escaped(value ?? '')}</td>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
