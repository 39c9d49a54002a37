// Workbooks that are made to be misread: what a sheet shows and a file of text cannot say.
import type { Case } from './misread-files.server.ts';

export const BOOKS: Case[] = [
  {
    name: 'a euro format is the currency',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price'],
        ['{2}', { v: 12.5, as: '[$€-407] #,##0.00' }],
      ],
    },
    stored: ['{2} EA 12.5 EUR'],
  },
  {
    name: 'TRUE, a percentage and a time are no prices',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price'],
        ['{2}', true],
        ['{2}', { v: 0.125, as: '0.0%' }],
        ['{2}', { v: 0.5, as: 'h:mm' }],
      ],
    },
    refused: ["'true' is not an amount", "'12.5%' is not an amount", "'12:00:00' is not an amount"],
    stored: [],
  },
  {
    name: 'TRUE and a time are no item numbers',
    kind: 'items',
    file: {
      cells: [
        ['Item', 'Desc'],
        [true, 'Glove'],
        [{ v: 0.5, as: 'h:mm:ss' }, 'Mask'],
      ],
    },
    refused: ["'true' is a truth value", "'12:00:00' is a truth value, a time"],
  },
  {
    name: 'a day of its own beside a day with the day first',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price', 'Min Qty', 'Valid From'],
        ['{2}', 5, 1, '13/02/2026'],
        ['{2}', 4, 10, { v: new Date('2026-05-02T00:00:00Z'), as: 'mm/dd/yyyy' }],
      ],
    },
    refused: ['a spreadsheet may have swapped day and month'],
    stored: ['{2} EA 5 from 2026-02-13'],
  },
  {
    name: 'a hidden row is read and named',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price', 'Min Qty'],
        ['{2}', 5, 1],
        ['{2}', 4, 10],
      ],
      change: (sheet) => (sheet.getRow(3).hidden = true),
    },
    note: '1 row is hidden in the sheet and is read like the others: line 3.',
    stored: ['{2} EA 5', '{2} EA 4 from 10'],
  },
  {
    name: 'another sheet with as many rows',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price'],
        ['{2}', 5],
      ],
      change: (_, book) =>
        book.addWorksheet('Prices 2027').addRows([
          ['Artikel', 'Preis'],
          ['x', 6],
        ]),
    },
    asks: "Choose the sheet: 'Prices 2027' (2 rows) has as many rows as 'Prices'",
  },
  {
    name: 'the sheet that is named',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price'],
        ['{2}', { v: 30, as: '0.00' }],
      ],
      change: (_, book) =>
        book.addWorksheet('Prices 2027').addRows([
          ['Artikel', 'Preis'],
          ['x', 6],
        ]),
    },
    options: { sheet: 'Prices' },
    stored: ['{2} EA 30'],
  },
  {
    name: 'merged cells',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price', 'Min Qty'],
        ['{2}', 5, 1],
        ['{2}', '', 10],
      ],
      change: (sheet) => sheet.mergeCells('B2:B3'),
    },
    refused: ['are merged', 'are merged', 'gives no price'],
    stored: [],
  },
  {
    name: 'the unit of a number format',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price', 'Min Qty'],
        ['{1}', { v: 30, as: '0.00" /cs"' }, 1],
        ['{1}', { v: 30, as: '"$"#,##0.00" per M"' }, 10],
        ['{1}', 1.2, { v: 20, as: '0" CS"' }],
        ['{1}', { v: 1.1, as: '_("$"* #,##0.00_)' }, 100],
      ],
    },
    refused: ["'30.00 /cs' is not an amount", "'30.00 per M' is not an amount", "'20 CS' is not an amount"],
    stored: ['{1} EA 1.1 from 100'],
  },
  {
    name: 'comments of cells',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price'],
        ['{2}', 5],
        ['{1}', 1.1],
      ],
      change: (sheet) => {
        sheet.getCell('B2').note = 'Until June only';
        sheet.getCell('B3').note = 'Ask first';
      },
    },
    note: "2 cells have comments, ignored by the import: B2 'Until June only', ….",
  },
  {
    name: 'what is struck out',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price', 'Min Qty'],
        ['{2}', 5, 1],
        ['{2}', '12', 10],
        ['{2}', 3, 100],
      ],
      change: (sheet) => {
        sheet.getCell('B2').font = { strike: true };
        sheet.getCell('B3').value = { richText: [{ text: '1', font: { strike: true } }, { text: '2' }] };
        sheet.getCell('D4').font = { strike: true };
      },
    },
    refused: ["2 Price: '5' is struck out", "3 Price: '12' is struck out, or a part of it is"],
    stored: ['{2} EA 3 from 100'],
  },
  {
    name: 'a hidden column is read and named',
    kind: 'facilities',
    file: {
      cells: [
        ['Account', 'Name', 'Status', 'Fax'],
        ['{A}', 'North', 'Inactive', '1'],
      ],
      change: (sheet) => {
        sheet.getColumn(3).hidden = true;
        sheet.getColumn(4).hidden = true;
      },
    },
    note: '1 column is hidden in the sheet and read like the others: Status.',
    stored: ['{A} | inactive | taxable |  | '],
  },
];
