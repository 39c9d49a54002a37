// Tests the inbox in a browser: many pictures dropped, an ambiguous one decided by a key, one refused, sent on, filed, restored.
import { expectAccessible } from '#testing/accessible.ts';
import { aPicture } from '#testing/a-picture.server.ts';
import { aZip } from '#testing/a-zip.server.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem, aProduct } from '#testing/factories/catalogue.server.ts';
import { aUser } from '#testing/factories/people.server.ts';

const png = async (name: string) => ({ name, mimeType: 'image/png', buffer: await aPicture() });

test('pictures are dropped, decided, sent to the cloud, and filed', async ({ page, server, signIn }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  const items = [
    await anItem(db, { number: 'BOX-1' }),
    await anItem(db, { number: 'BOX-2' }),
    await anItem(db, { number: 'BOX-3' }),
  ];
  const ids = items.map(({ id }) => id);
  await db.updateTable('item').set({ manufacturer_no: 'TWIN' }).where('id', 'in', ids.slice(1)).execute();
  const lamp = await aProduct(db, { itemIds: ids.slice(0, 1), name: 'Lamp Aurora' });
  const chair = await aProduct(db, { itemIds: ids.slice(1, 2), name: 'Chair Boreal' });
  await aProduct(db, { itemIds: ids.slice(2), name: 'Chair Cumulus' });
  const placed = (productId: number) =>
    db.selectFrom('product_image').select('id').where('product_id', '=', productId).execute();
  await signIn(admin);
  await page.goto('/admin/item-image-admim');
  const waiting = page.getByRole('region', { name: 'Waiting for process' });
  const cloud = page.getByRole('region', { name: 'Upload to cloud' });
  const filing = page.getByRole('region', { name: 'File operation' });
  await expect(waiting).toContainText('Nothing waits. Drop pictures above.');

  // One picture is in a ZIP, beside a text file.
  const zip = aZip([
    { name: 'box-1_2.png', bytes: await aPicture() },
    { name: 'list.txt', bytes: Buffer.from('text') },
  ]);
  await page
    .locator('input[type="file"]')
    .setInputFiles([
      await png('BOX-1.png'),
      await png('twin.png'),
      await png('holiday.png'),
      { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
      { name: 'more.zip', mimeType: 'application/zip', buffer: zip },
    ]);
  const sent = page.getByRole('list', { name: 'Files that were sent' });
  await expect(page.getByText('5 files sent. 4 new pictures, 2 not taken.')).toBeVisible();
  await expect(sent.getByRole('listitem').filter({ hasText: 'drawing.svg' })).toContainText('Drawings such as SVG');
  await expect(sent.getByRole('listitem').filter({ hasText: 'more.zip' })).toContainText('list.txt: This is not');
  await expect(waiting).toContainText('2 matched, 1 ambiguous, 1 without a product');
  await expect(waiting.getByText('Being checked…')).toHaveCount(0);
  await expect(waiting.locator('img')).toHaveCount(4);
  await expectAccessible(page);

  const tick = (name: string) => waiting.getByRole('checkbox', { name: `Tick ${name}` });
  const boxes = waiting.getByRole('listitem').getByRole('checkbox');
  await boxes.nth(0).focus();
  await page.keyboard.press('ArrowDown');
  await expect(boxes.nth(1)).toBeFocused();
  await tick('twin.png').focus();
  await page.keyboard.press('1');
  await expect(waiting).toContainText('3 matched, 0 ambiguous, 1 without a product');
  await expect(tick('twin.png')).toBeFocused();
  await tick('holiday.png').focus();
  await page.keyboard.press('p');
  const dialog = page.getByRole('dialog', { name: 'holiday.png' });
  await dialog.getByLabel('Its product').fill('lamp');
  await page.getByRole('option', { name: 'Lamp Aurora' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(tick('holiday.png')).toBeFocused();
  await page.keyboard.press('x');
  await expect(page.getByText('1 picture refused.')).toBeVisible();
  await expect(waiting.getByRole('listitem')).toHaveCount(3);

  await waiting.getByRole('button', { name: 'Send all matched' }).click();
  await expect(filing.getByRole('listitem')).toHaveCount(3);
  await expect(cloud).toContainText('No Cloudinary: the file store keeps them');
  await filing.getByRole('checkbox', { name: 'Tick all shown' }).check();
  const bar = page.getByRole('region', { name: 'Ticked pictures' });
  await expect(bar).toContainText('3 pictures ticked');
  await bar.getByRole('button', { name: 'File', exact: true }).click();
  await expect(filing).toContainText('Nothing waits to be filed.');
  await expect(bar).toHaveCount(0);
  expect((await placed(lamp.id)).length).toBe(2);
  expect((await placed(chair.id)).length).toBe(1);

  await page.getByRole('radiogroup').getByText('Refused 1').click();
  const refused = page.getByRole('region', { name: 'Refused' });
  await expect(refused).toContainText('Ada Admin refused it.');
  await expectAccessible(page);
  await refused.getByRole('button', { name: 'Bring back: holiday.png' }).click();
  await expect(refused).toContainText('Nothing was refused.');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('tab', { name: /^Waiting/ }).click();
  await expect(page.getByRole('region', { name: 'Waiting for process' })).toContainText('holiday.png');
  await expect(cloud).toHaveCount(0);
  await expectAccessible(page);
});

test('a failed upload keeps its file, and an impossible step names the picture', async ({ page, server, signIn }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  await signIn(admin);
  await page.goto('/admin/item-image-admim');
  // The browser may not read this folder.
  const dropped = await page.evaluateHandle(() => {
    const reader = { readEntries: (_: unknown, fail: (error: Error) => void) => fail(new Error('denied')) };
    const folder = { isFile: false, isDirectory: true, createReader: () => reader };
    DataTransferItem.prototype.webkitGetAsEntry = () => folder as unknown as FileSystemEntry;
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'front.png'));
    return transfer;
  });
  const zone = page.getByRole('button', { name: /^Drop pictures/ });
  await zone.dispatchEvent('drop', { dataTransfer: dropped });
  const unread = page.getByRole('alert').filter({ hasText: 'could not be read' });
  await expect(unread).toBeVisible();
  await page.route('**/UploadItemImages', (route) => route.abort(), { times: 2 });
  await page.locator('input[type="file"]').setInputFiles([await png('lost.png'), await png('gone.png')]);
  await expect(unread).toHaveCount(0);
  const sent = page.getByRole('list', { name: 'Files that were sent' });
  await expect(sent.getByRole('alert').filter({ hasText: 'The server cannot be reached' })).toHaveCount(2);
  await page.getByRole('button', { name: 'Try all 2 again' }).click();
  await expect(sent.getByText('taken')).toHaveCount(2);

  const waiting = page.getByRole('region', { name: 'Waiting for process' });
  await expect(waiting.getByText('Being checked…')).toHaveCount(0);
  await waiting.getByRole('checkbox', { name: 'Tick lost.png' }).check();
  await page.keyboard.press('c');
  const alert = page.getByRole('alert').filter({ hasText: 'Not done with 1 picture' });
  await expect(alert).toContainText('lost.png: No item has the number lost. Choose its product.');
  await expect(page.getByRole('region', { name: 'Ticked pictures' })).toContainText('1 picture ticked');

  await page.route('**/GetImagesWaitingForProcess', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto('/admin/item-image-admim?keyword=other');
  await expect(page.getByText('This list could not be loaded')).toHaveCount(3);
  await expectAccessible(page);
});
