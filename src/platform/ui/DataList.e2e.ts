// Tests lists in a browser: the heading stays visible.
import { expect, test } from '#testing/browser.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

test('the heading of a list stays in sight', async ({ page, server, signIn }) => {
  for (let count = 0; count < 45; count++) await aFacility(server.db);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.goto('/facilities');
  const heading = page.getByRole('columnheader').first();
  await expect(heading).toBeVisible();
  // Until its rows are loaded, the page is too short to scroll that far.
  await expect(page.getByRole('table').getByRole('link').nth(20)).toBeVisible();
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
  const bottomOfHead = await page
    .locator('header')
    .first()
    .evaluate((head) => head.getBoundingClientRect().bottom);
  expect((await heading.boundingBox())?.y).toBeCloseTo(bottomOfHead, 0);
  // A list that is wider than its container scrolls in it, below its heading.
  await page.setViewportSize({ width: 780, height: 500 });
  await page.locator('.list').evaluate((table) => (table.style.width = '1600px'));
  const place = page.locator('.list-scroll[data-wide]');
  await place.evaluate((element) => element.scrollTo({ top: 200 }));
  const top = (await place.boundingBox())?.y ?? 0;
  expect((await heading.boundingBox())?.y).toBeCloseTo(top, 0);
});
