// Every file that the documents name exists.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './run.mjs';

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: root });
/** A path from the project's folder; `<…>` and `*` in it stand for names. */
const FROM_ROOT = /(?<![\w./#-])((?:src|database|tools|bench|e2e|deploy|docs)\/[\w./<>*-]*[\w>*])/g;
/** In docs/conformance.md a path begins at src, and the beginning of a file's name is enough. */
const FROM_SRC = /(?<![\w./#-])((?:app|platform|core|addons|demo)\/[\w./-]*\w)/g;
/** A file's name alone, in code. `Thing…` means any name. */
const NAME_ALONE = /`(?!Thing)([\w-]+(?:\.\w+)*\.(?:tsx?|mjs|sql|typ))`/g;
const NAMES = new Set(
  globSync(['*.*', '{src,database,tools,bench,e2e,deploy}/**/*.*'], { cwd: root }).map((entry) => path.basename(entry)),
);

function missing(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8').replace(/https?:\S+/g, '');
  const named = [...text.matchAll(FROM_ROOT)].map(([, name = '']) => name);
  const alone = [...text.matchAll(NAME_ALONE)].map(([, name = '']) => name).filter((name) => !NAMES.has(name));
  if (file.endsWith('conformance.md'))
    named.push(...[...text.matchAll(FROM_SRC)].map(([, name = '']) => `src/${name}`));
  const gone = [...new Set(named)].filter((name) => {
    const pattern = name.replaceAll(/<[^>]*>/g, '*');
    return !existsSync(path.join(root, pattern)) && globSync([pattern, `${pattern}*`], { cwd: root }).length === 0;
  });
  return [...gone, ...new Set(alone)];
}

test.each(DOCUMENTS)('%s', (file) => {
  expect(missing(file)).toEqual([]);
});

test('each test that docs/security.md names exists', () => {
  const rows = readFileSync(path.join(root, 'docs/security.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const named = rows.flatMap((row) =>
    [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(30);
  const tests = globSync('{src,tools}/**/*.{test,e2e}.ts', { cwd: root }).map(
    (file) => `/${file.replaceAll('\\', '/')}`,
  );
  const isThere = (name = '') => tests.some((file) => file.includes(`/${name}`));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});
