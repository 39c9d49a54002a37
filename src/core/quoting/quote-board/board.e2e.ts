// Tests the board in use: by keyboard only, by paste, by two users simultaneously, without a network, on a phone.
import { aBoard, addField, moreOfLines, showRail, total } from '#testing/a-board.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';

test('a user builds a quote by keyboard alone', async ({ page, server, signIn }) => {
  const { office, quote, glove, bed } = await aBoard(server);
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(String(quote.num));
  // A quote without lines opens with the focus in the field that adds lines.
  await expect(addField(page)).toBeFocused();
  await page.keyboard.type(glove.itemNumber);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Quantity of line 1')).toBeFocused();
  await page.keyboard.type('40');
  await page.keyboard.press('Enter');
  // Enter on the last line returns to the add line.
  await expect(addField(page)).toBeFocused();
  await page.keyboard.type(bed.itemNumber);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Quantity of line 2')).toBeFocused();
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await expect(total(page)).toContainText('$27,603.94');
  const stored = await server.db
    .selectFrom('quote_item')
    .select(['item_number', 'qty', 'unit'])
    .where('quote_id', '=', quote.id)
    .orderBy('line_no')
    .execute();
  expect(stored).toMatchObject([
    { item_number: glove.itemNumber, qty: 40 },
    { item_number: bed.itemNumber, qty: 4, unit: 'EA' },
  ]);
});

test('what is typed while an item is being added becomes its quantity', async ({ page, server, signIn }) => {
  const { office, quote, glove } = await aBoard(server);
  await page.route(/SearchItemByNumber|SaveQuoteItem/, async (route) => {
    await new Promise((done) => setTimeout(done, 400));
    await route.continue();
  });
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await expect(addField(page)).toBeFocused();
  await page.keyboard.type(`${glove.itemNumber}\n40\n`);
  await expect(page.getByLabel('Quantity of line 1')).toHaveValue('40');
  await expect(addField(page)).toBeFocused();
  await expect(addField(page)).toHaveValue('');
  await expect
    .poll(() => server.db.selectFrom('quote_item').select('qty').where('quote_id', '=', quote.id).execute())
    .toEqual([{ qty: 40 }]);
  // When a number finds nothing, the text typed after it is kept.
  await page.keyboard.type('nothing-at\n-all');
  await expect(page.getByText("No item matches 'nothing-at'.")).toBeVisible();
  await expect(addField(page)).toHaveValue('nothing-at-all');
});

test('a manual price needs a reason, shows its proof, and can be undone', async ({ page, server, signIn }) => {
  const { office, quote, bed } = await aBoard(server);
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await addField(page).fill(bed.itemNumber);
  await addField(page).press('Enter');
  const typePrice = async (price: string) => {
    await page.getByLabel('Price of line 1').fill(price);
    await page.getByLabel('Price of line 1').press('Enter');
  };
  const dialog = page.getByRole('dialog', { name: 'Price of line 1' });
  await typePrice('138000');
  await expect(dialog).toContainText('This is 20 times the system price. Is this the price per EA?');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await typePrice('6500');
  await expect(dialog).not.toContainText('times the system price');
  await expect(dialog).toContainText('the system price is $6,900.00');
  await expect(dialog.getByRole('button', { name: 'Set price' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('Match of a competing offer');
  await dialog.getByLabel('Reason').press('Control+Enter');
  await expect(total(page)).toContainText('$6,500.00');
  await page.getByRole('button', { name: /Price proof for line 1/ }).click();
  await expect(page.getByText('Match of a competing offer').last()).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Price proof for line 1' }).locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await moreOfLines(page, 'Undo');
  await expect(total(page)).toContainText('$6,900.00');

  // The activity shows a saved change without a reload.
  await showRail(page);
  const activity = page.getByRole('tabpanel', { name: 'Activity' });
  const change = activity.getByText(`Line 1 (${bed.itemNumber}): Quantity: 1 → 7`);
  await expect(change).toHaveCount(0);
  await page.getByLabel('Quantity of line 1', { exact: true }).fill('7');
  await page.keyboard.press('Enter');
  await expect(change).toBeVisible();
});

test('input typed without a network is kept and saved when the network is back', async ({
  page,
  context,
  server,
  signIn,
}) => {
  const { office, quote, bed } = await aBoard(server);
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await addField(page).fill(bed.itemNumber);
  await addField(page).press('Enter');
  await expect(page.getByLabel('Quantity of line 1')).toBeFocused();
  await context.setOffline(true);
  await page.getByLabel('Quantity of line 1').fill('7');
  await page.getByLabel('Quantity of line 1').press('Enter');
  await expect(page.getByText('1 change not saved yet. It is kept on this page.')).toBeVisible();
  await expect(page.getByLabel('Quantity of line 1')).toHaveValue('7');
  await context.setOffline(false);
  await expect(total(page)).toContainText('$48,300.00');
});

test('on a phone lines are cards and the next step is at the bottom', async ({ page, server, signIn }) => {
  const { office, quote, bed } = await aBoard(server);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(office.rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  await addField(page).fill(bed.itemNumber);
  await addField(page).press('Enter');
  const card = page.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  await expect(card).toContainText(bed.itemNumber);
  await expect(card).toContainText('$6,900.00');
  const submit = page.getByRole('button', { name: 'Submit' });
  await expect(submit).toBeInViewport();
  await submit.click();
  await expect(page.getByText('Waiting For Process').first()).toBeVisible();
  // Nothing is wider than the phone's screen.
  await expectNoSideScroll(page);
});

test('on a phone the menu of a line sets its price, and the item panel fills the screen', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, bed } = await aBoard(server);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await addField(page).fill(bed.itemNumber);
  await addField(page).press('Enter');
  await page.getByRole('button', { name: 'Actions for line 1' }).click();
  await page.getByRole('menuitem', { name: 'Price…', exact: true }).click();
  await page.getByLabel('Price per EA').fill('12%');
  await expect(page.getByText("'12%' is not a number")).toBeVisible();
  await page.getByLabel('Price per EA').fill('$6,000');
  await page.getByLabel('Reason').fill('Match');
  await page.getByRole('button', { name: 'Set price' }).click();
  await expect(total(page)).toContainText('$6,000.00');
  await page.getByRole('button', { name: 'Add Item' }).click();
  await expect(page.getByRole('button', { name: 'Pick Item' })).toBeVisible();
  await expect(page.getByLabel('Item #')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Pick Item' })).toHaveCount(0);
});

test('a step taken right after typing includes the typed text', async ({ page, server, signIn }) => {
  const { office, quote, bed } = await aBoard(server);
  await signIn(office.rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  await addField(page).fill(bed.itemNumber);
  await addField(page).press('Enter');
  await page.getByLabel('Quantity of line 1').fill('3');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Waiting For Process').first()).toBeVisible();
  await expect(total(page)).toContainText('$20,700.00');
});
