// The company in a browser: an invalid value stays in its field, a valid one is saved, terms get a version.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { expectRefusals } from '#testing/typed-numbers.ts';

test('name, validity and terms', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Company/ }).click();
  const form = page.getByRole('form', { name: 'Company' });
  await form.getByLabel('E-mail').fill('nobody');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Not an e-mail address')).toBeVisible();
  await expect(form.getByLabel('E-mail')).toBeFocused();
  await form.getByLabel('E-mail').fill('quotes@example.com');
  const days = form.getByLabel('Quotes are valid for');
  await expectRefusals(days, 1);
  await days.fill('2,5');
  await page.keyboard.press('Control+Enter');
  await expect(days).toBeFocused();
  await days.fill('45');
  await form.getByRole('combobox', { name: 'Round unit prices' }).click();
  await page.getByRole('option', { name: 'To 4 places', exact: true }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The company is saved.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Quotes are valid for (days): 60 → 45');
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Round unit prices (places): 2 → 4');

  const terms = page.getByRole('form', { name: 'Terms' });
  await terms.getByLabel('Text of the terms').fill('Pay within a week.');
  await terms.getByRole('button', { name: 'Save as a new version' }).click();
  await expect(page.getByText(/Quotes sent from now on carry version \d+/)).toBeVisible();
  await terms.getByRole('button', { name: /^Version 1 of/ }).click();
  await expect(terms.getByText(/Prices are valid until/)).toBeVisible();

  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
  }
});
