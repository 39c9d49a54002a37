// Text that tries to be markup stays text on every screen that shows it: the board, the lists, the customer's page.
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#features/quoting/quote-steps/quote-steps.contract.ts';
import { paths } from '#shared/paths.ts';
import { withoutApprovalRules } from '#testing/approval-rules.server.ts';
import { expect, test } from '#testing/browser.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

const TEXT = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>{{7*7}}\u202E&lt;b&gt;';

test('nothing typed runs, on no screen', async ({ page, signIn, server }) => {
  const cs = await aUser(server.db, { roles: ['csrep'], fullName: TEXT });
  const facility = await aFacility(server.db, { name: TEXT });
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: {
        facilityId: facility.id,
        contactName: TEXT,
        customerMessage: TEXT,
        internalNotes: TEXT,
        contactEmail: TEXT,
      },
      items: [
        { type: 'section', description: TEXT },
        { itemNumber: TEXT, description: TEXT, notes: TEXT, qty: 1, unitPrice: 5, priceReason: TEXT },
      ],
    },
    { as: cs },
  );
  const started = await server.ok(
    QuoteWorkflow.PerformWorkflowAction,
    { quoteId: quote.id, action: 'StartProcess', version: quote.version, comment: TEXT },
    { as: cs },
  );
  const restore = await withoutApprovalRules(server.db);
  const { quote: sent } = await server.ok(
    QuoteWorkflow.SendEmail,
    { quoteId: quote.id, version: started.quote.version, to: ['b@example.org'], subject: TEXT, body: TEXT },
    { as: cs },
  );
  await restore();
  await signIn(cs);
  const policy: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) policy.push(message.text());
  });
  page.on('dialog', () => policy.push('dialog'));
  for (const path of [
    paths.internalBoard(quote.id),
    paths.home,
    paths.findQuoteInternal,
    paths.quoteDoc(sent.docId ?? ''),
  ]) {
    await page.goto(path);
    await expect(page.getByText('<script>window.hacked=1</script>').first()).toBeAttached();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  }
  // Nothing was even attempted, so the content security policy had nothing to block.
  expect(policy).toEqual([]);
});
