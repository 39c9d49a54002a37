// The areas in geo/ are what the tool builds from the installed packages.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './run.mjs';
import { buildZipAreas } from './zip-areas/build.ts';

test('a build gives the bytes that are in the repository', () => {
  const { sha } = JSON.parse(readFileSync(path.join(root, 'geo', 'index.json'), 'utf8')) as { sha: string };
  expect(buildZipAreas().sha).toBe(sha);
}, 120_000);
