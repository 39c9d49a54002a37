// Tests which new passwords are too easy to guess.
import { describe, expect, it } from 'vitest';
import { weaknessOf } from './weak-password.server.ts';

const KNOWN = ['jo.manager@example.com', 'Josephine Müller-Lee', 'Meridian Medical Supply', 'Quoteboard'];

describe('a new password', () => {
  it.each([
    'password1234',
    'Password2026!',
    'P@ssw0rd1234',
    'P4$$w0rd!!!!!',
    'qwertyuiop12',
    '1q2w3e4r5t6y',
    'iloveyou12345',
    'Welcome12345!',
    'Summer2026!!!!',
    '123456789012',
    '  password1234  ',
  ])('%s is common', async (password) => {
    expect(await weaknessOf(password, KNOWN)).toContain('a common password');
  });

  it.each(['111111111111', 'abcabcabcabc', 'aaaaaaaaaaaab', '121212121212', '            '])(
    '%s repeats a few characters',
    async (password) => {
      expect(await weaknessOf(password, KNOWN)).toContain('same few characters');
    },
  );

  it.each([
    'jo.manager@example.com',
    'JoManager2026',
    'manager@example.com',
    'Josephine1975',
    'Müller-Lee-2026',
    'josephinemüllerlee',
    'MeridianMedical1',
    'meridian medical supply',
    'Quoteboard2026!',
    'quoteboard-josephine',
    '2026Manager2026x',
  ])('%s is made of what everybody knows', async (password) => {
    expect(await weaknessOf(password, KNOWN)).toContain('easy to guess');
  });

  it.each([
    'correct horse battery',
    'something else entirely',
    'a whole new password',
    'kx9$mQ2!vLp0',
    'Quote-demo-1',
    'josephine rides a red bicycle',
    'Пароль для работы',
  ])('%s is fine', async (password) => {
    expect(await weaknessOf(password, KNOWN)).toBe('');
  });
});
