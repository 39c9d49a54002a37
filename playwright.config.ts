// Screens in a real browser: journeys in e2e/, single screens beside their page. Each test file starts its own server (src/testing).
import { defineConfig } from '@playwright/test';
import { findBrowser } from './tools/browser.mjs';

export default defineConfig({
  testDir: '.',
  testMatch: ['e2e/**/*.spec.ts', 'src/**/*.e2e.ts'],
  outputDir: 'test-results/browser',
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // Waiting ends as soon as what is waited for is there; a slow machine is no failure.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  // A browser on a machine that does other work fails now and then where nothing is wrong. What passes only the second time is told by name.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    // What stands in the way of a click is named after a minute, not when the test's time is over.
    actionTimeout: 60_000,
    browserName: 'chromium',
    launchOptions: await findBrowser(),
    locale: 'en-US',
    // Nobody waits for a menu to unfold, nor pays for a recording of what passes: `npm run test:e2e -- FILE --trace on` makes one.
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'on-first-retry',
  },
});
