// Tests two tabs and two people on one quote, and a session that ends: no input is lost, and no needless question appears.
import type { Page } from '@playwright/test';
import { hashPassword } from '#features/people/auth/passwords/password.server.ts';
import { UserEdit } from '#features/people/user-admin/user-admin.contract.ts';
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#features/quoting/workflow-calls/workflow-calls.contract.ts';
import { aBoard, showRail, total } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { asJustRead } from '#testing/factories/quotes.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

/** Opens a board with a bed on it in a page. */
async function withBed(server: TestServer, page: Page, signIn: (user: { id: number }, page?: Page) => Promise<void>) {
  const board = await aBoard(server);
  const { office, quote, bed } = board;
  await signIn(office.inside, page);
  await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId: quote.id, itemId: bed.id, qty: 1 }, { as: office.inside });
  await page.goto(`/int-quote-board/${quote.id}`);
  await expect(page.getByLabel('Quantity of line 1')).toHaveValue('1');
  return { ...board, address: `/int-quote-board/${quote.id}` };
}

async function lineOf(server: TestServer, quoteId: number) {
  return server.db.selectFrom('quote_item').selectAll().where('quote_id', '=', quoteId).executeTakeFirstOrThrow();
}

const type = async (page: Page, label: string, text: string) => {
  await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel(label, { exact: true }).blur();
};
const openTerms = (page: Page) => page.getByRole('button', { name: 'Edit terms' }).click();
const saved = (page: Page) => expect(page.getByText(/^Saved /)).toBeVisible();

test('unsaved input of one tab survives a save in another tab, and the closing of its own', async ({
  page,
  context,
  server,
  signIn,
}) => {
  const { quote, address } = await withBed(server, page, signIn);
  const other = await context.newPage();
  await other.goto(address);
  await expect(other.getByLabel('Quantity of line 1')).toHaveValue('1');

  // Only the first tab loses its connection.
  await page.route('**/api/QuoteEdit/SaveQuoteItem', (route) => route.abort());
  await type(page, 'Quantity of line 1', '7');
  await expect(page.getByText('1 change not saved, kept here.')).toBeVisible();
  await openTerms(other);
  await type(other, 'PO number', 'PO-1');
  await saved(other);
  await expect(other.getByText('not saved')).toHaveCount(0);

  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await again.goto(address);
  await expect(again.getByText('1 change not saved, kept here.')).toBeVisible();
  await expect(again.getByLabel('Quantity of line 1')).toHaveValue('7');
  expect(await lineOf(server, quote.id)).toMatchObject({ qty: 1 });
  await again.getByRole('button', { name: 'Try again' }).first().click();
  await expect(total(again)).toContainText('$48,300.00');
  await again.reload();
  await expect(again.getByLabel('Quantity of line 1')).toHaveValue('7');
  await expect(again.getByText('not saved')).toHaveCount(0);
});

test('changes of two people to different fields merge without a question; only the same field asks', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote } = await withBed(server, page, signIn);
  const line = await lineOf(server, quote.id);
  const cs = { as: office.cs };
  await server.ok(QuoteEdit.SaveQuoteItem, { id: line.id, version: 1, quoteId: quote.id, notes: 'Rush' }, cs);
  await type(page, 'Quantity of line 1', '3');
  await expect(total(page)).toContainText('$20,700.00');
  await expect(page.getByText('Note: Rush')).toBeVisible();

  const theirs = await asJustRead(server.db, { quote: { id: quote.id, poNumber: 'PO-theirs' } });
  await server.ok(QuoteEdit.SaveSalesRepQuote, theirs, cs);
  await openTerms(page);
  await type(page, 'Customer reference', 'REF-mine');
  await expect(page.getByLabel('PO number')).toHaveValue('PO-theirs');
  const stored = () => server.db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirst();
  // The board may also look for changes and see theirs, so mine must arrive before they change the field.
  await expect.poll(stored).toMatchObject({ customer_reference: 'REF-mine' });

  // I type mine first: if the board looked for changes in between, I would see theirs before, and nothing would be asked.
  await page.route('**/api/QuoteEdit/SaveSalesRepQuote', (route) => route.abort());
  await type(page, 'PO number', 'PO-mine');
  await showRail(page);
  await page.getByRole('button', { name: 'Edit contact and reps' }).click();
  await type(page, 'Phone', '555-0100');
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    await asJustRead(server.db, { quote: { id: quote.id, poNumber: 'PO-2', customerReference: 'REF-theirs' } }),
    cs,
  );
  await page.unroute('**/api/QuoteEdit/SaveSalesRepQuote');
  // The board tries again by itself after a while, or now.
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  const dialog = page.getByRole('dialog', { name: 'Changed by someone else' });
  await expect(dialog.getByRole('row', { name: 'PO number' })).toContainText('PO-2PO-mine');
  await expect(dialog.getByRole('row')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('PO number')).toHaveValue('PO-2');
  await expect(page.getByLabel('Phone')).toHaveValue('555-0100');
  await expect.poll(stored).toMatchObject({ po_number: 'PO-2', phone: '555-0100', customer_reference: 'REF-theirs' });
});

test('a reread change of somebody else in the same field causes a question and is not overwritten', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote } = await withBed(server, page, signIn);
  const line = await lineOf(server, quote.id);
  await page.route('**/api/QuoteEdit/SaveQuoteItem', (route) => route.abort());
  await type(page, 'Quantity of line 1', '7');
  await expect(page.getByText('1 change not saved, kept here.')).toBeVisible();
  await server.ok(QuoteEdit.SaveQuoteItem, { id: line.id, version: 1, quoteId: quote.id, qty: 9 }, { as: office.cs });
  await page.unroute('**/api/QuoteEdit/SaveQuoteItem');
  await page.reload();
  await page.getByRole('button', { name: 'Try again' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Changed by someone else' });
  await expect(dialog).toContainText(office.cs.fullName);
  await expect(dialog.getByRole('row', { name: 'Qty.' })).toContainText('97');
  expect(await lineOf(server, quote.id)).toMatchObject({ qty: 9 });
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(total(page)).toContainText('$48,300.00');
});

test('when somebody moves the quote, the board says who and where to, and keeps the typed text visible', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote } = await withBed(server, page, signIn);
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  await server.ok(
    QuoteWorkflow.PerformWorkflowAction,
    { quoteId: quote.id, action: 'Submit', version },
    { as: office.rep },
  );
  await type(page, 'Quantity of line 1', '7');
  await expect(
    page.getByText(`Not saved: ${office.rep.fullName} submitted the quote. This quote is waiting to be processed`),
  ).toBeVisible();
  await expect(page.getByText('Waiting For Process').first()).toBeVisible();
  await expect(page.getByLabel('Quantity of line 1')).toHaveValue('7');
  await page.getByRole('button', { name: 'Discard my change' }).click();
  await expect(page.getByText('Not saved:')).toHaveCount(0);
});

for (const where of ['Quantity of line 1', 'PO number']) {
  test(`signed out in another tab while typing in ‘${where}’: after signing in again it is saved, once`, async ({
    page,
    context,
    server,
    signIn,
  }) => {
    const { office, quote } = await withBed(server, page, signIn);
    await server.db
      .updateTable('app_user')
      .set({ password_hash: await hashPassword('Long-enough-1') })
      .where('id', '=', office.inside.id)
      .execute();
    if (where === 'PO number') await openTerms(page);
    await page.getByLabel(where, { exact: true }).fill('7');
    const other = await context.newPage();
    await other.goto('/');
    await other.getByRole('button', { name: /^Account of/ }).click();
    await other.getByRole('menuitem', { name: 'Signout' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill('Long-enough-1');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect(dialog).toBeHidden();
    await page.getByLabel(where, { exact: true }).blur();
    await saved(page);
    const line = await lineOf(server, quote.id);
    const { po_number } = await server.db
      .selectFrom('quote')
      .select('po_number')
      .where('id', '=', quote.id)
      .executeTakeFirstOrThrow();
    expect(where === 'PO number' ? po_number : String(line.qty)).toBe('7');
    const edits = await server.db
      .selectFrom('quote_event')
      .select('id')
      .where('quote_id', '=', quote.id)
      .where('action', '=', 'Edit')
      .execute();
    // The line that was added, and this.
    expect(edits).toHaveLength(2);
  });
}

test('input typed before a user is deactivated and let in again is saved, once', async ({ page, server, signIn }) => {
  const { office, quote, bed } = await aBoard(server);
  const cs = await aUser(server.db, { roles: ['csrep'] });
  const password_hash = await hashPassword('Long-enough-1');
  await server.db.updateTable('app_user').set({ password_hash }).where('id', '=', cs.id).execute();
  await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId: quote.id, itemId: bed.id, qty: 1 }, { as: office.inside });
  await signIn(cs);
  await page.goto(`/int-quote-board/${quote.id}`);
  await page.getByLabel('Quantity of line 1').fill('7');
  await server.ok(UserEdit.ActiveDeactiveUser, { id: cs.id }, { as: office.admin });
  await page.getByLabel('Quantity of line 1').press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  const enter = async () => {
    await dialog.getByLabel('Password', { exact: true }).fill('Long-enough-1');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
  };
  await enter();
  await expect(dialog.getByText(/^Login Failed/)).toBeVisible();
  await server.ok(UserEdit.ActiveDeactiveUser, { id: cs.id }, { as: office.admin });
  await enter();
  await expect(dialog).toBeHidden();
  await expect(total(page)).toContainText('$48,300.00');
  expect(await lineOf(server, quote.id)).toMatchObject({ qty: 7, version: 2 });
});

test('a save shows and marks what somebody else changed; so does returning to the tab, and the lines add up to the subtotal', async ({
  page,
  browser,
  address,
  server,
  signIn,
}) => {
  const board = await withBed(server, page, signIn);
  const { office, quote, glove } = board;
  await server.ok(
    QuoteEdit.SaveQuoteItem,
    { id: 0, quoteId: quote.id, itemId: glove.id, qty: 1, unit: 'BX' },
    { as: office.inside },
  );
  const other = await (await browser.newContext({ baseURL: address })).newPage();
  // Without the stream of changes, which would show them before.
  for (const one of [page, other]) await one.route('**/api/live', (route) => route.abort());
  await page.reload();
  await signIn(office.cs, other);
  await other.goto(board.address);
  const row = (of: Page, line: number) =>
    of.getByRole('row').filter({ has: of.getByLabel(`Quantity of line ${line}`, { exact: true }) });
  await expect(row(other, 2)).toContainText('$9.84');

  await type(page, 'Quantity of line 1', '2');
  await expect(total(page)).toContainText('$13,809.84');
  await type(other, 'Quantity of line 2', '10');
  await expect(total(other)).toContainText('$13,898.40');
  await expect(row(other, 1)).toContainText('$13,800.00');
  await expect(row(other, 1)).toContainText(`${office.inside.fullName} changed this line`);
  await expect(row(other, 2)).toContainText('$98.40');
  await expect(row(other, 2)).not.toContainText('changed this line');
  await expect(other.getByRole('region', { name: 'Totals' })).toContainText('Subtotal$13,898.40');

  // The first tab does not know this until the user returns to it.
  await expect(row(page, 2)).toContainText('$9.84');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(row(page, 2)).toContainText('$98.40');
  await expect(row(page, 2)).toContainText(`${office.cs.fullName} changed this line`);
  await expect(total(page)).toContainText('$13,898.40');
  await page.getByLabel('Quantity of line 2', { exact: true }).focus();
  await expect(row(page, 2)).not.toContainText('changed this line');
});
