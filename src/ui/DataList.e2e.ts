// The lists of the program in a browser: a page that does not exist is left for one that does, whatever the list.
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
  // A list that holds nothing says so, and its address stands still.
  await page.goto('/admin/users?page=50&keyword=nobody-goes-by-this');
  await expect(page.getByText('No Record Found')).toBeVisible();
  await expect(page).toHaveURL(/page=1&keyword=/);
});
