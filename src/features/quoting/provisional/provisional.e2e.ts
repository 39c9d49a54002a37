// Tests a provisional quote in the browser: on the board, in the dialog that wins it, and on the customer's page.
import { QuoteWorkflow } from '#features/quoting/quote-steps/quote-steps.contract.ts';
import { aHangingQuote } from '#testing/a-hanging-quote.server.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

/** A sent quote at $3,850.00, or $4,500.00 without the request that it depends on. */
async function aSentQuote(server: TestServer) {
  const cs = await aUser(server.db, { roles: ['csrep'] });
  const found = await aHangingQuote(server, cs);
  await server.db.updateTable('approval_rule').set({ active: false }).where('metric', '=', 'provisional').execute();
  const { version } = await server.db
    .updateTable('quote')
    .set({ status_id: 'Processing', assignee_id: cs.id, valid_until: '2099-01-01' })
    .where('id', '=', found.quoteId)
    .returning('version')
    .executeTakeFirstOrThrow();
  const mail = { quoteId: found.quoteId, version, to: ['buyer@example.org'], subject: 'Quote', body: 'Hello' };
  const { quote } = await server.ok(QuoteWorkflow.SendEmail, mail, { as: cs });
  return { ...found, cs, docId: quote.docId ?? '' };
}

test('the board shows both prices and both totals, and wins the quote only at the firm total', async ({
  page,
  server,
  signIn,
}) => {
  const { quoteId, cs } = await aSentQuote(server);
  await signIn(cs);
  await page.goto(`/int-quote-board/${quoteId}`);
  await expect(page.getByRole('button', { name: 'Price proof of line 1: Provisional' })).toBeVisible();
  await expect(page.getByText('Provisional, without approval $45.00 (Contract)')).toBeVisible();
  const totals = page.getByRole('region', { name: 'Totals' });
  await expect(totals).toContainText('is not approved yet. Without it the total is $4,500.00.');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Mark Won' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark Won' });
  await dialog.getByLabel('PO number').fill('PO-77');
  const done = dialog.getByRole('button', { name: 'Mark Won' });
  await expect(dialog).toContainText('The total of $3,850.00 holds only then.');
  await expect(done).toBeDisabled();
  await dialog.getByRole('checkbox', { name: 'Won at $4,500.00, without the eligibility request' }).check();
  await expectAccessible(page, '[role="dialog"]');
  await done.click();
  await expect(dialog).toBeHidden();
  await expect(totals).toContainText('Total$4,500.00');
  await expect(totals).not.toContainText('Without it');
});

test('the customer accepts the firm total', async ({ page, server }) => {
  const { docId } = await aSentQuote(server);
  await page.goto(`/quote-doc/${docId}`);
  const sheet = page.getByRole('article');
  await expect(sheet).toContainText('provisional, without approval $45.00');
  await expect(sheet).toContainText('Total without approval$4,500.00');
  await expect(page.getByRole('status')).toContainText('which can be accepted now');
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await page.getByRole('button', { name: 'Accept at $4,500.00' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('$4,500.00 instead of $3,850.00');
  await dialog.getByRole('checkbox').check();
  await dialog.getByLabel('Your name').fill('Pat Buyer');
  await dialog.getByLabel('Your title').fill('Purchasing Manager');
  await dialog.getByRole('button', { name: 'Accept $4,500.00' }).click();
  await expect(page.getByRole('status').first()).toContainText('Total $4,500.00');
});

test('a page that was open while the request was approved says so', async ({ page, server }) => {
  const { docId, request, third } = await aSentQuote(server);
  await page.goto(`/quote-doc/${docId}`);
  await page.getByRole('button', { name: 'Accept at $4,500.00' }).click();
  await server.db
    .updateTable('eligibility_request')
    .set({ state: 'Approved', decided_tier_id: third.id, firm_from: '2026-01-01' })
    .where('id', '=', request.id)
    .execute();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox').check();
  await dialog.getByLabel('Your name').fill('Pat Buyer');
  await dialog.getByLabel('Your title').fill('Purchasing Manager');
  await dialog.getByRole('button', { name: 'Accept $4,500.00' }).click();
  await expect(dialog).toContainText('The prices of this quote are firm by now. Look at the totals again.');
  await dialog.getByRole('button', { name: 'Accept $3,850.00' }).click();
  await expect(page.getByRole('status').first()).toContainText('Total $3,850.00');
});
