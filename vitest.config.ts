// Rules and answers are tested in Node; screens in a real browser (playwright.config.ts), so there is no imitated one here.
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const files = globSync(['src/**/*.test.{ts,tsx}', 'tools/*.test.ts']).map((file) => file.replaceAll('\\', '/'));
/** Whatever opens a database in a test does it through one of these. */
const OPENS_DATABASE = /from '#testing\/(test-server|base-database|server-process)\.server\.ts'/;
const onDatabase = files.filter((file) => OPENS_DATABASE.test(readFileSync(file, 'utf8')));

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // A file costs half as much when it finds the program loaded. No module keeps what belongs to one database or one server.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Two projects, because a run on another database repeats only the second.
    projects: [
      { extends: true, test: { name: 'rules', include: files.filter((file) => !onDatabase.includes(file)) } },
      { extends: true, test: { name: 'database', include: onDatabase } },
    ],
  },
});
