// Tests users in a browser: invite and sign in, change, sign out, hand over and deactivate; nobody locks themselves out.

import { expect, test } from '#testing/browser.ts';
import { aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

const PASSWORD = 'my very own password';

test('a new user is added, reads the email, chooses a password and is signed in; the link works once', async ({
  page,
  server,
  signIn,
  browser,
}) => {
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  await aRegion(server.db, { name: 'Finger Lakes' });
  await aUser(server.db, { fullName: 'Rita Rep' });
  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Users/ }).click();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'User' });
  await expect(form.getByLabel('Email')).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('Choose at least one role')).toBeVisible();
  await expect(form.getByText('This field is required')).toHaveCount(2);

  await form.getByLabel('Email').fill('ADA');
  await expect(form.getByText('This is not an email address')).toBeVisible();
  await form.getByLabel('Email').fill('nina.new@example.com');
  await form.getByLabel('Full Name').fill('Nina New');
  await expect(form.getByLabel('Regions Managed')).toBeHidden();
  await form.getByLabel('Sales quote manager').check();
  await form.getByLabel('Regions Managed').fill('finger');
  await page.getByRole('option', { name: 'Finger Lakes' }).click();
  // The list of choices stays open for more selections, and may cover the next field.
  await form.getByLabel('Regions Managed').blur();
  await form.getByLabel('Sales support').check();
  await form.getByLabel('Reps Supported').fill('rita');
  await page.getByRole('option', { name: /Rita Rep/ }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The invitation is on its way to nina.new@example.com.')).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/userEdit\/\d+$/);
  await expect(page.getByRole('heading', { name: 'Nina New' })).toBeVisible();
  await expect(page.getByText(/^Invited .* the link works until/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Regions managed: – → Finger Lakes');

  const mailed = () => server.mails.find(({ to }) => to.includes('nina.new@example.com'))?.text ?? '';
  await expect.poll(mailed).toContain('Ada Admin has created an account for you');
  const link = /^ {4}(\S+)$/m.exec(mailed())?.[1] ?? '';

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const theirs = await context.newPage();
  await theirs.goto(link);
  await expect(theirs.getByText('Welcome, Nina New.')).toBeVisible();
  await theirs.getByLabel('New password', { exact: true }).fill('short');
  await theirs.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(theirs.getByText('At least 12 characters')).toBeVisible();
  await theirs.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await theirs.getByLabel('Confirm new password').fill(PASSWORD);
  await theirs.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(theirs.getByText('Hello, Nina New')).toBeVisible();
  await context.close();

  const late = await browser.newContext();
  const again = await late.newPage();
  await again.goto(link);
  await expect(again.getByRole('alert')).toContainText('This link no longer works');
  await again.getByRole('button', { name: 'Go to sign in' }).click();
  await expect(again.getByRole('button', { name: 'I forgot my password' })).toBeVisible();
  await late.close();

  // As the specification requires, a signed-in user is redirected home from this screen. A notification explains why.
  await page.goto(link);
  await expect(page.getByText('To use an invitation, sign out first, then open its link again.')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Nina New accepted the invitation');
  await expect(page.getByRole('button', { name: 'Resend Invitation' })).toBeHidden();
});

test('a user who leaves hands over quotes and territories, and is signed out', async ({
  page,
  server,
  signIn,
  browser,
}) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const rep = await aUser(db, { fullName: 'Lea Leaving' });
  const heir = await aUser(db, { fullName: 'Hal Heir' });
  await aUser(db, { roles: ['salessupport'], fullName: 'Sue Support', supports: [rep.id] });
  const territory = await aTerritory(db, { name: 'Lakeside', sales: rep.id });
  const quote = await aQuote(db, { ownerId: rep.id, salesRepId: rep.id });
  const context = await browser.newContext();
  const theirs = await context.newPage();
  await signIn(rep, theirs);
  await theirs.goto('/');
  await expect(theirs.getByText('Hello, Lea Leaving')).toBeVisible();

  await signIn(admin);
  await page.goto('/admin/users?keyword=leaving');
  await page.getByRole('link', { name: 'Lea Leaving' }).click();

  // Losing the role is allowed, with a message.
  const form = page.getByRole('form', { name: 'User' });
  await form.getByLabel('Customer service representative').check();
  await form.getByLabel('Sales representative').uncheck();
  await expect(form.getByText(/stays sales rep. of 1 open quote and 1 territory/)).toBeVisible();
  await form.getByLabel('Sales representative').check();
  await form.getByLabel('Phone').fill('555-0177');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Lea Leaving is saved.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('555-0177');

  await page.getByRole('button', { name: 'Deactivate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deactivate Lea Leaving?' });
  await expect(dialog.getByText('1 open quote and 1 territory: Lakeside')).toBeVisible();
  await expect(dialog.getByText(/Supported by Sue Support/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await expect(dialog.getByText('Choose who takes over')).toHaveCount(2);
  await dialog.getByRole('combobox', { name: 'Takes over as sales rep.' }).fill('hal');
  await page.getByRole('option', { name: /Hal Heir/ }).click();
  await expect(dialog.getByRole('combobox', { name: 'Takes over as owner' })).toHaveValue('Hal Heir');
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('Lea Leaving is deactivated and signed out everywhere.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('1 territory to Hal Heir');
  await expect(page.getByText('Lea Leaving is not signed in anywhere.')).toBeVisible();

  const moved = await db.selectFrom('quote').select(['owner_id', 'sales_rep_id']).where('id', '=', quote.id).execute();
  expect(moved).toEqual([{ owner_id: heir.id, sales_rep_id: heir.id }]);
  const reps = db.selectFrom('territory_rep').select('user_id').where('territory_id', '=', territory.id);
  expect(await reps.where('valid_to', 'is', null).execute()).toEqual([{ user_id: heir.id }]);
  await theirs.reload();
  await expect(theirs).toHaveURL(/\/login/);
  await context.close();

  await page.keyboard.press('d');
  await page.getByRole('dialog', { name: 'Activate Lea Leaving?' }).getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByText('Lea Leaving is active.')).toBeVisible();
});
