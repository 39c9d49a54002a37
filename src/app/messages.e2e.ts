// Tests that messages cover no control and no figure, and that a message about the state of a quote disappears with that state.
import type { Page } from '@playwright/test';
import { aBoard, requestInfo } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';

const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** Returns the controls and figures that the messages cover. */
function coveredOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const messages = [...document.querySelectorAll('.mantine-Notification-root')].map((one) => one.getBoundingClientRect());
    const over = (one) => messages.some((box) =>
      one.left < box.right && one.right > box.left && one.top < box.bottom && one.bottom > box.top);
    return [...document.querySelectorAll('button, a[href], input, select, textarea, [role="button"], dd, .figure')]
      .filter((one) => !one.closest('.mantine-Notifications-root') && one.checkVisibility({ opacityProperty: true }))
      .filter((one) => over(one.getBoundingClientRect()))
      .map((one) => one.outerHTML.slice(0, 120));
  })()`);
}

test('a message about the state covers nothing, and the next state takes its place', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, bed } = await aBoard(server);
  const { db } = server;
  for (let n = 0; n < 3; n++)
    await server.ok(
      QuoteEdit.SaveQuoteItem,
      { id: 0, quoteId: quote.id, itemId: bed.id, qty: 1 },
      { as: office.inside },
    );
  await signIn(office.rep);
  for (const [at, size] of WINDOWS.entries()) {
    await page.setViewportSize(size);
    await db.updateTable('quote').set({ status_id: 'Processing' }).where('id', '=', quote.id).execute();
    await page.goto(`/pub-quote-board/${quote.id}`);
    await expect(page.getByText('Processing').first()).toBeVisible();
    await requestInfo(server, quote.id, office.cs, `Which mattress? ${at}`);
    const message = page.getByRole('alert').filter({ hasText: 'moved this quote to Need More Info.' });
    await expect(message).toHaveCount(1);
    // It stays where it covers nothing.
    await page.waitForTimeout(600);
    await expect(message).toHaveCount(1);
    await expect.poll(() => coveredOn(page)).toEqual([]);
    // The user's own next step makes it outdated.
    await page.getByRole('button', { name: 'Provide Info' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('The soft one');
    await dialog.getByRole('button', { name: 'Provide Info' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(message).toHaveCount(0);
  }
});
