// Tests that changes by others appear on screens that stay open and untouched: a board, the lists, two tabs, and a broken stream.
import type { Page } from '@playwright/test';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aBoard, requestInfo, total } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { anApprovalRequest, aQuote, asJustRead } from '#testing/factories/quotes.server.ts';
import { deafen } from '#testing/live-stream.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

/** Creates a quote with one bed, and a function with which a user of customer service changes its quantity. */
async function aQuoteOfTwo(server: TestServer) {
  const board = await aBoard(server);
  const { office, quote, bed } = board;
  await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId: quote.id, itemId: bed.id, qty: 1 }, { as: office.inside });
  const order = async (qty: number) => {
    const line = await server.db
      .selectFrom('quote_item')
      .select(['id', 'version'])
      .where('quote_id', '=', quote.id)
      .executeTakeFirstOrThrow();
    await server.ok(QuoteEdit.SaveQuoteItem, { ...line, quoteId: quote.id, qty }, { as: office.cs });
  };
  return { ...board, order, address: `/int-quote-board/${quote.id}` };
}
const quantity = (page: Page) => page.getByLabel('Quantity of line 1');

test('a board that nobody touches follows, in each tab, and keeps what is being typed', async ({
  page,
  context,
  server,
  signIn,
}) => {
  const { office, order, quote, address } = await aQuoteOfTwo(server);
  await signIn(office.inside);
  const other = await context.newPage();
  for (const entry of [page, other]) {
    await entry.goto(address);
    await expect(quantity(entry)).toHaveValue('1');
  }
  await page.bringToFront();
  await order(2);
  await expect(total(page)).toContainText('$13,800.00');
  await expect(quantity(page)).toHaveValue('2');

  // What the user types here stays, and what another user changes elsewhere appears beside it.
  await quantity(page).fill('7');
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    await asJustRead(server.db, { quote: { id: quote.id, freightAmount: 100 } }),
    { as: office.cs },
  );
  await expect(total(page)).toContainText('$13,900.00');
  await expect(quantity(page)).toHaveValue('7');
  await quantity(page).blur();
  await expect(total(page)).toContainText('$48,400.00');
  await server.db.updateTable('quote').set({ status_id: 'Processing' }).where('id', '=', quote.id).execute();
  await requestInfo(server, quote.id, office.cs, 'Which mattress?');
  await expect(page.getByText(`${office.cs.fullName} moved this quote to Need More Info.`)).toBeVisible();
  await other.bringToFront();
  await expect(quantity(other)).toHaveValue('7');
});

test('a list follows, and says when it cannot', async ({ page, server, signIn }) => {
  const { office, order } = await aQuoteOfTwo(server);
  await signIn(office.inside);
  await page.goto('/');
  await expect(page.getByText('$6,900.00').first()).toBeVisible();
  await order(2);
  await expect(page.getByText('$13,800.00').first()).toBeVisible();

  await page.route('**/api/live', (route) => route.abort());
  await deafen(server.db);
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await order(3);
  await page.unroute('**/api/live');
  await expect(page.getByText('$20,700.00').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Reconnecting…')).toBeHidden();
});

test('a list offers what others add, and keeps what they take away until it is asked for', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote } = await aQuoteOfTwo(server);
  await signIn(office.inside);
  await page.goto('/');
  const rows = page.getByRole('table').getByRole('row');
  await expect(page.getByRole('table')).toContainText(String(quote.num));
  const offer = page.getByRole('button', { name: /^\d+ new/ });
  // Soon after the user's own sign-in, results are shown at once.
  await expect(async () => {
    await aQuote(server.db, { ownerId: office.inside.id, statusId: 'Editing' });
    await expect(offer).toBeVisible({ timeout: 2000 });
  }).toPass();
  const result = await rows.count();
  await server.db.updateTable('quote').set({ status_id: 'Won', version: 9 }).where('id', '=', quote.id).execute();
  // Each added quote may have pushed another one off the page.
  const both = page.getByRole('button', { name: /new · \d+ no longer on this page/ });
  await expect(both).toBeVisible();
  await expect(page.getByTitle('No longer on this page').filter({ hasText: String(quote.num) })).toBeVisible();
  await expect(rows).toHaveCount(result);

  await both.click();
  await expect(both).toBeHidden();
  await expect(page.getByTitle('No longer on this page')).toHaveCount(0);
  await expect(page.getByRole('table')).not.toContainText(String(quote.num));
});

test('approvals that come are offered, and those decided elsewhere keep their places until then', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const region = await aRegion(db);
  const asker = await aUser(db, { roles: ['insiderep'] });
  const manager = await aUser(db, { roles: ['salesQuoteManager'], regionIds: [region.id] });
  const waiting = () => aQuote(db, { ownerId: asker.id, regionId: region.id, statusId: 'Processing' });
  const ask = async (quoteId: number) => {
    await anApprovalRequest(db, { quoteId, requestedBy: asker.id, roles: ['salesQuoteManager'] });
    await db
      .updateTable('quote')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('id', '=', quoteId)
      .execute();
  };
  const quote = await waiting();
  await signIn(manager);
  await page.goto('/');
  const card = page.getByRole('region', { name: 'Approve Discount' });
  const waits = page.getByRole('navigation', { name: 'Waiting for you' });
  const open = page.getByRole('table', { name: 'Open Quotes' });
  await expect(open).toContainText(String(quote.num));
  const place = await open.boundingBox();

  await ask(quote.id);
  await expect(waits).toContainText('1 to approve');
  await expect(card).toBeHidden();
  expect(await open.boundingBox()).toEqual(place);
  await waits.getByRole('link', { name: '1 to approve' }).click();
  await expect(card.getByRole('link')).toContainText(String(quote.num));

  const other = await waiting();
  await db.deleteFrom('approval_request').where('quote_id', '=', quote.id).execute();
  await ask(other.id);
  const offer = card.getByRole('button', { name: '1 new · 1 no longer waiting' });
  await expect(offer).toBeVisible();
  await expect(card.getByTitle('No longer waiting')).toContainText(String(quote.num));
  await offer.click();
  await expect(card.getByRole('link')).toContainText(String(other.num));
  await expect(card.getByRole('link')).toHaveCount(1);
});
