// Tests the audit in a browser: open, search, filter, page, export, also on a phone.
import { recordChange } from '#platform/history/record-change.server.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';

test('a long list has pages and can be exported as a file', async ({ page, server, signIn }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const busy = await aUser(db, { fullName: 'Bea Busy' });
  for (let n = 1; n <= 120; n++)
    await recordChange(db, busy, { type: 'region', id: 1, name: `Region no. ${n}`, action: 'Activate' });
  await signIn(admin);
  await page.goto(`/admin/settings/audit?person=${busy.id}`);
  const rows = page.getByRole('table', { name: 'Events' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Region no. 120');
  await expect(page.getByText('120 events')).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expect(pages.getByRole('button', { name: 'Newer' })).toBeDisabled();
  await pages.getByRole('button', { name: 'Older' }).click();
  await expect(rows.nth(1)).toContainText('Region no. 70');
  await pages.getByRole('button', { name: 'Older' }).click();
  await expect(rows.nth(1)).toContainText('Region no. 20');
  await expect(pages.getByRole('button', { name: 'Older' })).toBeDisabled();
  await pages.getByRole('button', { name: 'Newer' }).click();
  await expect(rows.nth(1)).toContainText('Region no. 70');
  await page.goBack();
  await expect(rows.nth(1)).toContainText('Region no. 20');
  await pages.getByRole('button', { name: 'Newest' }).click();
  await expect(rows.nth(1)).toContainText('Region no. 120');

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await saved).suggestedFilename()).toBe('audit.csv');

  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.getByRole('list', { name: 'Events' })).toContainText('Bea Busy activated the region');
  await expectNoSideScroll(page);
  await page.goto(`/admin/settings/audit?person=${busy.id}&older=nonsense`);
  await expect(page.getByText('This list could not be loaded')).toBeVisible();
  await page.getByRole('button', { name: 'Newest' }).click();
  await expect(page.getByText('120 events')).toBeVisible();
});
