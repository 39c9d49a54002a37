// Tests which addresses a typed or pasted text contains.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressesWithout, distinctAddresses, readAddresses, withoutName } from './mail-addresses.ts';

const JANE = 'jane.roe@example.org';
const BOB = 'bob@example.org';

describe('addresses of a text', () => {
  test.each<[string, string[]]>([
    [JANE, [JANE]],
    [`${JANE}, ${BOB}`, [JANE, BOB]],
    [`${JANE} ${BOB}`, [JANE, BOB]],
    [`${JANE};${BOB};`, [JANE, BOB]],
    [`${JANE}\r\n${BOB}\r\n`, [JANE, BOB]],
    [`${JANE}\t${BOB}`, [JANE, BOB]],
    [`"Roe, Jane" <${JANE}>; Bob Ray <${BOB}>`, [JANE, BOB]],
    [`"Roe, Jane" <${JANE}>, "Ray; Bob" <${BOB}>`, [JANE, BOB]],
    // Outlook copies a name with a comma without quotes.
    [`Roe, Jane <${JANE}>; Ray, Bob <${BOB}>;`, [JANE, BOB]],
    [`'${JANE}' <${JANE}>;\n'${BOB}' <${BOB}>`, [JANE, BOB]],
    [`Jane Roe (Purchasing) <${JANE}>`, [JANE]],
    [`${JANE} (Jane Roe)`, [JANE]],
    [`Jane Roe ${JANE}`, [JANE]],
    [`Jane Roe [mailto:${JANE}]`, [JANE]],
    [`mailto:${JANE}?subject=Quote`, [JANE]],
    [`<${JANE}><${BOB}>`, [JANE, BOB]],
    [`“Jane” <${JANE}>`, [JANE]],
    ["o’neil@example.org, mc.o'neil@example.org", ['o’neil@example.org', "mc.o'neil@example.org"]],
    ['', []],
    [' ;, \n', []],
    // Nothing is left out silently: the field shows what is not an address.
    ['bob', ['bob']],
    [`bob, ${JANE}`, ['bob', JANE]],
    [`${JANE}, bob`, [JANE, 'bob']],
    ['jane@', ['jane@']],
    ['"Roe, Jane', ['"Roe', 'Jane']],
  ])('%j', (text, addresses) => {
    expect(readAddresses(text)).toEqual(addresses);
  });

  test('one address in two spellings counts once, in its first spelling', () => {
    expect(readAddresses(`Jane <Jane.Roe@Example.org>; ${JANE}`)).toEqual(['Jane.Roe@Example.org']);
    expect(distinctAddresses([JANE, BOB, JANE.toUpperCase()])).toEqual([JANE, BOB]);
    expect(addressesWithout([JANE, BOB.toUpperCase()], [BOB])).toEqual([JANE]);
  });

  test('a field for one address takes it without the name', () => {
    expect(withoutName(`"Roe, Jane" <${JANE}>`)).toBe(JANE);
    for (const text of [`${JANE}; ${BOB}`, 'Jane Roe', '']) expect(withoutName(text)).toBe(text);
  });

  test('whatever the names contain, their addresses are read', () => {
    const name = fc.string({ unit: fc.constantFrom(..."Ab ,;'.-()é"), maxLength: 12 });
    const list = fc.array(fc.tuple(name, fc.stringMatching(/^[a-z]{1,8}$/)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(list, fc.constantFrom('; ', ', ', ';\r\n', '\n'), (people, separator) => {
        const text = people.map(([words, box]) => `"${words}" <${box}@example.org>`).join(separator);
        expect(readAddresses(text)).toEqual(distinctAddresses(people.map(([, box]) => `${box}@example.org`)));
      }),
    );
  });

  test('a large text takes no time', () => {
    const start = performance.now();
    for (const text of [
      '"'.repeat(50_000),
      '<'.repeat(50_000),
      'a,'.repeat(25_000),
      '"a'.repeat(25_000),
      'a@'.repeat(25_000),
    ])
      readAddresses(text);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
