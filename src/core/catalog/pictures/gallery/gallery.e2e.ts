// Tests the gallery in a browser: selecting, hiding, removing, restoring, ordering and describing pictures; totals; and uploads to a product.
import type { Page } from '@playwright/test';
import { aPicture } from '#testing/a-picture.server.ts';
import { expect, test } from '#testing/browser.ts';
import { aFile, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

async function aPicturedProduct({ db, services }: TestServer, name: string, pictures: number, itemIds: number[] = []) {
  const images = [];
  for (let n = 0; n < pictures; n++) {
    const bytes = await aPicture({ width: 300, height: 200 });
    images.push({ fileId: (await aFile(db, services.files, { mediaType: 'image/png', bytes })).id });
  }
  const product = await aProduct(db, { itemIds, name, images });
  for (const [at, id] of product.imageIds.entries())
    await db
      .updateTable('picture')
      .from('product_image')
      .set({ name: `${name.replace('Shelf ', '').toLowerCase()}-${at + 1}.png` })
      .whereRef('product_image.picture_id', '=', 'picture.id')
      .where('product_image.id', '=', id)
      .execute();
  return product;
}

const shelf = (page: Page, product: string) => page.getByRole('list', { name: `Pictures of ${product}` });
const order = async (page: Page, product: string) => {
  const labels = await shelf(page, product)
    .getByRole('button', { name: /, picture \d/ })
    .evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('aria-label') ?? ''));
  return labels.map((label) => label.replace(/, picture.*/, '').replace(/.*-(\d)\.png/, '$1')).join('');
};

async function storedOrder({ db }: TestServer, name: string): Promise<string> {
  const pictures = await db
    .selectFrom('product_image')
    .innerJoin('picture', 'picture.id', 'product_image.picture_id')
    .select('picture.name')
    .where('picture.name', 'like', `${name}-%`)
    .orderBy('product_image.position')
    .execute();
  return pictures.map((picture) => picture.name.replace(/.*-(\d)\.png/, '$1')).join('');
}

test('pictures are hidden, removed, moved and described, and every single step can be undone', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  await aPicturedProduct(server, 'Shelf Glove', 3);
  await aPicturedProduct(server, 'Shelf Gown', 2);
  const mask = await aProduct(db, { itemIds: [], name: 'Shelf Mask' });
  await db
    .insertInto('picture')
    .values({ name: 'coming.png', state: 'Uploaded', step: '', match: 'matched', size: 1, product_id: mask.id })
    .execute();
  await signIn(await aUser(db, { roles: ['salesadmin'] }));
  await page.goto('/admin/item-images?keyword=shelf');
  await expect(page.getByRole('status').filter({ hasText: '3 products' })).toBeVisible();
  await expect(page.getByText('No picture yet.')).toBeVisible();

  // By keyboard: ticks two, hides them, and undoes it.
  const tile = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}, picture`) });
  await tile('glove-1.png').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(tile('glove-2.png')).toBeFocused();
  await page.keyboard.press('Space');
  const bar = page.getByRole('region', { name: 'Selected pictures' });
  await expect(bar).toContainText('2 pictures selected');
  await bar.getByRole('button', { name: 'Hide from roles…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Visibility of 2 pictures' });
  await dialog.getByRole('checkbox', { name: 'Customer', exact: true }).check();
  await dialog.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect(bar).toContainText('2 pictures now hidden from Customer.');
  await expect(tile('glove-2.png')).toHaveAccessibleName(/hidden from Customer/);
  await page.keyboard.press('u');
  await expect(page.getByText('2 pictures are restored.')).toBeVisible();
  await expect(tile('glove-2.png')).not.toHaveAccessibleName(/hidden from Customer/);

  // Changes the order by keyboard and by dragging.
  await tile('glove-1.png').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(() => order(page, 'Shelf Glove')).toBe('231');
  await expect(tile('glove-1.png')).toBeFocused();
  // The page shows the new order before it is stored.
  await expect.poll(() => storedOrder(server, 'glove')).toBe('231');
  await page.reload();
  await expect.poll(() => order(page, 'Shelf Glove')).toBe('231');
  await tile('glove-1.png').dragTo(tile('glove-2.png'), { targetPosition: { x: 5, y: 40 } });
  await expect.poll(() => order(page, 'Shelf Glove')).toBe('123');
  await bar.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => order(page, 'Shelf Glove')).toBe('231');
  await tile('glove-3.png').focus();
  await page.keyboard.press('m');
  await expect.poll(() => order(page, 'Shelf Glove')).toBe('321');

  // Removes a picture with the Delete key, and restores it.
  await page.keyboard.press('Delete');
  await expect(bar).toContainText(
    '1 picture removed. No open quote has one of its items, and no quote was sent with it.',
  );
  await expect(page.getByRole('list', { name: 'Removed from Shelf Glove' })).toContainText('glove-3.png');
  await page.getByRole('button', { name: 'Restore glove-3.png' }).click();
  await expect.poll(() => order(page, 'Shelf Glove')).toBe('321');

  // Edits the text and the roles of one picture.
  await page.getByRole('button', { name: 'More for gown-1.png' }).click();
  await page.getByRole('menuitem', { name: 'Text and visibility' }).click();
  const drawer = page.getByRole('dialog', { name: 'gown-1.png' });
  await drawer.getByLabel('Alternative text').fill('A blue gown, from the front');
  await drawer.getByRole('checkbox', { name: 'Sales representative' }).check();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('gown-1.png is saved.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'A blue gown, from the front' })).toBeVisible();
  await page
    .getByRole('textbox', { name: 'Hidden from' })
    .or(page.getByRole('combobox', { name: 'Hidden from' }))
    .click();
  await page.getByRole('option', { name: 'Hidden from: Sales representative', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: '1 product' })).toBeVisible();
  await expect(page).toHaveURL(/hidden=salesrep/);
});
