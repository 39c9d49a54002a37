// Tests which HINs and GLNs are valid, and that the check digit catches typing mistakes.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bareIdentifier, checkDigit, wrongIdentifier } from './identifier.ts';

it.each([
  ['HIN', 'b1 2345-678', 'B12345678', true],
  ['HIN', 'B1234567', 'B1234567', false],
  ['HIN', 'B1234567É', 'B1234567É', false],
  ['GLN', '4006381333931', '4006381333931', true],
  ['GLN', '400-6381 333931', '4006381333931', true],
  ['GLN', '4006381333930', '4006381333930', false],
  ['GLN', '006381333931', '006381333931', false],
  ['GLN', '٤٠٠٦٣٨١٣٣٣٩٣١', '٤٠٠٦٣٨١٣٣٣٩٣١', false],
  ['GPO member', ' m-1 x ', 'm-1 x', true],
  ['GPO member', ' ', '', false],
] as const)('%s %j', (kind, typed, bare, right) => {
  expect(bareIdentifier(kind, typed)).toBe(bare);
  expect(wrongIdentifier(kind, bare) === null).toBe(right);
});

it('detects every single wrong digit', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(digits, fc.nat(12), fc.integer({ min: 1, max: 9 }), (twelve, place, by) => {
      const gln = twelve + checkDigit(twelve);
      expect(wrongIdentifier('GLN', gln)).toBeNull();
      const changed = String((Number(gln[place]) + by) % 10);
      expect(wrongIdentifier('GLN', gln.slice(0, place) + changed + gln.slice(place + 1))).not.toBeNull();
    }),
  );
});
