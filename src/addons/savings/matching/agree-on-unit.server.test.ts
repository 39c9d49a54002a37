// Tests which of our units matches a row's unit, as a table. Different units never agree.
import { expect, it } from 'vitest';
import { agreeOnUnit } from './agree-on-unit.server.ts';

const GLOVE = {
  item_number: 'GL-1',
  units: [
    { unit: 'EA', factor: 1 },
    { unit: 'BX', factor: 100 },
    { unit: 'CS', factor: 1000 },
  ],
};

type Case = [unit: string, pack: string, eaches: number | null, numberUnit: string, ours: string, agrees: boolean];

it.each<Case>([
  ['BX', '', null, '', 'BX', true],
  ['box', '', null, '', 'BX', true],
  ['CS', '', 1000, '', 'CS', true],
  // Ten of our boxes are one of our cases.
  ['CS', '10/CS', null, '', 'CS', true],
  ['CS', '12/CS', null, '', '', false],
  ['CS', '', 500, '', 'BX', false],
  ['CS', '', 100, '', 'BX', false],
  ['PK', '', 100, '', 'BX', true],
  ['PK', '', null, '', '', false],
  ['', '', null, '', '', false],
  ['EA', '', 1, '', 'EA', true],
  ['EA', '', 100, '', 'BX', false],
  // The number identifies a unit: a GTIN of the box, or a cross-reference to the box.
  ['BX', '', null, 'BX', 'BX', true],
  ['CS', '', null, 'BX', 'CS', false],
  ['', '', null, 'BX', 'BX', true],
  ['BX', '', null, 'PAL', 'BX', false],
])('%s %s of %s, the number identifies "%s": our %s, agrees: %s', (unit, pack, eaches, numberUnit, ours, agrees) => {
  const result = agreeOnUnit({ unit, pack, eaches, sizes_differ: false }, GLOVE, numberUnit);
  expect([result.unit, result.agrees]).toEqual([ours, agrees]);
  expect(result.reason).not.toBe('');
});

it('never agrees with a row that says two sizes', () => {
  expect(agreeOnUnit({ unit: 'BX', pack: '', eaches: null, sizes_differ: true }, GLOVE, 'BX').agrees).toBe(false);
});
