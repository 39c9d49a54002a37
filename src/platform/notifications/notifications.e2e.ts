// Tests the bell in a browser: it updates automatically, leads to the place, is read on all devices, and reports failures.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { notify } from './notify.server.ts';

const by = { id: null, name: 'Kim Lee' };

test('rings while one looks elsewhere, leads to the quote, and is read in every tab', async ({
  page,
  context,
  server,
  signIn,
}) => {
  const reader = await aUser(server.db, { roles: ['csrep'], fullName: 'Robin Reader' });
  const quote = await aQuote(server.db, { facilityName: 'Ringing Clinic' });
  const send = (kind: 'mentioned' | 'assigned') =>
    notify(server.db, server.services, { kind, by }, [{ userId: reader.id, quoteId: quote.id }]);
  await signIn(reader);
  const other = await context.newPage();
  for (const entry of [page, other]) {
    await entry.goto('/account');
    await expect(entry.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  }
  await expect(page).toHaveTitle(/^My account/);
  await page.bringToFront();
  await send('mentioned');
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  await expect(page).toHaveTitle(/^\(1\) My account/);
  await send('assigned');
  await expect(page).toHaveTitle(/^\(2\) My account/);

  await page.locator('body').press('b');
  const list = page.getByRole('dialog', { name: 'Notifications' });
  const group = list.getByRole('region', { name: /Ringing Clinic/ });
  await expect(group.getByRole('link')).toHaveText([/Kim Lee assigned the quote to you/, /Kim Lee mentions you/]);
  await expectAccessible(page, '[role=dialog]');
  await group.getByRole('link', { name: /mentions you/ }).click();
  await expect(page).toHaveURL(new RegExp(`/int-quote-board/${quote.id}$`));
  await expect(list).toBeHidden();
  await expect(page).toHaveTitle(/^\(1\) /);

  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await list.getByRole('button', { name: 'Mark all read' }).click();
  await expect(list.getByRole('button', { name: 'Mark all read' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeFocused();
  await other.bringToFront();
  await expect(other).toHaveTitle(/^My account/);
});

test('says that nothing is there, and that the list could not be loaded', async ({ page, server, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const reader = await aUser(server.db, { roles: ['csrep'] });
  await signIn(reader);
  await page.goto('/item-search');
  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  const list = page.getByRole('dialog', { name: 'Notifications' });
  await expect(list).toContainText('No notifications yet.');
  await expectAccessible(page, '[role=dialog]');
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.keyboard.press('Escape');

  await server.db.schema.alterTable('notification').renameTo('away').execute();
  try {
    await page.reload();
    await page.getByRole('button', { name: 'Notifications', exact: true }).click();
    await expect(list.getByRole('alert')).toContainText('The notifications could not be loaded');
  } finally {
    await server.db.schema.alterTable('away').renameTo('notification').execute();
  }
});

test('a person chooses how they hear of a kind, and an administrator how the others do', async ({
  page,
  server,
  signIn,
}) => {
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  await signIn(admin);
  await page.goto('/admin/settings/notifications');
  await page.getByRole('combobox', { name: 'A customer opens a quote for the first time' }).click();
  await page.getByRole('option', { name: 'Daily email' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The settings are saved.')).toBeVisible();

  await signIn(rep);
  await page.goto('/account#notifications');
  const panel = page.getByRole('region', { name: 'Notifications' });
  const choice = panel.getByRole('combobox', { name: 'A customer opens a quote for the first time' });
  await expect(choice).toHaveValue('Default here: daily email');
  await expect(panel.getByRole('combobox', { name: 'Webhooks are failing' })).toHaveCount(0);
  await choice.click();
  await page.getByRole('option', { name: 'Nothing' }).click();
  await expect(choice).toHaveValue('Nothing');
  await page.reload();
  await expect(choice).toHaveValue('Nothing');
  await server.db.updateTable('notification_settings').set({ ways: '{}' }).execute();
});

test('Home shows waiting quotes as counts that lead to just those quotes', async ({ page, server, signIn }) => {
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  await signIn(rep);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Open Quotes' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Waiting for you' })).toHaveCount(0);
  const validUntil = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  for (const facilityName of ['Soon Clinic', 'Soon Hospital'])
    await aQuote(server.db, { ownerId: rep.id, statusId: 'SentToCustomer', validUntil, facilityName });
  await aQuote(server.db, { ownerId: rep.id, facilityName: 'Other Clinic' });
  await page
    .getByRole('navigation', { name: 'Waiting for you' })
    .getByRole('link', { name: '2 expire this week' })
    .click();
  await expect(page.getByRole('group', { name: 'Filtered by' })).toContainText('Expires within a week');
  await expect(page.getByText('Soon Hospital').first()).toBeVisible();
  await expect(page.getByText('Other Clinic')).toHaveCount(0);
});
