// Tests single sign-on in a browser with a real provider on loopback: setup, sign-in, linking, refusals, and sign-out at the provider.
import type { Page } from '@playwright/test';
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { forgetCallers } from '#platform/auth/sessions/caller.server.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { type SignOnProvider, startSignOnProvider } from '#testing/sign-on-provider.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { SignOnAdmin } from './single-sign-on.contract.ts';

test.use({ company: 'sign-in' });

const PASSWORD = 'correct horse battery';
const hash = await hashPassword(PASSWORD);
let provider: SignOnProvider;

test.beforeAll(async ({ server, address }) => {
  server.services.config.reach.loopback = true;
  const person = (sub: string, name: string, ...groups: string[]) => ({
    sub,
    name,
    email: `${sub}@example.net`,
    groups,
  });
  provider = await startSignOnProvider({
    client: { redirectUri: `${address}/login`, logoutUri: `${address}/api/SignOn/BackchannelLogout` },
    people: [
      person('erin', 'Erin Example', 'sales'),
      person('noel', 'Noel Nobody'),
      person('lee', 'Lee Linked', 'service'),
    ],
  });
});
test.afterAll(() => provider.close());

async function anAdmin(server: TestServer) {
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  await server.db.updateTable('app_user').set({ password_hash: hash }).where('id', '=', admin.id).execute();
  return admin;
}

async function setUp(server: TestServer, more: Record<string, unknown> = {}) {
  const admin = await anAdmin(server);
  const now = await server.ok(SignOnAdmin.GetSignOnSettings, {}, { as: admin });
  const rows = [
    { claim: 'groups', value: 'sales', roles: ['salesrep' as const] },
    { claim: 'groups', value: 'service', roles: ['csrep' as const] },
  ];
  const { id: clientId, secret } = provider.client;
  const input = {
    ...now,
    issuer: provider.issuer,
    clientId,
    secret,
    scopes: 'openid email profile',
    rows,
    makesPeople: true,
  };
  await server.ok(SignOnAdmin.SaveSignOnSettings, { ...input, button: 'Sign in with Example', ...more }, { as: admin });
  return admin;
}

const begin = (page: Page) => page.getByRole('button', { name: 'Sign in with Example' }).click();
const choose = (page: Page, name: string) => page.getByRole('link', { name }).click();

test('an administrator sets it up by keyboard and tests it; the login screen has one more button', async ({
  page,
  server,
  signIn,
  browser,
  baseURL,
}) => {
  const visitor = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await visitor.goto('/login');
  await expect(visitor.getByRole('main').getByRole('button')).toHaveText(['', 'Sign in', 'I forgot my password']);

  await signIn(await anAdmin(server));
  await page.goto('/admin/settings/sign-in');
  const form = page.getByRole('form', { name: 'Single sign-on' });
  await form.getByLabel('Issuer').fill(provider.issuer);
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('This field is required').first()).toBeVisible();
  await form.getByLabel('Client ID').fill(provider.client.id);
  await form.getByLabel('Client secret').fill(provider.client.secret);
  await form.getByLabel('Button text on the login screen').fill('Sign in with Example');
  await form.getByRole('button', { name: 'Add row' }).press('Enter');
  await form.getByLabel('Value of groups').fill('sales');
  await form.getByRole('combobox', { name: 'Roles for sales' }).click();
  await page.getByRole('option', { name: 'Sales representative' }).click();
  await page.keyboard.press('Escape');
  await form.getByRole('checkbox', { name: /^Create accounts/ }).check();
  await form.getByRole('button', { name: 'Test connection' }).click();
  await expect(form.getByRole('status')).toContainText('responds and has 1 key. It supports back-channel logout.');
  await form.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByText('Single sign-on is saved.')).toBeVisible();
  await expect(form.getByLabel('Client secret')).toHaveValue('');
  await expect(page.getByRole('region', { name: 'Single sign-on history' })).toContainText('Ada Admin added the');
  await expect(page.locator('body')).not.toContainText(provider.client.secret);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideScroll(page);

  await visitor.reload();
  await expect(visitor.getByRole('main').getByRole('button')).toHaveText([
    '',
    'Sign in',
    'I forgot my password',
    'Sign in with Example',
  ]);
  await visitor.context().close();
});

test('a person signs in at the provider, returns to the same page, and signing out there ends the session', async ({
  page,
  server,
}) => {
  await setUp(server);
  await page.goto('/item-search');
  await expect(page).toHaveURL(/\/login\?redirect/);
  await begin(page);
  await choose(page, 'Erin Example');
  await expect(page).toHaveURL(/\/item-search$/);
  await expect(page.getByText('Hello, Erin Example')).toBeVisible();

  const other = await page.context().newPage();
  await other.goto(`${provider.issuer}/session/end`);
  await other.getByRole('button', { name: /yes/i }).click();
  await expect
    .poll(async () =>
      (await server.db.selectFrom('session').selectAll().where('revoked_at', 'is', null).execute()).filter(
        ({ sign_on_issuer: at }) => at !== null,
      ),
    )
    .toEqual([]);
  await other.close();
  await page.goto('/');
  await expect(page).toHaveURL(/\/login/);
});

test('a second tab that signs in after the first goes home, and links nothing', async ({ page, server }) => {
  await setUp(server);
  const other = await page.context().newPage();
  for (const tab of [page, other]) {
    await tab.goto('/login');
    await begin(tab);
    await expect(tab.getByRole('link', { name: 'Erin Example' })).toBeVisible();
  }
  await choose(page, 'Erin Example');
  await expect(page.getByText('Hello, Erin Example')).toBeVisible();
  await choose(other, 'Erin Example');
  await expect(other).toHaveURL(/\/(\?page=1)?$/);
  await expect(other.getByText('Hello, Erin Example')).toBeVisible();
});

test('the login screen shows what the provider refused, and the address shows none of it', async ({ page, server }) => {
  await setUp(server);
  await page.goto('/item-search?decide');
  await begin(page);
  await choose(page, 'Cancel');
  await expect(page.getByRole('alert')).toHaveText(/^Login Failed\. The sign-in was canceled/);
  await expect(page).toHaveURL('/login?redirect=%2Fitem-search%3Fdecide');
  await begin(page);
  await choose(page, 'Noel Nobody');
  await expect(page.getByRole('alert')).toContainText('it gives you no role');
  // The answer to a sign-in that began in another browser.
  await page.goto('/login?code=stolen&state=stolen');
  await expect(page.getByRole('alert')).toContainText('was started in another browser');
  provider.fault = 'down';
  await setUp(server, { button: 'Sign in with Example' });
  await page.goto('/login');
  await begin(page);
  await expect(page.getByRole('alert')).toContainText('The provider cannot be reached');
  await expect(page.getByLabel('Email')).toBeVisible();
  provider.fault = 'none';
});

test('unsaved work continues when its session has ended and the person signs in again in another tab', async ({
  page,
  server,
}) => {
  await setUp(server);
  await page.goto('/pub-quote-new?decide&from=mail');
  await begin(page);
  await choose(page, 'Erin Example');
  await expect(page).toHaveURL('/pub-quote-new?decide&from=mail');
  await page.getByLabel('Customer reference').fill('PR-7');
  await server.db.updateTable('session').set({ revoked_at: new Date() }).where('revoked_at', 'is', null).execute();
  forgetCallers(server.services);
  await page.getByRole('combobox', { name: /^Facility/ }).fill('any');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('link', { name: 'Sign in with Example (new tab)' }).click(),
  ]);
  await begin(tab);
  await expect(tab.getByText('Hello, Erin Example')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Customer reference')).toHaveValue('PR-7');
});

test('with the password form switched off, the local administrator can still sign in', async ({ page, server }) => {
  const admin = await setUp(server);
  const now = await server.ok(SignOnAdmin.GetSignOnSettings, {}, { as: admin });
  await server.ok(
    SignOnAdmin.SaveSignOnSettings,
    { ...now, secret: '', localOff: true, localAdminId: admin.id },
    { as: admin },
  );
  forgetCallers(server.services);
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign in as the local administrator' }).click();
  await page.getByLabel('Email').fill(admin.userName);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Hello, Ada Admin')).toBeVisible();
});
