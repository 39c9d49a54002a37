// Tests the search in lines and which parts of a text it highlights.
import { expect, test } from 'vitest';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { linesWith, piecesOf } from './find-lines.ts';

const line = (id: number, texts: Partial<QuoteItem>) =>
  ({
    id,
    itemNumber: '',
    customerItemNumber: '',
    description: '',
    productName: '',
    notes: '',
    priceReason: '',
    ...texts,
  }) as QuoteItem;

test('finds a word in number, description, product, notes and reason, ignoring case and accents', () => {
  const items = [
    line(1, { itemNumber: 'GLV-10' }),
    line(2, { description: 'Clínica bed' }),
    line(3, { notes: 'for the CLINICA' }),
    line(4, { priceReason: 'clinica match' }),
    line(5, { description: 'Bed' }),
    line(6, { productName: 'Clinica glove' }),
    line(7, { customerItemNumber: 'CUST 4471-B' }),
  ];
  expect(linesWith(items, ' clinica ')).toEqual([2, 3, 4, 6]);
  expect(linesWith(items, 'glv-1')).toEqual([1]);
  expect(linesWith(items, '4471-b')).toEqual([7]);
  expect(linesWith(items, '  ')).toEqual([]);
});

test.each([
  ['Exam glove, glove box', 'GLOVE', ['Exam ', '[glove]', ', ', '[glove]', ' box']],
  ['Clínica', 'ini', ['Cl', '[íni]', 'ca']],
  ['Straße İstanbul', 'istan', ['Straße ', '[İstan]', 'bul']],
  ['plain', 'x', ['plain']],
  ['plain', '', ['plain']],
])('%s searched for %s', (text, word, expected) => {
  expect(piecesOf(text, word).map((piece) => (piece.isFound ? `[${piece.text}]` : piece.text))).toEqual(expected);
});
