// Tests a provisional quote in the browser: on the board, in the dialog that wins it, and on the customer's page.
import { sql } from 'kysely';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aHangingQuote } from '#testing/a-hanging-quote.server.ts';
import { withoutApprovalRules } from '#testing/approval-rules.server.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

/** A sent quote at $3,850.00, or $4,500.00 without the request that it depends on. */
async function aSentQuote(server: TestServer) {
  const cs = await aUser(server.db, { roles: ['csrep'] });
  const result = await aHangingQuote(server, cs);
  const restore = await withoutApprovalRules(server.db, 'provisional');
  const { version } = await server.db
    .updateTable('quote')
    .set({ status_id: 'Processing', assignee_id: cs.id, valid_until: '2099-01-01' })
    .where('id', '=', result.quoteId)
    .returning('version')
    .executeTakeFirstOrThrow();
  const mail = { quoteId: result.quoteId, version, to: ['buyer@example.org'], subject: 'Quote', body: 'Hello' };
  const { quote } = await server.ok(QuoteWorkflow.SendEmail, mail, { as: cs });
  await restore();
  return { ...result, cs, docId: quote.docId ?? '' };
}

test('the customer accepts the firm total', async ({ page, server }) => {
  const { docId } = await aSentQuote(server);
  await page.goto(`/quote-doc/${docId}`);
  const sheet = page.getByRole('article');
  await expect(sheet).toContainText('provisional, without approval $45.00');
  await expect(sheet).toContainText('Total without approval$4,500.00');
  await expect(page.getByRole('status')).toContainText('which can be accepted now');
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

test('a total that changes under the open dialog is not accepted unseen', async ({ page, server }) => {
  const { docId, quoteId } = await aSentQuote(server);
  await page.goto(`/quote-doc/${docId}`);
  await page.getByRole('button', { name: 'Accept at $4,500.00' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox').check();
  await dialog.getByLabel('Your name').fill('Pat Buyer');
  await dialog.getByLabel('Your title').fill('Purchasing Manager');
  await sql`update quote_item set fallback = jsonb_set(fallback, '{unitPrice}', '41') where quote_id = ${quoteId}`.execute(
    server.db,
  );
  await server.db.updateTable('quote').set({ fallback_total: 4100 }).where('id', '=', quoteId).execute();
  await dialog.getByRole('button', { name: 'Accept $4,500.00' }).click();
  await expect(dialog).toContainText('The total is now $4,100.00, not $4,500.00.');
  await expect(dialog).toContainText('$4,100.00 instead of $3,850.00');
  await dialog.getByRole('button', { name: 'Accept $4,100.00' }).click();
  await expect(page.getByRole('status').first()).toContainText('Total $4,100.00');
});
