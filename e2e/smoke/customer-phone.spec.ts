// Tests the customer's page on a phone: it is as narrow as its window, breaks no amount in two, and the customer accepts there.
import { aDocument, aDocumentLine } from '#testing/a-document.ts';
import { aSentQuote } from '#testing/a-sent-quote.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';

test.use({ viewport: { width: 360, height: 780 } });

test('the page of a quote reads well on a phone', async ({ page, server }) => {
  const quote = await aSentQuote(server);
  const plain = aDocument({ lines: [aDocumentLine(1, { unitPrice: 31_234.56 })], validUntil: '2099-01-01' });
  const document = JSON.stringify({ ...plain, totals: { ...plain.totals, quoteDiscount: 1, quoteDiscountPct: 3.33 } });
  await server.db.updateTable('quote_revision').set({ document }).where('doc_id', '=', quote.docId).execute();
  await page.goto(`/quote-doc/${quote.docId}`);
  await expect(page.getByRole('article')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept this quote' })).toBeInViewport();
  await expectNoSideScroll(page);
  // No amount is broken in two: '$124,938.' would read as another one.
  const total = page.getByRole('article').getByRole('definition').last();
  await expect(total).toHaveText('$124,938.24');
  expect(
    await total.evaluate((element) => {
      const words = new Range();
      words.selectNodeContents(element);
      return words.getClientRects().length;
    }),
  ).toBe(1);
});

test('a customer accepts a quote on a phone', async ({ page, server }) => {
  const quote = await aSentQuote(server);
  await page.goto(`/quote-doc/${quote.docId}`);
  await page.getByRole('button', { name: 'Accept this quote' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your name').fill('Jane Doe');
  await dialog.getByLabel('Your title').fill('Buyer');
  await dialog.getByLabel('I accept these terms and conditions').check();
  await expectNoSideScroll(page);
  const accept = dialog.getByRole('button', { name: /^Accept \$/ });
  await accept.scrollIntoViewIfNeeded();
  await expect(accept).toBeInViewport({ ratio: 1 });
  await accept.click();
  await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible();
  await expectNoSideScroll(page);
  const { status_id } = await server.db
    .selectFrom('quote')
    .select('status_id')
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  expect(status_id).toBe('Won');
});
