// Tests choosing a facility's primary GPO in a browser: from the quote line's prompt to the list; on a phone; read-only for other users.

import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract, aGpo } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

/** Creates a facility on the rosters of two GPOs, with a quote for an item that both sell. */
async function aChoice(server: TestServer) {
  const { db } = server;
  const office = await aSalesOffice(db);
  const { facility } = office;
  const item = await anItem(db, { prices: [{ unit: 'EA', price: 10 }] });
  const gpos = [await aGpo(db), await aGpo(db)] as const;
  const lines = [{ itemId: item.id, price: 7, unit: 'EA' }];
  const [, second] = await Promise.all(
    gpos.map(({ id }) => aContract(db, { gpoId: id, facilityIds: [facility.id], lines })),
  );
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: facility.id }, items: [{ itemId: item.id, qty: 1, unit: 'EA' }] },
    { as: office.rep },
  );
  return { office, facility, quote, gpos, number: second?.number };
}

test('a line says that two GPOs are to be chosen; a rep reads the list and chooses nothing', async ({
  page,
  server,
  signIn,
}) => {
  const { office, facility, quote, gpos } = await aChoice(server);
  await signIn(office.rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  const names = gpos.map(({ name }) => name).toSorted();
  await expect(
    page.getByText(`Two GPOs: choose. The rosters of ${names.join(' and ')} name the facility`),
  ).toBeVisible();
  await page.goto('/gpo/contracts/gpos-to-choose');
  await expect(page.getByRole('link', { name: facility.name })).toBeVisible();
  await expect(page.getByRole('button', { name: /primary GPO/ })).toHaveCount(0);
});

test('the contract department chooses one, by keyboard and on a phone', async ({ page, server, signIn }) => {
  const { office, facility, gpos, number } = await aChoice(server);
  const [, { name }] = gpos;
  await signIn(office.contracts);
  await page.goto('/gpo/contracts/gpos-to-choose');
  await expect(page.getByRole('heading', { name: 'GPOs to choose' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  const button = page.getByRole('button', { name: `Make ${name} the primary GPO of ${facility.name} (${number})` });
  await expect(button).toBeVisible();
  await expectNoSideScroll(page);
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${name} is the primary GPO of ${facility.name}.`)).toBeVisible();
  await expect(button).toHaveCount(0);
});
