// Writes an order as a file: JSON, CSV with one row per line, or X12 850.
import { csvLine, type CsvValue } from '#platform/shared/csv.ts';
import type { Order, OrderFormat, OrderLine } from './order.ts';
import { orderAsX12, type X12Settings } from './x12.server.ts';

const ENDINGS: Record<OrderFormat, string> = { json: 'json', csv: 'csv', x12: 'edi' };

export function orderFileName(key: string, format: OrderFormat): string {
  return `order-${key}.${ENDINGS[format]}`;
}

/** The text of the file. Equal orders and settings always produce equal text. Throws NotWritable if the format cannot represent the order. */
export function orderAsFile(order: Order, format: OrderFormat, settings: X12Settings, control: number): string {
  if (format === 'json') return `${JSON.stringify(order, null, 2)}\n`;
  if (format === 'csv') return orderAsCsv(order);
  return orderAsX12(order, settings, control);
}

/** The columns of the order that repeat in every row. */
const OF_ORDER: [string, (order: Order) => CsvValue][] = [
  ['Key', ({ key }) => key],
  ['Quote', ({ quoteNumber }) => quoteNumber],
  ['Revision', ({ revision }) => revision],
  ['Won at', ({ wonAt }) => wonAt],
  ['PO number', ({ poNumber }) => poNumber],
  ['Signed by', ({ signedBy }) => signedBy],
  ['Customer reference', ({ customerReference }) => customerReference],
  ['Account', ({ account }) => account.acctNo],
  ['Parent account', ({ account }) => account.parentAcctNo],
  ['Facility', ({ account }) => account.name],
  ['Bill to', ({ billTo }) => placeWords(billTo)],
  ['Ship to name', ({ shipTo }) => shipTo.name],
  ['Ship to line 1', ({ shipTo }) => shipTo.line1],
  ['Ship to line 2', ({ shipTo }) => shipTo.line2],
  ['Ship to city', ({ shipTo }) => shipTo.city],
  ['Ship to state', ({ shipTo }) => shipTo.state],
  ['Ship to ZIP', ({ shipTo }) => shipTo.zip],
  ['Contact', ({ contact }) => contact.name],
  ['Contact e-mail', ({ contact }) => contact.email],
  ['Contact phone', ({ contact }) => contact.phone],
  ['Payment terms', ({ terms }) => terms.payment],
  ['Freight terms', ({ terms }) => terms.freight],
  ['Currency', ({ currency }) => currency],
  ['Freight', ({ freight }) => freight],
  ['Tax', ({ tax }) => tax],
  ['Order total', ({ total }) => total],
  ['Replaces', ({ replaces }) => replaces],
];

const OF_LINE: [string, (line: OrderLine) => CsvValue][] = [
  ['Line', ({ lineNo }) => lineNo],
  ['Item number', ({ itemNumber }) => itemNumber],
  ['Description', ({ description }) => description],
  ['Quantity', ({ qty }) => qty],
  ['Unit', ({ unit }) => unit],
  ['Unit price', ({ unitPrice }) => unitPrice],
  ['Quote discount', ({ quoteDiscount }) => quoteDiscount],
  ['Line total', ({ lineTotal }) => lineTotal],
  ['Notes', ({ notes }) => notes],
  // Last, because programs also read columns by their position.
  ['Net price', ({ netPrice }) => netPrice],
  ['Customer item number', ({ customerItemNumber }) => customerItemNumber],
];

function orderAsCsv(order: Order): string {
  const head = OF_ORDER.map(([, value]) => value(order));
  const rows = order.lines.map((line) => [...head, ...OF_LINE.map(([, value]) => value(line))]);
  return [[...OF_ORDER, ...OF_LINE].map(([title]) => title), ...rows].map(csvLine).join('');
}

function placeWords({ name, line1, line2, city, state, zip }: Order['billTo']): string {
  return [name, line1, line2, [city, state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}
