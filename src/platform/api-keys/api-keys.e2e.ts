// Tests API keys in a browser: created by keyboard, shown once, used by a program, revoked.
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';

test('an administrator makes a key for a program, which calls with it until it is revoked', async ({
  page,
  server,
  signIn,
  request,
}) => {
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  await aUser(server.db, { roles: ['salesadmin'], fullName: 'Olive Interface' });
  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^API Keys/ }).click();
  await expect(page.getByText(/^\d+ API keys?$/)).toBeVisible();
  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'API key' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('Choose the person it calls on behalf of')).toBeVisible();
  await form.getByLabel('Name').fill('Order interface');
  await form.getByRole('combobox', { name: 'Calls on behalf of' }).fill('olive');
  await page.getByRole('option', { name: /Olive Interface/ }).click();
  await form.getByRole('checkbox', { name: 'Read Region' }).press('Space');
  await page.keyboard.press('Control+Enter');

  const dialog = page.getByRole('dialog', { name: 'The key of Order interface' });
  const key = await dialog.getByText(/^qbk_/).innerText();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  const list = () =>
    request.post('/api/Region/GetAllRegions', { data: {}, headers: { authorization: `Bearer ${key}` } });
  expect((await list()).status()).toBe(200);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();

  const row = page.getByRole('row', { name: /Order interface/ });
  await expect(row).toContainText('Olive Interface');
  await expect(page.getByText(key)).toHaveCount(0);
  await page.reload();
  await expect(row).not.toContainText('Never');

  await row.getByRole('button', { name: 'Order interface' }).click();
  await expect(form.getByRole('checkbox', { name: 'Read Region' })).toBeChecked();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog', { name: 'Revoke this key?' }).getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toContainText('Revoked');
  expect((await list()).status()).toBe(401);
  await row.getByRole('button', { name: 'Order interface' }).click();
  await expect(page.getByText('This key is permanently revoked.')).toBeVisible();
});
