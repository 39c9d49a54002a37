// Tests the company's logo in a browser: choose, refuse, see it in the page header and on the customer's page, replace, remove, lose.
import type { Page } from '@playwright/test';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aLogo } from '#testing/a-logo.server.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

const png = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });
const panel = (page: Page) => page.getByRole('region', { name: 'Logo' });
const choose = (page: Page) => panel(page).locator('input[type=file]');
const inHead = (page: Page) => page.getByRole('banner').locator('img');

/** Returns the widths of the loaded pictures, 0 for a missing one. */
const widths = (page: Page, within: string) =>
  page.locator(`${within} img`).evaluateAll((all) => all.map((entry) => (entry as HTMLImageElement).naturalWidth));

async function aSentQuote(server: TestServer): Promise<string> {
  const cs = await aUser(server.db, { roles: ['csrep'] });
  const { id: quoteId } = await aPricedQuote(server.db, { statusId: 'Processing', validUntil: '2099-01-01' });
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quoteId)
    .executeTakeFirstOrThrow();
  const mail = { quoteId, version, to: ['buyer@example.org'], subject: 'Quote', body: 'Hello' };
  return (await server.ok(QuoteWorkflow.SendEmail, mail, { as: cs })).quote.docId ?? '';
}

test('a logo from choosing to losing', async ({ page, server, signIn, browser, address }) => {
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto('/admin/settings/company');
  await expect(panel(page)).toContainText('There is no logo');
  await expect(inHead(page)).toHaveCount(0);

  await choose(page).setInputFiles(png('drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')));
  await expect(panel(page).getByRole('alert')).toContainText('drawing.png is an SVG drawing');
  await choose(page).setInputFiles(png('heavy.png', Buffer.alloc(3_000_000)));
  await expect(panel(page).getByRole('alert')).toContainText('heavy.png is 3 MB. A logo may be up to 2 MB.');

  await page.getByRole('form', { name: 'Company' }).getByLabel('Phone').fill('555 0100');
  await choose(page).setInputFiles(png('northern.png', await aLogo(600, 200)));
  await expect(page.getByText(/^Logo saved\./)).toBeVisible();
  await expect(panel(page)).toContainText('northern.png, 600 × 200 pixels');
  await expect(panel(page).getByRole('alert')).toHaveCount(0);
  await expect.poll(() => widths(page, 'figure')).toEqual([600, 600]);
  await expect.poll(() => widths(page, 'header')).toEqual([600]);
  await expect(page.getByRole('list', { name: 'History' })).toContainText('chose a new logo');
  // The form above still has the typed values.
  await expect(page.getByRole('form', { name: 'Company' }).getByLabel('Phone')).toHaveValue('555 0100');

  const docId = await aSentQuote(server);
  const customer = await (await browser.newContext({ baseURL: address })).newPage();
  await customer.goto(`/quote-doc/${docId}`);
  await expect.poll(() => widths(customer, 'article')).toEqual([600]);
  expect(await customer.locator('article img').boundingBox()).toMatchObject({ width: 132, height: 44 });

  await page.setViewportSize({ width: 1440, height: 900 });
  await choose(page).setInputFiles(png('square.png', await aLogo(400, 400)));
  await expect(panel(page)).toContainText('square.png');
  await panel(page).getByRole('button', { name: 'Remove logo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove logo' }).click();
  await expect(panel(page)).toContainText('There is no logo');
  await expect(inHead(page)).toHaveCount(0);
  await customer.reload();
  await expect.poll(() => widths(customer, 'article')).toEqual([600]);

  // The store loses its files: the page is still complete, with the initial instead.
  const stored = await server.db.selectFrom('file').select('storage_key').where('name', '=', 'northern.png').execute();
  for (const { storage_key } of stored) await server.services.files.remove(storage_key);
  const fresh = await (await browser.newContext({ baseURL: address })).newPage();
  await fresh.goto(`/quote-doc/${docId}`);
  await expect(fresh.getByRole('article')).toBeVisible();
  await expect(fresh.locator('article img')).toHaveCount(0);
  await expect(fresh.locator('article header')).toContainText(/^T/);
});
