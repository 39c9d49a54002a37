// The page of a facility in a browser: its tabs in the address, the quotes of it that somebody sees, a new one for it; by keyboard and on a phone.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '#testing/browser.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test('a rep reads the quotes of a facility that are in sight, and begins another', async ({ page, server, signIn }) => {
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  const facility = await aFacility(server.db, { name: 'Ravenna Point Hospital', acctNo: 'RP-204' });
  const mine = await aQuote(server.db, { facility, ownerId: rep.id, totalAmount: 1250, statusId: 'SentToCustomer' });
  await aQuote(server.db, { facility, ownerId: rep.id, totalAmount: 50, statusId: 'Won' });
  const others = await aQuote(server.db, { facility });
  await signIn(rep);
  await page.goto(`/facilities/${facility.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Ravenna Point Hospital' })).toBeVisible();
  await expect(page.getByText('Acct. RP-204')).toBeVisible();
  await page.getByRole('tab', { name: 'Details' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/tab=quotes/);
  const quotes = page.getByRole('table', { name: 'Quotes' });
  await expect(quotes.getByRole('link', { name: String(mine.num) })).toBeVisible();
  await expect(quotes.getByRole('link', { name: String(others.num) })).toHaveCount(0);
  await expect(page.getByText('2 quotes worth $1,300.00')).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Won (1)' }).click();
  await expect(page).toHaveURL(/status=Won/);
  await expect(page.getByText('1 quote worth $50.00')).toBeVisible();
  await page.reload();
  await expect(quotes.getByRole('row')).toHaveCount(2);

  await page.getByRole('link', { name: 'All in Find Quote' }).click();
  await expect(page).toHaveURL(/pub-quotes/);
  await expect(page.getByRole('group', { name: 'Filtered by' })).toContainText('Ravenna Point Hospital');
  await expect(page.getByText('1 quote', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Remove Won' }).click();
  await expect(page.getByText('2 quotes', { exact: true })).toBeVisible();

  await page.goto(`/facilities/${facility.id}?tab=quotes`);
  await page.getByRole('link', { name: 'New quote for this facility' }).click();
  await expect(page.getByRole('form', { name: 'New Quote' })).toContainText('Ravenna Point Hospital');
  await page.getByRole('button', { name: 'Create Quote' }).click();
  await expect(page).toHaveURL(/pub-quote-board\/\d+/);
  await expect(page.getByText('Ravenna Point Hospital').first()).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/facilities/${facility.id}?tab=quotes`);
  await expect(page.getByText(/3 quotes worth/)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test('an inactive facility says why nothing can be quoted', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['salesrep'] }));
  const facility = await aFacility(server.db, { name: 'Shut Gate Clinic', active: false });
  await page.goto(`/facilities/${facility.id}?tab=quotes`);
  await expect(page.getByText('No Record Found')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New quote for this facility' })).toBeDisabled();
});
