// Tests signing in: forgotten passwords, and sessions that end or expire, in two tabs. Plain signing in and out is in e2e/smoke/sign-in.spec.ts.
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { hashPassword } from '../passwords/password.server.ts';
import { forgetCallers } from '../sessions/caller.server.ts';

const PASSWORD = 'correct horse battery';
/** The home screen, on any page of its list. */
const HOME = /^http:\/\/[^/]+\/(?:\?.*)?$/;
const hash = await hashPassword(PASSWORD);

async function aPerson(server: TestServer) {
  const user = await aUser(server.db, { roles: ['csrep'] });
  await server.db.updateTable('app_user').set({ password_hash: hash }).where('id', '=', user.id).execute();
  return user;
}

async function revokeAll(server: TestServer, userId: number) {
  await server.db.updateTable('session').set({ revoked_at: new Date() }).where('user_id', '=', userId).execute();
  forgetCallers(server.services);
}

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

async function fillIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await signInButton(page).click();
}

/** Blocks the stream of changes, which would report the end of a session at once, and never becomes idle. */
const deaf = (context: BrowserContext) => context.route('**/api/live', (route) => route.abort());

test('on a phone, Home is in the toolbar, other screens in the drawer, and colors in the account menu', async ({
  page,
  server,
  signIn,
}) => {
  const user = await aPerson(server);
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(user);
  await page.goto('/change-password');
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page).toHaveURL(HOME);
  await page.getByRole('button', { name: 'Menu' }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');
  await drawer.getByRole('link', { name: 'Find Quote' }).click();
  await expect(page).toHaveURL(/int-quotes/);
  await page.getByRole('button', { name: `Account of ${user.fullName}` }).click();
  await page.getByRole('menuitem', { name: 'Use dark colors' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('nothing is sent while a field is empty, and nobody is sent to another site', async ({ page, server }) => {
  const user = await aPerson(server);
  let calls = 0;
  await page.route('**/Token', (route) => {
    calls++;
    return route.continue();
  });
  await page.goto('/login?redirect=//example.org/');
  await signInButton(page).click();
  await page.getByLabel('Email').fill(user.userName);
  await signInButton(page).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  expect(calls).toBe(0);
  await fillIn(page, user.userName, PASSWORD);
  await expect(page).toHaveURL(HOME);
});

test('printView leaves out toolbar and footer, also before anybody is signed in', async ({ page }) => {
  for (const path of ['/login', '/reset-password']) {
    await page.goto(path);
    await expect(page.getByRole('banner')).toBeVisible();
    await expect(page.getByText('Version 3.12.2')).toBeVisible();
    await page.goto(`${path}?printView`);
    await expect(page.getByLabel('Email')).toBeVisible();
    await expect(page.getByRole('banner')).toHaveCount(0);
    await expect(page.getByText('Version 3.12.2')).toHaveCount(0);
  }
});

test('a forgotten password is mailed, works once and must be changed', async ({ page, server }) => {
  const user = await aPerson(server);
  await page.goto('/login');
  await page.getByRole('button', { name: 'I forgot my password' }).click();
  await expect(page).toHaveURL('/reset-password');
  await page.getByRole('button', { name: 'Reset My Password' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please enter your Email first!');
  await page.getByLabel('Email').fill(user.userName);
  await page.getByRole('button', { name: 'Reset My Password' }).click();
  await expect(page.getByRole('status')).toHaveText('New password was sent to your email');

  const mailed = () => server.mails.find((mail) => mail.to.includes(user.userName));
  await expect.poll(() => mailed()?.text).toContain('temporary password');
  const temporary = /^ {4}(\S+)$/m.exec(mailed()?.text ?? '')?.[1] ?? '';
  await page.getByRole('button', { name: 'Back to sign in' }).click();
  await fillIn(page, user.userName, temporary);
  await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible();
  await page.goto('/pub-quotes');
  await expect(page).toHaveURL(/\/change-password/);
  // No other screen is available yet.
  await expect(page.getByRole('navigation', { name: 'Screens' })).toHaveCount(0);

  await page.getByLabel('New password', { exact: true }).fill('too short');
  await page.getByLabel('Confirm new password').fill('another');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('At least 12 characters')).toBeVisible();
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused();
  await expect(page.getByText('The passwords do not match')).toBeVisible();
  await page.getByLabel('New password', { exact: true }).fill('quite another password');
  await page.getByLabel('Confirm new password').fill('quite another password');
  await page.getByRole('button', { name: 'Change password' }).click();
  // This is the requested screen.
  await expect(page).toHaveURL(/\/pub-quotes/);
});

test('a reset that fails says whom to ask', async ({ page, server }) => {
  await page.goto('/reset-password');
  await page.getByLabel('Email').fill('someone@example.com');
  const { send } = server.services.jobs;
  server.services.jobs.send = () => Promise.reject(new Error('the queue is gone'));
  await page.getByRole('button', { name: 'Reset My Password' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Sorry, we cannot reset your password, please check system admin. to reset your password.',
  );
  server.services.jobs.send = send;
  await page.getByRole('button', { name: 'Reset My Password' }).click();
  await expect(page.getByRole('status')).toBeVisible();
});

test('a session that the server ended leads to the login and back', async ({ page, server, signIn }) => {
  const user = await aPerson(server);
  await signIn(user);
  // The session ends during the call. Any earlier, another call of the page would notice it first.
  await page.route('**/ChangePassword', async (route) => {
    await revokeAll(server, user.id);
    await route.continue();
  });
  await page.goto('/change-password');
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill('quite another password');
  await page.getByLabel('Confirm new password').fill('quite another password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page).toHaveURL('/login?redirect=%2Fchange-password');
  await fillIn(page, user.userName, PASSWORD);
  await expect(page).toHaveURL('/change-password');
});

test('typed text survives the end of the session', async ({ page, context, server, signIn }) => {
  const user = await aPerson(server);
  await signIn(user);
  await page.goto('/pub-quote-new');
  const other = await context.newPage();
  await other.goto('/change-password?tab=2');
  await page.getByLabel('Customer reference').fill('REF-9');
  await revokeAll(server, user.id);
  await page.getByLabel('Facility').fill('any facility');

  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(dialog).toBeVisible();
  await expect(other).toHaveURL(/\/login/);
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Login Failed.');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog).toBeHidden();
  await expect(other).toHaveURL('/change-password?tab=2');
  await expect(page.getByLabel('Customer reference')).toHaveValue('REF-9');
});

test('the question for the password waits until the typing stops, and takes no letter of it', async ({
  page,
  server,
  signIn,
}) => {
  const user = await aPerson(server);
  await signIn(user);
  await page.goto('/pub-quote-new');
  await page.getByLabel('Customer reference').fill('REF-9');
  await revokeAll(server, user.id);
  // The first letters start a search, which is refused while the user types on.
  const facility = page.getByLabel('Facility');
  await facility.focus();
  const text = 'a facility that is typed on and on';
  await page.keyboard.type(text, { delay: 120 });
  await expect(facility).toHaveValue(text);
  await expect(facility).toBeFocused();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('');
  await expect(facility).toHaveValue(text);
});

test('two tabs refresh an expiring session before they use it, and both continue', async ({
  page,
  context,
  server,
  signIn,
}) => {
  const user = await aPerson(server);
  await signIn(user);
  await deaf(context);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    const response = tab.waitForResponse('**/GetSignedInUser');
    await tab.goto('/change-password');
    await response;
  }
  const tokenOf = (tab: Page) => tab.evaluate(() => localStorage.getItem('quoteboard.accessToken'));
  // Each page fetches the signed-in user and stores it with the expiry time that this test changes.
  await Promise.all([page, other].map((tab) => tab.waitForLoadState('networkidle')));
  const before = await tokenOf(page);
  await page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('quoteboard.user') ?? '{}') as Record<string, unknown>;
    localStorage.setItem('quoteboard.user', JSON.stringify({ ...user, goodUntil: Date.now() + 1000 }));
  });
  await Promise.all([page.reload(), other.reload()]);
  await expect.poll(() => tokenOf(page)).not.toBe(before);
  await expect.poll(async () => (await tokenOf(other)) === (await tokenOf(page))).toBe(true);
  const { tokens } = await server.db
    .selectFrom('refresh_token')
    .innerJoin('session', 'session.id', 'refresh_token.session_id')
    .select((select) => select.fn.countAll<number>().as('tokens'))
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  // A tab that notices the other tab's new token late gets its own, but no tab refreshes twice.
  expect(tokens).toBeGreaterThan(1);
  expect(tokens).toBeLessThan(4);
  await expect(page.getByText(`Hello, ${user.fullName}`)).toBeVisible();
});
