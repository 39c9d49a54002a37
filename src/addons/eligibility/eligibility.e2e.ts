// Tests in a browser a hospital that is not on the roster: its rep requests the price, the desk approves it, and the price becomes firm.
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract, aContractPrice, aGpo, aMembership, aTier } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';

test('not on the roster, requested, approved, firm', async ({ page, server, signIn, context }) => {
  const { db } = server;
  const office = await aSalesOffice(db);
  const { name } = office.facility;
  const gpo = await aGpo(db, { name: 'Northbrook Purchasing' });
  await aMembership(db, { facilityId: office.facility.id, gpoId: gpo.id });
  const item = await anItem(db, { units: { EA: 1, BX: 10 }, prices: [{ unit: 'BX', price: 60 }] });
  const contract = await aContract(db, {
    number: 'NB-400',
    gpoId: gpo.id,
    lines: [{ itemId: item.id, price: 45, unit: 'BX' }],
  });
  const third = await aTier(db, { contractId: contract.id, no: 3, needsLoc: true, provisional: true });
  await aContractPrice(db, { lineId: contract.lineIds[0] ?? 0, tierId: third.id, price: 38.5 });
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id }, items: [{ itemId: item.id, qty: 100, unit: 'BX' }] },
    { as: office.rep },
  );

  // The representative makes the request from the line.
  await signIn(office.rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  const card = page.getByRole('region', { name: 'Eligibility' });
  await expect(page.getByLabel('Select line 1')).toBeVisible();
  await expect(card).toHaveCount(0);
  await page.getByRole('button', { name: 'Actions for line 1' }).click();
  await page.getByRole('menuitem', { name: 'Request a contract price…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Request a contract price' });
  const tier = dialog.getByRole('radio', { name: 'Tier 3 of NB-400' });
  await expect(tier).toContainText('Not on the roster');
  await expect(dialog).not.toContainText('38.50');
  await tier.click();
  await dialog.getByLabel('Note').fill('They moved to us in September.');
  await expectAccessible(page, '[role="dialog"]');

  // A colleague's save reaches the server just before the request. The typed text stays, and the next press succeeds.
  await page.route(
    '**/Eligibility/Request',
    async (route) => {
      await server.ok(
        QuoteEdit.SaveSalesRepQuote,
        { quote: { id: quote.id, version: quote.version, poNumber: 'PO-1' } },
        { as: office.cs },
      );
      await route.continue();
    },
    { times: 1 },
  );
  const send = dialog.getByRole('button', { name: 'Send request' });
  await send.click();
  await expect(dialog.getByRole('alert')).toContainText('changed this quote in the meantime');
  await expect(dialog.getByLabel('Note')).toHaveValue('They moved to us in September.');
  await send.click();
  await expect(dialog).toHaveCount(0);
  await expect(card).toContainText('Tier 3 of NB-400');
  await expect(card).toContainText('waiting on the contract department');
  await expect(page.getByText('Provisional', { exact: true }).first()).toBeVisible();

  // The contract department decides.
  const browser = context.browser();
  if (!browser) throw new Error('no browser');
  const desk = await (await browser.newContext()).newPage();
  await signIn(office.contracts, desk);
  const address = new URL(page.url()).origin;
  await desk.goto(`${address}/gpo/contracts/eligibility`);
  const row = desk.getByRole('table', { name: 'Eligibility requests' }).getByRole('row', { name });
  await expect(row).toContainText('Requested');
  await row.getByRole('link', { name }).click();
  await expect(desk.getByText(`${name} is not on the roster.`)).toBeVisible();
  const money = desk.getByRole('table', { name: 'Price impact' }).getByRole('row').last();
  for (const amount of ['$3,850.00', '$6,000.00', '$4,500.00']) await expect(money).toContainText(amount);
  const step = desk.getByRole('dialog');
  await desk.getByRole('button', { name: 'Start review' }).click();
  await step.getByRole('button', { name: 'Start review' }).click();
  await desk.getByRole('button', { name: 'Approve' }).click();
  await step.getByRole('button', { name: 'Approve' }).click();
  await expect(step).toContainText('Enter who signed it.');
  await step.getByLabel('Letter signed by').fill('Dr. Ruth Avery');
  await step.getByLabel('Signed on').fill('01/05/2026');
  await step.getByLabel('Signed on').blur();
  await expectAccessible(desk, '[role="dialog"]');
  await step.getByRole('button', { name: 'Approve' }).click();
  await expect(step).toHaveCount(0);
  await expect(desk.getByText('approved the eligibility request')).toBeVisible();
  await desk.setViewportSize({ width: 390, height: 844 });
  await expectNoSideScroll(desk);
  await desk.goto(`${address}/gpo/contracts/eligibility?state=all`);
  await expect(desk.getByText('Approved').first()).toBeVisible();
  await expectNoSideScroll(desk);
  await desk.context().close();

  // The price is firm.
  await page.reload();
  await expect(card).toContainText('Approved');
  await expect(page.getByText('Provisional', { exact: true })).toHaveCount(0);
  await expect(page.getByText('$3,850.00').first()).toBeVisible();
});
