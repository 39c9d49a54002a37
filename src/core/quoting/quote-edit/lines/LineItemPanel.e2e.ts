// Tests the line panel and the item picker in a browser, exactly as specified (sections 2 and 5).
import type { Page } from '@playwright/test';
import { expect, test } from '#testing/browser.ts';
import { anItem, aPromotion } from '#testing/factories/catalog.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';

const KEYWORD = 'Enter Partial Item # or Name to search';
const RECENT = 'Search Items Having Recent Sales Orders Only';
const CUSTOM = 'This is a custom item, I will enter data manually';

async function onABoard(server: TestServer, page: Page, signIn: (user: { id: number }) => Promise<void>) {
  const { db } = server;
  const rep = await aUser(db);
  const facility = await aFacility(db);
  const quote = await aQuote(db, { ownerId: rep.id, salesRepId: rep.id, facility });
  await signIn(rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  await page.getByRole('button', { name: 'Add Item' }).click();
  const linesOf = () =>
    db
      .selectFrom('quote_item')
      .select(['item_number', 'description', 'type', 'qty', 'unit', 'notes', 'active'])
      .where('quote_id', '=', quote.id)
      .orderBy('line_no')
      .execute();
  return { quote, linesOf };
}

/** Counts searches, to prove the debounce. */
function searchesOf(page: Page) {
  const searches: { number: string; hasRecentSaleOnly: boolean }[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/SearchItemByNumber')) searches.push(request.postDataJSON());
  });
  return searches;
}

test('pick, done and pick next, done', async ({ page, server, signIn }) => {
  const { db } = server;
  const first = await anItem(db, {
    number: 'PNL-1',
    description: 'Panel glove nitrile',
    units: { BX: 1, CS: 10 },
    sellingRank: 'NEW',
  });
  await anItem(db, { number: 'PNL-2', description: 'Panel glove vinyl' });
  await anItem(db, { number: 'PNL-3', description: 'Panel glove old', lastSold: '2019-01-01' });
  await aPromotion(db, { itemId: first.id, amount: 12.5 });
  await page.clock.install();
  const { linesOf } = await onABoard(server, page, signIn);
  const searches = searchesOf(page);

  const panel = page.getByRole('region', { name: 'Add Item' });
  await expect(panel.getByRole('heading', { name: 'Add Item' })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Done', exact: true })).toBeDisabled();
  await expect(panel.getByRole('button', { name: 'Done and Pick Next' })).toBeDisabled();
  await expect(panel.getByLabel('Item #')).not.toBeEditable();
  await expect(panel.getByLabel('Unit')).toBeDisabled();
  await panel.getByLabel('Desc.').focus();
  await panel.getByLabel('Qty.').focus();
  await panel.getByLabel('Internal Notes').focus();
  await expect(panel.getByText('This field is required')).toHaveCount(2);

  await panel.getByRole('button', { name: 'Pick Item' }).click();
  const picker = page.getByRole('region', { name: 'Test Medical Supply Item Picker' });
  await expect(picker.getByRole('heading', { name: 'Test Medical Supply Item Picker' })).toBeVisible();
  await expect(picker.getByText('Need at least 3 characters to start search')).toBeVisible();
  await expect(picker.getByLabel(RECENT)).toBeChecked();
  await expect(picker.getByLabel(KEYWORD)).toBeFocused();
  await expect(picker.getByLabel('Rows per page')).toHaveValue('10');

  // The page's clock stops, to show that the search starts one second after the last key and not before.
  await page.clock.pauseAt(Date.now() + 1000);
  await page.keyboard.type('pa');
  await page.clock.runFor(1300);
  expect(searches).toEqual([]);
  await page.keyboard.type('nel glove');
  await page.clock.runFor(900);
  expect(searches).toEqual([]);
  await page.clock.runFor(200);
  await page.clock.resume();
  await expect(picker.getByRole('row', { name: /PNL-1/ })).toContainText('NEW');
  expect(searches).toMatchObject([{ number: 'panel glove', hasRecentSaleOnly: true }]);
  await expect(picker.getByRole('row', { name: /PNL-3/ })).toHaveCount(0);
  await picker.getByLabel(RECENT).uncheck();
  await expect(picker.getByRole('row', { name: /PNL-3/ })).toBeVisible();
  await picker.getByLabel(RECENT).check();
  await expect(picker.getByRole('row', { name: /PNL-3/ })).toHaveCount(0);
  await picker.getByRole('button', { name: 'Pick PNL-1' }).click();

  await expect(panel.getByLabel('Item #')).toHaveValue('PNL-1');
  await expect(panel.getByLabel('Desc.')).toHaveValue('Panel glove nitrile');
  await expect(panel.getByLabel('Unit')).toHaveValue('BX');
  await expect(panel.getByRole('alert')).toHaveText(
    'Promotion for item PNL-1: 12.5% discount. Min. quantity 0, max. quantity unlimited, unit any. Please ask an IS Rep to apply the discount.',
  );
  await expect(panel.getByLabel('Qty.')).toBeFocused();
  await page.keyboard.type('4');
  await panel.getByLabel('Internal Notes').fill('for ward 3');
  await panel.getByRole('button', { name: 'Done and Pick Next' }).click();

  // After saving, the picker returns with its keyword. Picks the next item by keyboard.
  await expect(picker.getByLabel(KEYWORD)).toBeFocused();
  expect(await linesOf()).toEqual([
    {
      item_number: 'PNL-1',
      description: 'Panel glove nitrile',
      type: 'item',
      qty: 4,
      unit: 'BX',
      notes: 'for ward 3',
      active: true,
    },
  ]);
  await expect(picker.getByLabel(KEYWORD)).toHaveValue('panel glove');
  await expect(picker.getByRole('row', { name: /PNL-2/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(panel.getByLabel('Item #')).toHaveValue('PNL-2');
  await expect(panel.getByLabel('Internal Notes')).toHaveValue('');
  await page.keyboard.press('Control+Enter');
  await expect(panel).toHaveCount(0);
  expect((await linesOf()).map((line) => line.item_number)).toEqual(['PNL-1', 'PNL-2']);

  // After Done, the picker's keyword is cleared.
  await page.getByRole('button', { name: 'Add Item' }).click();
  await panel.getByRole('button', { name: 'Pick Item' }).click();
  await expect(picker.getByLabel(KEYWORD)).toHaveValue('');
  await picker.getByRole('button', { name: 'Clear' }).click();
  await expect(panel.getByLabel('Item #')).toHaveValue('');
});

test('input for a custom item survives the checkbox, a refusal and an accidental Escape', async ({
  page,
  server,
  signIn,
}) => {
  const { linesOf } = await onABoard(server, page, signIn);
  const panel = page.getByRole('region', { name: 'Add Item' });
  await panel.getByLabel(CUSTOM).check();
  await expect(panel.getByRole('button', { name: 'Pick Item' })).toHaveCount(0);
  await panel.getByLabel('Item #').fill('SPECIAL-9');
  await panel.getByLabel('Desc.').fill('Made to measure');
  await panel.getByLabel('Qty.').fill('0');
  await panel.getByLabel('Internal Notes').focus();
  await expect(panel.getByText('The quantity must be above 0')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Done', exact: true })).toBeDisabled();
  // A negative quantity is refused and not converted.
  await panel.getByLabel('Qty.').fill('');
  await panel.getByLabel('Qty.').pressSequentially('-3');
  await expect(panel.getByLabel('Qty.')).toHaveValue('-3');
  await expect(panel.getByText('The quantity must be above 0')).toBeVisible();
  await panel.getByLabel('Qty.').fill('2.5');
  await panel.getByLabel(CUSTOM).uncheck();
  await expect(panel.getByLabel('Item #')).toHaveValue('');
  await panel.getByLabel(CUSTOM).check();
  await expect(panel.getByLabel('Item #')).toHaveValue('SPECIAL-9');

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.context().setOffline(true);
  await panel.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(panel.getByRole('alert')).toContainText('The server cannot be reached');
  await expect(panel.getByLabel('Desc.')).toHaveValue('Made to measure');
  await page.context().setOffline(false);
  await panel.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(panel).toHaveCount(0);
  expect(await linesOf()).toMatchObject([{ item_number: 'SPECIAL-9', type: 'custom', qty: 2.5, active: true }]);

  await page.getByRole('button', { name: 'Add Item' }).click();
  await panel.getByLabel('Desc.').fill('never mind');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(panel).toHaveCount(0);
  expect(await linesOf()).toHaveLength(1);
});

test('two people change one line: both values are offered', async ({ page, server, signIn }) => {
  const { db } = server;
  const rep = await aUser(db);
  const facility = await aFacility(db);
  const item = await anItem(db, { number: 'CNF-1', description: 'Conflict bed', price: 10 });
  const quote = await aQuote(db, { ownerId: rep.id, salesRepId: rep.id, facility });
  const line = { quoteId: quote.id, itemId: item.id, qty: 1, unit: 'EA' };
  const { item: stored } = await server.ok(QuoteEdit.SaveQuoteItem, line, { as: rep });
  const storedLine = () =>
    db.selectFrom('quote_item').select(['qty', 'notes']).where('id', '=', stored.id).executeTakeFirstOrThrow();
  await signIn(rep);
  await page.goto(`/pub-quote-board/${quote.id}`);

  const edit = async () => {
    await page.getByRole('button', { name: 'Actions for line 1' }).click();
    await page.getByRole('menuitem', { name: /Edit Item/ }).click();
  };
  const panel = page.getByRole('region', { name: 'Edit Item' });
  const done = panel.getByRole('button', { name: 'Done', exact: true });
  const others = async (qty: number) => {
    const { version } = await db
      .selectFrom('quote_item')
      .select('version')
      .where('id', '=', stored.id)
      .executeTakeFirstOrThrow();
    await server.ok(QuoteEdit.SaveQuoteItem, { id: stored.id, quoteId: quote.id, version, qty }, { as: rep });
  };

  await edit();
  await expect(panel.getByLabel('Item #')).toHaveValue('CNF-1');
  await panel.getByLabel('Qty.').fill('7');
  await others(3);
  await done.click();
  const question = page.getByRole('dialog', { name: 'Changed by someone else' });
  await expect(question).toContainText(`${rep.fullName} changed line 1 (CNF-1)`);
  await expect(question.getByRole('row', { name: 'Qty. 3 7' })).toBeVisible();
  await expect(panel.getByLabel('Qty.')).toHaveValue('7');
  await question.getByRole('button', { name: 'Keep mine' }).click();
  await expect(panel).toHaveCount(0);
  expect(await storedLine()).toMatchObject({ qty: 7 });

  // Different fields merge without a prompt.
  await edit();
  await panel.getByLabel('Internal Notes').fill('mine');
  await others(5);
  await done.click();
  await expect(panel).toHaveCount(0);
  expect(await storedLine()).toEqual({ qty: 5, notes: 'mine' });

  await edit();
  await panel.getByLabel('Qty.').fill('9');
  await panel.getByLabel('Internal Notes').fill('mine too');
  await others(6);
  await done.click();
  await question.getByRole('button', { name: 'Use theirs' }).click();
  await expect(panel.getByLabel('Qty.')).toHaveValue('6');
  // Only the field that both users changed gets the other user's value. The other fields keep the typed values.
  await expect(panel.getByLabel('Internal Notes')).toHaveValue('mine too');
  await done.click();
  await expect(panel).toHaveCount(0);
  expect(await storedLine()).toEqual({ qty: 6, notes: 'mine too' });
});

test('what is typed after `a` is looked for, and is no shortcut of the screen', async ({ page, server, signIn }) => {
  const { db } = server;
  await anItem(db, { number: 'TYP-1', description: 'Typed glove nitrile', price: 12.5 });
  const { quote } = await onABoard(server, page, signIn);
  const panel = page.getByRole('region', { name: 'Add Item' });
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);

  await page.getByRole('heading', { name: 'Terms' }).click();
  await page.keyboard.press('a');
  await expect(panel.getByLabel('Item #')).toBeFocused();
  await page.keyboard.type('typed glove');
  const picker = page.getByRole('region', { name: 'Test Medical Supply Item Picker' });
  await expect(picker.getByLabel(KEYWORD)).toHaveValue('typed glove');
  const row = picker.getByRole('row', { name: /TYP-1/ });
  await expect(row).toContainText('$12.50');
  await expect(row).toContainText('per EA · List');
  await expect(page).toHaveURL(`/pub-quote-board/${quote.id}`);
  await page.keyboard.press('Enter');
  await expect(panel.getByLabel('Item #')).toHaveValue('TYP-1');
  await expect(panel.getByText('This field is required')).toHaveCount(0);

  // Neither on a button of the panel nor beside it: keyboard shortcuts are inactive until the panel closes.
  await panel.getByRole('button', { name: 'Pick Item' }).focus();
  await page.keyboard.type('go');
  await page.getByRole('heading', { name: 'Terms' }).click();
  await page.keyboard.type('gob+');
  await expect(page).toHaveURL(`/pub-quote-board/${quote.id}`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(panel).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.keyboard.type('go');
  await expect(page).toHaveURL(/contracts/);
});
