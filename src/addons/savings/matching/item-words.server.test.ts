// Tests how descriptions are read: sizes in any form are equal, and contradictory sizes are detected.
import { expect, it } from 'vitest';
import { growingIndex } from './item-index.server.ts';
import { contradiction, wordsIn } from './item-words.server.ts';

it.each([
  ['IV CATH 18G', 'Catheter, 18 gauge'],
  ['GAUZE 4X4 STERILE', 'gauze sponge 4" x 4" sterile'],
  ['GLOVE NITRILE MED', 'Glove, nitrile, medium'],
  ['SYRINGE 10CC', 'Syringe 10 mL'],
  ['FOLEY 16FR', 'Foley 16 French'],
  ['NEEDLE 1-1/2 IN', 'Needle 1.5"'],
  ['SPONGE NN-STRL', 'Sponge, non-sterile'],
  ['TAPE 1 IN 12/BX', 'Tape 1 inch'],
])('%s and %s do not contradict each other', (theirs, ours) => {
  expect(contradiction(wordsIn(theirs), wordsIn(ours))).toBe('');
});

it.each([
  ['IV CATH 20G', 'Catheter, 18 gauge', 'gauge'],
  ['GAUZE 2X2', 'Gauze 4x4', 'by'],
  ['GLOVE LG', 'Glove medium', 'size'],
  ['GLOVE VINYL', 'Glove nitrile', 'material'],
  ['SPONGE NON-STERILE', 'Sponge sterile', 'nonsterile'],
  ['GOWN YELLOW', 'Gown blue', 'yellow'],
  ['SUTURE 3-0', 'Suture 4-0', 'suture'],
])('%s contradicts %s', (theirs, ours, reason) => {
  expect(contradiction(wordsIn(theirs), wordsIn(ours))).toContain(reason);
});

it('finds an item by words cut short, without vowels and mistyped, never one of another size', () => {
  const index = growingIndex();
  index.add([
    { id: 1, text: 'Exam glove nitrile powder free medium', maker: '' },
    { id: 2, text: 'Exam glove nitrile powder free large', maker: '' },
    { id: 3, text: 'Gauze sponge 4x4 12 ply sterile', maker: '' },
  ]);
  const { find } = index.done();
  expect(find(wordsIn('GLV EXM NITRL PF MED'), 5).map(({ itemId }) => itemId)).toEqual([1]);
  expect(find(wordsIn('Guaze spong 4 x 4'), 5)[0]?.itemId).toBe(3);
  expect(find(wordsIn('GAUZE 2X2'), 5)).toEqual([]);
  expect(find(wordsIn(''), 5)).toEqual([]);
});

it('says what of a description speaks for a sibling and against the item that a number means', () => {
  const index = growingIndex();
  index.add([
    { id: 1, text: 'Syringe 3 mL luer lock sterile', maker: 'Acme' },
    { id: 2, text: 'Syringe 3 mL slip tip sterile', maker: 'Acme' },
    { id: 3, text: 'Exam glove nitrile medium', maker: 'Acme' },
    { id: 4, text: 'Syringe oral dosing amber tip', maker: 'Bexton' },
    ...Array.from({ length: 20 }, (_, n) => ({ id: 10 + n, text: `Bandage roll number${n}`, maker: 'Other' })),
  ]);
  const { againstIt } = index.done();
  const against = (description: string, itemId: number) => againstIt(wordsIn(description), itemId).toSorted();
  expect(against('SYR 3ML SLIP TIP STRL', 1)).toEqual(['slip', 'tip']);
  expect(against('SYR 3ML SLIP TIP STRL', 2)).toEqual([]);
  // Shortened, misspelled or with additional words of the customer, the description still fits the item.
  expect(against('SYRNG 3CC LUR LOC STRL', 1)).toEqual([]);
  expect(against('SYRINGE 3ML LUER LOCK WAREHOUSE B7', 1)).toEqual([]);
  // An item of another size is not a sibling that the words could mean.
  expect(against('SYRINGE 5ML SLIP TIP', 1)).toEqual([]);
  expect(against('', 1)).toEqual([]);
});
