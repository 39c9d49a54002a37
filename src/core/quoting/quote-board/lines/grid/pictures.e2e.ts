// Tests pictures and product names of lines: grid, panel, type-ahead, template, phone, and hiding the column.
import type { Page } from '@playwright/test';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { addField, aBoard, moreOfLines } from '#testing/a-board.ts';
import { aPicture } from '#testing/a-picture.server.ts';
import { expect, test } from '#testing/browser.ts';
import { aFile, aProduct, aQuoteTemplate } from '#testing/factories/catalog.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

async function withProduct(server: TestServer) {
  const { db, services } = server;
  const board = await aBoard(server);
  const { glove, quote, office } = board;
  const picture = async () =>
    (await aFile(db, services.files, { mediaType: 'image/png', bytes: await aPicture({ width: 160, height: 90 }) })).id;
  const pdf = await aFile(db, services.files, { name: 'care.pdf', mediaType: 'application/pdf' });
  await aProduct(db, {
    itemIds: [glove.id],
    name: 'Softgrip nitrile glove',
    brand: 'Softgrip',
    images: [{ fileId: await picture() }, { fileId: await picture() }],
    documents: [{ fileId: pdf.id, title: 'Care of gloves' }],
  });
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { id: quote.id, version: 1 }, items: [glove, board.bed].map(({ id }) => ({ id: 0, itemId: id, qty: 2 })) },
    { as: office.rep },
  );
  return board;
}

/** Whether all pictures within an element have loaded completely. */
const whole = (page: Page, within: string) =>
  page
    .locator(`${within} img`)
    .evaluateAll((all) =>
      all.every(
        (candidate) => candidate instanceof HTMLImageElement && candidate.complete && candidate.naturalWidth > 0,
      ),
    );

test('a line shows its picture and its product; a hidden column stays hidden', async ({ page, server, signIn }) => {
  const { office, quote, glove } = await withProduct(server);
  const template = await aQuoteTemplate(server.db, { lines: [{ itemId: glove.id, unit: 'EA' }] });
  await signIn(office.inside);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/int-quote-board/${quote.id}`);
  const grid = page.getByRole('grid', { name: 'Lines' });
  const row = grid.getByRole('row').nth(1);
  await expect(row).toContainText('Softgrip nitrile glove');
  await expect(grid.locator('img')).toHaveCount(1);
  await expect.poll(() => whole(page, '[role=grid]')).toBe(true);
  const box = await grid.locator('img').boundingBox();
  expect([box?.width, box?.height]).toEqual([22, 22]);
  // Neither name nor picture makes a row higher.
  const heights = await grid
    .getByRole('row')
    .evaluateAll((rows) => rows.slice(1).map((entry) => entry.getBoundingClientRect().height));
  expect(heights).toEqual([36, 36]);

  await moreOfLines(page, 'Columns…');
  const remembered = page.waitForResponse(/RememberBoardLayout/);
  await page.getByRole('checkbox', { name: 'Picture', exact: true }).click();
  await remembered;
  await expect(grid.locator('img')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(row).toContainText('Softgrip nitrile glove');
  await expect(grid.locator('img')).toHaveCount(0);

  await addField(page).fill(glove.itemNumber);
  const option = page.getByRole('option', { name: new RegExp(glove.itemNumber) });
  await expect(option).toContainText('Softgrip nitrile glove');
  await expect(option.locator('img')).toHaveCount(1);
  await addField(page).fill('');

  await moreOfLines(page, 'Add from template…');
  const dialog = page.getByRole('dialog', { name: 'Add from a template' });
  await dialog.getByRole('button', { name: new RegExp(template.name) }).click();
  await expect(page.getByRole('dialog').getByText('Softgrip nitrile glove')).toBeVisible();
  await expect(page.getByRole('dialog').locator('img')).toHaveCount(1);
});
