// Tests Home and Find Quote in a browser: the approval queue, filters in the address, remembered criteria and scroll position.
import fs from 'node:fs';
import { sql } from 'kysely';
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { anApprovalRequest, aQuote } from '#testing/factories/quotes.server.ts';
import { QuoteSearch } from '../quotes.contract.ts';

const COLUMNS = [
  '#',
  'Status',
  'Facility',
  'Quote Date',
  'Total Amt.',
  'Acct. #',
  'Contact',
  'Phone',
  'Sales Rep.',
  'CS Rep.',
  'IS Rep.',
];

test('Find Quote: filter, leaf, open, come back, share, remember, export', async ({ page, server, signIn }) => {
  const { db } = server;
  const region = await aRegion(db, { name: 'Lake Region' });
  const territory = await aTerritory(db, { name: 'Lake South', regionId: region.id });
  const rep = await aUser(db);
  for (let n = 1; n <= 25; n++) {
    await aQuote(db, {
      ownerId: rep.id,
      facilityName: `Lakeside Ward ${String(n).padStart(2, '0')}`,
      statusId: n % 5 === 0 ? 'Lost' : 'Won',
      quoteDate: `2026-03-${String(n).padStart(2, '0')}`,
      ...(n === 7 ? { regionId: region.id, territoryId: territory.id, itemNumbers: ['OAR-7'] } : {}),
    });
  }
  await aQuote(db, { ownerId: rep.id, facilityName: 'Elsewhere', quoteDate: '2026-03-30' });

  await signIn(rep);
  await page.goto('/pub-quotes');
  const results = page.getByRole('table', { name: 'Quotes found' });
  await expect(results.getByRole('columnheader')).toHaveText(COLUMNS);
  await expect(page.getByText('26 quotes')).toBeVisible();
  await expect(results.getByRole('row').nth(1)).toContainText('Elsewhere');

  await page.getByLabel('Facility Name').fill('lakeside');
  await page.getByRole('group', { name: 'Status' }).getByText('Won').click();
  await page.getByRole('textbox', { name: 'Date From' }).fill('03/01/2026');
  await expect(page.getByText('26 quotes')).toBeVisible();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('20 quotes')).toBeVisible();
  const summary = page.getByRole('group', { name: 'Filtered by' });
  await expect(summary).toContainText('Facility lakeside');
  await expect(summary).toContainText('since 03/01/2026');
  await summary.getByRole('button', { name: 'Remove Won' }).click();
  await expect(page.getByText('25 quotes')).toBeVisible();

  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(results.getByRole('row')).toHaveCount(6);
  const address = page.url();
  const number = (await results.getByRole('link').first().textContent()) ?? '';
  await results.getByRole('row').nth(1).click();
  await expect(page).toHaveURL(/\/pub-quote-board\/\d+/);
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(results.getByRole('link').first()).toHaveText(number);

  // Without criteria in the address, the last ones return, from their first page.
  await page.goto('/pub-quotes');
  await expect(page).toHaveURL(/page=1/);
  await expect(page.getByLabel('Facility Name')).toHaveValue('lakeside');
  await expect(results.getByRole('row')).toHaveCount(21);
  // The middle button and Ctrl open a row in a new tab, and the list stays.
  const cell = results.getByRole('row').nth(1).getByRole('cell').nth(2);
  for (const press of [() => cell.click({ button: 'middle' }), () => cell.click({ modifiers: ['ControlOrMeta'] })]) {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), press()]);
    await expect(tab).toHaveURL(/\/pub-quote-board\/\d+/);
    await tab.close();
    await expect(page).toHaveURL(/page=1/);
  }
  await page.getByRole('textbox', { name: 'Date To' }).fill('3/20/2026');
  await page.getByLabel('Facility Name').press('Enter');
  await expect(page).toHaveURL(/page=1&/);
  await expect(page.getByText('20 quotes')).toBeVisible();

  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('26 quotes')).toBeVisible();
  await page.getByLabel('Item #').fill('oar');
  await page.getByRole('combobox', { name: 'Territory' }).click();
  await page.getByRole('option', { name: 'Lake South' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('1 quote', { exact: true })).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(fs.readFileSync(await file.path(), 'utf8').split('\r\n')).toHaveLength(3);

  await page.getByLabel('Quote #').fill('1');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('region', { name: 'Results' }).getByText('No Record Found')).toBeVisible();
});

test('a page past the last, in the address, leads to the last one, and a remembered one to the first; going back still works', async ({
  page,
  server,
  signIn,
}) => {
  const rep = await aUser(server.db);
  for (let n = 0; n < 25; n++) await aQuote(server.db, { ownerId: rep.id, facilityName: 'Past Clinic' });
  await signIn(rep);
  for (const [path, label] of [
    ['/pub-quotes', 'Quotes found'],
    ['/', 'Open Quotes'],
  ] as const) {
    await page.goto(`${path}?page=1`);
    const rows = page.getByRole('table', { name: label }).getByRole('row');
    await expect(rows).toHaveCount(21);
    for (const past of ['197', '9'.repeat(30)]) {
      await page.goto(`${path}?page=${past}`);
      await expect(page).toHaveURL(/[?&]page=2$/);
      await expect(rows).toHaveCount(6);
    }
    await page.goBack();
    await expect(page).not.toHaveURL(/page=9/);
    for (const none of ['-1']) {
      await page.goto(`${path}?page=${none}`);
      await expect(rows).toHaveCount(21);
    }
  }
  await server.ok(QuoteSearch.SearchQuotesForSalesRep, { page: 197, remember: 'find' }, { as: rep });
  await page.goto('/pub-quotes');
  await expect(page).toHaveURL(/[?&]page=1$/);
  await expect(page.getByRole('table', { name: 'Quotes found' }).getByRole('row')).toHaveCount(21);
});

test('a wrong date shows under its field, and an unreachable server shows in place of the list', async ({
  page,
  server,
  signIn,
}) => {
  const rep = await aUser(server.db);
  await aQuote(server.db, { ownerId: rep.id, facilityName: 'Steady Clinic' });
  await signIn(rep);
  await page.goto('/pub-quotes');
  await expect(page.getByText('1 quote', { exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'Date From' }).fill('02/30/2026');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('February 2026 has only 28 days')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Date From' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Date From' }).fill('03/01/2026');
  await page.getByRole('textbox', { name: 'Date To' }).fill('02/01/2026');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Date To is before Date From')).toBeVisible();
  await expect(page).toHaveURL(/\?page=1$/);
  // An address can also contain this error.
  await page.goto('/pub-quotes?page=1&dateFrom=2026-03-01&dateTo=2026-02-01');
  await expect(page.getByText('Date To is before Date From', { exact: true })).toBeVisible();
  await expect(page.getByText('The search failed. Date To is before Date From')).toBeVisible();

  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByLabel('Facility Name').fill('steady');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('The server cannot be reached').first()).toBeVisible({ timeout: 20_000 });
  await expect(page.getByLabel('Facility Name')).toHaveValue('steady');
  // The user need not press 'Try again' when the network is back.
  await page.context().setOffline(false);
  await expect(page.getByText('1 quote', { exact: true })).toBeVisible();
});

test('Home: quotes awaiting approval and why, open quotes, the kept filter', async ({ page, server, signIn }) => {
  const { db } = server;
  const region = await aRegion(db);
  const reps = [await aUser(db, { fullName: 'Rory Rep' }), await aUser(db, { fullName: 'Sasha Rep' })];
  const [first, second] = reps;
  if (!first || !second) throw new Error('two reps');
  await aTerritory(db, { regionId: region.id, sales: first.id });
  const asker = await aUser(db, { roles: ['insiderep'], fullName: 'Kim Asker' });
  const manager = await aUser(db, { roles: ['salesQuoteManager'], regionIds: [region.id] });
  const input = { regionId: region.id, facilityName: 'Home Hospital', totalAmount: 12_400 };
  const waiting = await aQuote(db, { ...input, ownerId: first.id, statusId: 'Processing' });
  await aQuote(db, { ...input, ownerId: second.id, currnIdx: 1009 });
  await aQuote(db, { ...input, ownerId: first.id, statusId: 'Won' });
  await anApprovalRequest(db, {
    quoteId: waiting.id,
    requestedBy: asker.id,
    roles: ['salesQuoteManager'],
    requestedAt: new Date(Date.now() - 2 * 3_600_000).toISOString(),
  });

  await signIn(manager);
  await page.goto('/');
  const card = page.getByRole('region', { name: 'Approve Discount' });
  const link = card.getByRole('link');
  await expect(link).toContainText(`${waiting.num}Home Hospital$12,400.00Discount 18% > 15%`);
  await expect(link).toContainText('requested 2 h ago by Kim Asker');
  const open = page.getByRole('table', { name: 'Open Quotes' });
  await expect(open.getByRole('columnheader')).toHaveText(COLUMNS);
  await expect(open.getByRole('row')).toHaveCount(3);
  await expect(open).toContainText('€12,400.00');
  // A sales quote manager gets no 'All' among the sales reps.
  await page.getByRole('combobox', { name: 'Sales Rep.' }).click();
  await expect(page.getByRole('option')).toHaveText(['Rory Rep']);
  await page.getByRole('option', { name: 'Rory Rep' }).click();
  await expect(open.getByRole('row')).toHaveCount(2);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect(
    fs
      .readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n'),
  ).toHaveLength(2);
  await card.getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/int-quote-board/${waiting.id}$`));
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await expect(page.getByRole('combobox', { name: 'Sales Rep.' })).toHaveValue('Rory Rep');
  await expect(open.getByRole('row')).toHaveCount(2);
});

test('Home: the five approvals waiting longest, all on demand; a manager clears a choice again', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const region = await aRegion(db);
  const rep = await aUser(db, { fullName: 'Busy Rep' });
  await aTerritory(db, { regionId: region.id, sales: rep.id });
  const asker = await aUser(db, { roles: ['insiderep'] });
  const manager = await aUser(db, { roles: ['salesQuoteManager'], regionIds: [region.id] });
  const numbers: string[] = [];
  for (let days = 7; days > 0; days--) {
    const quote = await aQuote(db, { regionId: region.id, ownerId: rep.id, statusId: 'Processing' });
    await anApprovalRequest(db, {
      quoteId: quote.id,
      requestedBy: asker.id,
      roles: ['salesQuoteManager'],
      requestedAt: new Date(Date.now() - days * 86_400_000).toISOString(),
    });
    numbers.push(String(quote.num));
  }
  await signIn(manager);
  await page.goto('/');
  const waiting = page.getByRole('region', { name: 'Approve Discount' }).getByRole('link');
  await expect(waiting).toContainText(numbers.slice(0, 5));
  await page.getByRole('button', { name: 'Show all 7' }).click();
  await expect(waiting).toContainText(numbers);
  // The list keeps its scroll position after filtering and after returning from a quote.
  await page.getByRole('combobox', { name: 'Sales Rep.' }).click();
  await page.getByRole('option', { name: 'Busy Rep' }).click();
  await expect(page).toHaveURL(/salesRepId=/);
  await waiting.nth(6).click();
  await expect(page).toHaveURL(/int-quote-board/);
  await page.goBack();
  await expect(waiting).toHaveCount(7);
  await page.getByRole('button', { name: 'Clear Sales Rep.', includeHidden: true }).click();
  await expect(page).not.toHaveURL(/salesRepId=/);
  await expect(page.getByRole('combobox', { name: 'Sales Rep.' })).toHaveValue('');
  await page.getByRole('button', { name: 'Show only the 5 oldest' }).click();
  await expect(waiting).toHaveCount(5);
});

test('without anything to approve there is no such card; small screens show cards', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const rep = await aUser(db, { fullName: 'Pocket Rep' });
  const quote = await aQuote(db, {
    ownerId: rep.id,
    facilityName: 'Pocket Clinic',
    statusId: 'SentToCustomer',
    validUntil: '2020-01-01',
  });
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(rep);
  await page.goto('/');
  const list = page.getByRole('list', { name: 'Open Quotes' });
  await expect(list.getByRole('listitem')).toContainText('Pocket Clinic');
  await expect(list).toContainText('Sent To Customer');
  await expect(list).toContainText('Expired');
  await expect(page.getByRole('heading', { name: 'Approve Discount' })).toHaveCount(0);
  await expect(page.getByRole('table')).toHaveCount(0);
  // The whole card opens the quote.
  await list.getByRole('article').click({ position: { x: 40, y: 60 } });
  await expect(page).toHaveURL(new RegExp(`/pub-quote-board/${quote.id}$`));
});

test('when the filter choices cannot load, an alert above the screen says so until the user closes it', async ({
  page,
  server,
  signIn,
}) => {
  await signIn(await aUser(server.db));
  await sql`alter table territory rename to territory_away`.execute(server.db);
  try {
    await page.goto('/pub-quotes');
    const alert = page.getByRole('alert').filter({ hasText: 'The filters could not be loaded.' });
    await expect(alert).toBeVisible();
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await expect(alert).toHaveCount(0);
  } finally {
    await sql`alter table territory_away rename to territory`.execute(server.db);
  }
});

test('a failed search shows an alert that can be closed; the old results stay, and a later success ends it', async ({
  page,
  server,
  signIn,
}) => {
  const rep = await aUser(server.db);
  await aQuote(server.db, { ownerId: rep.id, facilityName: 'Steady Clinic' });
  await signIn(rep);
  await page.goto('/pub-quotes');
  const results = page.getByRole('table', { name: 'Quotes found' });
  await expect(results).toContainText('Steady Clinic');
  const alert = page.getByRole('alert').filter({ hasText: 'The search failed.' });
  await sql`alter table quote rename to quote_away`.execute(server.db);
  try {
    await page.getByLabel('Facility Name').fill('steady');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(alert).toContainText('Something went wrong on the server');
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await expect(alert).toHaveCount(0);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(alert).toBeVisible();
    await expect(page.getByLabel('Facility Name')).toHaveValue('steady');
  } finally {
    await sql`alter table quote_away rename to quote`.execute(server.db);
  }
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(alert).toHaveCount(0);
  await expect(results).toContainText('Steady Clinic');
});

test('a search that fails at first is reported once, and the list only offers to try again', async ({
  page,
  server,
  signIn,
}) => {
  const rep = await aUser(server.db);
  await aQuote(server.db, { ownerId: rep.id, facilityName: 'Steady Clinic' });
  await signIn(rep);
  await sql`alter table quote rename to quote_away`.execute(server.db);
  try {
    await page.goto('/pub-quotes?page=1');
    const again = page.getByRole('region', { name: 'Results' }).getByRole('button', { name: 'Try again' });
    await expect(again).toBeVisible();
    await expect(page.getByText('Something went wrong on the server')).toHaveCount(1);
  } finally {
    await sql`alter table quote_away rename to quote`.execute(server.db);
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('table', { name: 'Quotes found' })).toContainText('Steady Clinic');
  await expect(page.getByText('Something went wrong on the server')).toHaveCount(0);
});

test('names at 1280 pixels, pages beyond the count, an empty filter that says so, and nothing left after signing out', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const rep = await aUser(db, { fullName: 'Maximiliana Ostrowski', roles: ['salesrep'] });
  const idle = await aUser(db, { fullName: 'Ivo Idle', roles: ['salesrep'] });
  const quote = await aQuote(db, {
    ownerId: rep.id,
    salesRepId: rep.id,
    facilityName: 'Lakeside',
    contactName: 'Kim Poe',
  });
  await sql`insert into quote (status_id, owner_id, sales_rep_id, phone, quote_date, valid_until)
    select 'Editing', ${rep.id}, ${rep.id}, '(555) 555-0100', '2026-01-01', '2026-12-31' from generate_series(1, 1024)`.execute(
    db,
  );
  await signIn(admin);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/?page=50&salesRepId=${rep.id}`);
  const list = page.getByRole('table', { name: 'Open Quotes' });
  await expect(list.getByText('Maximiliana Ostrowski').first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await expect(page.locator('.list-scroll[data-wide]')).toHaveCount(0);
  const phone = list.getByRole('cell', { name: '(555) 555-0100' }).first();
  expect(await phone.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);
  await page.getByRole('button', { name: 'Page 51' }).click();
  await expect(page.getByText('1,001–1,020 of 1,000+')).toBeVisible();
  await page.getByRole('button', { name: 'Page 52' }).click();
  await expect(list.getByRole('row')).toHaveCount(6);
  await expect(page.getByRole('button', { name: 'Page 53' })).toHaveCount(0);

  await page.goto(`/?salesRepId=${idle.id}`);
  await expect(page.getByText('No Record Found. Filtered by Sales Rep. Ivo Idle.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(list.getByRole('row')).toHaveCount(21);

  await page.goto(`/int-quote-board/${quote.id}`);
  const storedKeys = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => /^quoteboard\.(recent|list|reports)/.test(key)));
  await expect.poll(storedKeys).toHaveLength(1);
  await page.goto(paths.products);
  await page.getByRole('textbox', { name: 'Name, brand or number' }).fill('Lakeside');
  await expect.poll(storedKeys).toHaveLength(2);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Signout' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await storedKeys()).toEqual([]);
});
