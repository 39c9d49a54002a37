// Tests the inbox in a browser: many pictures dropped, an ambiguous one decided with a key, and pictures refused, sent, filed and restored.
import { aPicture } from '#testing/a-picture.server.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';

const png = async (name: string) => ({ name, mimeType: 'image/png', buffer: await aPicture() });

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
  await expect(sent.getByText('added')).toHaveCount(2);

  const waiting = page.getByRole('region', { name: 'Waiting for process' });
  await expect(waiting.getByRole('checkbox', { name: 'Select lost.png' })).toBeVisible();
  await expect(waiting.getByText('Being checked…')).toHaveCount(0);
  await waiting.getByRole('checkbox', { name: 'Select lost.png' }).check();
  await page.keyboard.press('c');
  const alert = page.getByRole('alert').filter({ hasText: 'Something went wrong with 1 picture' });
  await expect(alert).toContainText('lost.png: No item has the number lost. Choose its product.');
  await expect(page.getByRole('region', { name: 'Selected pictures' })).toContainText('1 picture selected');

  await page.route('**/GetImagesWaitingForProcess', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto('/admin/item-image-admim?keyword=other');
  await expect(page.getByText('This list could not be loaded')).toHaveCount(3);
});
