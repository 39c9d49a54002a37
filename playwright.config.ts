// Tests screens in a real browser: walks and journeys in e2e/, single screens beside their page. Each worker starts one server (src/testing).
import { defineConfig } from '@playwright/test';
import { findBrowser } from './tools/browser.mjs';

export default defineConfig({
  testDir: '.',
  // `npm test` runs the smoke suite, `npm run test:all` both.
  projects: [
    { name: 'smoke', testMatch: 'e2e/smoke/*.spec.ts' },
    { name: 'screens', testMatch: ['e2e/*.spec.ts', 'src/**/*.e2e.ts'] },
  ],
  // Node reads the program's types itself; compiling it again would take each worker half a minute.
  build: { external: ['**/src/**/!(*.e2e).ts'] },
  globalSetup: './src/testing/test-postgres.server.ts',
  outputDir: 'test-results/browser',
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // Waits end as soon as their condition holds, and a slow computer must not fail a test.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  // A test that fails now and then is a race, in the test or in the program. Repeating it would hide it.
  retries: 0,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    // Names what blocks a click after a minute, not at the end of the test's time.
    actionTimeout: 60_000,
    browserName: 'chromium',
    // A test gets the emptied window of the test before it: the files of the pages are already there, read and compiled.
    reuseContext: true,
    launchOptions: await findBrowser(),
    locale: 'en-US',
    // Tests skip animations, and record no traces of tests that pass. `npm run test:e2e -- FILE --trace on` records one.
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
  },
});
