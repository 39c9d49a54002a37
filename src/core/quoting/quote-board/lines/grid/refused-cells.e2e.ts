// Tests that input the server cannot save blocks every step, appears below its line, survives scrolling, and prompts before the user leaves.
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aBoard } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';

test('a quantity of 0 stops Send and leaving, and its line says so', async ({ page, server, signIn }) => {
  const { office, quote, bed, glove } = await aBoard(server);
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { id: quote.id, version: 1, contactName: 'Jane Doe', contactEmail: 'jane@example.org' },
      items: [
        { id: 0, itemId: bed.id, qty: 1 },
        { id: 0, itemId: glove.id, qty: 6 },
      ],
    },
    { as: office.inside },
  );
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await page.getByRole('button', { name: 'Start Processing' }).click();
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await expect(send).toBeVisible();

  const cell = page.getByLabel('Quantity of line 2');
  await cell.fill('0');
  await send.click();
  const line = page.getByRole('row').filter({ has: cell });
  await expect(line).toContainText('Not saved: The quantity must be above 0 (you entered ‘0’)');
  await expect(page.getByRole('banner').or(page.locator('header')).getByRole('alert')).toHaveText(
    'Line 2: The quantity must be above 0',
  );
  await expect(cell).toHaveValue('0');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The key does the same.
  await cell.fill('-1');
  await cell.blur();
  await page.keyboard.press('Control+Enter');
  await expect(line).toContainText('(you entered ‘-1’)');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('link', { name: '‹ Quotes' }).click();
  const request = page.getByRole('dialog', { name: 'Discard your changes?' });
  await request.getByRole('button', { name: 'Keep editing' }).click();
  await expect(cell).toHaveValue('-1');
  const stored = await server.db
    .selectFrom('quote_item')
    .select('qty')
    .where('quote_id', '=', quote.id)
    .orderBy('line_no')
    .execute();
  expect(stored.map(({ qty }) => qty)).toEqual([1, 6]);

  await cell.fill('8');
  await send.click();
  await expect(page.getByRole('dialog', { name: 'Send to customer' })).toBeVisible();
  await expect(line).not.toContainText('Not saved');
  await expect
    .poll(() =>
      server.db
        .selectFrom('quote_item')
        .select('qty')
        .where('quote_id', '=', quote.id)
        .orderBy('line_no', 'desc')
        .executeTakeFirst(),
    )
    .toEqual({ qty: 8 });
});

test('a price without its reason, a half-typed item and an open line stop a step from going on', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, bed } = await aBoard(server);
  await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId: quote.id, itemId: bed.id, qty: 1 }, { as: office.inside });
  await signIn(office.rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  const submit = page.getByRole('button', { name: 'Submit' });
  const add = page.getByRole('textbox', { name: 'Add an item by number or name' });
  await add.fill('gl');
  await submit.click();
  await expect(page.getByText('‘gl’ is not added yet').first()).toBeVisible();
  await add.fill('');

  await page.getByRole('button', { name: 'Actions for line 1' }).click();
  await page.getByRole('menuitem', { name: 'Edit Item…' }).click();
  await page.getByRole('region', { name: 'Edit Item' }).getByLabel('Internal Notes').fill('Ward 3');
  await submit.click();
  await expect(page.getByText('The line in the panel is not saved. Press Done or close the panel.')).toBeVisible();
  await page.getByRole('region', { name: 'Edit Item' }).getByRole('button', { name: 'Done', exact: true }).click();

  await page.getByLabel('Price of line 1').fill('6500');
  await submit.click();
  await expect(page.getByRole('dialog', { name: 'Price of line 1' })).toBeVisible();
  const { status_id } = await server.db
    .selectFrom('quote')
    .select('status_id')
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  expect(status_id).toBe('Editing');
});

test('a discount is read as it is typed: in its cell, and over selected lines', async ({ page, server, signIn }) => {
  const { office, quote, bed } = await aBoard(server);
  await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId: quote.id, itemId: bed.id, qty: 1 }, { as: office.inside });
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const cell = page.getByLabel('Discount percentage for line 1');
  await cell.fill('1e1');
  await cell.press('Enter');
  await expect(page.getByRole('row').filter({ has: cell })).toContainText("'1e1' is not a number");
  await cell.press('Escape');
  // The same applies to a price.
  const price = page.getByLabel('Price of line 1', { exact: true });
  await price.fill('1,5');
  await price.press('Enter');
  await expect(page.getByRole('row').filter({ has: price })).toContainText('(you entered ‘1,5’)');
  await price.press('Escape');

  await page.getByLabel('Select line 1', { exact: true }).check();
  await page.getByRole('button', { name: 'Discount…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Discount on 1 line' });
  await dialog.getByLabel('Reason').fill('Volume');
  const off = dialog.getByLabel('Discount off system price');
  await off.pressSequentially('1,5');
  await expect(dialog.getByText("'1,5' is not a number")).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Set discount' })).toBeDisabled();
  await dialog.getByText('Amount per unit').click();
  await off.fill('999999999999');
  await expect(dialog.getByText('At most 9,999,999,999')).toBeVisible();
  await dialog.getByText('%', { exact: true }).click();
  await off.fill('12.5%');
  await dialog.getByRole('button', { name: 'Set discount' }).click();
  await expect(cell).toHaveValue('12.5');
});

test('refused input is still there after scrolling through a long quote', async ({ page, server, signIn }) => {
  const { office, quote, bed } = await aBoard(server);
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { id: quote.id },
      items: Array.from({ length: 150 }, () => ({ id: 0, itemId: bed.id, qty: 1 })),
    },
    { as: office.inside },
  );
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const cell = page.getByLabel('Quantity of line 1', { exact: true });
  await cell.fill('0');
  const grid = page.getByRole('grid', { name: 'Lines' });
  await grid.hover();
  // Scrolls without leaving the cell, so its row unmounts with the typed text.
  await page.mouse.wheel(0, 4000);
  await expect(cell).toHaveCount(0);
  await page.mouse.wheel(0, -4000);
  await expect(cell).toHaveValue('0');
  await expect(grid.getByText('Not saved: The quantity must be above 0')).toBeVisible();
});
