// Tests a second factor as users use it: set up in their account, required at sign-in, required by role, reset.
import type { Page } from '@playwright/test';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { hashPassword } from '../passwords/password.server.ts';
import { codeAt, stepAt, unbase32 } from './totp.server.ts';

test.use({ company: 'sign-in' });

const PASSWORD = 'correct horse battery';
const HOME = /^http:\/\/[^/]+\/(?:\?.*)?$/;
const hash = await hashPassword(PASSWORD);

async function aPerson(server: TestServer, input: Parameters<typeof aUser>[1] = {}) {
  const user = await aUser(server.db, { roles: ['csrep'], ...input });
  await server.db.updateTable('app_user').set({ password_hash: hash }).where('id', '=', user.id).execute();
  return user;
}

/** Generates codes like an authenticator app. A code works only once, so each is of a later time step than the last. */
function app(secret: string) {
  let last = 0;
  return () => codeAt(unbase32(secret), (last = Math.max(last + 1, stepAt(new Date()) - 1)));
}

async function firstStep(page: Page, email: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Sets up the second factor by keyboard, from the password to the recovery codes. */
async function setUp(page: Page) {
  await page.getByRole('button', { name: 'Set up…' }).press('Enter');
  const proof = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await expect(proof.getByText('This is not your current password')).toBeVisible();
  await proof.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const letters = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText();
  const next = app(letters.replaceAll(' ', ''));
  const field = page.getByLabel('2. Enter the code from the app');
  await field.fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This code is wrong or was already used')).toBeVisible();
  await field.fill(next());
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' });
  const codes = (await dialog.getByText(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}/).innerText()).split('\n');
  expect(codes).toHaveLength(10);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  return { next, codes };
}

test('a person sets it up, signs in by password and code, and removes it by a recovery code', async ({
  page,
  server,
  signIn,
}) => {
  const user = await aPerson(server, { fullName: 'Olive Other' });
  await signIn(user);
  await page.goto('/');
  await page.getByRole('button', { name: 'Account of Olive Other' }).click();
  await page.getByRole('menuitem', { name: 'My account' }).click();
  const panel = page.getByRole('region', { name: 'Second factor' });
  await expect(panel).toContainText('Not set up');
  const { next, codes } = await setUp(page);
  await expect(panel).toContainText('10 of 10 recovery codes left');
  await page.getByRole('button', { name: 'Account of Olive Other' }).click();
  await page.getByRole('menuitem', { name: 'Signout' }).click();

  await page.waitForURL(/\/login/);
  await page.goto('/item-search?keyword=glove&decide');
  await firstStep(page, user.userName);
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Login Failed. This code is wrong');
  await expect(page.getByLabel('Code')).toHaveValue('');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(user.userName);
  await firstStep(page, user.userName);
  await page.getByLabel('Code').fill(next());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/item-search\?keyword=glove.*&decide/);
  await expect(page.getByText('Hello, Olive Other')).toBeVisible();

  await page.goto('/account');
  await panel.getByRole('button', { name: 'Remove…' }).click();
  const remove = page.getByRole('dialog', { name: 'Remove the authenticator app?' });
  await remove.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await remove.getByLabel('Code').fill(codes[0] ?? '');
  await remove.getByRole('button', { name: 'Remove' }).click();
  await expect(panel).toContainText('Not set up');
});

test('an administrator requires it for a role, the next sign-in must set it up first, and the administrator resets it', async ({
  page,
  server,
  signIn,
  browser,
  baseURL,
}) => {
  const admin = await aPerson(server, { roles: ['systemadmin'] });
  const user = await aPerson(server, { roles: ['contractdept'], fullName: 'Connie Contracts' });
  await signIn(admin);
  await page.goto('/admin/settings');
  const notice = page.getByRole('alert', { name: 'Your account is protected only by a password' });
  await expect(notice.getByRole('link', { name: 'My account' })).toHaveAttribute('href', '/account');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('link', { name: /^Sign-in/ }).click();
  await page.getByRole('checkbox', { name: 'Contract department' }).press('Space');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The rules are saved.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Second factor history' })).toContainText('Contract department');

  const other = await browser.newContext({ baseURL: baseURL ?? '' });
  const theirs = await other.newPage();
  await theirs.goto('/gpo/contracts?page=1&name=glove');
  await firstStep(theirs, user.userName);
  await expect(theirs.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await expect(theirs.getByRole('navigation', { name: 'Screens' })).toHaveCount(0);
  await theirs.goto('/gpo/contracts?page=1&name=glove');
  await expect(theirs.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await setUp(theirs);
  await expect(theirs).toHaveURL(/\/gpo\/contracts\?page=1&name=glove/);
  await theirs.goto('/account');
  await expect(theirs.getByText('One of your roles requires a second factor.')).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Remove…' })).toHaveCount(0);
  await other.close();

  await page.goto(`/admin/userEdit/${user.id}`);
  await page.getByRole('button', { name: 'Reset…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset the second factor of Connie Contracts?' });
  await dialog.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByText('The second factor of Connie Contracts is reset.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Second factor' })).toContainText('None');
  await page.goto('/login');
  await expect(page).toHaveURL(HOME);
});
