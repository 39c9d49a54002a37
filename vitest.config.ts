// Tests rules and answers in Node. Playwright tests screens in a real browser (playwright.config.ts), so nothing imitates one here.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'tools/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A test file takes half the time when the program is already loaded. No module keeps the state of one database or server.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    globalSetup: 'src/testing/test-postgres.server.ts',
  },
});
