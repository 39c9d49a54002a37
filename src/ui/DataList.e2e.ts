// Lists in a browser: every list leaves a page that does not exist for one that does.
import { expect, test } from '#testing/browser.ts';
import { aFacility, aRegion, aUser } from '#testing/factories/people.server.ts';

const LISTS = ['/admin/users', '/facilities', '/admin/regions', '/admin/territories', '/admin/item-class'];

test('every list steps back from a page past its last', async ({ page, server, signIn }) => {
  await aRegion(server.db);
  await aFacility(server.db);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  for (const list of LISTS) {
    await page.goto(`${list}?page=50`);
    await expect(page).toHaveURL(/[?&]page=1$/);
    await expect(page.locator('#main [aria-busy="true"]')).toHaveCount(0);
  }
  // An empty list says so, and its address does not change.
  await page.goto('/admin/users?page=50&keyword=nobody-goes-by-this');
  await expect(page.getByText('No Record Found')).toBeVisible();
  await expect(page).toHaveURL(/page=1&keyword=/);
});
