// Tests comparing two revisions: matching lines, changes, and their causes.
import { expect, test } from 'vitest';
import type { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { byName, DOCUMENT_TEXTS } from '#core/quoting/quotes/quote-fields.ts';
import { type ComparedLine, type ComparedRevision, compareRevisions } from './compare-revisions.server.ts';

const ADDRESS = { line1: '1 Main Street', line2: '', city: 'Chicago', state: 'IL', zip: '60601' };
const DOCUMENT: QuoteDocument = {
  provisional: null,
  company: { name: 'Seller', address: '', phone: '', email: '', logo: null },
  number: '104512',
  num: 104512,
  revision: 1,
  quoteDate: '2026-11-02',
  validUntil: '2027-01-01',
  currnIdx: 1007,
  facilityName: 'Mercy Hospital',
  facilityAcctNo: '010012',
  billTo: ADDRESS,
  shipTo: ADDRESS,
  contact: { name: 'Pat Buyer', email: 'pat@example.org', phone: '' },
  preparedBy: { name: 'Rep', email: 'rep@example.com', phone: '' },
  ...byName(DOCUMENT_TEXTS, () => ''),
  paymentTerms: 'Net 30',
  freightTerms: 'FOB Destination',
  message: '',
  nextTiers: [],
  pictures: false,
  lines: [],
  totals: {
    listTotal: 0,
    linesTotal: 0,
    quoteDiscount: 0,
    quoteDiscountPct: 0,
    subtotal: 0,
    freightAmount: 0,
    taxRate: 0,
    taxExempt: false,
    taxAmount: 0,
    totalAmount: 0,
    savings: 0,
  },
  terms: { version: 1, text: 'Terms' },
};

const line = (overrides: Partial<ComparedLine> = {}): ComparedLine => ({
  id: 1,
  lineNo: 1,
  type: 'item',
  customerItemNumber: '',
  itemNumber: 'IT-1',
  description: 'Gauze',
  qty: 4,
  unit: 'EA',
  listPrice: 10,
  unitPrice: 9.84,
  amount: 39.36,
  optional: false,
  priceNote: '',
  picture: null,
  withoutRequest: null,
  priceSource: 'List',
  ...overrides,
});

const revision = (lines: ComparedLine[], document: Partial<QuoteDocument> = {}, totalAmount = 0): ComparedRevision => ({
  document: { ...DOCUMENT, ...document, totals: { ...DOCUMENT.totals, ...document.totals, totalAmount } },
  lines,
});

test('equal revisions have no difference, whatever the order of their lines', () => {
  const [first, two] = [line(), line({ id: 2, lineNo: 2, itemNumber: 'IT-2' })];
  const difference = compareRevisions(
    revision([first, two], {}, 50),
    revision(
      [
        { ...two, lineNo: 1 },
        { ...first, lineNo: 2 },
      ],
      {},
      50,
    ),
  );
  expect(difference).toEqual({ header: [], lines: [], totalBefore: 50, totalAfter: 50, currnIdx: 1007 });
});

test('a changed line lists each cause', () => {
  const after = line({ qty: 6, unitPrice: 9.35, amount: 56.1, priceSource: 'Manual', unit: 'BX', optional: true });
  expect(compareRevisions(revision([line()]), revision([after])).lines).toEqual([
    {
      change: 'changed',
      itemNumber: 'IT-1',
      description: 'Gauze',
      causes: ['Quantity 4 → 6', 'Unit EA → BX', 'Price $9.84 → $9.35 (manual)', 'Now optional'],
      before: 39.36,
      after: 56.1,
    },
  ]);
});

test('the same price from another source, a lost price and a new description are shown', () => {
  const source = compareRevisions(revision([line()]), revision([line({ priceSource: 'Contract' })]));
  expect(source.lines[0]?.causes).toEqual(['Price from list → contract']);
  const lost = compareRevisions(revision([line()]), revision([line({ unitPrice: null, priceSource: '', amount: 0 })]));
  expect(lost.lines[0]?.causes).toEqual(['Price $9.84 → (none)']);
  const described = compareRevisions(revision([line()]), revision([line({ description: 'Gauze, sterile' })]));
  expect(described.lines[0]?.causes).toEqual(['Description changed']);
});

test('added and removed lines carry their amounts', () => {
  const added = line({ id: 2, itemNumber: 'IT-2', amount: 5 });
  expect(compareRevisions(revision([line()]), revision([added])).lines).toEqual([
    { change: 'added', itemNumber: 'IT-2', description: 'Gauze', causes: [], before: null, after: 5 },
    { change: 'removed', itemNumber: 'IT-1', description: 'Gauze', causes: [], before: 39.36, after: null },
  ]);
});

test('without ids lines are paired by similarity, each once', () => {
  const before = [
    line({ id: null, qty: 1 }),
    line({ id: null, qty: 2 }),
    line({ id: null, itemNumber: 'IT-9', unit: 'EA' }),
  ];
  const after = [line({ id: 7, qty: 1 }), line({ id: 8, qty: 3 }), line({ id: 9, itemNumber: 'IT-9', unit: 'CS' })];
  expect(compareRevisions(revision(before), revision(after)).lines.map(({ causes }) => causes)).toEqual([
    ['Quantity 2 → 3'],
    ['Unit EA → CS'],
  ]);
});

test('a line with a replaced item stays the same line', () => {
  const after = line({ itemNumber: 'IT-1B' });
  expect(compareRevisions(revision([line()]), revision([after])).lines[0]).toMatchObject({
    change: 'changed',
    causes: ['Item IT-1 → IT-1B'],
  });
});

test('the header shows dates, terms and discount as people read them', () => {
  const after = revision(
    [],
    {
      validUntil: '2027-02-01',
      paymentTerms: 'Net 45',
      shipTo: { ...ADDRESS, zip: '60602' },
      totals: { ...DOCUMENT.totals, quoteDiscount: 12.5, taxExempt: true },
    },
    80,
  );
  expect(compareRevisions(revision([], {}, 100), after)).toMatchObject({
    header: [
      { field: 'Ship to', before: '1 Main Street, Chicago, IL 60601', after: '1 Main Street, Chicago, IL 60602' },
      { field: 'Valid until', before: '01/01/2027', after: '02/01/2027' },
      { field: 'Payment terms', before: 'Net 30', after: 'Net 45' },
      { field: 'Quote discount', before: '$0.00', after: '$12.50' },
      { field: 'Tax', before: '0%', after: 'exempt' },
    ],
    totalBefore: 100,
    totalAfter: 80,
  });
});
