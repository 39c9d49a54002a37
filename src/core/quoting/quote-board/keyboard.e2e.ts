// Tests the main tasks without a mouse: visible focus, an ignored double click, a long print. state/board-store.test.ts tests undo.
import type { Page } from '@playwright/test';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aBoard, addField, total } from '#testing/a-board.ts';
import { withoutApprovalRules } from '#testing/approval-rules.server.ts';
import { expect, test } from '#testing/browser.ts';
import { aPromotion } from '#testing/factories/catalog.server.ts';
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

  await tabTo(page, button('Actions for line 2'));
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
  // An address that is typed but not yet confirmed is also included.
  await dialog.getByLabel('Cc').focus();
  await page.keyboard.type('boss@example.org');
  const sent = page.waitForRequest((request) => request.url().includes('SendEmail'));
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Sent To Customer').first()).toBeVisible();
  await focusSeen(page);
  expect(await statusOf(server, quote.id)).toBe('SentToCustomer');
  expect((await sent).postDataJSON().cc).toContain('boss@example.org');
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
  await expect(page.getByText('The quote could not be sent')).toHaveCount(0);
  expect(await linesOf(server, quote.id)).toHaveLength(3);
  expect(await eventsOf(server, quote.id, 'StartProcess')).toHaveLength(1);
  expect(await eventsOf(server, quote.id, 'Send')).toHaveLength(1);
  await restore();
});

test('a long quote prints as a document, without the screen', async ({ page, server, signIn }) => {
  await open(server, page, signIn, ({ bed }) => Array.from({ length: 150 }, () => bed.id));
  const paper = page.getByRole('article', { name: /^Quote / });
  await expect(paper).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(paper.getByRole('row')).toHaveCount(151);
  await expect(paper.getByText('Valid until')).toBeVisible();
  const controls = page.locator('button, input, select, textarea, [role="checkbox"], nav').filter({ visible: true });
  await expect(controls).toHaveCount(0);
  // Letter, portrait: a page fits about forty single-row lines, and no line is wider than the page.
  await page.setViewportSize({ width: 720, height: 1056 });
  expect(await paper.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const pages = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g);
  expect(pages?.length).toBeLessThanOrEqual(6);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ media: 'screen' });
  await expect(paper).toHaveCount(0);
});
