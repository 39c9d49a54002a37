// Tests the locked public site in a browser: a working rep is signed out and reads why; the administrator continues and unlocks.
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';

test('locked with a message, unlocked again', async ({ page, browser, server, signIn, address }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
  const rep = await aUser(db, { roles: ['salesrep'], fullName: 'Nell Rep' });
  await db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword('Open-sesame-1') })
    .where('id', '=', rep.id)
    .execute();
  const phone = await browser.newPage({ baseURL: address, viewport: { width: 390, height: 844 } });
  await signIn(rep, phone);
  await phone.goto('/');
  await expect(phone.getByRole('heading', { name: 'Open Quotes' })).toBeVisible();

  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Public Site/ }).click();
  await expect(page.getByText('Unlocked')).toBeVisible();
  const form = page.getByRole('form', { name: 'Lock the public site' });
  await form.getByRole('button', { name: 'Lock' }).click();
  await expect(form.getByText('This field is required')).toBeVisible();
  await form.getByLabel('Message').fill('Closed for stocktaking until Monday.');
  await form.getByRole('button', { name: 'Lock' }).click();
  const dialog = page.getByRole('dialog', { name: 'Lock the public site?' });
  await expect(dialog).toContainText('until it is unlocked');
  await dialog.getByRole('button', { name: 'Lock' }).click();
  await expect(page.getByText(/Locked by Bea Boss on/)).toBeVisible();

  // The phone may have noticed already, if it has read something again.
  await phone.goto(paths.findQuoteInternal);
  await phone.getByLabel('Email').fill(rep.userName);
  await phone.getByLabel('Password', { exact: true }).fill('Open-sesame-1');
  await phone.getByRole('button', { name: 'Sign in' }).click();
  await expect(phone.getByText('Closed for stocktaking until Monday.')).toBeVisible();

  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('Unlocked', { exact: true })).toBeVisible();
  await phone.getByLabel('Password', { exact: true }).fill('Open-sesame-1');
  await phone.getByRole('button', { name: 'Sign in' }).click();
  await expect(phone.getByRole('heading', { name: 'Find Quote' })).toBeVisible();
  await phone.close();
});
