// Tests the discount on the whole quote: it asks for a reason, is undone with it, and holds a step back until the reason is there.
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { aBoard, moreOfLines, total } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';

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
  await expect(dialog).toContainText('12 % off: $6,900.00 → $6,072.00');
  await expectAccessible(page);
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
  await expect(page.getByTitle('12 % off the whole quote: Match of a competing offer')).toBeVisible();
  const stored = () =>
    server.db
      .selectFrom('quote')
      .select(['discount_pct', 'discount_reason'])
      .where('id', '=', quote.id)
      .executeTakeFirst();
  await expect.poll(stored).toEqual({ discount_pct: 12, discount_reason: 'Match of a competing offer' });

  await moreOfLines(page, 'Undo');
  await expect.poll(stored).toEqual({ discount_pct: 0, discount_reason: '' });
  await expect(page.getByTitle('12 % off the whole quote')).toHaveCount(0);
});
