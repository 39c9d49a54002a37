// Tests rules and answers in Node. Playwright tests screens in a real browser (playwright.config.ts), so nothing imitates one here.
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const files = globSync(['src/**/*.test.{ts,tsx}', 'tools/*.test.ts']).map((file) => file.replaceAll('\\', '/'));
/** Every test that opens a database imports one of these files. */
const OPENS_DATABASE = /from '#testing\/(test-server|an-office|sign-on|base-database|server-process)\.server\.ts'/;
const onDatabase = files.filter((file) => OPENS_DATABASE.test(readFileSync(file, 'utf8')));

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // A test file takes half the time when the program is already loaded. No module keeps the state of one database or server.
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
