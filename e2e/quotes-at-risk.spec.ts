// Tests how a contract price file reaches a sent quote: held, accepted, at risk, revised.
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';

test('an accepted price puts a quote at risk', async ({ page, browser, address, server, signIn }) => {
  const { db } = server;
  const office = await aSalesOffice(db);
  const item = await anItem(db, { number: 'RISK-1', description: 'Foam dressing', price: 60 });
  const contract = await aContract(db, {
    number: 'R-100',
    gpoId: null,
    facilityIds: [office.facility.id],
    lines: [{ itemId: item.id, price: 40 }],
  });
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id }, items: [{ itemId: item.id, qty: 10 }] },
    { as: office.rep },
  );
  await db
    .updateTable('quote')
    .set({ status_id: 'SentToCustomer', contact_name: 'Pat Buyer', contact_email: 'buyer@risk.example.org' })
    .where('id', '=', quote.id)
    .execute();

  // The contract department checks a file. The price is far off, so it waits. Once accepted, it would change the sent quote.
  const desk = await (await browser.newContext({ baseURL: address })).newPage();
  await signIn(office.contracts, desk);
  await desk.goto(`${paths.contractImport}?kind=contract-prices`);
  await desk.locator('input[type=file]').setInputFiles({
    name: 'december.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Contract,Item,UOM,Price\nR-100,RISK-1,EA,48\n'),
  });
  const wizard = desk.getByRole('region', { name: 'Import', exact: true });
  await wizard.getByRole('button', { name: 'Check' }).click();
  const effect = wizard.getByRole('region', { name: 'Effect on quotes' });
  await expect(effect).toContainText('No open quotes would change.');
  await expect(effect).toContainText('Included: 0 accepted held rows. Not included: 1 other held row.');
  await wizard.getByRole('button', { name: /^Accept line 2/ }).click();
  await expect(effect).toContainText('1 sent quote would change by +$80.00');
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by/)).toBeVisible();

  // The rep reads the amount at risk on Home and opens the list behind it.
  await signIn(office.rep);
  await page.goto(paths.home);
  const card = page.getByRole('region', { name: 'Quotes at risk' });
  await expect(async () => {
    await page.reload();
    await expect(card).toContainText('1 of your quotes has new prices: +$80.00', { timeout: 2000 });
  }).toPass();
  await card.getByRole('link', { name: 'Review quotes' }).click();
  await expect(page.getByRole('heading', { name: 'Quotes at risk', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Quotes at risk' })).toHaveAttribute('aria-current', 'page');
  await page.getByRole('button', { name: String(quote.num) }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toContainText('$40.00 → $48.00 today');
  await expect(drawer.getByRole('region', { name: 'Reprice' })).toContainText('Revise it to change it.');
  await expectAccessible(page, '[role="dialog"]');

  // The revision has the new price, and the quote is no longer at risk.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSideScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await drawer.getByRole('link', { name: 'Open quote' }).click();
  await page.getByRole('button', { name: 'Revise' }).click();
  await page.getByRole('button', { name: 'View changes' }).click();
  await drawer.getByRole('button', { name: 'Reprice' }).click();
  await expect(page.getByText('$480.00').first()).toBeVisible();
  await expect(page.getByRole('note', { name: 'Risk' })).toHaveCount(0);
  const stored = await db
    .selectFrom('quote')
    .select(['revision', 'quote_date'])
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  expect(stored.revision).toBe(2);
  expect(formatDate(stored.quote_date)).not.toBe('');

  // The contract's page shows nothing at risk either, once the background work has checked the revision.
  await desk.goto(`${paths.contract(contract.id)}?tab=risks`);
  await expect(async () => {
    await desk.reload();
    const nothing = desk.getByText('No open quotes are affected by price changes.');
    await expect(nothing).toBeVisible({ timeout: 2000 });
  }).toPass();
});
