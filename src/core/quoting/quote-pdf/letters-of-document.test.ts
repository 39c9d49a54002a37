// Tests that every text of a PDF is checked for characters without a font, and how these are named.
import { expect, test } from 'vitest';
import { aDocument, aDocumentLine } from '#testing/a-document.ts';
import { boxesInWords, textsOfDocument } from './letters-of-document.ts';
import { pdfContent } from './pdf-content.server.ts';

test('every text of the PDF is among the texts that are looked at', () => {
  const quote = aDocument({
    message: 'message',
    customerReference: 'reference',
    lines: [
      aDocumentLine(0, { type: 'section', description: 'section' }),
      aDocumentLine(1, { customerItemNumber: 'theirs', priceNote: 'Contract V-2231' }),
      aDocumentLine(1, { type: 'note', description: 'note' }),
    ],
  });
  const known = textsOfDocument(quote).map(({ text }) => text);
  const ours =
    /^(|Revision|Date|Valid until|Bill to|Ship to|Contact|Prepared by|Account|Payment terms|Freight terms|Your reference|Subtotal|Total|line|section|note|subtotal|total|M)$/;
  const foreign = wordsOf(pdfContent(quote, false)).filter(
    (text) =>
      !ours.test(text) && !/^[$\d\s.,()/-]+(days\))?$/.test(text) && !known.some((candidate) => holds(candidate, text)),
  );
  expect(foreign).toEqual(['104512-R2', 'Terms and conditions, version 3', expect.stringContaining('Quote 104512-R2')]);
});

/** Ignores our own words around a text, and the characters at which it may break. */
function holds(known: string, text: string): boolean {
  const plain = text.replaceAll('\u200b', '').replace(/^Your item # /, '');
  return plain.split(/[\n·,]/).every((part) => known.includes(part.trim()) || /^[A-Z]{2} \d{5}$/.test(part.trim()));
}

function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(wordsOf) : [];
}

test('letters and places are named, the first of many', () => {
  expect(boxesInWords({ letters: [], places: [] })).toBe('');
  expect(boxesInWords({ letters: ['手'], places: ['line 3'] })).toBe(
    'The PDF shows a box for 手 (line 3), because the PDF fonts do not include it. The customer’s page shows it.',
  );
  const letters = Array.from({ length: 25 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  const places = ['the message', ...[1, 2, 3, 4, 5, 6].map((line) => `line ${line}`)];
  expect(boxesInWords({ letters, places })).toMatch(
    /and 5 more \(the message, line 1, line 2, line 3, line 4 and 2 more\)/,
  );
});
