// Rules and answers are tested in Node; screens in a real browser (playwright.config.ts), so there is no imitated one here.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'rules+http',
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'tools/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
