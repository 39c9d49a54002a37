// Makes a complete, plausible sent quote for tests, with the changes that a test asks for.

import type { DocumentLine, QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { byName, DOCUMENT_TEXTS } from '#core/quoting/quotes/quote-fields.ts';
import { add, extend } from '#platform/shared/money.ts';

export function aDocumentLine(lineNo: number, changes: Partial<DocumentLine> = {}): DocumentLine {
  const qty = changes.qty ?? 4;
  const unitPrice = changes.unitPrice === undefined ? 9.84 : changes.unitPrice;
  return {
    lineNo,
    type: 'item',
    itemNumber: `5520-${lineNo}`,
    customerItemNumber: '',
    description: 'Exam glove, nitrile, powder free, medium',
    qty,
    unit: 'BX',
    listPrice: 11.5,
    unitPrice,
    amount: extend(unitPrice ?? 0, qty),
    optional: false,
    priceNote: '',
    withoutRequest: null,
    picture: null,
    ...changes,
  };
}

export function aDocument(changes: Partial<QuoteDocument> = {}): QuoteDocument {
  const lines = changes.lines ?? [aDocumentLine(1)];
  const total = add(...lines.filter((line) => !line.optional).map((line) => line.amount));
  return {
    company: {
      name: 'Meridian Medical Supply',
      address: '2200 Corporate Lakes Drive\nAtlanta, GA 30339',
      phone: '(770) 555-0142',
      email: 'quotes@meridian.example.com',
      logo: null,
    },
    provisional: null,
    number: '104512-R2',
    num: 104512,
    revision: 2,
    quoteDate: '2026-11-21',
    validUntil: '2027-01-20',
    currnIdx: 1000,
    facilityName: 'St. Anne Medical Center',
    facilityAcctNo: '010012',
    billTo: { line1: 'P.O. Box 4410', line2: '', city: 'Marietta', state: 'GA', zip: '30060' },
    shipTo: { line1: '677 Church Street NE', line2: 'Dock B', city: 'Marietta', state: 'GA', zip: '30060' },
    contact: { name: 'Dana Whitfield', email: 'dana@stanne.example.com', phone: '(770) 555-0199' },
    preparedBy: { name: 'J. Rivera', email: 'rep@example.com', phone: '(404) 555-0110' },
    ...byName(DOCUMENT_TEXTS, () => ''),
    paymentTerms: 'Net 30',
    freightTerms: 'FOB Destination',
    message: '',
    nextTiers: [],
    pictures: false,
    lines,
    totals: {
      listTotal: total,
      linesTotal: total,
      quoteDiscount: 0,
      quoteDiscountPct: 0,
      subtotal: total,
      freightAmount: 0,
      taxRate: 0,
      taxExempt: false,
      taxAmount: 0,
      totalAmount: total,
      savings: 0,
    },
    terms: { version: 3, text: 'Prices hold until the date above.' },
    ...changes,
  };
}
