// Facilities in a browser: find one in the list, open and read it; on a phone too; accessible to screen readers.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

test('a facility is found in the list and read', async ({ page, server, signIn }) => {
  const admin = await aUser(server.db, { roles: ['salesadmin'] });
  await aFacility(server.db, { name: 'Quillon Heights Clinic', acctNo: 'QH-771' });
  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Facilities/ }).click();
  await page.getByLabel('Name, account, city or ZIP').fill('quillon');
  await expect(page.getByText('1 facility', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Quillon Heights Clinic' }).click();
  await expect(page.getByRole('heading', { name: 'Quillon Heights Clinic' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('QH-771');
  await expect(page.getByRole('region', { name: 'Contacts' })).toContainText('Purchasing');
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 780 });
  await expectNoSideScroll(page);
  await page.goto('/facilities/2000000000');
  await expect(page.getByText('The facility could not be loaded')).toBeVisible();
});
