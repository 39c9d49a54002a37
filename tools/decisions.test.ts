// The decision records have one form, and their index names each of them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './run.mjs';

const FOLDER = path.join(root, 'docs', 'decisions');
const INDEX = 'README.md';
const HEAD = /^# (\d{4}): (.+)\n\nDate: \d{4}-\d\d-\d\d · Status: (accepted|superseded by (\d{4}))\n\n/;
const HEADINGS = ['Decision', 'Why', 'Measurements', 'Drawbacks'];

const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');
const records = readdirSync(FOLDER).filter((file) => file !== INDEX);

test.each(records)('%s has a number, a title, a date, a status, known headings, and at most 40 lines', (file) => {
  const text = read(file);
  const [, number = '', , , successor] = HEAD.exec(text) ?? [];
  expect(number, 'heading and date').toBe(file.slice(0, 4));
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  expect(records.some((other) => other.startsWith(successor ?? number))).toBe(true);
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toContain('Decision');
  expect(HEADINGS).toEqual(expect.arrayContaining(headings));
});

test('each number is taken once', () => {
  const numbers = records.map((file) => file.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
});

test('the index lists all records in order, with their titles', () => {
  const lines = records.toSorted().map((file) => {
    const [, number, title, status] = HEAD.exec(read(file)) ?? [];
    return `- [${number}](${file}) ${title}${status === 'accepted' ? '' : ` (${status})`}`;
  });
  expect(read(INDEX).match(/^- .*$/gm)).toEqual(lines);
});
