// Tests mapping in a browser, by keyboard alone: map, make a product, ignore, undo, all exact matches; a product's page and a merge.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem, aProduct } from '#testing/factories/catalogue.server.ts';
import { aUser } from '#testing/factories/people.server.ts';

test('items are mapped by keyboard, and each step is undone', async ({ page, server, signIn }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['salesadmin'] });
  const has = await anItem(db, { number: 'BED-0', description: 'Folding bed, steel frame' });
  const product = await aProduct(db, { itemIds: [has.id], name: 'Folding bed, steel frame' });
  const first = await anItem(db, { number: 'BED-3', description: 'FOLDING BED STEEL FRAME' });
  const second = await anItem(db, { number: 'BED-2', description: 'Ultrasound gel, 250 mL' });
  const third = await anItem(db, { number: 'BED-1', description: 'Freight surcharge' });
  for (const [rank, { id }] of [third, second, first].entries())
    await db.updateTable('item').set({ selling_rank_num: rank }).where('id', '=', id).execute();
  const itemOf = (id: number) => db.selectFrom('item').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await signIn(admin);
  await page.goto('/admin/itemMapNewGpItmToProdDb');
  const items = page.getByRole('list', { name: 'Items' });
  const active = items.locator('[aria-current="true"]');
  await expect(active).toContainText('BED-3');
  await expect(active).toBeFocused();
  const suggestions = page.getByRole('list', { name: 'Products for BED-3' });
  await expect(suggestions).toContainText('Folding bed, steel frame');
  await expect(suggestions).toContainText(/Description \d+ % alike/);
  await expectAccessible(page);

  await page.keyboard.press('Enter');
  await expect(active).toContainText('BED-2');
  await expect(active).toBeFocused();
  expect((await itemOf(first.id)).product_id).toBe(product.id);

  await page.keyboard.press('n');
  await expect(active).toContainText('BED-1');
  const made = (await itemOf(second.id)).product_id ?? 0;
  expect(made).toBeGreaterThan(product.id);

  await page.keyboard.press('x');
  const dialog = page.getByRole('dialog', { name: 'Leave out BED-1' });
  await dialog.getByLabel('Why').fill('Service or freight');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText('Every item has a product.')).toBeVisible();
  expect(await itemOf(third.id)).toMatchObject({ mapping_state: 'Ignored', mapping_note: 'Service or freight' });

  await page.keyboard.press('u');
  await expect(active).toContainText('BED-1');
  await page.keyboard.press('u');
  await expect(items.getByRole('button')).toHaveCount(2);
  expect((await itemOf(second.id)).product_id).toBeNull();
  expect(await db.selectFrom('product').select('id').where('id', '=', made).execute()).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await items.getByRole('button', { name: /^BED-2/ }).click();
  await expect(items.getByText('No product is similar.')).toBeVisible();
  await expectAccessible(page);
});

test('mapping all exact matches first shows its effects; merged products lead to the one that remains', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const has = await anItem(db, { manufacturer: 'Acme', manufacturerNo: 'EX-1' });
  const product = await aProduct(db, { itemIds: [has.id], name: 'Exact product' });
  const twin = await aProduct(db, { itemIds: [], name: 'Exact product again', brand: 'Acme' });
  const item = await anItem(db, { number: 'EXM-1', manufacturer: 'ACME', manufacturerNo: 'ex 1' });
  await signIn(admin);
  await page.goto('/admin/itemMapNewGpItmToProdDb?keyword=EXM');
  await page.getByRole('button', { name: 'Map all exact matches…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Map all exact matches' });
  await expect(dialog).toContainText('1 item has the manufacturer number of exactly one product.');
  await expect(dialog.getByRole('row', { name: /EXM-1/ })).toContainText('Exact product');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Map 1 item' }).click();
  await expect(dialog).toBeHidden();
  await expect
    .poll(
      async () =>
        (await db.selectFrom('item').select('product_id').where('id', '=', item.id).executeTakeFirstOrThrow())
          .product_id,
    )
    .toBe(product.id);

  await page.goto('/admin/itemProdDbItems?keyword=exact');
  await page.getByRole('checkbox', { name: 'Tick Exact product', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Tick Exact product again' }).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Merge' }).click();
  const merging = page.getByRole('dialog', { name: 'Merge 2 products' });
  await expect(merging).toContainText('Brand is empty and becomes: Acme');
  await merging.getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByRole('heading', { name: 'Exact product', exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/admin/itemProdDbItems/${twin.id}`);
  await expect(page).toHaveURL(new RegExp(`/admin/itemProdDbItems/${product.id}\\?`));
  await expect(page.getByText('Exact product again has been merged into this product.')).toBeVisible();
});

test('an address past the last page leads to the last page, and does not claim that nothing is left', async ({
  page,
  server,
  signIn,
}) => {
  await anItem(server.db, { number: 'BED-9', description: 'Folding bed' });
  await signIn(await aUser(server.db, { roles: ['salesadmin'] }));
  await page.goto('/admin/itemMapNewGpItmToProdDb?page=9999');
  await expect(page.getByRole('list', { name: 'Items' })).toContainText('BED-9');
  await expect(page).toHaveURL(/[?&]page=1$/);
});
