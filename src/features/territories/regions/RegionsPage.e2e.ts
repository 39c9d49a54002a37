// Regions in a browser: open from Settings, add one by keyboard, keep typed input, two administrators on one region.
import { expect, test } from '#testing/browser.ts';
import { aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';

test('an administrator adds a region by keyboard and finds it again', async ({ page, server, signIn }) => {
  const admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  await aUser(server.db, { roles: ['salesQuoteManager'], fullName: 'Maxine Plains' });
  await signIn(admin);
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: /^Regions/ }).click();
  await expect(page.getByText(/^\d+ regions?$/)).toBeVisible();

  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'Region' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('This field is required')).toBeVisible();
  await form.getByLabel('Name').fill('Pampas Plains');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(form.getByLabel('Name')).toHaveValue('Pampas Plains');
  await form.getByRole('combobox', { name: 'Managers' }).fill('maxine');
  await page.getByRole('option', { name: 'Maxine Plains' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Pampas Plains is saved.')).toBeVisible();
  await expect(form).toBeHidden();

  await page.keyboard.press('/');
  await page.keyboard.type('pampas');
  await expect(page).toHaveURL(/keyword=pampas/);
  const row = page.getByRole('row', { name: /Pampas Plains/ });
  await expect(row).toContainText('Maxine Plains');
  await page.reload();
  await expect(page.getByLabel('Region name')).toHaveValue('pampas');
  await page.getByRole('combobox', { name: 'Active or not' }).click();
  await page.getByRole('option', { name: 'All', exact: true }).click();
  await expect(page).toHaveURL(/active=all/);
  await expect(page.getByRole('combobox', { name: 'Active or not' })).toHaveValue('All');
  await row.getByRole('button', { name: 'Pampas Plains' }).click();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Ada Admin added the region');
});

test('a conflict shows the saved value beside the typed one', async ({ page, server, signIn }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const region = await aRegion(db, { name: 'Lakes' });
  await aTerritory(db, { name: 'Lakes One', regionId: region.id });
  await signIn(admin);
  await page.goto('/admin/regions?keyword=lakes');
  await page.getByRole('button', { name: 'Lakes', exact: true }).click();
  const form = page.getByRole('form', { name: 'Region' });
  await form.getByLabel('Active').uncheck();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText(/still has active territories: Lakes One/)).toBeVisible();
  await form.getByLabel('Active').check();

  await db.updateTable('region').set({ name: 'Lakes North', version: 2 }).where('id', '=', region.id).execute();
  await form.getByLabel('Name').fill('Lakes South');
  await form.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changed by someone else' });
  await expect(dialog.getByRole('row', { name: 'Name Lakes North Lakes South' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(page.getByText('Lakes South is saved.')).toBeVisible();
});
