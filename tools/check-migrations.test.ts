// Landed migrations keep name, content and place; each rule is broken once.
import { expect, test } from 'vitest';
import { wrongWith } from './check-migrations.mjs';

const landed = 'aa  0001-one.sql\nbb  0002-two.sql\n';
const state = (list: string, more: { written?: string } = {}) => ({
  files: list
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(4)),
  list,
  written: list,
  landed,
  ...more,
});

test('new migrations after the last are right', () => {
  expect(wrongWith(state(landed))).toEqual([]);
  expect(wrongWith(state(`${landed}cc  0003-three.sql\n`))).toEqual([]);
});

test.each([
  [
    'aa  0001-one.sql\nxx  0002-two.sql\n',
    '0002-two.sql has landed and must not change. Put it back, and write what you need as a new migration.',
  ],
  [
    'aa  0001-one.sql\nbb  0002-deux.sql\n',
    '0002-two.sql has landed and must keep its name and its place. New migrations come after the last.',
  ],
  [
    'aa  0001-one.sql\n',
    '0002-two.sql has landed and must keep its name and its place. New migrations come after the last.',
  ],
  [
    'aa  0001-one.sql\ncc  0001-three.sql\nbb  0002-two.sql\n',
    'Two migrations have the number 0001. The one that has not landed takes the next free number.',
  ],
  [`${landed}cc  three.sql\n`, 'three.sql is not named like 0012-what-for.sql.'],
])('refuses %j', (list, sentence) => {
  expect(wrongWith(state(list))).toContain(sentence);
});

test('the list in the repository names every migration', () => {
  expect(wrongWith(state(`${landed}cc  0003-three.sql\n`, { written: landed }))).toEqual([
    'database/migrations.sha256 is not up to date. Run: npm run tables',
  ]);
});
