// Rules and answers are tested in Node; screens in a real browser (playwright.config.ts), so there is no imitated one here.
import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const GLOBAL_SETUP = 'src/testing/global-setup.server.ts';

export default defineConfig({
  test: {
    name: 'rules+http',
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'tools/*.test.ts'],
    globalSetup: existsSync(GLOBAL_SETUP) ? [GLOBAL_SETUP] : [],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    passWithNoTests: true,
  },
});
