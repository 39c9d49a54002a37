// The decimal points of unit prices line up on every screen that shows them in a column.
import type { Page } from '@playwright/test';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';

test.use({ company: 'unit prices' });

/** Whole cents, four places below a dollar, and a contract that says four places. */
const PRICES = { 'UP-1': 12, 'UP-2': 0.0518, 'UP-3': 1234.5678 };
const TEXTS = ['$12.00', '$0.0518', '$1,234.5678'];

/** For each column that shows all of the prices: how far apart their points are, in pixels. The code is a string, as in every-role.spec.ts. */
const MEASURE = `(() => {
  const columns = new Map();
  for (const cell of document.querySelectorAll('main td, main [role="gridcell"]')) {
    const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
      const found = /^\\s*([$€][\\d,]+\\.\\d{2,4})\\s*$/.exec(words.currentNode.data);
      if (!found) continue;
      const point = document.createRange();
      const at = words.currentNode.data.indexOf('.');
      point.setStart(words.currentNode, at);
      point.setEnd(words.currentNode, at + 1);
      const column = Math.round(cell.getBoundingClientRect().right);
      if (!columns.has(column)) columns.set(column, []);
      columns.get(column).push([found[1], point.getBoundingClientRect().left]);
      break;
    }
  }
  return [...columns.values()]
    .filter((prices) => ${JSON.stringify(TEXTS)}.every((text) => prices.some(([own]) => own === text)))
    .map((prices) => Math.max(...prices.map(([, x]) => x)) - Math.min(...prices.map(([, x]) => x)));
})()`;

async function expectAligned(page: Page, address: string) {
  await page.goto(address);
  await expect(async () => {
    const apart: number[] = await page.evaluate(MEASURE);
    expect([address, apart.length > 0, apart.filter((pixels) => pixels > 1)]).toEqual([address, true, []]);
  }).toPass({ timeout: 60_000 });
}

test('the points of unit prices line up', async ({ page, server, signIn }) => {
  const { db } = server;
  const office = await aSalesOffice(db);
  const items: { id: number; price: number }[] = [];
  for (const [number, price] of Object.entries(PRICES))
    items.push({ id: (await anItem(db, { number, price })).id, price });
  const contract = await aContract(db, {
    gpoId: null,
    facilityIds: [office.facility.id],
    lines: items.map(({ id, price }) => ({ itemId: id, price })),
  });
  const created = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { facilityId: office.facility.id, contactName: 'Pat Buyer', contactEmail: 'pat@example.org' },
      items: items.map(({ id }) => ({ itemId: id, qty: 1 })),
    },
    { as: office.cs },
  );
  const quoteId = created.quote.id;
  const version = async () =>
    (await db.selectFrom('quote').select('version').where('id', '=', quoteId).executeTakeFirstOrThrow()).version;
  const step = { quoteId, action: 'StartProcess', version: await version() } as const;
  await server.ok(QuoteWorkflow.PerformWorkflowAction, step, { as: office.cs });
  const mail = { quoteId, version: await version(), to: ['pat@example.org'], subject: 'Quote', body: 'Hello' };
  const sent = await server.ok(QuoteWorkflow.SendEmail, mail, { as: office.cs });

  await signIn(office.cs);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const address of [
    paths.internalBoard(quoteId),
    `${paths.facility(office.facility.id)}?tab=prices`,
    `${paths.itemSearch}?facility=${office.facility.id}&keyword=UP-&recent=0`,
    `${paths.contract(contract.id)}?tab=lines`,
    paths.contractHotSheet(contract.id),
    paths.quoteDoc(sent.quote.docId ?? ''),
  ])
    await expectAligned(page, address);
});
