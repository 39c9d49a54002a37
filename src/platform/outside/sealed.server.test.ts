// Tests sealed secrets: they open for the same purpose and secret, and for nothing else.
import { expect, it } from 'vitest';
import { resealed, SealBroken, seal, unseal } from './sealed.server.ts';

const SECRET = { tokenSecret: 'a-token-secret-of-at-least-32-characters' };
const OTHER = { tokenSecret: 'another-token-secret-of-32-characters-or-more' };

it('opens what it sealed and never seals the same text twice alike', () => {
  const [first, two] = [seal(SECRET, 'crm', 'pässword'), seal(SECRET, 'crm', 'pässword')];
  expect(first).not.toBe(two);
  expect(first).not.toContain('pässword');
  expect([first, two].map((sealed) => unseal(SECRET, 'crm', sealed))).toEqual(['pässword', 'pässword']);
  expect(unseal(SECRET, 'crm', seal(SECRET, 'crm', ''))).toBe('');
});

it('does not open under another secret, for another purpose, altered or cut', () => {
  const sealed = seal(SECRET, 'crm', 'hidden');
  const altered = `${sealed.slice(0, 10)}${sealed[10] === 'A' ? 'B' : 'A'}${sealed.slice(11)}`;
  expect(() => unseal(OTHER, 'crm', sealed)).toThrow(SealBroken);
  expect(() => unseal(SECRET, 'webhook', sealed)).toThrow(SealBroken);
  for (const wrong of [altered, sealed.slice(0, -4), 'v1.', '', 'hidden', sealed.replace('v1', 'v2')])
    expect(() => unseal(SECRET, 'crm', wrong)).toThrow(SealBroken);
});

it('opens under the other secret as well during a change of secrets, and is then sealed again', () => {
  const sealed = seal(SECRET, 'crm', 'hidden');
  const both = { ...OTHER, otherTokenSecret: SECRET.tokenSecret };
  expect(unseal(both, 'crm', sealed)).toBe('hidden');
  expect(() => unseal(both, 'webhook', sealed)).toThrow(SealBroken);
  const renewed = resealed(both, 'crm', sealed);
  expect(unseal(OTHER, 'crm', renewed ?? '')).toBe('hidden');
  expect(() => unseal(SECRET, 'crm', renewed ?? '')).toThrow(SealBroken);
  expect([
    resealed(both, 'crm', renewed ?? ''),
    resealed(OTHER, 'crm', sealed),
    resealed(both, 'crm', 'no seal'),
  ]).toEqual([null, null, null]);
});
