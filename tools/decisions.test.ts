// The decision records have one form, their index names each of them, and what refers to a record or a page finds it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './run.mjs';

const FOLDER = path.join(root, 'docs', 'decisions');
const INDEX = 'README.md';
const HEAD = /^# (\d{4}): (.+)\n\nDate: \d{4}-\d\d-\d\d · Status: accepted\n\n## /;
const HEADINGS = ['Decision', 'Why', 'Measurements', 'Drawbacks'];

const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');
const records = readdirSync(FOLDER).filter((file) => file !== INDEX);
const numbers = records.map((file) => file.slice(0, 4));

/** All files that people write, by their paths from the root. */
const written = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['.ci', 'bench', 'database', 'deploy', 'docs', 'e2e', 'src', 'tools'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  ),
].filter((name) => /\.(md|mjs|ts|tsx|typ|sql|yml|service)$|run$/.test(name));

test.each(records)('%s has a number, a title, a date, known headings, and at most 40 lines', (file) => {
  const text = read(file);
  expect(HEAD.exec(text)?.[1], 'heading and date').toBe(file.slice(0, 4));
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(HEADINGS.filter((heading) => headings.includes(heading)));
  expect(headings).toContain('Decision');
});

test('each number is taken once', () => {
  expect(numbers).toEqual([...new Set(numbers)]);
});

test('the index lists each record once, with its title', () => {
  const lines = records.map((file) => {
    const [, number, title] = HEAD.exec(read(file)) ?? [];
    return `- [${number}](${file}) ${title}`;
  });
  expect(
    read(INDEX)
      .match(/^- .*$/gm)
      ?.toSorted(),
  ).toEqual(lines.toSorted());
});

test('each record that code, tests and pages name exists', () => {
  // A migration never changes, so it may name the number that a record once had.
  const changing = written.filter((name) => !name.startsWith(path.join('database', 'migrations')));
  const lost = changing.flatMap((name) =>
    [...readFileSync(path.join(root, name), 'utf8').matchAll(/docs\/decisions\/(\d{4}(?:, \d{4})*)/g)]
      .flatMap(([, named = '']) => named.split(', '))
      .filter((number) => !numbers.includes(number))
      .map((number) => `${name}: ${number}`),
  );
  expect(lost).toEqual([]);
});

test('each link between pages leads to a file and a heading', () => {
  const pages = written.filter((name) => name.endsWith('.md'));
  const lost = pages.flatMap((name) =>
    [...readFileSync(path.join(root, name), 'utf8').matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, to = '', heading]) => {
        const target = to === '' ? path.join(root, name) : path.join(root, path.dirname(name), to);
        if (!existsSync(target)) return true;
        return heading !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(heading);
      })
      .map(([link]) => `${name}: ${link}`),
  );
  expect(lost).toEqual([]);
});

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}
