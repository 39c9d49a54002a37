// Tests approving in a browser: who must still decide and whom to ask, the dialog with the effect, the next waiting quote, and absences.
import { expect, test } from '#testing/browser.ts';
import { aWorkflow } from '#testing/a-workflow.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

// It names all users whose decision a rule awaits.
test.use({ company: 'approval' });

/** Makes two quotes at 12% off. A rule of the manager and one of the contract department fire on both, and the same user requests approval. */
async function twoWaiting(server: TestServer) {
  const { db } = server;
  await db.updateTable('approval_rule').set({ active: false }).execute();
  const rule = { metric: 'discountPct', operator: '>', threshold: 5 };
  await db
    .insertInto('approval_rule')
    .values([
      { ...rule, name: 'Above five', role: 'salesQuoteManager' },
      { ...rule, name: 'Above ten', threshold: 10, role: 'contractdept' },
    ])
    .execute();
  const { office, aQuoteOf, act } = aWorkflow(() => server);
  const people = await office();
  const input = {
    statusId: 'Processing' as const,
    lines: [{ itemNumber: 'GLV-1', qty: 10, systemPrice: 10, unitPrice: 8.8 }],
  };
  const first = await aQuoteOf(people, { ...input, facilityName: 'First Hospital' });
  const second = await aQuoteOf(people, { ...input, facilityName: 'Second Hospital' });
  for (const { id } of [first, second]) await act(id, 'RequestApproval', people.cs, { comment: 'Large order' });
  return { people, first, second, act };
}

test('two people approve a quote, each in the dialog that shows its effect; the next waiting quote is a key away', async ({
  page,
  server,
  signIn,
  browser,
  address,
}) => {
  const { people, first, second } = await twoWaiting(server);
  await signIn(people.manager);
  await page.goto('/');
  const card = page.getByRole('region', { name: 'Approve Discount' });
  await expect(card.getByRole('link')).toHaveCount(2);
  await expect(card.getByRole('link').first()).toContainText('Discount 12% > 5%');
  await expect(card.getByRole('link').first()).toContainText(`Waiting for ${people.contracts.fullName}`);
  await card.getByRole('link', { name: /First Hospital/ }).click();

  const panel = page.getByRole('region', { name: 'Approval' });
  await expect(panel).toContainText(`Requested by ${people.cs.fullName}`);
  await expect(panel).toContainText('2 rules require approval');
  await expect(panel.getByRole('link', { name: people.contracts.fullName })).toHaveAttribute(
    'href',
    `mailto:${people.contracts.userName}`,
  );
  await expect(panel).toContainText('Waiting for you');
  await expect(panel).toContainText('Can also approve');

  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Approve Discount' });
  await expect(dialog.getByLabel('Comment')).toBeFocused();
  await expect(dialog.getByRole('region', { name: 'Rules for you to decide' })).toContainText('Discount 12% > 5%');
  await expect(dialog).toContainText(`to be decided by ${people.contracts.fullName}.`);
  await expect(dialog.getByRole('row', { name: /GLV-1/ })).toContainText('$8.80');
  await expect(dialog).toContainText('Total $88.00');
  await page.keyboard.type('Fine for me');
  await page.keyboard.press('Control+Enter');

  const next = page.getByRole('dialog', { name: 'Approved' });
  await expect(next).toContainText(`Still waiting for ${people.contracts.fullName}`);
  await expect(next).toContainText('One more quote is waiting for you');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/int-quote-board/${second.id}`));
  await expect(page.getByRole('heading', { name: String(second.num) })).toBeVisible();

  await page.goto(`/int-quote-board/${first.id}`);
  await expect(panel).toContainText(`Approved by ${people.manager.fullName}`);
  await expect(panel).toContainText('Fine for me');
  await expect(page.getByRole('button', { name: 'Approve Discount' })).toHaveCount(0);

  // The last decision approves the quote. A phone stacks the lines.
  const phone = await (await browser.newContext({ baseURL: address, viewport: { width: 390, height: 844 } })).newPage();
  await signIn(people.contracts, phone);
  // The link in the mail opens the decision.
  await phone.goto(`/int-quote-board/${first.id}?decide`);
  const there = phone.getByRole('dialog', { name: 'Approve Discount' });
  await expect(there).toContainText(
    `${people.cs.fullName} asks for 12% off $100.00 (−$12.00) at First Hospital: Large order. No line is below its floor.`,
  );
  await there.getByRole('button', { name: 'Reject Discount' }).click();
  await expect(there.getByText('Enter a comment before you choose Reject Discount.')).toBeVisible();
  await expect(there.getByLabel('Comment')).toBeFocused();
  await expect(there).toContainText('System $10.00');
  await there.getByRole('button', { name: 'Approve Discount' }).click();
  const done = phone.getByRole('dialog', { name: 'Approved' });
  await expect(done).toContainText('The quote can be sent.');
  await done.getByRole('button', { name: 'Stay here' }).click();
  await expect(phone.getByText('Discount Approved').first()).toBeVisible();
});
