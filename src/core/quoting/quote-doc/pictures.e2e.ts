// Tests pictures of items on a quote in the browser: the send dialog, the customer's page, a phone, and print.
import { aPicture } from '#testing/a-picture.server.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { aFile, anItem, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

/** A quote in Processing with two lines, one of whose items has a picture. */
async function aQuoteWithPicture(server: TestServer) {
  const { db, services } = server;
  const cs = await aUser(db, { roles: ['csrep'] });
  const quote = await aPricedQuote(db, {
    statusId: 'Processing',
    assigneeId: cs.id,
    validUntil: '2099-01-01',
    lines: [{}, {}],
  });
  const file = async (format: 'webp' | 'jpeg', width: number) =>
    (await aFile(db, services.files, { mediaType: `image/${format}`, bytes: await aPicture({ format, width }) })).id;
  const item = await anItem(db);
  const [large, thumb, print] = [await file('webp', 640), await file('webp', 160), await file('jpeg', 600)];
  await aProduct(db, {
    itemIds: [item.id],
    images: [{ fileId: large, thumbFileId: thumb, printFileId: print }],
  });
  await db
    .updateTable('quote_item')
    .set({ item_id: item.id, type: 'item' })
    .where('quote_id', '=', quote.id)
    .where('line_no', '=', 1)
    .execute();
  return { cs, quote, thumb };
}

test('the sender chooses pictures; the customer sees them on the page, on a phone and in print', async ({
  page,
  server,
  signIn,
}) => {
  const { cs, quote, thumb } = await aQuoteWithPicture(server);
  await signIn(cs);
  await page.goto(`/int-quote-board/${quote.id}`);
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Send to customer' });
  const choice = dialog.getByRole('checkbox', { name: 'Show item pictures' });
  await expect(choice).not.toBeChecked();
  await expect(dialog.getByText('1 item has a picture, shown in the PDF and on the customer’s page.')).toBeVisible();
  await choice.check();
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByRole('combobox', { name: 'To' }).or(dialog.getByLabel('To')).first().fill('buyer@example.org');
  await page.keyboard.press('Enter');
  const sent = page.waitForResponse(/SendEmail/);
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  const { docId } = ((await (await sent).json()) as { quote: { docId: string } }).quote;

  await page.goto(`/quote-doc/${docId}`);
  const sheet = page.getByRole('article');
  const picture = sheet.getByRole('link', { name: /^Picture of / });
  await expect(picture).toHaveCount(1);
  const visible = picture.locator('img');
  await expect(visible).toHaveAttribute('src', `/files/quotes/${docId}/${thumb}`);
  await expect
    .poll(() => visible.evaluate((hTMLImageElement: HTMLImageElement) => hTMLImageElement.naturalWidth))
    .toBeGreaterThan(0);
  // Descriptions align, whether or not their line has a picture.
  const left = async (line: number) => (await sheet.getByText(`Line LN-${quote.id}-${line}`).boundingBox())?.x;
  expect(await left(1)).toBe(await left(2));
  // A line without a picture is not higher than its text, and the item number column is not wider than its content.
  const cells = sheet.getByRole('row').nth(2).getByRole('cell');
  expect((await cells.first().boundingBox())?.height).toBeLessThan(40);
  expect((await cells.nth(1).boundingBox())?.width).toBeLessThan(100);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(visible).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ media: 'print' });
  const box = await visible.boundingBox();
  expect([box?.width, box?.height]).toEqual([48, 48]);
});
