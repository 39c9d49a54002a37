// Tests signing in and out as a person does it, with a wrong password first, and in two tabs.
import type { Page } from '@playwright/test';
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

const PASSWORD = 'correct horse battery';
/** The home screen, on any page of its list. */
const HOME = /^http:\/\/[^/]+\/(?:\?.*)?$/;
const hash = await hashPassword(PASSWORD);

async function aPerson(server: TestServer) {
  const user = await aUser(server.db, { roles: ['csrep'] });
  await server.db.updateTable('app_user').set({ password_hash: hash }).where('id', '=', user.id).execute();
  return user;
}

async function fillIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a visitor is sent to sign in and returns to the exact address', async ({ page, server }) => {
  const user = await aPerson(server);
  const target = '/change-password?from=mail&n=2#here';
  await page.goto(target);
  await expect(page).toHaveURL(`/login?${new URLSearchParams({ redirect: target }).toString()}`);
  await expect(page.getByLabel('Email')).toBeFocused();

  await fillIn(page, user.userName, 'wrong');
  await expect(page.getByRole('alert')).toHaveText('Login Failed. The email address or the password is wrong.');
  await expect(page.getByLabel('Email')).toHaveValue(user.userName);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');

  await fillIn(page, user.userName, PASSWORD);
  await expect(page).toHaveURL(target);
  await expect(page.getByText(`Hello, ${user.fullName}`)).toBeVisible();

  await page.goto('/login');
  await expect(page).toHaveURL(HOME);
  await page.goto('/reset-password');
  await expect(page).toHaveURL(HOME);
});

test('the link of an approval mail keeps its purpose through every step of signing in', async ({ page, server }) => {
  const user = await aPerson(server);
  await server.db.updateTable('app_user').set({ must_change_password: true }).where('id', '=', user.id).execute();
  const target = '/account?decide&n=2';
  await page.goto(target);
  await expect(page).toHaveURL(`/login?${new URLSearchParams({ redirect: target }).toString()}`);
  // Looking for a way in by another screen loses nothing.
  await page.getByRole('button', { name: 'I forgot my password' }).click();
  await page.getByRole('button', { name: 'Back to sign in' }).click();
  await fillIn(page, user.userName, PASSWORD);
  await expect(page).toHaveURL(`/change-password?${new URLSearchParams({ redirect: target }).toString()}`);
  await page.getByLabel('New password', { exact: true }).fill('quite another password');
  await page.getByLabel('Confirm new password').fill('quite another password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page).toHaveURL(target);
  // Signed in already, the address of the login leads on, too.
  await page.goto(`/login?${new URLSearchParams({ redirect: target }).toString()}`);
  await expect(page).toHaveURL(target);
});

test('signing out in one tab signs out the other, for good', async ({ page, context, server, signIn }) => {
  const user = await aPerson(server);
  await signIn(user);
  await page.goto('/change-password');
  const other = await context.newPage();
  await other.goto('/change-password?tab=2');
  await expect(other.getByText(`Hello, ${user.fullName}`)).toBeVisible();

  await page.getByRole('button', { name: `Account of ${user.fullName}` }).click();
  await page.getByRole('menuitem', { name: 'Signout' }).click();
  await expect(page).toHaveURL('/login?redirect=%2F');
  await expect(other).toHaveURL(`/login?${new URLSearchParams({ redirect: '/change-password?tab=2' }).toString()}`);
  const sessions = server.db.selectFrom('session').select('id').where('user_id', '=', user.id);
  await expect.poll(() => sessions.where('revoked_at', 'is', null).execute()).toEqual([]);

  // Signing in again in one tab restores the other.
  await fillIn(other, user.userName, PASSWORD);
  await expect(other).toHaveURL('/change-password?tab=2');
  await expect(page).toHaveURL(HOME);
});
