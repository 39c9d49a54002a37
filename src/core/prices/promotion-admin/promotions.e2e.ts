// Tests promotions in a browser: create one, read it as a sales rep, apply it as an inside rep, end it, and two users who edit one.
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

const MESSAGE =
  'Promotion for item PRM-1: 12.5% discount. Min. quantity 2, max. quantity unlimited, unit any. Please ask an IS Rep to apply the discount.';

test('a promotion is made, read by a rep, applied by an IS rep, and ended', async ({
  page,
  server,
  signIn,
  browser,
  address,
}) => {
  const { db } = server;
  const office = await aSalesOffice(db);
  const item = await anItem(db, { number: 'PRM-1', description: 'Hydrocolloid dressing', price: 20 });
  const quote = await aQuote(db, {
    facility: office.facility,
    ownerId: office.rep.id,
    salesRepId: office.rep.id,
    regionId: office.region.id,
    territoryId: office.territory.id,
    statusId: 'Editing',
    quoteDate: '2099-01-05',
    validUntil: '2099-02-05',
  });

  await signIn(office.salesAdmin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Promotions/ }).click();
  await expect(page.getByRole('button', { name: 'Add Promotion' })).toBeVisible();
  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'Promotion' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Foam in spring');
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('This field is required')).toBeVisible();
  await form.getByRole('combobox', { name: 'Item #' }).fill('hydrocolloid');
  await page.getByRole('option', { name: 'PRM-1 Hydrocolloid dressing' }).click();
  await expect(form.getByRole('combobox', { name: 'Item #' })).toHaveValue('PRM-1');
  await form.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Discount', exact: true }).click();
  await expect(form.getByText('Enter a percentage above 0, at most 100')).toBeVisible();
  await form.getByLabel('Discount %').fill('12.5');
  await form.getByLabel('Min. quantity').fill('2');
  const preview = form.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText(MESSAGE)).toBeVisible();
  await expect(preview.getByText(/^2 EA on .*: \$17\.50 instead of \$20\.00 each, \$35\.00 in all\.$/)).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Foam in spring is saved.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Foam in spring/ })).toContainText('12.5% discount');

  // The sales representative reads the exact message and cannot apply the promotion.
  const openAs = async (user: { id: number }, path: string) => {
    const own = await browser.newPage({ baseURL: address });
    await signIn(user, own);
    await own.goto(path);
    return own;
  };
  const reps = await openAs(office.rep, `/pub-quote-board/${quote.id}`);
  await reps.getByRole('button', { name: 'Add Item' }).click();
  const panel = reps.getByRole('region', { name: 'Add Item' });
  await panel.getByRole('button', { name: 'Pick Item' }).click();
  const picker = reps.getByRole('region', { name: 'Test Medical Supply Item Picker' });
  await picker.getByLabel('Enter Partial Item # or Name to search').fill('PRM-1');
  await picker.getByRole('button', { name: 'Pick PRM-1' }).click();
  await expect(panel.getByRole('alert')).toHaveText(MESSAGE);
  await panel.getByLabel('Qty.').fill('4');
  await panel.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(reps.getByLabel(MESSAGE, { exact: true })).toBeVisible();
  await expect(reps.getByRole('button', { name: /Apply it$/ })).toHaveCount(0);
  await reps.close();

  await db.updateTable('quote').set({ status_id: 'Processing' }).where('id', '=', quote.id).execute();
  const inside = await openAs(office.inside, `/int-quote-board/${quote.id}`);
  await inside.getByRole('button', { name: `${MESSAGE} Apply it` }).click();
  await expect(inside.getByRole('button', { name: `${MESSAGE} Remove it` })).toBeVisible();
  await inside.close();
  const line = await db
    .selectFrom('quote_item')
    .select(['unit_price', 'price_source'])
    .where('item_id', '=', item.id)
    .executeTakeFirstOrThrow();
  expect(line).toEqual({ unit_price: 17.5, price_source: 'Promotion' });

  await page.goto('/admin/admin-item-promotions?keyword=foam in spring');
  await page.getByRole('button', { name: 'Foam in spring' }).click();
  await expect(page.getByText('1 open, 0 sent, 0 won')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Quotes that use it' })).toContainText(office.facility.name);
  await form.getByRole('button', { name: 'End now' }).click();
  const dialog = page.getByRole('dialog', { name: 'End Foam in spring now?' });
  await expect(dialog).toContainText('Quotes that use it: 1 open, 0 sent, 0 won.');
  await dialog.getByRole('button', { name: 'End now' }).click();
  await expect(page.getByText('Foam in spring has ended.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Foam in spring/ })).toContainText('Off');
});
