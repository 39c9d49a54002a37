// Tests one-time codes: the vectors of RFC 6238, clocks that differ, and used codes.
import { expect, it } from 'vitest';
import { codeAt, newSecret, otpauth, stepAt, codeStep, unbase32 } from './totp.server.ts';

// '12345678901234567890', the key of the RFC's appendix B.
const RFC = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

it.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('computes the code of RFC 6238 at %d seconds', (seconds, code) => {
  expect(unbase32(RFC).toString()).toBe('12345678901234567890');
  expect(codeAt(unbase32(RFC), stepAt(new Date(seconds * 1000)), 8)).toBe(code);
});

it('accepts a code of this step or a neighboring one, if it is later than the last one used', () => {
  const now = new Date('2026-11-23T12:00:10Z');
  const step = stepAt(now);
  const code = (offset: number) => codeAt(unbase32(RFC), step + offset);
  for (const offset of [-1, 0, 1]) expect(codeStep(RFC, code(offset), now, 0)).toBe(step + offset);
  for (const offset of [-2, 2, 100]) expect(codeStep(RFC, code(offset), now, 0)).toBeNull();
  expect(codeStep(RFC, code(0), now, step)).toBeNull();
  expect(codeStep(RFC, code(-1), now, step)).toBeNull();
  expect(codeStep(RFC, code(1), now, step)).toBe(step + 1);
  expect(codeStep(RFC, `${code(0).slice(0, 3)} ${code(0).slice(3)}`, now, 0)).toBe(step);
  for (const wrong of ['', '12345', `${code(0)}0`, 'abcdef', '１２３４５６'])
    expect(codeStep(RFC, wrong, now, 0)).toBeNull();
});

it('makes secrets of 160 bits that an app can read', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(unbase32(secret)).toHaveLength(20);
  expect(newSecret()).not.toBe(secret);
  expect(otpauth('ABC', 'Quote board', 'a@example.com')).toBe(
    'otpauth://totp/Quote%20board:a%40example.com?secret=ABC&issuer=Quote%20board',
  );
});
