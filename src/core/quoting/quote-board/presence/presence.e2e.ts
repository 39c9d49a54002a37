// Tests two users on one quote: initials, the other user's line, a fading mark, a row that stays in place, and a step that is no longer possible.
import type { Browser, Page } from '@playwright/test';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteFileUpload } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aBoard, requestInfo } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import { asJustRead } from '#testing/factories/quotes.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

type SignIn = (user: { id: number }, page?: Page) => Promise<void>;

/** A quote of many lines, open for two users: `mine` in customer service, `theirs` in inside sales. */
async function twoPeople(
  {
    server,
    page: mine,
    browser,
    address,
    signIn,
  }: { server: TestServer; page: Page; browser: Browser; address: string; signIn: SignIn },
  { lines = 40, size = { width: 1440, height: 900 } } = {},
) {
  const board = await aBoard(server);
  const { office, quote } = board;
  const items = Array.from({ length: lines }, (_, index) => ({
    id: 0,
    type: 'custom' as const,
    itemNumber: `C-${index + 1}`,
    description: 'Made to measure',
    qty: 1,
    unit: 'EA',
    unitPrice: 10,
  }));
  await server.ok(QuoteEdit.SaveSalesRepQuote, { quote: { id: quote.id, version: 1 }, items }, { as: office.rep });
  await server.db.updateTable('quote').set({ status_id: 'Processing' }).where('id', '=', quote.id).execute();
  const context = await browser.newContext({ baseURL: address });
  const theirs = await context.newPage();
  await signIn(office.cs, mine);
  await signIn(office.inside, theirs);
  await mine.setViewportSize(size);
  // Records the cells on which a mark fades, however fast.
  await mine.addInitScript(`window.marked = []; window.markedTerms = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...how) {
      const { column, card, shows } = this.dataset;
      if (JSON.stringify(how[0]).includes('--fresh')) (shows ? markedTerms : marked).push(shows ?? column ?? (card && 'card'));
      return animate.apply(this, how);
    };`);
  for (const entry of [mine, theirs]) await entry.goto(`/int-quote-board/${quote.id}`);
  const marked = () => mine.evaluate<string[]>('window.marked');
  const markedTerms = () => mine.evaluate<string[]>('window.markedTerms.splice(0)');
  return { ...board, theirs, context, marked, markedTerms };
}
const quantity = (page: Page, line: number) => page.getByLabel(`Quantity of line ${line}`, { exact: true });
const rowOf = (page: Page, line: number) => page.getByRole('row').filter({ has: quantity(page, line) });

test('each sees the other, their line and their typing; a mark fades where they changed something, never under the cursor', async ({
  page,
  browser,
  server,
  address,
  signIn,
}) => {
  const { office, theirs, context, marked, markedTerms, quote } = await twoPeople({
    server,
    page,
    browser,
    address,
    signIn,
  });
  const { fullName } = office.inside;
  await expect(page.getByRole('button', { name: `1 other here: ${fullName}` })).toBeVisible();
  await expect(theirs.getByRole('button', { name: `1 other here: ${office.cs.fullName}` })).toBeVisible();

  await quantity(theirs, 2).focus();
  await expect(rowOf(page, 2).getByRole('img', { name: `${fullName} is on this line` })).toBeVisible();
  await quantity(theirs, 2).fill('3');
  await expect(rowOf(page, 2).getByRole('img', { name: `${fullName} is typing on this line` })).toBeVisible();
  await expect(page.getByText(`${fullName} is typing on line 2.`)).toHaveCount(1);
  await page.getByRole('button', { name: /^1 other here/ }).click();
  await expect(page.getByRole('list', { name: 'Also here' })).toHaveText(/, typing on line 2$/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('list', { name: 'Also here' })).toBeHidden();
  expect(await marked()).toEqual([]);

  await quantity(page, 2).focus();
  await quantity(theirs, 2).press('Enter');
  await expect(rowOf(page, 2)).toContainText('$30.00');
  await expect.poll(marked).toEqual(['amount']);
  expect(await markedTerms()).toEqual(expect.arrayContaining(['subtotal', 'totalAmount']));
  await quantity(page, 1).focus();
  await quantity(theirs, 2).fill('4');
  await quantity(theirs, 2).press('Enter');
  await expect.poll(marked).toEqual(['amount', 'qty', 'amount']);
  // The user's own change gets no mark.
  await quantity(page, 1).fill('2');
  await quantity(page, 1).press('Enter');
  await expect(rowOf(page, 1)).toContainText('$20.00');
  expect(await marked()).toHaveLength(3);

  // Terms are marked where they are shown, except the one that this user is in.
  await markedTerms();
  await theirs.getByRole('button', { name: 'Edit terms' }).click();
  await theirs.getByLabel('PO number').fill('PO-9');
  await theirs.getByLabel('PO number').blur();
  await expect(page.getByRole('region', { name: 'Terms' })).toContainText('PO-9');
  await expect.poll(markedTerms).toEqual(['poNumber']);
  await page.getByRole('button', { name: 'Edit terms' }).click();
  await page.getByLabel('PO number').focus();
  await theirs.getByLabel('Freight', { exact: true }).fill('12');
  await theirs.getByLabel('Freight', { exact: true }).blur();
  await theirs.getByLabel('PO number').fill('PO-10');
  await theirs.getByLabel('PO number').blur();
  await expect(page.getByLabel('PO number')).toHaveValue('PO-10');
  expect(await markedTerms()).not.toContain('poNumber');

  const files = page.getByRole('tab', { name: 'Files' });
  const file = { name: 'order.txt', bytes: Buffer.from('an order') };
  await server.ok(
    QuoteFileUpload.UploadQuoteFile,
    { quoteId: quote.id, visibleToCustomer: 'false' },
    { as: office.inside, file },
  );
  await expect(files).toHaveText('Files 1');

  await context.close();
  await server.db
    .updateTable('session')
    .set({ revoked_at: new Date() })
    .where('user_id', '=', office.inside.id)
    .execute();
  await expect(page.getByRole('button', { name: /other here/ })).toBeHidden();
});

// Beyond a hundred lines, only the visible rows are rendered.
for (const lines of [40, 150]) {
  test(`of ${lines} lines, the row in which somebody types stays where it is while lines above it go`, async ({
    page,
    browser,
    server,
    address,
    signIn,
  }) => {
    const { office, quote } = await twoPeople({ server, page, browser, address, signIn }, { lines });
    await expect(quantity(page, 20)).toBeVisible();
    await page.evaluate('scrollTo(0, 300)');
    await quantity(page, 20).fill('7');
    const placeOf = async (line: number) => Math.round((await quantity(page, line).boundingBox())?.y ?? 0);
    const before = await placeOf(20);
    const gone = await server.db
      .selectFrom('quote_item')
      .select(['id', 'version'])
      .where('quote_id', '=', quote.id)
      .where('line_no', 'in', [15, 16])
      .execute();
    await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      await asJustRead(server.db, { quote: { id: quote.id }, items: gone.map((line) => ({ ...line, remove: true })) }),
      { as: office.inside },
    );
    await expect(page.getByText(`${office.inside.fullName} removed line 15 (C-15).`)).toBeVisible();
    await expect(quantity(page, 18)).toBeFocused();
    await expect(quantity(page, 18)).toHaveValue('7');
    expect(await placeOf(18)).toBe(before);
  });
}

test('the dialog of a step says what others did, keeps what was typed, and closes its button when they took the step', async ({
  page,
  browser,
  server,
  address,
  signIn,
}) => {
  const { office, quote } = await twoPeople({ server, page, browser, address, signIn });
  await page.getByRole('button', { name: 'Request Info' }).click();
  const dialog = page.getByRole('dialog', { name: 'Request Info' });
  await dialog.getByLabel('Comment').fill('Which beds?');
  const line = await server.db
    .selectFrom('quote_item')
    .select(['id', 'version'])
    .where('quote_id', '=', quote.id)
    .where('line_no', '=', 1)
    .executeTakeFirstOrThrow();
  const change = await asJustRead(server.db, { quote: { id: quote.id }, items: [{ ...line, qty: 2 }] });
  await server.ok(QuoteEdit.SaveSalesRepQuote, change, { as: office.inside });
  await expect(dialog.getByRole('alert')).toHaveText(
    `${office.inside.fullName} changed the quote while this dialog was open. The total is now $410.00 instead of $400.00.`,
  );
  await requestInfo(server, quote.id, office.inside, 'Where to?');
  await expect(page.getByText(`${office.inside.fullName} moved this quote to Need More Info.`)).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveText(
    `${office.inside.fullName} requested information. This step is no longer possible.`,
  );
  await expect(dialog.getByRole('button', { name: 'Request Info' })).toBeDisabled();
  await expect(dialog.getByLabel('Comment')).toHaveValue('Which beds?');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Request Info' })).toBeHidden();
});

test('a phone shows who is in which line, and marks the card that they changed', async ({
  page,
  browser,
  server,
  address,
  signIn,
}) => {
  const { office, theirs, marked } = await twoPeople(
    { server, page, browser, address, signIn },
    { size: { width: 390, height: 844 } },
  );
  // Their page reports typing only after it shows who else is here.
  await expect(theirs.getByRole('button', { name: /^1 other here/ })).toBeVisible();
  await quantity(theirs, 2).fill('3');
  const card = page.getByRole('list', { name: 'Lines' }).getByRole('listitem').nth(1);
  await expect(card.getByRole('img', { name: `${office.inside.fullName} is typing on this line` })).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await quantity(theirs, 2).press('Enter');
  await expect(card).toContainText('$30.00');
  await expect.poll(marked).toEqual(['card']);
  // A form on the phone also shows that its line is taken.
  await card.getByRole('button', { name: /^C-2/ }).click();
  await page.getByRole('dialog', { name: 'Line' }).getByLabel('Qty.').fill('5');
  await expect(
    rowOf(theirs, 2).getByRole('img', { name: `${office.cs.fullName} is typing on this line` }),
  ).toBeVisible();
});
