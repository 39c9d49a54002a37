// Tests that another program reads a workbook as it was written, and evaluates nothing in it.
import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import { writeXlsx } from './write-xlsx.server.ts';

it('is read back by another program; a text that looks like a formula stays a text', async () => {
  const bytes = writeXlsx([
    {
      name: 'Savings & more',
      before: ['Title', 'Below'],
      columns: [
        { title: 'Item', width: 12, look: 'text' },
        { title: 'Price', width: 10, look: 'price' },
      ],
      rows: [
        ['=HYPERLINK("http://example.com")', 9.5],
        ['<b>"Ä" \u0001 00471', null],
      ],
    },
    { name: 'Empty', before: [], columns: [{ title: 'A', width: 5, look: 'text' }], rows: [] },
  ]);
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(bytes as never);
  expect(book.worksheets.map(({ name }) => name)).toEqual(['Savings & more', 'Empty']);
  const [sheet] = book.worksheets;
  const at = (cell: string) => sheet?.getCell(cell);
  expect([at('A1')?.value, at('A2')?.value, at('A4')?.value, at('B4')?.value]).toEqual([
    'Title',
    'Below',
    'Item',
    'Price',
  ]);
  expect(at('A5')?.type).toBe(ExcelJS.ValueType.String);
  expect([at('A5')?.value, at('B5')?.value]).toEqual(['=HYPERLINK("http://example.com")', 9.5]);
  expect(at('A6')?.value).toBe('<b>"Ä"  00471');
  expect(writeXlsx([]).equals(writeXlsx([]))).toBe(true);
});
