// Opens what lies over a screen: menus, drawers, dialogs, lists of choices, calendars and messages, each accessible; and eight screens in the dark.
import type { Page } from '@playwright/test';
import { paths } from '#platform/shared/paths.ts';
import { aSentQuote } from '#testing/a-sent-quote.ts';
import { expectAccessible, type Finding, findingsOf } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { fullCompany } from '#testing/full-company.server.ts';

test.describe.configure({ mode: 'parallel' });

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

async function settled(page: Page) {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await expect(page.locator('[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root')).toHaveCount(0);
}

test('eight screens are readable in the dark', async ({ page, server, signIn }) => {
  const { admin, records } = await fullCompany(server);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.setViewportSize(DESK);
  await signIn(admin);
  const screens = [
    paths.home,
    paths.findQuoteInternal,
    paths.territoryMap,
    paths.newQuote,
    records.internalBoard,
    records.quoteDoc,
    `${records.facility}?tab=prices`,
    `${records.contract}?tab=lines`,
  ];
  const results: Finding[] = [];
  for (const screen of screens) {
    await page.goto(screen ?? '');
    await settled(page);
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    results.push(...(await findingsOf(page, undefined, { runOnly: ['color-contrast', 'link-in-text-block'] })));
  }
  expect(results).toEqual([]);
});

test('menus, drawers, dialogs and choices are accessible', async ({ page, server, signIn }) => {
  const { db } = server;
  const rep = await aUser(db, { fullName: 'Olive Over' });
  await aFacility(db, { name: 'Overlay Clinic' });
  for (let n = 0; n < 12; n++) await aQuote(db, { ownerId: rep.id });
  const item = await anItem(db, { number: 'OVER-1', price: 4 });
  await signIn(rep);
  const check = async () => {
    const results = await findingsOf(page);
    // A list of choices lies outside the landmarks of the page.
    expect(results.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  };
  const escape = () => page.keyboard.press('Escape');

  await page.goto(paths.home);
  await settled(page);
  await page.getByRole('button', { name: 'Account of Olive Over' }).click();
  await expect(page.getByRole('menuitem', { name: 'Signout' })).toBeVisible();
  await check();
  await escape();
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await check();
  await page.setViewportSize(PHONE);
  await escape();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await check();
  await page.setViewportSize(DESK);

  await page.goto(`${paths.findQuotePublic}?page=1`);
  await settled(page);
  await page.getByRole('combobox', { name: 'Territory' }).click();
  await check();
  await escape();
  await page.getByRole('textbox', { name: 'Date From' }).fill('02/30/2026');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('February 2026 has only 28 days')).toBeVisible();
  await check();
  await page.getByRole('button', { name: 'Open calendar' }).first().click();
  await expect(page.getByRole('button', { name: 'Next month' })).toBeVisible();
  await check();
  await escape();
  await page.route('**/SearchQuotesForSalesRep', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto(`${paths.findQuotePublic}?page=1&facilityName=over`);
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await check();

  await page.goto(paths.newQuote);
  await page.getByRole('combobox', { name: /^Facility/ }).fill('overlay');
  await expect(page.getByRole('option')).toHaveCount(1);
  await check();
  await page.getByRole('option').click();
  await expect(page.getByRole('button', { name: 'Change' })).toBeVisible();
  await page.getByLabel('Customer reference').fill('PR-7');
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect(page.getByRole('button', { name: 'Keep editing' })).toBeVisible();
  await check();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/\/(\?.*)?$/);

  await page.goto(`${paths.itemSearch}?keyword=OVER-1&recent=0`);
  await page.getByLabel('Enter Partial Item # or Name to search').fill(item.itemNumber);
  await page.getByRole('checkbox').uncheck();
  await page.getByRole('button', { name: 'OVER-1' }).click();
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'OVER-1' })).toBeVisible();
  await check();
  await page.getByRole('button', { name: 'Add to quote…' }).click();
  // 'New quote' appears at once; the open quotes appear a moment later.
  await expect(page.getByRole('radio')).not.toHaveCount(1);
  // The list has ten open quotes and the new one.
  await expect(page.getByRole('radio').nth(2)).toBeVisible();
  await page.getByRole('radio').first().check();
  await check();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('OVER-1 is on quote')).toBeVisible();
  await check();
});

test('the dialogs of a customer are accessible, with and without mistakes', async ({ page, server }) => {
  const quote = await aSentQuote(server, { file: 'Statement.txt', lines: 5 });
  await page.goto(paths.quoteDoc(quote.docId));
  await expect(page.getByRole('article')).toBeVisible();
  await expectAccessible(page);
  for (const [opener, sender] of [
    ['Accept this quote', /^Accept \$/],
    ['Decline', 'Decline'],
    ['Ask a question', 'Send question'],
  ] as const) {
    await page.getByRole('button', { name: opener }).click();
    await expect(page.getByRole('dialog').locator('input:focus, textarea:focus')).toHaveCount(1);
    await page.getByRole('dialog').getByRole('button', { name: sender }).click();
    await expectAccessible(page, '[role="dialog"]');
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
});

test('one Escape closes one thing: a list in a drawer, a question over a drawer', async ({ page, server, signIn }) => {
  await aUser(server.db, { roles: ['salesQuoteManager'] });
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto(paths.regions);
  await settled(page);
  const escape = () => page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add Region' }).click();
  const drawer = page.getByRole('dialog', { name: 'Add Region' });
  await drawer.getByRole('combobox', { name: 'Managers' }).click();
  await expect(page.getByRole('listbox')).toBeVisible();
  await escape();
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(drawer).toBeVisible();
  await drawer.getByLabel('Name').fill('Gulf');
  await escape();
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await expect(question).toBeVisible();
  await escape();
  await expect(question).toBeHidden();
  await expect(drawer.getByLabel('Name')).toHaveValue('Gulf');

  // Over a drawer in which nothing was typed, so that nothing asks before it closes.
  const { records } = await fullCompany(server);
  await page.goto(`${records.contract}?tab=lines`);
  await settled(page);
  await page
    .getByRole('table')
    .getByRole('button', { name: /^FULL-/ })
    .first()
    .click();
  const line = page.getByRole('dialog', { name: /^FULL-/ });
  await line.getByRole('button', { name: 'Remove line' }).click();
  const remove = page.getByRole('dialog', { name: /^Remove the line of/ });
  await expect(remove).toBeVisible();
  await escape();
  await expect(remove).toBeHidden();
  await expect(line).toBeVisible();
  await escape();
  await expect(line).toBeHidden();
});
