// Tests pasting into a quote in use: rows to correct, columns, keys, and the maximum number of rows of a quote.
import type { Page } from '@playwright/test';
import { MAX_QUOTE_LINES } from '#core/quoting/quotes/quote-rows.ts';
import { aBoard, addField, moreOfLines } from '#testing/a-board.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

async function paste(page: Page, text: string) {
  await addField(page).evaluate((field, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  return page.getByRole('dialog', { name: 'Paste lines' });
}

const linesOf = (server: TestServer, quoteId: number) =>
  server.db
    .selectFrom('quote_item')
    .select(['item_number', 'qty', 'unit'])
    .where('quote_id', '=', quoteId)
    .orderBy('line_no')
    .execute();

test('an unknown unit, an invalid quantity and a price in a pasted row are never silently ignored', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, bed, glove } = await aBoard(server);
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const [a, b] = [bed.itemNumber, glove.itemNumber];
  const dialog = await paste(
    page,
    [
      `${a}\t2\tEA\t58.00`,
      `${b}\t3\tCARTON\t8.25%`,
      `${b}\t3\tCASE12\t`,
      `${b}\t4\tBX/100\t`,
      `${a}\t-3\tEA\t`,
      `${a}\t\tEA\t`,
      `\t5\tEA\t`,
    ].join('\n'),
  );
  await expect(dialog.getByRole('status')).toHaveText(
    '7 rows: 6 found, 0 ambiguous, 1 not found; of those found, 4 to fix',
  );
  const row = (n: number) => dialog.getByRole('row').nth(n);
  await expect(row(1)).toContainText('Price: 58.00');
  await expect(row(2)).toContainText('Price: 8.25%');
  await expect(row(2)).toContainText(`${b} is not sold by CARTON. Its units: EA, BX (100 EA).`);
  await expect(row(3)).toContainText(`${b} is not sold by CASE12.`);
  await expect(row(4)).toContainText('Unit: BX/100');
  await expect(row(5)).toContainText('The quantity must be above 0.');
  await expect(row(6)).toContainText('This row has no quantity.');
  await expect(row(7)).toContainText('This row has no item number.');
  for (const n of [2, 3, 5, 6, 7]) await expect(dialog.getByLabel(`Take row ${n}`)).not.toBeChecked();
  await expect(dialog.getByText('5 of 7 rows are left out.')).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');

  await dialog.getByLabel('Unit of row 2').selectOption('BX');
  await dialog.getByLabel('Quantity of row 5').fill('6');
  await dialog.getByRole('button', { name: 'Quantity 1 for the row without one' }).click();
  await dialog.getByRole('checkbox', { name: 'Only rows to fix' }).check();
  await expect(dialog.getByRole('row')).toHaveCount(3);
  const prices = dialog.getByRole('region', { name: 'Pasted prices' });
  await expect(prices).toContainText('1 that cannot be used');
  await prices.getByRole('radio', { name: 'Keep ours' }).check();
  await dialog.getByRole('button', { name: 'Add 5 lines' }).click();
  // Rows that were left out stay until they are also added or dismissed.
  await expect(dialog.getByRole('status')).toContainText('5 lines are added. These are not: 2 rows: 1 found');
  await expect(dialog.getByRole('row')).toHaveCount(3);
  await expect(dialog.getByLabel('Take row 3')).not.toBeChecked();
  await expect(dialog.getByLabel('Take row 7')).not.toBeChecked();
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByLabel('Unit of row 3').selectOption('EA');
  await dialog.getByRole('button', { name: 'Add 1 line' }).click();
  await expect(dialog.getByRole('status')).toContainText('6 lines are added. These are not: 1 row');
  await dialog.getByRole('button', { name: 'Dismiss 1 row' }).click();
  await expect(dialog).toBeHidden();
  expect(await linesOf(server, quote.id)).toEqual([
    { item_number: a, qty: 2, unit: 'EA' },
    { item_number: b, qty: 3, unit: 'BX' },
    { item_number: b, qty: 4, unit: 'BX' },
    { item_number: a, qty: 6, unit: 'EA' },
    { item_number: a, qty: 1, unit: 'EA' },
    { item_number: b, qty: 3, unit: 'EA' },
  ]);
});

test('a paste shows its columns so that the user can correct them; Enter adds, Escape asks', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, bed } = await aBoard(server);
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  let dialog = await paste(page, `7\t12\t${bed.itemNumber}\n9\t4\t${bed.itemNumber}`);
  await expect(dialog.getByRole('status')).toContainText('0 found');
  const columns = dialog.getByRole('group', { name: 'Pasted columns' });
  await columns.getByRole('combobox', { name: 'Column 3' }).selectOption('Item #');
  await expect(columns.getByRole('combobox', { name: 'Column 1' })).toHaveValue('unused');
  await expect(dialog.getByRole('status')).toHaveText('2 rows: 2 found, 0 ambiguous, 0 not found');
  await dialog.getByLabel('Quantity of row 1').focus();
  await page.keyboard.press('Escape');
  const asks = page.getByRole('dialog', { name: 'Discard the pasted rows?' });
  await page.keyboard.press('Escape');
  await expect(asks).toBeHidden();
  await dialog.getByLabel('Quantity of row 1').focus();
  await page.keyboard.press('Escape');
  await asks.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();

  dialog = await paste(page, `${bed.itemNumber}\t2`);
  await expect(dialog.getByRole('button', { name: 'Add 1 line' })).toBeEnabled();
  await page.keyboard.press('Escape');
  await asks.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();

  dialog = await paste(page, `${bed.itemNumber}\t2`);
  await expect(dialog.getByRole('table', { name: 'Pasted rows' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Quantity of line 1')).toHaveValue('2');
});

test('asks which of two columns is the quantity, and adds nothing before', async ({ page, server, signIn }) => {
  const { office, quote, bed } = await aBoard(server);
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const dialog = await paste(page, `Item\tQty\tOrder Qty\tUOM\n${bed.itemNumber}\t500\t2\tEA`);
  const question = dialog.getByText("Which column is the quantity: 'Qty' or 'Order Qty'?");
  await expect(question).toBeVisible();
  await expect(dialog.getByRole('row').nth(1)).toContainText('This row has no quantity.');
  await expect(dialog.getByRole('button', { name: 'Add 0 lines' })).toBeDisabled();
  await dialog.getByLabel('Order Qty').selectOption('qty');
  await expect(question).toBeHidden();
  await dialog.getByRole('button', { name: 'Add 1 line' }).click();
  await expect(dialog).toBeHidden();
  expect(await linesOf(server, quote.id)).toEqual([{ item_number: bed.itemNumber, qty: 2, unit: 'EA' }]);
});

test('a paste sent again after a lost answer is not added twice', async ({ page, server, signIn }) => {
  const { office, quote, bed, glove } = await aBoard(server);
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const dialog = await paste(page, `${bed.itemNumber}\t2\tEA\n${bed.itemNumber}\t2\tEA\n${glove.itemNumber}\t3\tBX`);
  await expect(dialog.getByRole('button', { name: 'Add 3 lines' })).toBeEnabled();
  await page.route(
    '**/SaveSalesRepQuote',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('The lines were not added')).toBeVisible();
  expect(await linesOf(server, quote.id)).toHaveLength(3);
  // The board already shows them, and they can still be undone as its own.
  await expect(page.getByRole('grid', { name: 'Lines' })).toHaveAttribute('aria-rowcount', '4');
  await dialog.getByRole('button', { name: 'Add 3 lines' }).click();
  await expect(dialog).toBeHidden();
  expect(await linesOf(server, quote.id)).toHaveLength(3);
  await expect(page.getByRole('grid', { name: 'Lines' })).toHaveAttribute('aria-rowcount', '4');
  await moreOfLines(page, 'Undo');
  await expect.poll(async () => (await linesOf(server, quote.id)).length).toBe(0);
});

test('as many rows as a quote may have are pasted, checked and added in two calls, only visible ones render, and Ctrl+Z takes them back', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote } = await aBoard(server);
  const numbers: string[] = [];
  for (let n = 0; n < 50; n++) numbers.push((await anItem(server.db, { units: { EA: 1, BX: 10 } })).itemNumber);
  const rows = Array.from({ length: MAX_QUOTE_LINES }, (_, n) => `${numbers[n % 50]}\t${(n % 9) + 1}\tBX`);
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await expect(addField(page)).toBeVisible();
  await page.evaluate(() => {
    const long: number[] = [];
    Object.assign(window, { longTasks: long });
    new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  const calls: string[] = [];
  page.on('request', (request) => {
    if (/ResolvePastedItems|SaveSalesRepQuote|SaveQuoteItem/.test(request.url()))
      calls.push(new URL(request.url()).pathname);
  });
  const start = Date.now();
  const dialog = await paste(page, rows.join('\n'));
  await expect(dialog.getByRole('button', { name: 'Add 5,000 lines' })).toBeEnabled();
  const checked = Date.now();
  expect(await dialog.getByRole('row').count()).toBeLessThan(60);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('grid', { name: 'Lines' })).toHaveAttribute('aria-rowcount', '5001');
  const longTasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks);
  console.log(
    `5,000 rows: checked after ${checked - start} ms, added after ${Date.now() - start} ms; tasks over 50 ms: ${longTasks.map(Math.round).join(', ') || 'none'}`,
  );
  expect(calls).toEqual(['/api/QuoteEdit/ResolvePastedItems', '/api/QuoteEdit/SaveSalesRepQuote']);
  expect(await linesOf(server, quote.id)).toHaveLength(MAX_QUOTE_LINES);
  const activity = page.getByRole('tabpanel', { name: 'Activity' });
  await expect(activity.getByText('and 4,995 more')).toBeVisible();
  // The focus is in the empty field for the next line.
  await page.keyboard.press('Control+z');
  await expect(page.getByText('No lines yet.')).toBeVisible();
  await expect.poll(() => linesOf(server, quote.id)).toHaveLength(0);
});

test('prices of a paste are an offer: compared by line, and typed with a reason only when chosen', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, bed, glove } = await aBoard(server);
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const dialog = await paste(
    page,
    [
      'Item\tQty\tUOM\tTarget price',
      `${bed.itemNumber}\t2\tEA\t$6,500.00`,
      `${glove.itemNumber}\t3\tBX\t$0.10/EA`,
      `${glove.itemNumber}\t1\tBX\t9.84`,
      `${bed.itemNumber}\t1\tEA\t€6,400`,
    ].join('\n'),
  );
  const add = dialog.getByRole('button', { name: 'Add 4 lines' });
  await expect(add).toBeEnabled();
  const prices = dialog.getByRole('region', { name: 'Pasted prices' });
  await expect(prices).toContainText(
    'In US dollars, as stated in the pasted rows. Per the unit of each row; 1 price for another unit is converted.',
  );
  await expect(prices).toContainText('1 lower than ours, 1 higher, 1 the same, 1 that cannot be used.');
  // Nothing is added before the choice, which gets the focus.
  await page.keyboard.press('Enter');
  await expect(prices).toContainText('Choose what to do with these prices first.');
  await expect(prices.getByRole('radio', { name: 'Keep ours' })).toBeFocused();
  expect(await linesOf(server, quote.id)).toEqual([]);

  await prices.getByRole('radio', { name: 'Compare' }).check();
  const table = dialog.getByRole('table', { name: 'Our prices and theirs' });
  await expect(table.getByRole('row').nth(1)).toContainText('$6,900.00$6,500.00−$400.00 (−5.8%)');
  await expect(table.getByRole('row').nth(2)).toContainText('$9.84$10.00+$0.16 (+1.6%)');
  await expect(table.getByRole('row').nth(4)).toContainText('The price is in euros, the quote in US dollars.');
  await expect(table.getByLabel('Use theirs in row 4')).toBeDisabled();
  await table.getByLabel('Use theirs in row 1').check();
  await expectAccessible(page, '[role="dialog"]');
  await add.click();
  await expect(prices).toContainText('Enter a reason for the typed prices.');
  await prices.getByLabel('Reason').fill('Target of the tender');
  await add.click();
  await expect(dialog).toBeHidden();
  const stored = await server.db
    .selectFrom('quote_item')
    .select(['unit_price', 'price_source', 'price_reason'])
    .where('quote_id', '=', quote.id)
    .orderBy('line_no')
    .execute();
  expect(stored.map((line) => Object.values(line))).toEqual([
    [6500, 'Manual', 'Target of the tender'],
    [9.84, 'List', ''],
    [9.84, 'List', ''],
    [6900, 'List', ''],
  ]);
});

test('a number that no item has gets items by its words, is remembered for the facility, and is found the next time', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, bed } = await aBoard(server);
  const wand = await anItem(server.db, { description: 'Wand ultrasonic blue long', units: { EA: 1, BX: 12 } });
  await anItem(server.db, { description: 'Wand ultrasonic blue short', units: { EA: 1, BX: 12 } });
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const text = [
    'Item,Description,Qty,UOM',
    'CUST 4471-B,Wands ultrasonic blue long,2,BX',
    'CUST 99,Something else,1,EA',
    'CUST 77,,3,EA',
  ]
    .map((row) => row.replaceAll(',', '\t'))
    .join('\n');
  const dialog = await paste(page, text);
  await expect(dialog.getByRole('status')).toHaveText('3 rows: 0 found, 0 ambiguous, 3 not found');
  const item = dialog.getByLabel('Item of row 1');
  await expect(item.getByRole('option')).toHaveText([/Choose/, /Wand ultrasonic blue long/]);
  await item.selectOption({ label: `${wand.itemNumber} Wand ultrasonic blue long` });
  await expect(dialog.getByLabel('Unit of row 1')).toHaveValue('BX');
  await dialog.getByLabel('Remember the number of row 1').selectOption('Same item, for this facility');
  // No item matches these words, so the search opens with the text of the row.
  await dialog.getByRole('button', { name: 'Find it for row 2' }).click();
  const search = dialog.getByRole('searchbox');
  await expect(search).toHaveValue('Something else');
  await expectAccessible(page, '[role="dialog"]');
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('table', { name: 'Pasted rows' })).toBeVisible();
  await expect(item).toHaveValue(String(wand.id));
  await dialog.getByRole('button', { name: 'Find it for row 3' }).click();
  await expect(search).toHaveValue('CUST 77');
  await search.fill(bed.itemNumber);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: `Pick ${bed.itemNumber}` }).click();
  await dialog.getByLabel('Remember the number of row 3').selectOption('Equivalent, for this facility');
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByRole('button', { name: 'Add 2 lines' }).click();
  await expect(page.getByText('2 numbers are remembered.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Dismiss 1 row' }).click();
  await expect(dialog).toBeHidden();
  expect(await linesOf(server, quote.id)).toEqual([
    { item_number: wand.itemNumber, qty: 2, unit: 'BX' },
    { item_number: bed.itemNumber, qty: 3, unit: 'EA' },
  ]);

  const again = await paste(page, 'cust-4471b\t1\tBX\nCUST 77\t1\tEA');
  await expect(again.getByRole('status')).toHaveText('2 rows: 1 found, 1 ambiguous, 0 not found');
  await expect(again.getByRole('row').nth(1)).toContainText(`Your reference: CUST 4471-B = our ${wand.itemNumber}`);
  // The user must confirm an equivalent every time.
  await expect(again.getByRole('row').nth(2)).toContainText(
    `Did you mean ${bed.itemNumber}? Your reference: CUST 77 = our ${bed.itemNumber}, equivalent.`,
  );
  await expect(again.getByRole('button', { name: 'Add 1 line' })).toBeEnabled();
});

test('on a phone, a person chooses the item of an unknown number and remembers it', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote } = await aBoard(server);
  const wand = await anItem(server.db, { description: 'Probe cover latex free' });
  await signIn(office.inside);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/int-quote-board/${quote.id}`);
  await expect(addField(page)).toBeVisible();
  const dialog = await paste(page, 'Item\tDescription\tQty\nPHONE-1\tProbe cover latex free\t2');
  await dialog.getByLabel('Item of row 1').selectOption(String(wand.id));
  await dialog.getByLabel('Remember the number of row 1').selectOption('Same item, for this facility');
  await expectAccessible(page, '[role="dialog"]');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await dialog.getByRole('button', { name: 'Add 1 line' }).click();
  await expect(dialog).toBeHidden();
  await expect
    .poll(() =>
      server.db.selectFrom('cross_reference').select(['number', 'item_id', 'kind', 'scope', 'facility_id']).execute(),
    )
    .toContainEqual({
      number: 'PHONE-1',
      item_id: wand.id,
      kind: 'Same',
      scope: 'Facility',
      facility_id: office.facility.id,
    });
});

test('an equivalent typed below the lines becomes a line only when somebody chooses it', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, bed } = await aBoard(server);
  const values = {
    number: 'MDS1234',
    maker: 'Medline',
    item_id: bed.id,
    kind: 'Equivalent',
    scope: 'Facility',
    facility_id: office.facility.id,
  };
  await server.db.insertInto('cross_reference').values(values).execute();
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const field = addField(page);
  await field.fill('mds 1234');
  await page.keyboard.press('Enter');
  await expect(
    page.getByText(
      `Your reference: Medline MDS1234 = our ${bed.itemNumber}, equivalent. Choose it from the list if it is the right one.`,
    ),
  ).toBeVisible();
  expect(await linesOf(server, quote.id)).toEqual([]);
  await page.getByRole('option', { name: bed.itemNumber }).click();
  await expect.poll(() => linesOf(server, quote.id)).toMatchObject([{ item_number: bed.itemNumber }]);
});
