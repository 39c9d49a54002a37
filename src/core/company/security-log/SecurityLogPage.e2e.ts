// Tests the security log in a browser: from a failed sign-in to its line, filters, export, an error, a phone.
import { noteSecurity, writeSecurityLog } from '#platform/security-events/note-security-event.server.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';

test('a failed sign-in is found by name, narrowed, exported, and readable on a phone', async ({
  page,
  server,
  signIn,
}) => {
  const { services, db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  const person = await aUser(db, { fullName: 'Lena Locked' });
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.userName);
  await page.getByLabel('Password', { exact: true }).fill('a wrong password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Login Failed');
  for (let n = 1; n <= 60; n++)
    noteSecurity(services, { kind: 'Refused', action: 'Forbidden', who: `Rex Rep ${n}`, from: undefined });
  await writeSecurityLog(services);
  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: 'Security Log' }).click();
  const rows = page.getByRole('table', { name: 'Lines' }).getByRole('row');
  await expect(page.getByText(/^\d+ lines$/)).toBeVisible();
  await page.getByLabel('Name, email or IP address').fill('lena');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('Lena Locked');
  await expect(rows.nth(1)).toContainText('typed a wrong password');
  await expect(rows.nth(1)).toContainText(person.userName);
  await expect(rows.nth(1)).toContainText('127.0.0.1');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await saved).suggestedFilename()).toBe('security-log.csv');

  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Refused' }).click();
  // Other tests of this company cause refusals, too.
  await page.getByLabel('Name, email or IP address').fill('rex rep');
  await expect(page.getByText('60 lines')).toBeVisible();
  await expect(rows.nth(1)).toContainText('Rex Rep 60');
  await page.getByLabel('Name, email or IP address').fill('nobody of this name');
  await expect(page.getByText('No Record Found')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/admin/settings/security-log?page=1&who=${encodeURIComponent(person.userName)}`);
  await expect(page.getByRole('list', { name: 'Lines' })).toContainText('Lena Locked');
  await expectNoSideScroll(page);
  await page.goto('/admin/settings/security-log?page=1&from=2026-12-02&to=2026-12-01');
  await expect(page.getByText('This list could not be loaded')).toBeVisible();
});
