// Tests Item/Product Search in a browser: search, share by address, open, price for a facility, add to a quote, export.
import fs from 'node:fs';
import { expect, test } from '#testing/browser.ts';
import { aFile, anItem, aProduct, aPromotion } from '#testing/factories/catalog.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

const KEYWORD = 'Enter Partial Item # or Name to search';
const RECENT = 'Search Items Having Recent Sales Orders Only';

test('a person finds an item, opens it, prices it and adds it to a quote', async ({ page, server, signIn }) => {
  const { db, services } = server;
  const rep = await aUser(db);
  const facility = await aFacility(db, { name: 'Saint Search Hospital' });
  const glove = await anItem(db, {
    number: 'SEA-100',
    description: 'Search glove nitrile',
    units: { EA: 1, BX: 50 },
    price: 0.2,
  });
  await anItem(db, { number: 'SEA-200', description: 'Search glove vinyl', lastSold: null });
  const { number } = await aContract(db, {
    facilityIds: [facility.id],
    lines: [{ itemId: glove.id, unit: 'BX', price: 8 }],
  });
  await aPromotion(db, { itemId: glove.id, amount: 5 });
  const manual = await aFile(db, services.files, { name: 'manual.pdf', mediaType: 'application/pdf' });
  await aProduct(db, { itemIds: [glove.id], documents: [{ fileId: manual.id, title: 'Glove manual' }] });
  const quote = await aQuote(db, { ownerId: rep.id, salesRepId: rep.id, facility });

  await signIn(rep);
  await page.goto('/item-search');
  await expect(page.getByText('Need at least 3 characters to start search')).toBeVisible();
  await expect(page.getByLabel(RECENT)).toBeChecked();
  await page.getByLabel(KEYWORD).fill('search glove');
  await expect(page.getByRole('button', { name: 'SEA-100' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'SEA-200' })).toHaveCount(0);
  await page.getByLabel(RECENT).uncheck();
  await expect(page.getByRole('button', { name: 'SEA-200' })).toBeVisible();
  await expect(page).toHaveURL(/keyword=search\+glove/);

  await page.getByRole('combobox', { name: /^Facility/ }).fill('saint search');
  await page.getByRole('option', { name: /Saint Search Hospital/ }).click();
  await expect(page.getByRole('row', { name: /SEA-100/ })).toContainText('$0.16');
  await page.reload();
  await expect(page.getByLabel(KEYWORD)).toHaveValue('search glove');
  await expect(page.getByRole('row', { name: /SEA-100/ })).toContainText('$0.16');

  await page.getByRole('button', { name: 'SEA-100' }).click();
  const panel = page.getByRole('dialog');
  await expect(panel).toContainText('5% discount');
  await expect(panel).toContainText('Please ask an IS Rep to apply the discount.');
  await panel.getByRole('combobox', { name: 'Unit' }).click();
  await page.getByRole('option', { name: 'BX of 50 EA' }).click();
  await expect(panel).toContainText('$8.00 / BX');
  await expect(panel.getByRole('row', { name: new RegExp(number) })).toContainText('Used');
  const [document] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Glove manual' }).click(),
  ]);
  expect(document.suggestedFilename()).toBe('manual.pdf');

  await panel.getByLabel('Qty.').fill('3');
  await panel.getByRole('button', { name: 'Add to quote…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add SEA-100 to a quote' });
  await dialog.getByRole('radio', { name: new RegExp(String(quote.num)) }).check();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText(`SEA-100 is on quote ${quote.num}.`)).toBeVisible();
  const line = await db.selectFrom('quote_item').selectAll().where('quote_id', '=', quote.id).executeTakeFirstOrThrow();
  expect(line).toMatchObject({
    item_id: glove.id,
    qty: 3,
    unit: 'BX',
    unit_price: 8,
    price_source: 'Contract',
    line_total: 24,
  });

  await panel.getByRole('button', { name: 'Close the item' }).click();
  await expect(panel).toHaveCount(0);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const text = fs.readFileSync(await file.path(), 'utf8');
  expect(text.split('\r\n')).toHaveLength(4);
  expect(text).toContain('SEA-100,Search glove nitrile,,EA,0.16,USD');

  // Returning without criteria in the address restores the last search.
  await page.goto('/item-search');
  await expect(page.getByRole('button', { name: 'SEA-100' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: /^Facility/ })).toHaveValue('Saint Search Hospital');
});

test('a new quote starts with the item, and a failure keeps the choices', async ({ page, server, signIn }) => {
  const { db } = server;
  const rep = await aUser(db);
  const facility = await aFacility(db, { name: 'Newquote Clinic' });
  const item = await anItem(db, { number: 'SEB-1', description: 'Newquote bed', price: 100 });
  await signIn(rep);
  await page.goto(`/item-search?keyword=SEB-1&facility=${facility.id}&item=${item.id}`);
  await page.getByRole('button', { name: 'Add to quote…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add SEB-1 to a quote' });
  await expect(dialog).toContainText('No Record Found');
  await dialog.getByRole('radio', { name: 'A new quote' }).check();
  await expect(dialog.getByRole('combobox', { name: /^Facility/ })).toHaveValue('Newquote Clinic');
  await dialog.getByLabel('Qty.').fill('0');
  await expect(dialog).toContainText('The quantity must be above 0');
  await expect(dialog.getByRole('button', { name: 'Create quote' })).toBeDisabled();
  await dialog.getByLabel('Qty.').fill('2');

  await db.updateTable('facility').set({ active: false }).where('id', '=', facility.id).execute();
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: 'Create quote' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached');
  await expect(dialog.getByLabel('Qty.')).toHaveValue('2');
  await page.context().setOffline(false);
  await db.updateTable('facility').set({ active: true }).where('id', '=', facility.id).execute();
  await dialog.getByRole('button', { name: 'Create quote' }).click();
  await expect(page).toHaveURL(/\/pub-quote-board\/\d+/);
  const lines = await db
    .selectFrom('quote_item')
    .innerJoin('quote', 'quote.id', 'quote_item.quote_id')
    .select(['item_number', 'qty', 'facility_name'])
    .where('quote.owner_id', '=', rep.id)
    .execute();
  expect(lines).toEqual([{ item_number: 'SEB-1', qty: 2, facility_name: 'Newquote Clinic' }]);
});
