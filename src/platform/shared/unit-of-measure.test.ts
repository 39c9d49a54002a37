// Tests units as users write them, for items with different units: a unit is found only if the text cannot mean anything else.
import { describe, expect, it } from 'vitest';
import { isUnit, unitMeant } from './unit-of-measure.ts';

const GLOVE = [
  { unit: 'EA', factor: 1 },
  { unit: 'BX', factor: 100 },
  { unit: 'CS', factor: 1000 },
];
const POUCH = [
  { unit: 'EA', factor: 1 },
  { unit: 'BX', factor: 50 },
];
const ODD = [
  { unit: 'EA', factor: 1 },
  { unit: 'CASE', factor: 12 },
  { unit: 'CASE12', factor: 144 },
];
const meant = (text: string, units = GLOVE) => unitMeant(text, '551029', units).unit;

describe('unitMeant', () => {
  it.each([
    ['EA', 'EA'],
    ['bx', 'BX'],
    ['Case', 'CS'],
    ['CA', 'CS'],
    ['boxes', 'BX'],
    ['CS of 10', 'CS'],
    ['Case of 10 BX', 'CS'],
    ['Case of 1,000 EA', 'CS'],
    ['BX/100', 'BX'],
    ['BX (100 EA)', 'BX'],
    ['Box of 100 pieces', 'BX'],
    ['BX100', 'BX'],
    ['100/BX', 'BX'],
    ['100 per box', 'BX'],
    ['EA/1', 'EA'],
  ])('%s is %s', (text, unit) => {
    expect(unitMeant(text, '551029', GLOVE)).toEqual({ unit, problem: '' });
  });

  it('takes the own name of a unit before what it could mean', () => {
    expect(meant('CASE12', ODD)).toBe('CASE12');
    expect(meant('case', ODD)).toBe('CASE');
  });

  it.each([
    ['CARTON', GLOVE, '551029 is not sold by CARTON. Its units: EA, BX (100 EA), CS (1,000 EA).'],
    ['PALLET', GLOVE, '551029 is not sold by PALLET. Its units: EA, BX (100 EA), CS (1,000 EA).'],
    ['CASE12', GLOVE, "'CASE12' says CS of 12, but 551029 has CS (1,000 EA): choose the unit."],
    ['CASE12', POUCH, '551029 is not sold by CASE12. Its units: EA, BX (50 EA).'],
    ['Case of 10 EA', GLOVE, "'Case of 10 EA' says CS of 10 EA, but 551029 has CS (1,000 EA): choose the unit."],
    ['Box of 50 pieces', GLOVE, "'Box of 50 pieces' says BX of 50 EA, but 551029 has BX (100 EA): choose the unit."],
    ['EA/100', GLOVE, "'EA/100' says EA of 100, but 551029 has EA: choose the unit."],
    ['50 EA/CA', GLOVE, "'50 EA/CA' can mean CS (1,000 EA) or EA: choose the unit."],
    ['1000 EA/CA', GLOVE, "'1000 EA/CA' can mean CS (1,000 EA) or EA: choose the unit."],
    [
      'Case of 10 pouches',
      GLOVE,
      "'Case of 10 pouches' says CS of 10 PCH, but 551029 has CS (1,000 EA): choose the unit.",
    ],
    ['5 % off', GLOVE, '551029 is not sold by 5 % off. Its units: EA, BX (100 EA), CS (1,000 EA).'],
  ])('%s is for a person to say', (text, units, problem) => {
    expect(unitMeant(text, '551029', units)).toEqual({ unit: '', problem });
  });
});

describe('isUnit', () => {
  it.each([
    ['EA', true],
    ['CARTON', true],
    ['CASE12', true],
    ['Box of 50 pieces', true],
    ['Glove', false],
    ['Glove, nitrile', false],
    ['58.00', false],
    ['551029', false],
    ['40', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isUnit(text)).toBe(expected);
  });
});
