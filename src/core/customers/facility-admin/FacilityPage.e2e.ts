// Tests a facility's page in a browser: tabs in the address, the user's quotes for it, a new quote; by keyboard and on a phone.
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { anItem, aPromotion } from '#testing/factories/catalog.server.ts';
import { anAccountPrice } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

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
  for (const text of ['$20.00', '$15.00', '$5.00 (25%)', 'Account price (A-9), to 12/31/2050', '10% discount: $13.50'])
    await expect(row).toContainText(text);

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
  await page.getByRole('link', { name: 'OSP-100' }).click();
  await expect(page.getByRole('dialog', { name: 'Item' })).toContainText('Account price (A-9)');
});
