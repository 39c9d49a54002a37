// Tests approving in a browser: who has yet to decide and whom to ask, the dialog with the effect, the next waiting quote, and absences.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aWorkflow } from '#testing/a-workflow.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

/** Makes two quotes at 12 % off. A rule of the manager and one of the contract department fire on both, and the same user requests approval. */
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
  const given = {
    statusId: 'Processing' as const,
    lines: [{ itemNumber: 'GLV-1', qty: 10, systemPrice: 10, unitPrice: 8.8 }],
  };
  const first = await aQuoteOf(people, { ...given, facilityName: 'First Hospital' });
  const second = await aQuoteOf(people, { ...given, facilityName: 'Second Hospital' });
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
  await expect(card.getByRole('link').first()).toContainText('Discount 12 % > 5 %');
  await expect(card.getByRole('link').first()).toContainText(`Awaits ${people.contracts.fullName}`);
  await expectAccessible(page);
  await card.getByRole('link', { name: /First Hospital/ }).click();

  const panel = page.getByRole('region', { name: 'Approval' });
  await expect(panel).toContainText(`Asked by ${people.cs.fullName}`);
  await expect(panel).toContainText('2 rules require approval');
  await expect(panel.getByRole('link', { name: people.contracts.fullName })).toHaveAttribute(
    'href',
    `mailto:${people.contracts.userName}`,
  );
  await expect(panel).toContainText('Awaits you');
  await expect(panel).toContainText('You may also ask');

  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Approve Discount' });
  await expect(dialog.getByLabel('Comment')).toBeFocused();
  await expect(dialog.getByRole('region', { name: 'Rules you decide' })).toContainText('Discount 12 % > 5 %');
  await expect(dialog).toContainText(`${people.contracts.fullName} decides.`);
  await expect(dialog.getByRole('row', { name: /GLV-1/ })).toContainText('$8.80');
  await expect(dialog).toContainText('Total $88.00');
  await expectAccessible(page);
  await page.keyboard.type('Fine for me');
  await page.keyboard.press('Control+Enter');

  const next = page.getByRole('dialog', { name: 'Approved' });
  await expect(next).toContainText(`The rest is waiting for ${people.contracts.fullName}`);
  await expect(next).toContainText('One more awaits you');
  await expectAccessible(page);
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
  await phone.goto(`/int-quote-board/${first.id}`);
  await phone.getByRole('button', { name: 'Approve Discount' }).click();
  const there = phone.getByRole('dialog', { name: 'Approve Discount' });
  await expect(there).toContainText('System $10.00');
  await expectAccessible(phone);
  await there.getByRole('button', { name: 'Approve Discount' }).click();
  const done = phone.getByRole('dialog', { name: 'Approved' });
  await expect(done).toContainText('The quote can be sent.');
  await done.getByRole('button', { name: 'Stay here' }).click();
  await expect(phone.getByText('Discount Approved').first()).toBeVisible();
});

test('a user enters an absence by keyboard; the deputy finds the request and decides for the absent person', async ({
  page,
  server,
  signIn,
  browser,
  address,
}) => {
  const { people, first } = await twoWaiting(server);
  const deputy = await aUser(server.db, { roles: ['csrep'], fullName: 'Kim Deputy' });
  await signIn(people.manager);
  await page.goto('/');
  await page.getByRole('button', { name: `Account of ${people.manager.fullName}` }).click();
  await page.getByRole('menuitem', { name: 'Absences' }).click();
  await expect(page.getByRole('heading', { name: 'Absences' })).toBeVisible();
  // While the menu closes, it still takes a typed letter for one of its entries.
  await expect(page.getByRole('menu')).toBeHidden();
  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'Absence' });
  await form.getByRole('combobox', { name: 'Deputy' }).fill('Kim Dep');
  await page.getByRole('option', { name: 'Kim Deputy' }).click();
  await form.getByLabel('Last day').fill('01/02/2020');
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('The last day is before the first.')).toBeVisible();
  await form.getByLabel('Last day').fill('12/31/2099');
  await page.keyboard.press('Control+Enter');
  const row = page.getByRole('row', { name: new RegExp(people.manager.fullName) });
  await expect(row).toContainText('Kim Deputy');
  await expect(row).toContainText('Away');
  await expectAccessible(page);

  const other = await (await browser.newContext({ baseURL: address })).newPage();
  await signIn(deputy, other);
  await other.goto('/');
  const entry = other.getByRole('region', { name: 'Approve Discount' }).getByRole('link', { name: /First Hospital/ });
  await expect(entry).toContainText(`for ${people.manager.fullName}`);
  await entry.click();
  await other.getByRole('button', { name: 'Approve Discount' }).click();
  const dialog = other.getByRole('dialog', { name: 'Approve Discount' });
  await expect(dialog).toContainText(`You decide it for ${people.manager.fullName}, who is away.`);
  await dialog.getByRole('button', { name: 'Approve Discount' }).click();
  await other.getByRole('dialog', { name: 'Approved' }).getByRole('button', { name: 'Stay here' }).click();
  await expect(other.getByRole('region', { name: 'Approval' })).toContainText(
    `Approved by Kim Deputy for ${people.manager.fullName}`,
  );
  const { decisions } = await server.db
    .selectFrom('approval_request')
    .select('decisions')
    .where('quote_id', '=', first.id)
    .executeTakeFirstOrThrow();
  expect(decisions).toMatchObject([{ name: 'Kim Deputy', forName: people.manager.fullName }]);
});
