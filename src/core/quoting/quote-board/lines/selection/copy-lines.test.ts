// Tests that copied lines keep their exact values and that pasting restores them.
import { expect, test } from 'vitest';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { linesOf, parsePaste } from '#core/quoting/quote-edit/paste/parse-paste.ts';
import { COLUMNS } from '../../layout/columns.ts';
import { copyOf } from './copy-lines.ts';

const line = (values: Partial<QuoteItem>) =>
  ({
    type: 'item',
    itemNumber: '',
    description: '',
    qty: 1,
    unit: 'EA',
    listPrice: null,
    unitPrice: null,
    priceSource: 'List',
    discountPct: 0,
    lineTotal: 0,
    marginPct: 12.5,
    ...values,
  }) as QuoteItem;
const bed = line({
  itemNumber: '000901',
  description: 'Bed, 36" <wide>\twith rails',
  qty: 2.5,
  listPrice: 12_000,
  unitPrice: 11_971.5072,
  discountPct: 0.2375,
  lineTotal: 29_928.77,
});
const section = line({ type: 'section', description: '=Ward 3' });

test('prices are exact, text stays text', () => {
  const { text, html } = copyOf([section, bed], COLUMNS);
  expect(text.split('\r\n')).toEqual([
    'Item #\tDescription\tQty.\tUnit\tList\tPrice\tSource\tDisc.%\tAmount\tMargin',
    "\t'=Ward 3\t\t\t\t\t\t\t\t",
    '000901\t"Bed, 36"" <wide> with rails"\t2.5\tEA\t12000\t11971.5072\tList\t0.2375\t29928.77\t12.5',
  ]);
  expect(html).toContain(`<td style="mso-number-format:'\\@'">000901</td>`);
  expect(html).toContain('Bed, 36&quot; &lt;wide&gt;');
  expect(html).toContain('<td>11971.5072</td>');
});

test('copied lines can be pasted as lines', () => {
  const table = parsePaste(copyOf([bed], COLUMNS).text);
  expect(linesOf(table, table.roles)[0]).toMatchObject({ itemNumber: '000901', qty: '2.5', unit: 'EA' });
});
