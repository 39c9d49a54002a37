// Tests the next tier in the browser: the rep sees it in the rail, and the customer sees it when the sender ticks the box.
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalogue.server.ts';
import { aContract, aContractPrice, aTier } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

test('the rail names the saving, and the customer reads it when the sender says so', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const cs = await aUser(db, { roles: ['csrep'] });
  const facility = await aFacility(db);
  const item = await anItem(db, { units: { EA: 1, BX: 10 }, prices: [{ unit: 'BX', price: 60 }] });
  const contract = await aContract(db, {
    facilityIds: [facility.id],
    lines: [{ itemId: item.id, price: 41, unit: 'BX' }],
  });
  const third = await aTier(db, { contractId: contract.id, no: 3, needsLoc: true });
  await aContractPrice(db, { lineId: contract.lineIds[0] ?? 0, tierId: third.id, price: 38.5 });
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: facility.id }, items: [{ itemId: item.id, qty: 200, unit: 'BX' }] },
    { as: cs },
  );
  await db
    .updateTable('quote')
    .set({ status_id: 'Processing', assignee_id: cs.id, contact_name: 'Pat Buyer', valid_until: '2099-01-01' })
    .where('id', '=', quote.id)
    .execute();

  await signIn(cs);
  await page.goto(`/int-quote-board/${quote.id}`);
  const panel = page.getByRole('region', { name: 'Next tier' });
  await expect(panel).toContainText(`At tier 3 of ${contract.number} this quote is $500.00 less.`);
  await expect(panel).toContainText('Needs a letter of commitment. 1 line changes.');

  // The saving follows the quantity.
  const quantity = page.getByLabel('Quantity of line 1');
  await quantity.fill('100');
  await quantity.press('Enter');
  await expect(panel).toContainText('$250.00 less');

  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Send to customer' });
  const choice = dialog.getByRole('checkbox', { name: 'Tell the customer what another tier would save' });
  await expect(choice).not.toBeChecked();
  await choice.check();
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByRole('combobox', { name: 'To' }).or(dialog.getByLabel('To')).first().fill('buyer@example.org');
  await page.keyboard.press('Enter');
  const sent = page.waitForResponse(/SendEmail/);
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  const { docId } = ((await (await sent).json()) as { quote: { docId: string } }).quote;
  await page.goto(`/quote-doc/${docId}`);
  await expect(page.getByRole('article')).toContainText(
    `At tier 3 of contract ${contract.number} this quote would be $250.00 less before freight and tax.`,
  );
  await expectAccessible(page);
});
