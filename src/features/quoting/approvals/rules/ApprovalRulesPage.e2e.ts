// Tests approval rules in a browser: add a rule by keyboard, try it on a quote before saving, move it, and deactivate it.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { expectRefusals } from '#testing/typed-numbers.ts';

test('a rule is added, tried on a quote, moved and switched off', async ({ page, server, signIn }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
  const facility = await aFacility(db, { name: 'Rulewell Hospital' });
  const quote = await aQuote(db, { facility, totalAmount: 4000, itemNumbers: ['X-1'] });
  const first = { name: 'Dear everywhere', metric: 'quoteTotal', operator: '>', threshold: 90_000, role: 'salesadmin' };
  await db
    .insertInto('approval_rule')
    .values({ ...first, position: 10_000 })
    .execute();
  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Approval Rules/ }).click();
  await expect(page.getByRole('row', { name: /Dear everywhere/ })).toBeVisible();

  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'Approval rule' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Dear for Rulewell');
  await form.getByRole('combobox', { name: 'Figure' }).click();
  await page.getByRole('option', { name: 'Quote total' }).click();
  await expectRefusals(form.getByLabel('Limit'), 0);
  await form.getByLabel('Limit').fill('3000');
  await form.getByRole('combobox', { name: 'Only for facilities' }).fill('rulewell');
  await page.getByRole('option', { name: /Rulewell Hospital/ }).click();
  await expect(form.getByText('Rulewell Hospital')).toBeVisible();
  await expectAccessible(page);

  const tryOut = page.getByRole('form', { name: 'Try on a quote' });
  await tryOut.getByLabel('Quote #').fill(String(quote.num));
  await tryOut.getByRole('button', { name: 'Try' }).click();
  await expect(tryOut.getByText(/Dear for Rulewell: Total \$4,000.00 > \$3,000.00/)).toBeVisible();
  await form.getByLabel('Name').focus();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Dear for Rulewell is saved.')).toBeVisible();

  const rows = page.getByRole('row');
  await expect(rows.last()).toContainText('Dear for Rulewell');
  await page.getByRole('button', { name: 'Move Dear for Rulewell up' }).click();
  await expect(rows.nth(-2)).toContainText('Dear for Rulewell');
  await page.getByRole('button', { name: 'Dear for Rulewell', exact: true }).click();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Bea Boss moved the approval rule');
  await form.getByLabel('Active').uncheck();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row', { name: /Dear for Rulewell/ })).toContainText('Inactive');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('button', { name: 'Dear for Rulewell', exact: true })).toBeVisible();
  await expectAccessible(page);
});
