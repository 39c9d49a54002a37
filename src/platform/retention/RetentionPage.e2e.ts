// Tests the retention screen in a browser: a preview while typing, the warning, the save, a wrong number, another user's save, a phone.
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { clearOld } from './clear-old.server.ts';
import { Retention } from './retention.contract.ts';

test.use({ company: 'retention' });

test('months are typed, previewed, confirmed and kept; the job tells what it cleared', async ({
  page,
  server,
  signIn,
}) => {
  const { db, services } = server;
  const admin = await aUser(db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  const at = new Date(Date.now() - 400 * 86_400_000);
  await db
    .insertInto('mail')
    .values(
      ['Old offer', 'Older offer'].map((subject) => ({
        recipients: ['pat@example.org'],
        subject,
        body: 'Hello',
        state: 'Sent',
        message_id: subject,
        created_at: at,
        sent_at: at,
      })),
    )
    .execute();
  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: 'Retention' }).click();
  const mail = page.getByRole('textbox', { name: 'Sent mail' });
  const goes = page.getByRole('status', { name: 'What would be deleted now: Sent mail' });
  await expect(goes).toHaveText('Nothing would be deleted.');
  await mail.fill('2');
  await expect(page.getByText('At least 3', { exact: true })).toBeVisible();
  await expect(goes).toContainText('Enter a valid number of months');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await mail.fill('4');
  await expect(goes).toContainText('2 emails from before');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Shorten the retention period?' });
  await expect(dialog).toContainText('Sent mail: 2 emails from before');
  await expect(dialog).toContainText('This cannot be undone.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await db.selectFrom('retention').select('version').executeTakeFirst()).toEqual({ version: 1 });
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The settings are saved.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Sent mail: forever → 4 months');

  // A longer time needs no warning. Another user's save of the same field prompts for a choice between both values.
  const other = await aUser(db, { roles: ['systemadmin'], fullName: 'Otto Other' });
  await mail.fill('7');
  await server.ok(Retention.SaveRetention, { version: 2, months: { mail: 10 } }, { as: other });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toContainText('Otto Other');
  await expect(page.getByRole('dialog')).toContainText('10 months');
  // The other value is longer, so keeping this one warns as well.
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect(dialog).toContainText('Sent mail: 2 emails');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('10 months → 7 months');

  expect(await clearOld(services)).toBe(2);
  await page.reload();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Sent mail: 2 emails from before');
  await page.goto('/admin/settings/mailbox');
  await expect(page.getByText(/Emails sent before .* were removed from this list\./)).toBeVisible();

  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/admin/settings/retention');
  await expect(mail).toHaveValue('7');
  await expectNoSideScroll(page);
});
