// Tests the 850 with a separate parser: envelopes, control numbers, counts, separators in the data, units without a code.
import { describe, expect, it } from 'vitest';
import type { Order, OrderLine } from './order.ts';
import { orderAsX12, UNIT_CODES } from './x12.server.ts';

const LINE: OrderLine = {
  lineNo: 1,
  lineId: 11,
  type: 'item',
  itemNumber: 'GLV-100',
  customerItemNumber: '',
  description: 'Gloves, nitrile',
  qty: 2,
  unit: 'CS',
  unitPrice: 12.5,
  netPrice: 12.5,
  quoteDiscount: 0,
  lineTotal: 25,
  notes: '',
};
const PLACE = { name: 'Clinic North', line1: '1 Main St', line2: '', city: 'Oak Park', state: 'IL', zip: '60302' };
const ORDER: Order = {
  key: '104000-R1',
  quoteNumber: 104_000,
  revision: 1,
  wonAt: '2026-11-23T16:05:09.000Z',
  quoteDate: '2026-11-02',
  poNumber: 'PO-9',
  signedBy: '',
  customerReference: '',
  currency: 'USD',
  account: { acctNo: 'A-1001', name: 'Clinic North', parentAcctNo: '' },
  billTo: PLACE,
  shipTo: { ...PLACE, line2: 'Dock 2' },
  contact: { name: 'Pat Buyer', email: 'pat@example.org', phone: '312-555-0100' },
  salesRep: { name: '', email: '' },
  terms: { payment: 'Net 30', freight: 'FOB Destination' },
  lines: [LINE],
  subtotal: 25,
  freight: 0,
  tax: 0,
  total: 25,
  replaces: '',
};
const SETTINGS = { sender: 'QUOTEBOARD', receiver: 'ERP', test: false, units: [], timeZone: 'UTC' };
const written = (order: Partial<Order> = {}, settings = {}, control = 42) =>
  orderAsX12({ ...ORDER, ...order }, { ...SETTINGS, ...settings }, control);
const lined = (line: Partial<OrderLine>, settings = {}) => written({ lines: [{ ...LINE, ...line }] }, settings);

/** Reads an interchange like a receiver: finds the separators at their positions in ISA, and checks every envelope. */
function read(text: string) {
  const [element, sub, end] = [text[3] ?? '', text[104] ?? '', text[105] ?? ''];
  const segments = text
    .split(end)
    .map((segment) => segment.replace(/^[\r\n]+/, ''))
    .filter(Boolean)
    .map((segment) => segment.split(element));
  const all = (id: string) => segments.filter(([name]) => name === id);
  const entry = (id: string) => {
    const [first, ...rest] = all(id);
    if (!first || rest.length > 0) throw new Error(`${rest.length + (first ? 1 : 0)} segments ${id}`);
    return first;
  };
  const at = (id: string) => segments.findIndex(([name]) => name === id);
  const [isa, gs, st, se, ge, iea] = ['ISA', 'GS', 'ST', 'SE', 'GE', 'IEA'].map(entry) as [
    string[],
    string[],
    string[],
    string[],
    string[],
    string[],
  ];
  expect(text.indexOf(end)).toBe(105);
  expect(isa).toHaveLength(17);
  expect([isa[16], sub]).toEqual(['>', '>']);
  expect([segments[0], segments.at(-1)]).toEqual([isa, iea]);
  expect([iea[1], iea[2]]).toEqual(['1', isa[13]]);
  expect([ge[1], ge[2]]).toEqual(['1', gs[6]]);
  expect([Number(se[1]), se[2]]).toEqual([at('SE') - at('ST') + 1, st[2]]);
  expect(Number(entry('CTT')[1])).toBe(all('PO1').length);
  return { segments, all, firstOf: entry, isa, gs };
}

describe('an order as X12 850', () => {
  it('has envelopes with matching control numbers, and an ISA of fixed width', () => {
    const { isa, gs } = read(written());
    expect(isa.slice(5)).toEqual([
      'ZZ',
      'QUOTEBOARD     ',
      'ZZ',
      'ERP            ',
      '261123',
      '1605',
      'U',
      '00401',
      '000000042',
      '0',
      'P',
      '>',
    ]);
    expect(gs).toEqual(['GS', 'PO', 'QUOTEBOARD', 'ERP', '20261123', '1605', '42', 'X', '004010']);
    expect(read(written({}, { test: true })).isa[15]).toBe('T');
    expect(read(written({}, {}, 2_147_483_647)).isa[13]).toBe('147483647');
  });

  it("has the customer's number of an item beside ours", () => {
    const lines = [
      { ...LINE, customerItemNumber: 'CUST 4471-B' },
      { ...LINE, itemNumber: '', customerItemNumber: '77' },
    ];
    expect(
      read(written({ lines }))
        .all('PO1')
        .map((segment) => segment.slice(5)),
    ).toEqual([
      ['', 'VN', 'GLV-100', 'IN', 'CUST 4471-B'],
      ['', 'IN', '77'],
    ]);
  });

  it('has the customer, the addresses, and the content of the order', () => {
    const { firstOf, all, segments } = read(written({ customerReference: 'REF 7', freight: 12.34 }));
    expect(firstOf('BEG')).toEqual(['BEG', '00', 'SA', 'PO-9', '', '20261123']);
    expect(all('REF')).toEqual([
      ['REF', 'Q1', '104000-R1'],
      ['REF', 'CR', 'REF 7'],
    ]);
    expect(firstOf('DTM')).toEqual(['DTM', '004', '20261123']);
    expect(firstOf('PER')).toEqual(['PER', 'OC', 'Pat Buyer', 'TE', '312-555-0100', 'EM', 'pat@example.org']);
    expect(firstOf('ITD')[12]).toBe('Net 30');
    expect(firstOf('SAC')).toEqual(['SAC', 'C', 'D240', '', '', '1234']);
    expect(all('N1').map((n1) => n1.slice(1))).toEqual([
      ['BT', 'Clinic North', '91', 'A-1001'],
      ['ST', 'Clinic North', '91', 'A-1001'],
    ]);
    expect(all('N3').map((n3) => n3.slice(1))).toEqual([['1 Main St'], ['1 Main St', 'Dock 2']]);
    expect(all('N4')[1]).toEqual(['N4', 'Oak Park', 'IL', '60302']);
    expect(firstOf('PO1')).toEqual(['PO1', '1', '2', 'CA', '12.5', '', 'VN', 'GLV-100']);
    expect(firstOf('PID')[5]).toBe('Gloves, nitrile');
    expect(firstOf('AMT')).toEqual(['AMT', 'TT', '25']);
    expect(segments.map(([id]) => id).join(' ')).toBe(
      'ISA GS ST BEG CUR REF REF PER FOB SAC ITD DTM N1 N3 N4 N1 N3 N4 PO1 PID CTT AMT SE GE IEA',
    );
  });

  it('adds up to its total: lines, less allowances, plus charges and tax', () => {
    const lines = [
      { ...LINE, quoteDiscount: 2.5, lineTotal: 22.5 },
      { ...LINE, lineNo: 2, qty: 3, unitPrice: 4.25, lineTotal: 12.75 },
    ];
    const { all, firstOf, segments } = read(
      written({ lines, subtotal: 35.25, freight: 12.34, tax: 2.9, total: 50.49 }),
    );
    const ids = segments.map(([id]) => id).join(' ');
    expect(firstOf('TXI')).toEqual(['TXI', 'TX', '2.9']);
    expect(ids).toContain('SAC ITD DTM TXI N1');
    const goods = all('PO1').reduce((sum, [, , qty, , price]) => sum + Number(qty) * Number(price), 0);
    const charges = all('SAC').reduce((sum, [, kind, , , , cents]) => sum + Number(cents) * (kind === 'A' ? -1 : 1), 0);
    expect(goods + charges / 100 + Number(firstOf('TXI')[2])).toBeCloseTo(Number(firstOf('AMT')[2]), 6);
  });

  it('has the day and the time of day in the company’s time zone', () => {
    const evening = written({ wonAt: '2026-12-01T02:05:09.000Z' }, { timeZone: 'America/Chicago' });
    const { isa, gs, firstOf } = read(evening);
    expect([isa[9], isa[10], gs[4], gs[5]]).toEqual(['261130', '2005', '20261130', '2005']);
    expect([firstOf('BEG')[5], firstOf('DTM')[2]]).toEqual(['20261130', '20261130']);
    const midnight = written({ wonAt: '2026-12-01T06:05:09.000Z' }, { timeZone: 'America/Chicago' });
    expect(read(midnight).isa.slice(9, 11)).toEqual(['261201', '0005']);
  });

  it('uses the key if there is no PO, and names the order that it replaces', () => {
    const { firstOf, all } = read(written({ poNumber: '', replaces: '104000-R0' }));
    expect(firstOf('BEG')[3]).toBe('104000-R1');
    expect(all('REF').at(-1)).toEqual(['REF', 'ZZ', '104000-R0', 'REPLACES']);
  });

  it('a name with separators, line ends, or accents breaks no segment', () => {
    const name = 'A*B~ISA*00\nC>D “É” Ω';
    const { all } = read(written({ shipTo: { ...PLACE, name }, contact: { name, email: '', phone: '' } }));
    expect(all('N1')[1]?.[2]).toBe('A B ISA 00 C D "E" ?');
    expect(read(lined({ description: 'x'.repeat(200) })).firstOf('PID')[5]).toHaveLength(80);
  });

  it.each([
    ['the item number', { lines: [{ ...LINE, itemNumber: 'A*1' }] }],
    ['the item number', { lines: [{ ...LINE, itemNumber: 'É-1' }] }],
    ['The PO number', { poNumber: 'PO~1' }],
    ['The PO number', { poNumber: 'P'.repeat(23) }],
    ['The account', { account: { ...ORDER.account, acctNo: 'A>1' } }],
  ])('%s is never respelled: it is refused and named', (what, order) => {
    expect(() => written(order)).toThrow(new RegExp(what));
  });

  it('a unit without a code is refused and named until somebody gives it one', () => {
    expect(() => lined({ unit: 'PCH' })).toThrow('Line 1: the unit PCH has no X12 code.');
    expect(() => lined({ unit: '' })).toThrow('the unit (none)');
    expect(read(lined({ unit: 'PCH' }, { units: [{ unit: 'pch', code: 'PO' }] })).firstOf('PO1')[3]).toBe('PO');
    expect(read(lined({ unit: 'cs' }, { units: [{ unit: 'CS', code: 'CT' }] })).firstOf('PO1')[3]).toBe('CT');
  });

  it.each(Object.entries(UNIT_CODES))('%s is %s', (unit, code) => {
    expect(read(lined({ unit })).firstOf('PO1')[3]).toBe(code);
  });

  it.each([
    [0.0001, '0.0001'],
    [9_999_999_999, '9999999999'],
    [10, '10'],
    [0, '0'],
    [1.1, '1.1'],
  ])('a price of %d is written without an exponent or trailing zeros', (unitPrice, text) => {
    expect(read(lined({ unitPrice })).firstOf('PO1')[4]).toBe(text);
  });

  it('a line without a price is refused; a discount is written in cents', () => {
    expect(() => lined({ unitPrice: null })).toThrow('Line 1: the price is missing.');
    expect(read(lined({ quoteDiscount: 1.1 })).firstOf('SAC')).toEqual(['SAC', 'A', 'C310', '', '', '110']);
  });

  it('writes 500 lines', () => {
    const lines = Array.from({ length: 500 }, (_, n) => ({ ...LINE, lineNo: n + 1 }));
    expect(read(written({ lines })).all('PO1')).toHaveLength(500);
  });
});
