// Tests names of folders and files: refused ones, equal ones, and that every corrected name is valid.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { goodFileName, nameKey, wrongFileName } from './file-names.server.ts';

it.each(['Amendment 2.pdf', 'Preise für 2027.xlsx', 'Ångström', '契約.pdf', 'console.txt', 'a.b.c', 'x'.repeat(150)])(
  'accepts %s',
  (name) => {
    expect(wrongFileName(name)).toBeNull();
    expect(goodFileName(name)).toBe(name.normalize('NFC'));
  },
);

it.each([
  '..',
  '.',
  '../../up.pdf',
  String.raw`..\up.pdf`,
  String.raw`C:\x.pdf`,
  'C:',
  'a/b',
  'a\u0000b',
  'a\nb',
  'invoice\u202Efdp.exe',
  'zero\u200Bwidth',
  '\u2066x',
  'CON',
  'con.txt',
  'Lpt1.pdf',
  'NUL.tar.gz',
  ' a',
  'a ',
  'a.',
  '.hidden',
  'what?',
  'x'.repeat(151),
])('refuses %j', (name) => {
  expect(wrongFileName(name)).toMatch(/\.$|\|$/);
});

it('makes a valid name from any text', () => {
  const tokens = fc.constantFrom(
    '..',
    '/',
    '\\',
    'C:',
    'CON',
    '.',
    ' ',
    '\u202e',
    '\u0000',
    'é',
    'e\u0301',
    '.pdf',
    '😀',
    'a',
  );
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(tokens, { maxLength: 200 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(anything, (input) => {
      const good = goodFileName(input);
      expect(wrongFileName(good)).toBeNull();
      expect(goodFileName(good)).toBe(good);
    }),
  );
});

it('treats names as equal that differ only in case or Unicode form', () => {
  expect(nameKey('Preise Für.PDF')).toBe(nameKey('preise fu\u0308r.pdf'));
  expect(nameKey('ﬁle')).toBe(nameKey('FILE'));
  expect(nameKey('a b')).not.toBe(nameKey('ab'));
});
