// Tests the discount on the whole quote: it prompts for a reason, is undone together with it, and blocks a step until the reason is entered.
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aBoard, moreOfLines, total } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';

test('a discount on the whole quote asks for its reason first', async ({ page, server, signIn }) => {
  const { office, quote, bed } = await aBoard(server);
  const as = { as: office.inside };
  await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId: quote.id, itemId: bed.id, qty: 1 }, as);
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const field = page.getByLabel('Discount on the whole quote, %');
  const dialog = page.getByRole('dialog', { name: 'Discount on the whole quote' });

  await field.fill('12');
  await field.press('Enter');
  await expect(dialog).toContainText('12% off: $6,900.00 → $6,072.00');
  await expect(dialog.getByRole('button', { name: 'Set discount' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(field).toHaveValue('0');
  await expect(total(page)).toContainText('$6,900.00');

  await field.fill('12');
  await field.press('Enter');
  await dialog.getByLabel('Reason').fill('Match of a competing offer');
  await page.keyboard.press('Enter');
  await expect(total(page)).toContainText('$6,072.00');
  await expect(page.getByTitle('12% off the whole quote: Match of a competing offer')).toBeVisible();
  const stored = () =>
    server.db
      .selectFrom('quote')
      .select(['discount_pct', 'discount_reason'])
      .where('id', '=', quote.id)
      .executeTakeFirst();
  await expect.poll(stored).toEqual({ discount_pct: 12, discount_reason: 'Match of a competing offer' });

  await moreOfLines(page, 'Undo');
  await expect.poll(stored).toEqual({ discount_pct: 0, discount_reason: '' });
  await expect(page.getByTitle('12% off the whole quote')).toHaveCount(0);
});

test('the dialogs of discounts show the amounts that result, to the cent', async ({ page, server, signIn }) => {
  const { office, quote } = await aBoard(server);
  const as = { as: office.inside };
  const glove = await anItem(server.db, { price: 0.0518 });
  await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId: quote.id, itemId: glove.id, qty: 1234.5 }, as);
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const field = page.getByLabel('Discount on the whole quote, %');
  const amount = page.getByRole('row').filter({ has: page.getByLabel('Select line 1', { exact: true }) });
  for (const [percent, words, result] of [
    ['10', '10% off: $63.95 → $57.55', '$57.55'],
    ['3.33', '3.33% off: $63.95 → $61.82', '$61.82'],
  ] as const) {
    await field.fill(percent);
    await field.press('Enter');
    const whole = page.getByRole('dialog', { name: 'Discount on the whole quote' });
    await expect(whole).toContainText(words);
    await whole.getByLabel('Reason').fill('Volume');
    await page.keyboard.press('Enter');
    await expect(amount).toContainText(result);
  }
  await page.getByLabel('Select line 1', { exact: true }).check();
  await page.getByRole('button', { name: 'Discount…' }).click();
  const lines = page.getByRole('dialog', { name: 'Discount on 1 line' });
  await lines.getByLabel('Discount off system price').fill('10');
  await lines.getByLabel('Reason').fill('Volume');
  await expect(lines.getByRole('status')).toHaveText('$63.95 → $57.53, before the discount on the whole quote');
  await page.keyboard.press('Enter');
  await expect(amount).toContainText('$55.61');
});
