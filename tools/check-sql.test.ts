// Breaks each rule of SQL once, on purpose.
import { expect, test } from 'vitest';
import { wrongSql } from './check-sql.mjs';

const FILE = 'src/core/quoting/quotes/quotes.server.ts';
const LONG = `select ${'a, '.repeat(50)}b`;

test('a long line counts in SQL, also in a nested part, and not elsewhere', () => {
  const source = [
    `const text = '${LONG}';`,
    'const all = sql<Row>`select',
    `  ${LONG}`,
    '  from quote where ${sql`',
    `    ${LONG}`,
    '  `}`;',
  ].join('\n');
  expect(wrongSql(FILE, source).map(({ line }) => line)).toEqual([3, 5]);
});

test('raw text is refused, except in tests and where it is known to be ours', () => {
  const source = 'const dir = sql.raw(given);\nconst by = sql`order by ${sql.raw(given)}`;';
  expect(wrongSql(FILE, source).map(({ line }) => line)).toEqual([1, 2]);
  expect(wrongSql('src/platform/db/migrate.server.ts', source)).toEqual([]);
  expect(wrongSql('src/core/quoting/quotes/quotes.server.test.ts', source)).toEqual([]);
});
