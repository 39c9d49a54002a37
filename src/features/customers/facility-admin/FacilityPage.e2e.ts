// The page of a facility in a browser: tabs in the address, the person's quotes for it, a new quote; by keyboard and on a phone.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { anItem, aPromotion } from '#testing/factories/catalogue.server.ts';
import { anAccountPrice } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test('a rep reads the visible quotes of a facility and starts another', async ({ page, server, signIn }) => {
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
  await expectAccessible(page);

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
  await expectNoSideScroll(page);
  await expectAccessible(page);
});

test('an inactive facility says why nothing can be quoted', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['salesrep'] }));
  const facility = await aFacility(server.db, { name: 'Shut Gate Clinic', active: false });
  await page.goto(`/facilities/${facility.id}?tab=quotes`);
  await expect(page.getByText('No Record Found')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New quote for this facility' })).toBeDisabled();
});

test('a rep searches the price list, changes its day, exports it and opens an item', async ({
  page,
  server,
  signIn,
}) => {
  const facility = await aFacility(server.db, { name: 'Osprey Bay Clinic', acctNo: 'OB-18' });
  const item = await anItem(server.db, { number: 'OSP-100', description: 'Osprey drape', price: 20 });
  await anItem(server.db, { number: 'OSP-200', description: 'Osprey gown', price: 30 });
  await anAccountPrice(server.db, {
    facilityId: facility.id,
    itemId: item.id,
    price: 15,
    reference: 'A-9',
    to: '2050-12-31',
  });
  await aPromotion(server.db, { itemId: item.id, amount: 10 });
  await signIn(await aUser(server.db, { roles: ['salesrep'] }));
  await page.goto(`/facilities/${facility.id}`);
  await expect(page.getByRole('tab', { name: 'Price list' })).toBeVisible();
  await page.keyboard.press('3');
  await expect(page).toHaveURL(/tab=prices/);
  await page.keyboard.press('/');
  await page.keyboard.type('osprey');
  await expect(page).toHaveURL(/keyword=osprey/);
  await expect(page.getByText('2 items', { exact: true })).toBeVisible();
  const row = page.getByRole('table', { name: 'Prices' }).getByRole('row', { name: /OSP-100/ });
  for (const text of ['$20.00', '$15.00', '$5.00 (25 %)', 'Account price (A-9), to 12/31/2050', '10% discount: $13.50'])
    await expect(row).toContainText(text);
  await expectAccessible(page);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await download).suggestedFilename()).toMatch(/^prices-OB-18-.*\.csv$/);

  await page.getByLabel('Prices on').fill('01/01/2051');
  await expect(row).toContainText('List price');
  await expect(page).toHaveURL(/date=2051-01-01/);
  await page.reload();
  await expect(page.getByLabel('Prices on')).toHaveValue('01/01/2051');
  await expect(row).toContainText('List price');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('list', { name: 'Prices' })).toContainText('Osprey drape');
  await expectNoSideScroll(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'OSP-100' }).click();
  await expect(page.getByRole('dialog', { name: 'Item' })).toContainText('Account price (A-9)');
});

test('the board opens the facility in a new tab', async ({ page, server, signIn }) => {
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  const facility = await aFacility(server.db, { name: 'Curlew Sound Hospital' });
  const quote = await aQuote(server.db, { facility, ownerId: rep.id });
  await signIn(rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Curlew Sound Hospital' }).first().click();
  await expect((await opened).getByRole('heading', { level: 1, name: 'Curlew Sound Hospital' })).toBeVisible();
  await expect(page).toHaveURL(/pub-quote-board/);
});
