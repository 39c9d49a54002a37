// Tests the board on a phone: a line's price and its reason, the next step within reach, the parts of the quote, and the grid at twice the font size.
import type { Page } from '@playwright/test';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aBoard } from '#testing/a-board.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import type { TestServer } from '#testing/test-server.server.ts';

async function open(
  server: TestServer,
  page: Page,
  signIn: (user: { id: number }) => Promise<void>,
  size: { width: number; height: number },
  customLines = 12,
) {
  const board = await aBoard(server);
  const { office, quote, bed, glove } = board;
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { id: quote.id, version: 1 },
      items: [
        ...[bed, glove].map(({ id }) => ({ id: 0, itemId: id, qty: 2, discountPct: 3, priceReason: 'Volume' })),
        ...Array.from({ length: customLines }, (_, index) => ({
          id: 0,
          type: 'custom' as const,
          itemNumber: `C-${index}`,
          description: 'Made to measure',
          qty: 1,
          unit: 'EA',
          unitPrice: 11_971.5072,
        })),
      ],
    },
    { as: office.rep },
  );
  await signIn(office.rep);
  await page.setViewportSize(size);
  await page.goto(`/pub-quote-board/${quote.id}`);
  return board;
}

test('a card has price, source and proof; the head has two rows; a message never covers the next step', async ({
  page,
  server,
  signIn,
}) => {
  const { quote } = await open(server, page, signIn, { width: 390, height: 844 });
  const card = page.getByRole('list', { name: 'Lines' }).getByRole('listitem').first();
  await expect(card).toContainText('2 EA × $6,693.00');
  await expect(page.getByText('Manual price on 2 lines: Volume')).toBeVisible();
  await card.getByRole('button', { name: 'Price proof for line 1: Manual' }).click();
  const proof = page.getByRole('dialog', { name: 'Price proof for line 1' });
  await expect(proof).toContainText('$6,900.00');
  const box = await proof.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
  await page.keyboard.press('Escape');

  const head = page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) });
  expect((await head.boundingBox())?.height).toBeLessThan(100);
  await expect(head.getByText(/^Total/)).toBeInViewport();

  await page.getByRole('button', { name: 'Actions for line 1', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  const message = page.getByText('Line duplicated at the end of the quote');
  await expect(message).toBeVisible();
  const step = page.getByRole('button', { name: 'Submit' });
  // Waits until it has slid in.
  await expect
    .poll(async () => {
      const [above, below] = [await page.locator('.mantine-Notification-root').boundingBox(), await step.boundingBox()];
      return above && below ? above.y + above.height <= below.y : false;
    })
    .toBe(true);
  await expectNoSideScroll(page);

  // The number of a revision stays on one line beside the longest status.
  await server.db
    .updateTable('quote')
    .set({ revision: 12, status_id: 'WaitingForProcess' })
    .where('id', '=', quote.id)
    .execute();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await expect(page.getByRole('link', { name: '‹ Quotes' })).toBeVisible();
  expect((await page.getByRole('heading', { level: 1 }).boundingBox())?.height).toBeLessThan(36);
  await expectNoSideScroll(page);
});

test('the parts of a quote are at the bottom; a step that lacks a contact goes to its field', async ({
  page,
  server,
  signIn,
}) => {
  const { quote } = await open(server, page, signIn, { width: 390, height: 844 });
  await server.db.updateTable('quote').set({ contact_name: '' }).where('id', '=', quote.id).execute();
  await page.reload();
  const parts = page.getByRole('navigation', { name: 'Quote sections' });
  await expect(parts.getByRole('button', { name: 'Lines' })).toHaveAttribute('aria-current', 'true');
  await expect(parts).toBeInViewport();
  await parts.getByRole('button', { name: 'About' }).click();
  await expect(page.getByRole('heading', { name: 'Facility' })).toBeInViewport();
  await expect(page.getByRole('tab', { name: 'Activity' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Lines' })).toBeHidden();
  await parts.getByRole('button', { name: 'Lines' }).click();
  await expect(page.getByRole('list', { name: 'Lines' })).toBeVisible();
  // The response arrives after 'Processing...' has opened. The dialog restores the focus when it closes.
  await page.route('**/PerformWorkflowAction', async (route) => {
    await expect(page.getByRole('dialog', { name: 'Processing...' })).toBeVisible();
    await route.continue();
  });
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('dialog', { name: 'Processing...' })).toBeHidden();
  await expect(page.getByRole('combobox', { name: 'Contact' })).toBeFocused();
  await expect(parts.getByRole('button', { name: 'About' })).toHaveAttribute('aria-current', 'true');
  // Closes the list of choices.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
});

test('the grid still works at twice the font size: every cell can be reached and read', async ({
  page,
  server,
  signIn,
}) => {
  await open(server, page, signIn, { width: 720, height: 450 });
  const price = page.getByLabel('Price of line 9', { exact: true });
  await price.focus();
  await expect(price).toBeInViewport({ ratio: 0.99 });
  expect(await price.evaluate((cell: HTMLInputElement) => cell.scrollWidth <= cell.clientWidth)).toBe(true);
  // The line that it belongs to stays visible beside it, and its heading above it.
  await page.getByRole('button', { name: 'Actions for line 9' }).focus();
  await expect(page.getByRole('grid').getByText('C-6', { exact: true })).toBeInViewport();
  const [amount, heading] = await Promise.all([
    page.getByRole('button', { name: 'Actions for line 9' }).boundingBox(),
    page.getByRole('columnheader', { name: 'Actions' }).boundingBox(),
  ]);
  expect(Math.abs((amount?.x ?? 0) - (heading?.x ?? 0))).toBeLessThan(36);
  await expect(page.getByRole('columnheader', { name: 'Actions' })).toBeInViewport();
  // The page itself does not scroll sideways.
  await expectNoSideScroll(page);
});

test('on a phone the form of a line has price and discount; amounts stay on one line; the next step has air', async ({
  page,
  server,
  signIn,
}) => {
  const { quote } = await open(server, page, signIn, { width: 390, height: 844 });
  await page.getByRole('button', { name: 'Actions for line 1', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit Item…' }).click();
  const form = page.getByRole('region', { name: 'Edit Item' });
  await expect(form.getByLabel('Price per EA')).toHaveValue('6693');
  await expect(form.getByLabel('Disc.%')).toHaveValue('3');
  // A typed price replaces the discount.
  await form.getByLabel('Disc.%').fill('5');
  await form.getByLabel('Price per EA').fill('6,500');
  await expect(form.getByLabel('Disc.%')).toHaveValue('3');
  await form.getByLabel('Reason').fill('');
  await expect(form.getByRole('button', { name: 'Done', exact: true })).toBeDisabled();
  await form.getByLabel('Reason').fill('Match');
  await form.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(form).toBeHidden();
  const first = () =>
    server.db
      .selectFrom('quote_item')
      .select(['unit_price', 'price_reason'])
      .where('quote_id', '=', quote.id)
      .orderBy('line_no')
      .executeTakeFirst();
  expect(await first()).toEqual({ unit_price: 6500, price_reason: 'Match' });
  const discount = page.getByRole('region', { name: 'Totals' }).getByText(/^−\$/);
  expect(await discount.evaluate((amount) => getComputedStyle(amount).whiteSpace)).toBe('nowrap');
  const [step, parts] = await Promise.all([
    page.getByRole('button', { name: 'Submit' }).boundingBox(),
    page.getByRole('navigation', { name: 'Quote sections' }).boundingBox(),
  ]);
  expect((parts?.y ?? 0) - (step?.y ?? 0) - (step?.height ?? 0)).toBeGreaterThanOrEqual(8);
  expect((parts?.y ?? 0) + (parts?.height ?? 0)).toBeLessThanOrEqual(844 - 10);
});

test('of a long quote a phone draws the cards near the window, each in its place', async ({ page, server, signIn }) => {
  await open(server, page, signIn, { width: 390, height: 844 }, 400);
  const cards = page.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  await expect(cards.first()).toHaveAttribute('aria-setsize', '402');
  expect(await cards.count()).toBeLessThan(60);
  const last = cards.filter({ hasText: 'C-399' });
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(last).toBeInViewport({ timeout: 500 });
  }).toPass();
  await expect(last).toHaveAttribute('aria-posinset', '402');
  expect(await cards.count()).toBeLessThan(60);
  // The cards touch, but none covers another.
  const gaps = await cards.evaluateAll((all) => {
    const boxes = all.map((entry) => entry.getBoundingClientRect()).toSorted((a, b) => a.top - b.top);
    return boxes.slice(1).map((box, at) => Math.round(box.top - (boxes[at]?.bottom ?? 0)));
  });
  expect(new Set(gaps)).toEqual(new Set([0]));
  await expectNoSideScroll(page);
  await expectAccessible(page);
});
