// Tests parsing cells, with tables and with properties: a value that a user or a spreadsheet writes is read back unchanged.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EURO_INDEX, formatPrice } from '#platform/shared/money.ts';
import { date, lastDay } from './cell-days.server.ts';
import { listedZip, state, zip } from './cell-places.server.ts';
import {
  baseUnit,
  type CellParser,
  cleaned,
  code,
  currency,
  degrees,
  email,
  endOfRange,
  fromQuantity,
  itemStatus,
  packsOf,
  percent,
  phone,
  price,
  quantity,
  roles,
  Several,
  textOf,
  unit,
  yesNo,
} from './cell-values.server.ts';
import { Refusal } from './refusal.server.ts';

const corrections: string[] = [];
const read = (parser: CellParser, text: string, heading = 'Price') => {
  corrections.length = 0;
  const value = parser(cleaned(text), { heading, noteCorrection: (_one, many) => corrections.push(many) });
  return value instanceof Refusal ? `refused: ${value.reason}` : value;
};

test.each([
  ['  ST.\u00a0MARY\u00a0 ', 'ST. MARY'],
  ['10CM\u00a0', '10CM'],
  ['two\r\nlines\tand a tab', 'two lines and a tab'],
  ['zero\u200bwidth\ufeff', 'zerowidth'],
  ['joiners\u200c of \u200dLatin', 'joiners of Latin'],
  ['AB\u200d12', 'AB12'],
  ['\u{1f469}\u200d\u2695\ufe0f nurse', '\u{1f469}\u200d\u2695\ufe0f nurse'],
  ['\u0c2c\u0c38\u0c4d\u200c \u0c28\u0c46\u0c02', '\u0c2c\u0c38\u0c4d\u200c \u0c28\u0c46\u0c02'],
  ['\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['nul\u0000byte', 'nul byte'],
  ['half \ud83c a character', 'half \ufffd a character'],
  ['NOT AVAILABLE', ''],
  ['n/a', ''],
  ['#N/A', ''],
  ['-', ''],
  ['\u00a0', ''],
  ["'+1 256 845 3150", '+1 256 845 3150'],
  ["'s-Hertogenbosch", "'s-Hertogenbosch"],
  ['None of these', 'None of these'],
])('%j is cleaned to %j', (cell, expected) => {
  expect(cleaned(cell)).toBe(expected);
});

const MADE_A_DATE =
  'refused: is a date that a spreadsheet made of a number: format the column as text and type the number again';

describe('kinds of cells', () => {
  const tables: [string, CellParser, [string, unknown][]][] = [
    [
      'ZIP',
      zip,
      [
        ['02818', '02818'],
        ['2818', '02818'],
        ['501', '00501'],
        ['02818-1234', '02818'],
        ['2818-1234', '02818'],
        ['028181234', '02818'],
        ['28181234', '02818'],
        ['2818.0', '02818'],
        ['K1A 0B1', 'refused: is not a US ZIP code'],
        ['28', 'refused: is not a US ZIP code'],
        ['021', 'refused: is not a US ZIP code'],
        ['0210', 'refused: is not a US ZIP code'],
        ['350', 'refused: is not a US ZIP code'],
        ['606', '00606'],
      ],
    ],
    [
      'ZIP of a list',
      listedZip,
      [
        ['2818', '02818'],
        ['606', 'refused: may be 00606, or all ZIP codes that begin with 606: write each with five digits'],
      ],
    ],
    [
      'from quantity',
      fromQuantity,
      [
        ['10', '10'],
        ['1-9', '1'],
        ['1,000+', '1000'],
        ['50 or more', '50'],
        ['10 and up', '10'],
        ['0-9', 'refused: must be above zero'],
        ['>50', 'refused: is not an amount'],
      ],
    ],
    [
      'price',
      price,
      [
        ['$1,141.40', '1141.40'],
        ['1,141.40', '1141.40'],
        ['351,984.50', '351984.50'],
        ['5', '5'],
        ['.5', '0.5'],
        ['5.', '5'],
        ['USD 12.00', '12.00'],
        ['12.00 USD', '12.00'],
        ['€ 12.00', '12.00'],
        ['0', '0'],
        ['28.32\u00a0', '28.32'],
        ['1E-3', '0.0010'],
        ['7.333333', '7.3333'],
        ['(12.00)', 'refused: is negative'],
        ['-3', 'refused: is negative'],
        ['1.00 - 5.00', 'refused: is a range, not one price'],
        ['$1.00–$5.00', 'refused: is a range, not one price'],
        ['1.141,40', 'refused: is written with a decimal comma: write 1,234.50, or choose decimal commas for the file'],
        ['12,5', 'refused: is written with a decimal comma: write 1,234.50, or choose decimal commas for the file'],
        ['12,50 €', 'refused: is written with a decimal comma: write 1,234.50, or choose decimal commas for the file'],
        ['0,125', 'refused: is written with a decimal comma: write 1,234.50, or choose decimal commas for the file'],
        [
          '1.234.567',
          'refused: is written with a decimal comma: write 1,234.50, or choose decimal commas for the file',
        ],
        ['1 234,50', 'refused: is written with a decimal comma: write 1,234.50, or choose decimal commas for the file'],
        ['1.234', '1.234'],
        ['1,234', '1234'],
        ['8.25%', 'refused: is not an amount'],
        ['call us', 'refused: is not an amount'],
        ['1,23,456', 'refused: is not an amount'],
        ['99999999999', 'refused: is larger than 9,999,999,999.9999'],
      ],
    ],
    [
      'lower end',
      endOfRange('low'),
      [
        ['1.00 - 5.00', '1.00'],
        ['$1.00 to $5.00', '1.00'],
        ['3.50', '3.50'],
      ],
    ],
    [
      'higher end',
      endOfRange('high'),
      [
        ['1.00 - 5.00', '5.00'],
        ['$1.00–$1,005.00', '1005.00'],
        ['3.50', '3.50'],
      ],
    ],
    [
      'quantity',
      quantity,
      [
        ['10', '10'],
        ['0', 'refused: must be above zero'],
      ],
    ],
    [
      'percent',
      percent,
      [
        ['8.25 %', '8.25'],
        ['8.25', '8.25'],
        ['101', 'refused: is more than 100 percent'],
        ['0', '0'],
        ['0.625 %', '0.625'],
        ['0.0825', 'refused: may be 8.25% or 0.0825%: write it with the sign %'],
      ],
    ],
    [
      'phone',
      phone,
      [
        ['3347938701', '(334) 793-8701'],
        ['(256) 845-3150', '(256) 845-3150'],
        ['1-256-845-3150', '(256) 845-3150'],
        ['+1 256.845.3150', '(256) 845-3150'],
        ['256-845-3150 ext. 12', '(256) 845-3150 x12'],
        ['256-845-3150 x12', '(256) 845-3150 x12'],
        ['+44 20 7946 0958', '+44 20 7946 0958'],
        ['845-3150', 'refused: is not a phone number of ten digits'],
      ],
    ],
    [
      'date',
      date,
      [
        ['12/28/2018', '2018-12-28'],
        ['1/5/18', '2018-01-05'],
        ['2018-12-28', '2018-12-28'],
        ['2018-12-28T13:45:00', '2018-12-28'],
        ['12/28/2018 1:45 PM', '2018-12-28'],
        ['20181228', '2018-12-28'],
        ['17-May-2016', '2016-05-17'],
        ['17-May-16', '2016-05-17'],
        ['2016/5/17', '2016-05-17'],
        ['May 17, 2016', '2016-05-17'],
        ['43462', '2018-12-28'],
        ['02/30/2018', 'refused: is not a date (write mm/dd/yyyy)'],
        ['soon', 'refused: is not a date (write mm/dd/yyyy)'],
      ],
    ],
    [
      'number of an account or item',
      code,
      [
        ['010012', '010012'],
        ['4.40E+233', 'refused: was shortened by a spreadsheet (1.23E+12): its digits are lost'],
        ['1E+5', 'refused: was shortened by a spreadsheet (1.23E+12): its digits are lost'],
        ['1.2E-05', 'refused: was shortened by a spreadsheet (1.23E+12): its digits are lost'],
        ['2026-03-10', MADE_A_DATE],
        ['3/10/2026', MADE_A_DATE],
        ['10-Mar', MADE_A_DATE],
        ['Mar-10', MADE_A_DATE],
        ['MAR-10', 'MAR-10'],
        ['Mar', 'Mar'],
        ['12-3/4', '12-3/4'],
        ['44E233', '44E233'],
        ['1E10', '1E10'],
        ['2e6', '2e6'],
        ['A1E10', 'A1E10'],
        ['1.5E10', 'refused: was shortened by a spreadsheet (1.23E+12): its digits are lost'],
        ['1e+10', 'refused: was shortened by a spreadsheet (1.23E+12): its digits are lost'],
      ],
    ],
    [
      'state',
      state,
      [
        ['ct', 'CT'],
        ['Connecticut', 'CT'],
        ['D.C.', 'DC'],
        ['PUERTO RICO', 'PR'],
        ['Ontario', 'refused: is not a state or territory of the USA'],
      ],
    ],
    [
      'unit',
      unit,
      [
        ['Each', 'EA'],
        ['CASE', 'CS'],
        ['Inner Box', 'BX'],
        ['Master carton', 'CT'],
        ['PACK_OR_INNER_PACK', 'PK'],
        ['gal', 'GAL'],
        ['Clamshell', 'refused: is not a unit of measure'],
        ['50 EA/CA', new Several({ unit: 'CS', pack_count: '50', pack_of: 'EA', unit_text: '50 EA/CA' })],
        ['BX/10', new Several({ unit: 'BX', pack_count: '10', unit_text: 'BX/10' })],
      ],
    ],
    [
      'base unit',
      baseUnit,
      [
        ['Each', 'EA'],
        [
          'Case of 10 EA',
          "refused: may be CS, or EA in a CS of 10: write the one it is counted in, or answer for the whole file: A unit such as '100/bx'",
        ],
      ],
    ],
    [
      'last day',
      lastDay,
      [
        ['12/31/2026', '2026-12-31'],
        ['12/31/9999', 'infinity'],
        ['9999-12-31T00:00:00', 'infinity'],
        ['99991231', 'infinity'],
        ['31-Dec-9999', 'infinity'],
        ['December 31, 9999', 'infinity'],
        ['2958465', 'infinity'],
        ['01/01/3000', 'infinity'],
        ['12/31/2099', 'infinity'],
        ['06/06/2079', 'infinity'],
        ['12/30/2099', '2099-12-30'],
        ['Until further notice', 'infinity'],
        ['9999', 'refused: is not a date (write mm/dd/yyyy)'],
      ],
    ],
    [
      'currency',
      currency,
      [
        ['USD', 1007],
        ['eur', EURO_INDEX],
        ['1009', EURO_INDEX],
        ['1008', 1008],
        ['GBP', 'refused: is not a currency quoted here (USD or EUR)'],
      ],
    ],
    [
      'yes or no',
      yesNo,
      [
        ['Y', true],
        ['OPEN', true],
        ['CLOSED', false],
        ['0', false],
        ['maybe', 'refused: is neither yes nor no'],
      ],
    ],
    [
      'status of an item',
      itemStatus,
      [
        ['In Commercial Distribution', 'Active'],
        ['Not in Commercial Distribution', 'Discontinued'],
        ['Obsolete', 'Discontinued'],
        ['?', 'refused: is not a status of an item (Active or Discontinued)'],
      ],
    ],
    [
      'email',
      email,
      [
        ['Ann.Lee@Example.com', 'ann.lee@example.com'],
        ['ann', 'refused: is not an email address'],
      ],
    ],
    [
      'roles',
      roles,
      [
        ['salesrep; CSREP', ['csrep', 'salesrep']],
        ['Sales representative', ['salesrep']],
      ],
    ],
    [
      'degrees',
      degrees(90),
      [
        ['41.75366781', '41.753668'],
        ['91', 'refused: is not a number between -90 and 90'],
      ],
    ],
    [
      'text',
      textOf(5),
      [
        ['short', 'short'],
        ['longer', 'refused: has 6 characters, but at most 5 fit'],
        ['#REF!', 'refused: is an Excel error'],
      ],
    ],
  ];
  test.each(
    tables.flatMap(([name, parser, rows]) => rows.map(([text, expected]) => ({ name, parser, text, expected }))),
  )('$name $text', ({ parser, text, expected }) => {
    expect(read(parser, text)).toEqual(expected);
  });
});

test('a zero is a price, except in a fee schedule', () => {
  expect(read(price, '0', 'TX (R)')).toBeNull();
  expect(read(price, '0.00', 'Ceiling')).toBeNull();
  expect(read(price, '0', 'Unit Price')).toBe('0');
});

test('corrections are counted', () => {
  read(zip, '2818');
  expect(corrections).toEqual(['ZIP codes that had lost their leading zero']);
  read(price, '7.33333');
  expect(corrections).toEqual(['amounts rounded to four decimal places']);
  read(price, '7.3333');
  expect(corrections).toEqual([]);
});

test('an unknown role is named, with the list of known ones', () => {
  expect(read(roles, 'salesrep, boss')).toMatch(/no role named 'boss' \(roles: systemadmin, /);
});

test.each([
  ['10817169024283:10:Box', [{ unit: 'BX', factor: '10' }]],
  ['1:1:Kit;2:1:kit', [{ unit: 'KT', factor: '1' }]],
  ['1:6:inner;2:12:case', 'has several packages (PK of 6, CS of 12) and does not say which lies in which'],
  ['1:10:', 'does not say what kind of package holds 10'],
  ['1:10:Box starter pack', "has a package 'Box starter pack', which is not a unit of measure"],
  ['1:10:Box of 5', "has a package 'Box of 5' of 10: its size is stated twice"],
  ['ten boxes', "is not a list of packages 'number:quantity:type;…'"],
  ['1:0:Box', 'has a package of 0'],
])('packages %s', (text, expected) => {
  const packs = packsOf(text);
  expect(packs instanceof Refusal ? packs.reason : packs.map(({ unit, factor }) => ({ unit, factor }))).toEqual(
    expected,
  );
});

describe('properties', () => {
  const tenThousandths = fc.integer({ min: 0, max: 99_999_999_999 }).map((units) => units / 10_000);
  test('a formatted price is read back as the same price', () => {
    fc.assert(
      fc.property(tenThousandths, (value) => {
        expect(Number(read(price, formatPrice(value)))).toBe(value);
        expect(Number(read(price, String(value)))).toBe(value);
      }),
    );
  });
  test('a ZIP that became a number is read back as the same ZIP', () => {
    fc.assert(
      fc.property(fc.integer({ min: 501, max: 99_950 }), (number) => {
        expect(read(zip, String(number))).toBe(String(number).padStart(5, '0'));
      }),
    );
  });
  test('a day is read from any notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20_000, max: 80_000 }), (serial) => {
        const iso = new Date((serial - 25_569) * 86_400_000).toISOString().slice(0, 10);
        const [year = '', month = '', day = ''] = iso.split('-');
        for (const text of [
          String(serial),
          iso,
          `${Number(month)}/${Number(day)}/${year}`,
          `${month}/${day}/${year} 10:15`,
          year + month + day,
        ]) {
          expect(read(date, text)).toBe(iso);
        }
      }),
    );
  });
  test('no text makes a parser fail', () => {
    const parsers = [
      zip,
      price,
      quantity,
      phone,
      date,
      code,
      state,
      unit,
      currency,
      yesNo,
      itemStatus,
      email,
      roles,
      percent,
      endOfRange('low'),
    ];
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.constantFrom(...parsers), (text, parser) => {
        const value = read(parser, text);
        expect(['string', 'number', 'boolean', 'object']).toContain(typeof value);
      }),
      { numRuns: 1000 },
    );
  });
});
