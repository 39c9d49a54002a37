// Tests the main job without a mouse: the focus is always visible, undo works, and a double click counts once.
import type { Page } from '@playwright/test';
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { aBoard, addField, showRail, total } from '#testing/a-board.ts';
import { withoutApprovalRules } from '#testing/approval-rules.server.ts';
import { expect, test } from '#testing/browser.ts';
import { aPromotion } from '#testing/factories/catalogue.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

/** Opens the board of a quote with one line for each of these items. */
async function open(
  server: TestServer,
  page: Page,
  signIn: (user: { id: number }) => Promise<void>,
  itemIds: (board: Awaited<ReturnType<typeof aBoard>>) => number[],
) {
  const board = await aBoard(server);
  const { office, quote } = board;
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { id: quote.id, version: 1, contactName: 'Jane Doe', contactEmail: 'jane@example.org' },
      items: itemIds(board).map((itemId) => ({ id: 0, itemId, qty: 1 })),
    },
    { as: office.inside },
  );
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await expect(page.getByLabel('Quantity of line 1', { exact: true })).toBeVisible();
  return board;
}

/** The focused element, which must exist and have a visible focus ring. */
async function focusSeen(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement !== document.body && document.hasFocus()))
    .toBe(true);
  await expect(page.locator(':focus-visible')).toHaveCount(1);
}

async function tabTo(page: Page, what: ReturnType<Page['getByRole']>): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press('Tab');
    if (await what.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('Tab does not lead there');
}

const statusOf = async (server: TestServer, id: number) =>
  (await server.db.selectFrom('quote').select('status_id').where('id', '=', id).executeTakeFirstOrThrow()).status_id;

const eventsOf = async (server: TestServer, id: number, action: string) =>
  server.db.selectFrom('quote_event').select('id').where('quote_id', '=', id).where('action', '=', action).execute();

const linesOf = async (server: TestServer, id: number) => {
  const rows = await server.db
    .selectFrom('quote_item')
    .select(['item_number', 'price_source'])
    .where('quote_id', '=', id)
    .orderBy('line_no')
    .execute();
  return rows.map((row) => `${row.item_number} ${row.price_source}`);
};

test('a quote is claimed, priced, given a promotion, approved and sent by keyboard, and never loses the focus', async ({
  page,
  browser,
  address,
  server,
  signIn,
}) => {
  const board = await open(server, page, signIn, ({ bed, glove }) => [bed.id, glove.id]);
  const { office, quote, bed } = board;
  await aPromotion(server.db, { itemId: bed.id, amount: 2 });
  await page.reload();
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await tabTo(page, button('Start Processing'));
  await page.keyboard.press('Enter');
  await expect(button('Send')).toBeVisible();
  await focusSeen(page);

  await tabTo(page, button(/Apply it$/));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Promotion applied')).toBeVisible();
  await focusSeen(page);

  await page.keyboard.press('Shift+Tab');
  await focusSeen(page);
  await page.getByLabel('Price of line 1').focus();
  await page.keyboard.type('6200');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Price of line 1' }).getByLabel('Reason')).toBeFocused();
  await page.keyboard.type('Match');
  await page.keyboard.press('Enter');
  await expect(button('Request Approval')).toBeVisible();
  await focusSeen(page);

  await tabTo(page, button('Actions of line 2'));
  await page.keyboard.press('Control+Enter');
  await expect(button('Recall Approval')).toBeVisible();
  await focusSeen(page);

  const approver = await (await browser.newContext({ baseURL: address })).newPage();
  await signIn(office.salesAdmin, approver);
  await approver.goto(`/int-quote-board/${quote.id}`);
  await expect(approver.getByRole('button', { name: 'Approve Discount' })).toBeVisible();
  await approver.keyboard.press('Control+Enter');
  await expect(approver.getByRole('dialog').getByLabel('Comment')).toBeFocused();
  await approver.keyboard.press('Control+Enter');
  await expect(approver.getByText('Discount Approved').first()).toBeVisible();
  await focusSeen(approver);

  await page.reload();
  await expect(button('Send')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Send to customer' });
  await expect(dialog.getByLabel('Subject')).toHaveValue(/Quote/);
  await focusSeen(page);
  // An address that is typed and not taken over yet goes along.
  await dialog.getByLabel('Cc').focus();
  await page.keyboard.type('boss@example.org');
  const sent = page.waitForRequest((request) => request.url().includes('SendEmail'));
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Sent To Customer').first()).toBeVisible();
  await focusSeen(page);
  expect(await statusOf(server, quote.id)).toBe('SentToCustomer');
  expect((await sent).postDataJSON().cc).toContain('boss@example.org');
});

test('undo reverses a discount, a move and a removal', async ({ page, server, signIn }) => {
  const { office, quote, bed, glove } = await open(server, page, signIn, (board) => [board.bed.id, board.glove.id]);
  const before = [`${bed.itemNumber} List`, `${glove.itemNumber} List`];
  const is = (lines: string[]) => expect.poll(() => linesOf(server, quote.id)).toEqual(lines);
  const undo = async () => {
    // In a dialog's field Ctrl+Z undoes the typing there.
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.keyboard.press('Control+z');
    await is(before);
    // The stored value appears a moment later.
    const first = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Actions of line 1' }) });
    await expect(first).toContainText(bed.itemNumber);
  };
  await page.getByLabel('Select line 1').check();
  await page.getByLabel('Select line 2').check();
  await page.getByRole('button', { name: /^Discount/ }).click();
  await page.getByLabel('Off the system price').fill('3');
  await page.getByLabel('Reason').fill('Volume');
  await page.getByRole('button', { name: 'Set discount' }).click();
  await is([`${bed.itemNumber} Manual`, `${glove.itemNumber} Manual`]);
  await undo();

  await page.getByLabel('Quantity of line 1').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await is(before.toReversed());
  await expect(page.getByLabel('Quantity of line 2')).toBeFocused();
  // This also works in a cell without typed input.
  await undo();

  await page.getByRole('button', { name: 'Actions of line 1' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await is(before.slice(1));
  await undo();

  await page.getByRole('button', { name: 'Actions of line 2' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await is([...before, ...before.slice(1)]);
  await expect(page.getByText('Line duplicated at the end')).toBeVisible();
  // A line that somebody else has since added stays.
  await server.ok(
    QuoteEdit.SaveQuoteItem,
    { id: 0, quoteId: quote.id, itemNumber: 'THEIRS', description: 'Of somebody else', qty: 1, unit: 'EA' },
    { as: office.cs },
  );
  await page.keyboard.press('Control+z');
  await expect
    .poll(async () => (await linesOf(server, quote.id)).map((line) => line.split(' ')[0]))
    .toEqual([bed.itemNumber, glove.itemNumber, 'THEIRS']);
});

test('undo reverses the edit in the panel, not the older one in the grid; redo repeats it', async ({
  page,
  server,
  signIn,
}) => {
  const { quote } = await open(server, page, signIn, (board) => [board.bed.id]);
  const is = (qty: number, notes: string) =>
    expect
      .poll(() =>
        server.db.selectFrom('quote_item').select(['qty', 'notes']).where('quote_id', '=', quote.id).executeTakeFirst(),
      )
      .toEqual({ qty, notes });
  await page.getByLabel('Quantity of line 1').fill('7');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Actions of line 1' }).click();
  await page.getByRole('menuitem', { name: 'Edit Item…' }).click();
  const panel = page.getByRole('region', { name: 'Edit Item' });
  await panel.getByLabel('Internal Notes').fill('Ward 3');
  await panel.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(panel).toBeHidden();
  await is(7, 'Ward 3');
  await page.keyboard.press('Control+z');
  await is(7, '');
  await page.keyboard.press('Control+Shift+z');
  await is(7, 'Ward 3');
  await page.keyboard.press('Control+z');
  await is(7, '');
  await page.keyboard.press('Control+z');
  await is(1, '');
  await page.keyboard.press('Control+y');
  await is(7, '');
});

test('on a slow network undo reverses the change in progress, not the one before it', async ({
  page,
  server,
  signIn,
}) => {
  const { quote, bed, glove } = await open(server, page, signIn, (board) => [board.bed.id, board.glove.id]);
  const lines = async () => {
    const rows = await server.db
      .selectFrom('quote_item')
      .select(['item_number', 'qty'])
      .where('quote_id', '=', quote.id)
      .orderBy('line_no')
      .execute();
    return rows.map((row) => [row.item_number, row.qty]);
  };
  const changed = [
    [bed.itemNumber, 7],
    [glove.itemNumber, 1],
  ];
  await page.getByLabel('Quantity of line 1', { exact: true }).fill('7');
  await page.keyboard.press('Enter');
  await expect.poll(lines).toEqual(changed);

  let held: Promise<'continue' | 'abort'> | null = null;
  await page.route(/SaveSalesRepQuote/, async (route) => {
    const then = await held;
    held = null;
    await route[then ?? 'continue']();
  });
  const removeAndUndo = async (then: 'continue' | 'abort') => {
    const pressed = Promise.withResolvers<typeof then>();
    held = pressed.promise;
    const asked = page.waitForRequest(/SaveSalesRepQuote/);
    await page.getByRole('button', { name: 'Actions of line 2' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await asked;
    await page.keyboard.press('Control+z');
    pressed.resolve(then);
  };
  await removeAndUndo('continue');
  await expect(page.getByText('Undone: 1 removed')).toBeVisible();
  expect(await lines()).toEqual(changed);

  // Undo skips a refused change and reverses no older one in its place.
  await removeAndUndo('abort');
  await expect(page.getByRole('alert').first()).toBeVisible();
  expect(await lines()).toEqual(changed);
  await expect(page.getByLabel('Quantity of line 1', { exact: true })).toHaveValue('7');
});

test('two clicks on Submit, Done, Enter and Send act only once and do not report a failure', async ({
  page,
  server,
  signIn,
}) => {
  const { quote, glove } = await open(server, page, signIn, ({ bed }) => [bed.id]);
  const lines = () => page.locator('[data-line]');
  await page.getByRole('button', { name: 'Add Item' }).click();
  await page.getByLabel('This is a custom item').check();
  const panel = page.getByRole('region', { name: 'Add Item' });
  await panel.getByLabel('Item #').fill('SPECIAL-1');
  await panel.getByLabel('Desc.').fill('Made to measure');
  await panel.getByLabel('Qty.').fill('1');
  await panel.getByRole('button', { name: 'Done', exact: true }).dblclick();
  await expect(lines()).toHaveCount(2);
  await addField(page).fill(glove.itemNumber);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(lines()).toHaveCount(3);
  await page.getByLabel('Price of line 2').fill('10');
  await page.getByLabel('Price of line 2').press('Enter');
  await expect(total(page)).toContainText('$6,910.10');

  await page.getByRole('button', { name: 'Start Processing' }).dblclick();
  await expect(page.getByText('Processing').first()).toBeVisible();
  const restore = await withoutApprovalRules(server.db);
  await page.reload();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send to customer' });
  await dialog.getByRole('button', { name: 'Send', exact: true }).dblclick();
  await expect(page.getByText('Sent To Customer').first()).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Not sent')).toHaveCount(0);
  expect(await linesOf(server, quote.id)).toHaveLength(3);
  expect(await eventsOf(server, quote.id, 'StartProcess')).toHaveLength(1);
  expect(await eventsOf(server, quote.id, 'Send')).toHaveLength(1);
  await restore();
});

test('a long quote prints completely, without the frame', async ({ page, server, signIn }) => {
  await open(server, page, signIn, ({ bed }) => Array.from({ length: 150 }, () => bed.id));
  expect(await page.getByRole('row').count()).toBeLessThan(100);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('row')).toHaveCount(151);
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Start Processing' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Show the side panel' })).toBeHidden();
  // Letter, upright: paper has no title that shows the rest of a description.
  await page.setViewportSize({ width: 816, height: 1056 });
  const words = page.getByText(/^Low air loss bed/).first();
  const isWhole = (element: Element) => {
    const row = element.closest('[role="row"]')?.getBoundingClientRect();
    const { top, bottom } = element.getBoundingClientRect();
    return element.scrollWidth <= element.clientWidth && row !== undefined && top >= row.top && bottom <= row.bottom;
  };
  expect(await words.evaluate(isWhole)).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(100);
});

test('a removed line comes back with its promotion, and the activity shows it without a reload', async ({
  page,
  server,
  signIn,
}) => {
  const { quote, bed } = await open(server, page, signIn, (board) => [board.bed.id]);
  const promotion = await aPromotion(server.db, { itemId: bed.id, amount: 2 });
  const line = await server.db
    .selectFrom('quote_item')
    .select(['id', 'version'])
    .where('quote_id', '=', quote.id)
    .executeTakeFirstOrThrow();
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  const applied = { quoteItemId: line.id, promotionId: promotion.id, version: line.version };
  await server.ok(QuoteEdit.ApplyPromotionToQuoteItem, applied, { as: admin });
  await page.reload();
  const before = [`${bed.itemNumber} Promotion`];
  const is = (lines: string[]) => expect.poll(() => linesOf(server, quote.id)).toEqual(lines);
  await is(before);
  await page.getByRole('button', { name: 'Actions of line 1' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await is([]);
  await expect(page.getByText('Line removed. Ctrl+Z brings it back.')).toBeVisible();
  await page.keyboard.press('Control+z');
  await is(before);

  await showRail(page);
  const activity = page.getByRole('tabpanel', { name: 'Activity' });
  await expect(activity.getByText(`Line 1 (${bed.itemNumber}): Quantity: 1 → 7`)).toHaveCount(0);
  await page.getByLabel('Quantity of line 1', { exact: true }).fill('7');
  await page.keyboard.press('Enter');
  await expect(activity.getByText(`Line 1 (${bed.itemNumber}): Quantity: 1 → 7`)).toBeVisible();
});
