// Tests documents in a browser: many uploaded at once and linked, a new revision, and a rep who reads it beside the item.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem, aProduct } from '#testing/factories/catalogue.server.ts';
import { aUser } from '#testing/factories/people.server.ts';

const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.7 ${name}`) });

test('documents are uploaded, linked, revised, and read', async ({ page, server, signIn, context }) => {
  const { db } = server;
  const contracts = await aUser(db, { roles: ['contractdept'] });
  const rep = await aUser(db, { roles: ['salesrep'] });
  const item = await anItem(db, { number: 'DOC-1', description: 'Patient monitor' });
  await aProduct(db, { itemIds: [item.id], name: 'Monitor Vista' });
  await signIn(contracts);
  await page.goto('/admin/itemDocs');
  await page.getByRole('button', { name: 'Upload' }).click();
  const upload = page.getByRole('dialog', { name: 'Upload documents' });
  await upload
    .locator('input[type="file"]')
    .setInputFiles([
      pdf('Vista brochure.pdf'),
      pdf('Vista data.pdf'),
      { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<html>') },
    ]);
  const files = upload.getByRole('list', { name: 'Files' });
  await expect(files.getByText('saved')).toHaveCount(2);
  await expect(files.getByRole('listitem').filter({ hasText: 'page.html' })).toContainText(
    'is a program or a web page',
  );
  await upload.getByRole('combobox', { name: 'Add a product or an item' }).fill('vista');
  await page.getByRole('option', { name: 'Monitor Vista' }).click();
  await upload.getByRole('button', { name: 'Link' }).click();
  await expect(upload.getByText('Linked.')).toBeVisible();
  await expectAccessible(page);
  await upload.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Vista brochure' }).click();
  const drawer = page.getByRole('dialog', { name: 'Vista brochure' });
  await expect(drawer.getByRole('region', { name: 'Linked to' })).toContainText('Monitor Vista');
  await drawer.locator('input[type="file"]').setInputFiles(pdf('second.pdf'));
  await drawer.getByLabel('Label of the new revision').fill('Rev. 2');
  await drawer.getByRole('button', { name: 'Save new revision' }).click();
  await expect(page.getByText('Vista brochure is saved.')).toBeVisible();
  await expect(drawer.getByRole('region', { name: 'Revisions' })).toContainText('Rev. 2 · second.pdf');
  await expectAccessible(page);

  const reader = await context.browser()?.newPage();
  if (!reader) throw new Error('no browser');
  await signIn(rep, reader);
  await reader.goto(`${new URL(page.url()).origin}/item-search?keyword=vista&recent=0`);
  await reader.getByRole('button', { name: 'DOC-1' }).first().click();
  await expect(reader.getByRole('dialog')).toContainText('Monitor Vista');
  const documents = reader.getByRole('region', { name: 'Documents' });
  await expect(documents).toContainText('Brochure · Rev. 2');
  const [download] = await Promise.all([
    reader.waitForEvent('download'),
    documents.getByRole('button', { name: 'Vista brochure' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('second.pdf');
  await reader.close();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/itemDocs?state=Unlinked');
  await expect(page.getByRole('status').filter({ hasText: 'No Record Found' })).toBeVisible();
  await expectAccessible(page);
});
