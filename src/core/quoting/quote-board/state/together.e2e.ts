// Tests two tabs on one quote, and a session that ends: no input is lost. Simultaneous changes by two users are tested in two-boards.test.ts.
import type { Page } from '@playwright/test';
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { UserEdit } from '#core/people/user-admin/user-admin.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aBoard, total } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

/** Opens a page with a board that contains a bed. */
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
  await expect(page.getByText('1 change not saved yet. It is kept on this page.')).toBeVisible();
  await openTerms(other);
  await type(other, 'PO number', 'PO-1');
  await saved(other);
  await expect(other.getByText('not saved')).toHaveCount(0);

  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await again.goto(address);
  await expect(again.getByText('1 change not saved yet. It is kept on this page.')).toBeVisible();
  await expect(again.getByLabel('Quantity of line 1')).toHaveValue('7');
  expect(await lineOf(server, quote.id)).toMatchObject({ qty: 1 });
  await again.getByRole('button', { name: 'Try again' }).first().click();
  await expect(total(again)).toContainText('$48,300.00');
  await again.reload();
  await expect(again.getByLabel('Quantity of line 1')).toHaveValue('7');
  await expect(again.getByText('not saved')).toHaveCount(0);
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
  await expect(page.getByText('1 change not saved yet. It is kept on this page.')).toBeVisible();
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
    // The added line, and this change.
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

test('returning to the tab shows and marks what somebody else changed, until the user looks at it', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, glove } = await withBed(server, page, signIn);
  const { item } = await server.ok(
    QuoteEdit.SaveQuoteItem,
    { id: 0, quoteId: quote.id, itemId: glove.id, qty: 1, unit: 'BX' },
    { as: office.inside },
  );
  // Blocks the stream of changes, which would show them earlier.
  await page.route('**/api/live', (route) => route.abort());
  await page.reload();
  const row = page.getByRole('row').filter({ has: page.getByLabel('Quantity of line 2', { exact: true }) });
  await expect(row).toContainText('$9.84');
  const change = { id: item.id, version: item.version, quoteId: quote.id, qty: 10 };
  await server.ok(QuoteEdit.SaveQuoteItem, change, { as: office.cs });
  await expect(row).toContainText('$9.84');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(row).toContainText('$98.40');
  await expect(row).toContainText(`${office.cs.fullName} changed this line`);
  await expect(total(page)).toContainText('$6,998.40');
  await page.getByLabel('Quantity of line 2', { exact: true }).focus();
  await expect(row).not.toContainText('changed this line');
});
