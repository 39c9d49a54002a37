// Tests which files a mail includes, as a table.
import { expect, it } from 'vitest';
import { MAIL_HOLDS, whatFits } from './mail-size.ts';

const MB = 1024 * 1024;
const table: [what: string, mustCarry: number, sizes: number[], attached: number[]][] = [
  ['nothing', 0, [], []],
  ['what fits exactly', 5 * MB, [20 * MB], [20 * MB]],
  ['one byte too many', 5 * MB + 1, [20 * MB], []],
  ['a small one after one that is too large', MB, [30 * MB, 2 * MB], [2 * MB]],
  ['none beside files that fill the email', MAIL_HOLDS, [1], []],
];
it.each(table)('%s', (_what, mustCarry, sizes, expected) => {
  const { attached, linked } = whatFits(
    mustCarry,
    sizes.map((size) => ({ size })),
  );
  expect(attached.map(({ size }) => size)).toEqual(expected);
  expect(attached.length + linked.length).toBe(sizes.length);
});
