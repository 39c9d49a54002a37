// Tests the whole main job: sign in, new quote, lines, submit, process, a discount rejected and then approved, send, and the customer accepts.
import { test } from '#testing/browser.ts';
import { runMainJourney } from '#testing/main-journey.ts';

test('from sign-in to an accepted quote', async ({ page, browser, server, address, signIn }) => {
  test.setTimeout(180_000);
  await runMainJourney({ page, browser, server, address, signIn });
});
