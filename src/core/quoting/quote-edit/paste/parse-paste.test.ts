// Tests realistic pasted rows, with and without headings, tabs, semicolons or spaces: every cell is read or kept as unused.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_QUOTE_LINES } from '#core/quoting/quotes/quote-rows.ts';
import { isTable, linesOf, parsePaste } from './parse-paste.ts';

const read = (text: string) => {
  const table = parsePaste(text);
  return linesOf(table, table.roles).map(({ itemNumber, qty, unit, price, unused }) => [
    itemNumber,
    qty,
    unit,
    ...(price ? [`price ${price}`] : []),
    ...unused.map((cell) => cell.text),
  ]);
};

describe('parsePaste', () => {
  it.each([
    [
      'three columns',
      '551000\t40\tBX\n881003\t4\tEA',
      [
        ['551000', '40', 'BX'],
        ['881003', '4', 'EA'],
      ],
    ],
    [
      'commas below a heading',
      'Item,Qty,UOM,Price\n901048,2,CS,$40.10\n901049,"1,200",EA,0.10\n',
      [
        ['901048', '2', 'CS', 'price $40.10'],
        ['901049', '1,200', 'EA', 'price 0.10'],
      ],
    ],
    [
      'units that are no short codes',
      '901048\t2\tEA\n551029\t3\tCARTON\n551044\t3\tCASE12',
      [
        ['901048', '2', 'EA'],
        ['551029', '3', 'CARTON'],
        ['551044', '3', 'CASE12'],
      ],
    ],
    [
      'quantities with their unit behind them',
      'A-1\t2 cs\nA-2\t2cs\nA-3\t2 CS of 10\nA-4\t3',
      [
        ['A-1', '2', 'cs'],
        ['A-2', '2', 'cs'],
        ['A-3', '2', 'CS of 10'],
        ['A-4', '3', ''],
      ],
    ],
    [
      'quantities with their unit under a heading, and a unit that says the same or another',
      'Item #\tQty\tUOM\nA-1\t1,200 cases\tCS\nA-2\t2 bx\tEA\nA-3\t4 of them\tEA',
      [
        ['A-1', '1,200', 'CS'],
        ['A-2', '2 bx', 'EA'],
        ['A-3', '4 of them', 'EA'],
      ],
    ],
    [
      'packs before the quantity',
      'A-1\t100 EA\t4\nA-2\t50 EA/CA\t2',
      [
        ['A-1', '4', '100 EA'],
        ['A-2', '2', '50 EA/CA'],
      ],
    ],
    [
      'a code beside a word',
      '551044\t4\tCS\n551029\t1\tPALLET',
      [
        ['551044', '4', 'CS'],
        ['551029', '1', 'PALLET'],
      ],
    ],
    [
      'a unit among words that are none',
      'A-1\t4\tCS\nA-2\t1\tZOLL\nA-3\t1\tGROSS-9',
      [
        ['A-1', '4', 'CS'],
        ['A-2', '1', 'ZOLL'],
        ['A-3', '1', 'GROSS-9'],
      ],
    ],
    [
      'units with what they hold',
      'A-1\t4\tCase of 10 EA\nA-2\t1\tBX (100 EA)\nA-3\t2\t50 EA/CA',
      [
        ['A-1', '4', 'Case of 10 EA'],
        ['A-2', '1', 'BX (100 EA)'],
        ['A-3', '2', '50 EA/CA'],
      ],
    ],
    [
      'a heading in another order',
      'Qty\tUOM\tItem #\n1,200\tCS\tAB-1\n3\tEA\tAB-2',
      [
        ['AB-1', '1,200', 'CS'],
        ['AB-2', '3', 'EA'],
      ],
    ],
    [
      'a heading with descriptions and prices',
      'Item description\tItem No.\tUnit Price\tUnit\tOrder Qty\tDisc. %\nGlove\tAB-1\t$58.00\tBX\t3\t5 %',
      [['AB-1', '3', 'BX', 'price $58.00', 'Glove', '5 %']],
    ],
    [
      'what a unit holds before the quantity',
      'Item No\tItem Description\tUOM\tQty/UOM\tQty\n191072\tx\tCS\t500\t2',
      [['191072', '2', 'CS', 'x', '500']],
    ],
    ['the stock before the quantity', 'Item\tQty On Hand\tOrder Qty\nAB-1\t40\t3', [['AB-1', '3', '', '40']]],
    ['a quantity beside others', 'Item\tQty Shipped\tQty.\tLast Qty\nAB-1\t1\t3\t5', [['AB-1', '3', '', '1', '5']]],
    ['a quantity of two words in one', 'item_no\tqty_per_case\torder_qty\nAB-1\t40\t3', [['AB-1', '3', '', '40']]],
    ...[
      'Qty/Case',
      'Qty per case',
      'QTY / UNIT',
      'Qty On Hand',
      'Pack Qty',
      'Annual Quantity',
      'Available Qty',
      'Qty Avail.',
      'Min Qty',
      'QtyPerCase',
      'Case Qty',
    ].map((title): [string, string, string[][]] => [
      `${title}, which is no quantity`,
      `Item\t${title}\nAB-1\t500`,
      [['AB-1', '', '', '500']],
    ]),
    ['a heading without a quantity', 'Item\tUOM\nAB-1\tEA', [['AB-1', '', 'EA']]],
    [
      'numbers only',
      '551000\n881003\r\n\r\n',
      [
        ['551000', '', ''],
        ['881003', '', ''],
      ],
    ],
    [
      'a description between',
      'AB-1\tGlove\t12\nAB-2\tGown\t3',
      [
        ['AB-1', '12', '', 'Glove'],
        ['AB-2', '3', '', 'Gown'],
      ],
    ],
    ['a price before the quantity', 'AB-1\t58.00\t12\tEA', [['AB-1', '12', 'EA', 'price 58.00']]],
    [
      'running numbers before the items',
      '1\tAB-1\t12\n2\tAB-2\t3',
      [
        ['AB-1', '12', '', '1'],
        ['AB-2', '3', '', '2'],
      ],
    ],
    ['semicolons', 'AB-1;12;EA', [['AB-1', '12', 'EA']]],
    [
      'a semicolon inside a cell of a spreadsheet',
      'AB-1\tGlove; blue  large\t12',
      [['AB-1', '12', '', 'Glove; blue  large']],
    ],
    [
      'wide spaces',
      '  AB-1   12   EA\n  AB-2   1   BX',
      [
        ['AB-1', '12', 'EA'],
        ['AB-2', '1', 'BX'],
      ],
    ],
    ['quoted cells', '"AB-1"\t"2"', [['AB-1', '2', '']]],
    [
      'a cell of two lines',
      'AB-1\t"Glove\n""blue"""\t2\nAB-2\tGown\t3',
      [
        ['AB-1', '2', '', 'Glove "blue"'],
        ['AB-2', '3', '', 'Gown'],
      ],
    ],
    [
      'a stray opening quote',
      '"AB-1\t2\nAB-2\t3\nAB-3"\t4',
      [
        ['"AB-1', '2', ''],
        ['AB-2', '3', ''],
        ['AB-3"', '4', ''],
      ],
    ],
    [
      'quantities that are none',
      'AB-1\tsome\nAB-2\t4\nAB-3\t-3',
      [
        ['AB-1', 'some', ''],
        ['AB-2', '4', ''],
        ['AB-3', '-3', ''],
      ],
    ],
    [
      'rows without an item number',
      'AB-1\t1\n\t5\nAB-2\t2',
      [
        ['AB-1', '1', ''],
        ['', '5', ''],
        ['AB-2', '2', ''],
      ],
    ],
  ])('reads %s', (_name, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ['Item\tQty\tOrder Qty', [1, 2]],
    ['Item\tEst. Qty\tUOM\tQty Shipped', [1, 3]],
    ['Item\tEst. Qty\tOrdered', []],
    ['Item\tOrder\tQty/Case', []],
  ])('asks which column of %j is the quantity when several may be', (heading, unsure) => {
    const table = parsePaste(`${heading}\nAB-1\t7\t8\t9`);
    expect(table.unsure).toEqual(unsure);
    expect(table.roles.includes('qty')).toBe(unsure.length === 0);
  });

  it.each([
    ['Item\tQty\tTarget price\tList price\tExt. price', 'AB-1\t2\t9.50\t12\t19', 2, []],
    ['Item\tQty\tPrice\tCost', 'AB-1\t2\t9.50\t8', -1, [2, 3]],
    ['', 'AB-1\t2\tEA\t$9.50', 3, []],
    ['', 'AB-1\t2\t9.50\t19.00', -1, [2, 3]],
    ['', 'AB-1\t2\t5 %', -1, []],
  ])('of %j it takes the one column of unit prices, and asks when several may be', (heading, row, column, prices) => {
    const table = parsePaste([heading, row].filter(Boolean).join('\n'));
    expect(table.roles.indexOf('price')).toBe(column);
    expect(table.prices).toEqual(prices);
  });

  it('says how many rows it did not read', () => {
    const table = parsePaste(`Item\tQty\n${'AB-1\t2\n'.repeat(MAX_QUOTE_LINES + 40)}`);
    expect([table.rows.length, table.more]).toEqual([MAX_QUOTE_LINES, 40]);
    const bare = parsePaste('AB-1\t2\n'.repeat(MAX_QUOTE_LINES + 1));
    expect([bare.rows.length, bare.more]).toEqual([MAX_QUOTE_LINES, 1]);
  });

  it('keeps every cell of any paste, whatever its columns mean', () => {
    const cell = fc.stringMatching(/^[A-Za-z0-9"';.,%$ /-]{0,12}$/);
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 8 }), (cells) => {
        const table = parsePaste(cells.map((row) => row.join('\t')).join('\n'));
        const stored = [
          ...table.titles.filter((title) => title !== ''),
          ...linesOf(table, table.roles).flatMap(({ itemNumber, qty, unit, price, unused }) =>
            [itemNumber, qty, unit, price, ...unused.map(({ text }) => text)].filter((text) => text !== ''),
          ),
        ];
        const bare = (texts: string[]) => texts.join('').replaceAll(/["\s]/g, '').split('').toSorted().join('');
        expect(bare(stored)).toBe(bare(cells.flat()));
      }),
    );
  });
});

describe('an email', () => {
  it('becomes rows of number, quantity, unit and words; other lines stand aside', () => {
    const table = parsePaste(
      'Hi Bob,\n20 cs nitrile gloves M, 4 bx 18g IV caths\n5 rolls tape #4471-B\nthe blue masks',
    );
    expect(table.aside).toEqual(['Hi Bob,']);
    expect(linesOf(table, table.roles)).toMatchObject([
      { itemNumber: '', qty: '20', unit: 'cs', unused: [{ text: 'nitrile gloves M' }] },
      { itemNumber: '', qty: '4', unit: 'bx', unused: [{ text: '18g IV caths' }] },
      { itemNumber: '4471-B', qty: '5', unit: 'rolls', unused: [{ text: 'tape' }] },
      { itemNumber: '', qty: '', unit: '', unused: [{ text: 'the blue masks' }] },
    ]);
  });

  it.each(['551000\n881003', 'A-1;4;CS\nA-2;1;EA', '551000  40  BX\n881003  4  EA', 'Item #\tQty\n20 cs gloves\t4'])(
    'is not %j',
    (text) => {
      expect(parsePaste(text).titles).not.toContain('Description');
    },
  );
});

describe('isTable', () => {
  it.each([
    ['551000', false],
    ['exam glove nitrile', false],
    ['551000\t4', true],
    ['551000\n881003', true],
    ['551000\n', false],
    ['20 cs gloves', false],
    ['20 cs gloves, 4 bx caths', true],
  ])('%j: %s', (text, expected) => {
    expect(isTable(text)).toBe(expected);
  });
});
