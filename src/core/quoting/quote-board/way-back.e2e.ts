// Tests returning from a quote to the page before it, and the focus in a new quote.
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aBoard, addField } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import { aQuoteTemplate } from '#testing/factories/catalog.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test('‹ Quotes leads back to the list as the user left it: page, order and place', async ({ page, server, signIn }) => {
  const { office } = await aBoard(server);
  for (let count = 0; count < 45; count++)
    await aQuote(server.db, { facility: office.facility, ownerId: office.rep.id, regionId: office.region.id });
  await signIn(office.inside);
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.goto('/int-quotes?page=2');
  const rows = page.getByRole('table', { name: 'Quotes found' }).getByRole('row');
  await expect(rows).toHaveCount(21);
  const link = rows.nth(14).getByRole('link').first();
  await link.scrollIntoViewIfNeeded();
  const scrolled = () => page.evaluate(() => window.scrollY);
  const [place, left] = [await scrolled(), page.url()];
  expect(place).toBeGreaterThan(100);
  await link.click();
  await expect(page.getByRole('link', { name: '‹ Quotes' })).toBeVisible();
  await page.getByRole('link', { name: '‹ Quotes' }).click();
  await expect(rows).toHaveCount(21);
  expect(page.url()).toBe(left);
  await expect.poll(scrolled).toBe(place);

  // From a facility, it returns to the facility, even after a second quote.
  await page.goto(`/facilities/${office.facility.id}`);
  await page.getByRole('tab', { name: 'Quotes' }).click();
  await page
    .getByRole('link', { name: /^1\d{5}/ })
    .first()
    .click();
  await page.getByRole('link', { name: '‹ Quotes' }).click();
  await expect(page).toHaveURL(new RegExp(`/facilities/${office.facility.id}`));
});

test('a quote from a template or a copy opens with the focus in the add field; in a new tab the link leads to Find Quote', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, bed } = await aBoard(server);
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { id: quote.id, version: 1 }, items: [{ id: 0, itemId: bed.id, qty: 1 }] },
    { as: office.rep },
  );
  const template = await aQuoteTemplate(server.db, { name: 'Way back set', lines: [{ itemId: bed.id, qty: 2 }] });
  await signIn(office.rep);
  await page.goto(`/pub-quote-new?facility=${office.facility.id}`);
  await page.getByRole('combobox', { name: 'From a template' }).click();
  await page.getByRole('option', { name: template.name }).click();
  await page.getByRole('button', { name: 'Create Quote' }).click();
  await expect(page.getByLabel('Quantity of line 1')).toHaveValue('2');
  await expect(addField(page)).toBeFocused();

  await page.goto(`/pub-quote-new?clone=${quote.id}`);
  await page.getByRole('button', { name: 'Clone Quote' }).click();
  await expect(page.getByLabel('Quantity of line 1')).toHaveValue('1');
  await expect(addField(page)).toBeFocused();

  const other = await page.context().newPage();
  await signIn(office.rep, other);
  await other.goto(`/pub-quote-board/${quote.id}`);
  await other.getByRole('link', { name: '‹ Quotes' }).click();
  await expect(other).toHaveURL(/\/pub-quotes/);
});
