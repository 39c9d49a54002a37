// Tests the text of a sent quote: its lines, totals and head.
import { describe, expect, test } from 'vitest';
import { EURO_INDEX } from '#platform/shared/money.ts';
import { aDocument, aDocumentLine } from '#testing/a-document.ts';
import { documentHead, documentRows, keepsPictureRoom, savingsText, totalRows, validityText } from './document-rows.ts';

const section = (lineNo: number, description: string) =>
  aDocumentLine(lineNo, { type: 'section', description, unitPrice: null, qty: 0 });
const totals = (changes: Partial<ReturnType<typeof aDocument>['totals']>) =>
  aDocument({ totals: { ...aDocument().totals, ...changes } });

describe('lines', () => {
  test('a section is summed after its last line, without optional lines', () => {
    const rows = documentRows(
      aDocument({
        lines: [
          aDocumentLine(1),
          section(2, 'Beds'),
          aDocumentLine(3, { unitPrice: 10, qty: 2 }),
          aDocumentLine(4, { unitPrice: 500, optional: true }),
          section(5, 'Gloves'),
          aDocumentLine(6, { unitPrice: 1, qty: 3 }),
        ],
      }),
    );
    expect(rows.map((row) => row.kind)).toEqual([
      'line',
      'section',
      'line',
      'line',
      'subtotal',
      'section',
      'line',
      'subtotal',
    ]);
    expect(rows.filter((row) => row.kind === 'subtotal').map((row) => `${row.title} ${row.amount}`)).toEqual([
      'Beds $20.00',
      'Gloves $3.00',
    ]);
    expect(rows[3]).toMatchObject({ optional: true, remarks: ['optional, not in total'], amount: '$2,000.00' });
  });

  test('a section without lines is left out', () => {
    expect(documentRows(aDocument({ lines: [section(1, 'A'), section(2, 'B')] }))).toEqual([]);
  });

  test('a free line costs nothing and shows no price', () => {
    const [row] = documentRows(aDocument({ lines: [aDocumentLine(1, { type: 'free', unitPrice: 0 })] }));
    expect(row).toMatchObject({ price: '', amount: 'no charge' });
  });

  test('decimal points of prices align; quantities show only the decimals they have', () => {
    const lines = [aDocumentLine(1, { unitPrice: 0.1234, qty: 1200 }), aDocumentLine(2, { unitPrice: 10, qty: 2.5 })];
    const rows = documentRows(aDocument({ lines, currnIdx: EURO_INDEX }));
    expect(rows.map((row) => (row.kind === 'line' ? [row.price, row.qty] : []))).toEqual([
      ['€0.1234', '1,200'],
      ['€10.00\u2007\u2007', '2.5'],
    ]);
  });
});

test('lines keep room for pictures only when one of them has a picture', () => {
  const pictured = aDocumentLine(1, { picture: { small: 1, large: 2, print: null } });
  const keeps = (pictures: boolean, lines = [aDocumentLine(1)]) => keepsPictureRoom(aDocument({ pictures, lines }));
  expect([keeps(true), keeps(true, [pictured]), keeps(false, [pictured])]).toEqual([false, true, false]);
});

test('a line says what the customer calls the item', () => {
  const lines = [aDocumentLine(1, { customerItemNumber: 'CUST 4471-B' }), aDocumentLine(2)];
  const remarks = documentRows(aDocument({ lines })).map((row) => row.kind === 'line' && row.remarks);
  expect(remarks).toEqual([['Your item # CUST 4471-B'], []]);
});

describe('totals', () => {
  const labels = (document: ReturnType<typeof aDocument>) =>
    totalRows(document).map((row) => `${row.label} ${row.amount}`);

  test('rows that change nothing are left out', () => {
    expect(labels(totals({ subtotal: 10, totalAmount: 10 }))).toEqual(['Subtotal $10.00', 'Total $10.00']);
    expect(
      labels(
        totals({
          linesTotal: 12,
          quoteDiscount: 2,
          quoteDiscountPct: 16.7,
          subtotal: 10,
          freightAmount: 5,
          taxRate: 7.25,
          taxAmount: 0.73,
          totalAmount: 15.73,
        }),
      ),
    ).toEqual([
      'Sum of lines $12.00',
      'Discount on the whole quote (16.7%) −$2.00',
      'Subtotal $10.00',
      'Freight $5.00',
      'Tax (7.25%) $0.73',
      'Total $15.73',
    ]);
    expect(labels(totals({ linesTotal: 12, quoteDiscount: 2, quoteDiscountPct: null, subtotal: 10 }))).toContain(
      'Discount on the whole quote −$2.00',
    );
    expect(labels(totals({ subtotal: 10, taxExempt: true, totalAmount: 10 }))).toContain('Tax exempt');
  });

  test('savings are stated against list prices, and only when there are any', () => {
    expect(savingsText(totals({ listTotal: 55_032.5, savings: 6120.1 }))).toBe(
      'You save $6,120.10 (11.1%) off list prices of $55,032.50',
    );
    expect(savingsText(totals({ listTotal: 499_999, savings: 149.89 }))).toBe(
      'You save $149.89 (0.03%) off list prices of $499,999.00',
    );
    expect(savingsText(totals({ listTotal: 9_999_999, savings: 149.89 }))).toBe('You save $149.89');
    expect(savingsText(totals({ listTotal: 10, savings: 0 }))).toBe('');
    expect(savingsText(totals({ listTotal: 10, savings: -5 }))).toBe('');
  });
});

describe('the head', () => {
  test('leaves out what is empty', () => {
    const head = documentHead(
      aDocument({
        revision: 1,
        billTo: { line1: '1 Main St', line2: '', city: 'Reno', state: 'NV', zip: '' },
        contact: { name: '', email: '', phone: '' },
        freightTerms: '',
      }),
    );
    expect(head.facts.map((fact) => fact.label)).toEqual(['Date', 'Valid until']);
    expect(head.parties.map((party) => party.label)).toEqual(['Bill to', 'Ship to', 'Prepared by']);
    expect(head.parties[0]?.lines).toEqual([{ text: '1 Main St' }, { text: 'Reno, NV' }]);
    expect(head.terms.map((fact) => fact.label)).toEqual(['Account', 'Payment terms']);
  });

  test('phone numbers and email addresses are links; validity counts its days', () => {
    expect(documentHead(aDocument()).parties[3]?.lines).toEqual([
      { text: '(404) 555-0110', href: 'tel:4045550110' },
      { text: 'rep@example.com', href: 'mailto:rep@example.com' },
    ]);
    expect(validityText(aDocument())).toBe('01/20/2027 (60 days)');
  });
});
