// Tests every screen and its dialogs, in light and dark, on a desktop and a phone: axe finds nothing serious, nothing is wider than the screen,
// and the browser tab names the screen.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { QuoteWorkflow } from '#features/quoting/quote-steps/quote-steps.contract.ts';
import { paths } from '#shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalogue.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { anApprovalRequest, aPricedQuote, aQuote } from '#testing/factories/quotes.server.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** The narrowest screen we support. */
const NARROWEST = { width: 360, height: 740 };
const COLORS = ['color-contrast', 'link-in-text-block'];
/** Addresses that name no record. A new screen is included without a change here. */
const PLAIN = Object.values(paths).filter((path) => typeof path === 'string');
const SIGNED_OUT: string[] = [paths.login, paths.resetPassword];

async function settled(page: Page) {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await expect(page.locator('[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root')).toHaveCount(0);
}

/** Returns the serious axe findings in both color schemes at the current width. */
async function serious(page: Page, where: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const axe = new AxeBuilder({ page });
    // Only the colors differ between the two schemes.
    const { violations } = await (colorScheme === 'light' ? axe : axe.withRules(COLORS)).analyze();
    for (const { id, impact, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue;
      const places = nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`);
      found.push(`${where}, ${colorScheme}: ${id} at ${places.join(', ')}`);
    }
  }
  return found;
}

/** A sticky heading must start above its rows; inside a box that scrolls by itself, it would cover the first one. */
function hidesFirstRow(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    window.scrollTo(0, 0);
    return [...document.querySelectorAll('table.list')].some((table) => {
      const heading = table.querySelector('th')?.getBoundingClientRect();
      const row = table.querySelector('tbody td')?.getBoundingClientRect();
      return heading && row ? heading.bottom > row.top + 1 : false;
    });
  });
}

async function faultsOf(page: Page, where: string): Promise<string[]> {
  const found: string[] = [];
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size);
    await settled(page);
    found.push(...(await serious(page, `${where} at ${size.width}`)));
    if (await hidesFirstRow(page))
      found.push(`${where} at ${size.width}: a heading stands over the first row of its list`);
  }
  await page.setViewportSize(NARROWEST);
  await settled(page);
  // A list takes a moment to notice that it has less room and to redraw.
  const over = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve(document.documentElement.scrollWidth - window.innerWidth)),
        );
      }),
  );
  if (over > 0) found.push(`${where}: ${over} px wider than ${NARROWEST.width}`);
  await page.setViewportSize(DESK);
  const title = await page.title();
  if (!/\S · \S/.test(title)) found.push(`${where}: the tab is called '${title}'`);
  return found;
}

test('the files of a screen arrive compressed', async ({ page }) => {
  const [script] = await Promise.all([page.waitForResponse(/\/assets\/.*\.js$/), page.goto(paths.login)]);
  expect(await script.headerValue('content-encoding')).toBe('br');
});

test('signed out', async ({ page }) => {
  const found: string[] = [];
  for (const path of SIGNED_OUT) {
    await page.goto(path);
    found.push(...(await faultsOf(page, path)));
  }
  await page.goto(paths.login);
  await page.getByLabel('Email').fill('nobody@example.org');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  found.push(...(await faultsOf(page, 'a refused sign-in')));
  await page.goto(paths.quoteDoc('00000000000000000000000000000000'));
  found.push(...(await faultsOf(page, 'a document that is none')));
  expect(found).toEqual([]);
});

test('signed in', async ({ page, server, signIn }) => {
  test.slow();
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const cs = await aUser(db, { roles: ['csrep'] });
  for (const statusId of ['Won', 'Lost', 'NeedMoreInfo', 'SentToCustomer', 'Editing'] as const)
    await aQuote(db, { statusId });
  const waiting = await aQuote(db, { statusId: 'Processing' });
  await anApprovalRequest(db, { quoteId: waiting.id, requestedBy: cs.id, roles: ['salesadmin'] });
  const priced = await aPricedQuote(db, { statusId: 'Processing', assigneeId: cs.id, validUntil: '2099-01-01' });
  const { version } = await db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', priced.id)
    .executeTakeFirstOrThrow();
  const mail = { to: ['buyer@example.org'], subject: 'Quote', body: 'Hello' };
  const { quote } = await server.ok(QuoteWorkflow.SendEmail, { quoteId: priced.id, version, ...mail }, { as: cs });

  await signIn(admin);
  const addresses = [
    ...PLAIN.filter((path) => !SIGNED_OUT.includes(path)),
    paths.editUser(cs.id),
    paths.editQuote(priced.id),
    paths.publicBoard(waiting.id),
    paths.internalBoard(waiting.id),
    paths.configureQuote(priced.id),
    paths.internalBoard(999_999),
    paths.quoteDoc(quote.docId ?? ''),
    `${paths.newQuote}?clone=${waiting.id}`,
    `${paths.findQuoteInternal}?page=1&num=999999`,
    `${paths.findQuoteInternal}?page=1&printView=1`,
    '/nothing/here',
  ];
  const found: string[] = [];
  for (const address of addresses) {
    await page.goto(address);
    found.push(...(await faultsOf(page, address)));
  }
  expect(found).toEqual([]);
});

test('dialogs and drawers', async ({ page, server, signIn }) => {
  test.slow();
  const { db } = server;
  const rep = await aUser(db, { fullName: 'Olive Over' });
  await aFacility(db, { name: 'Overlay Clinic' });
  for (let n = 0; n < 12; n++) await aQuote(db, { ownerId: rep.id });
  const item = await anItem(db, { number: 'OVER-1', price: 4 });
  await signIn(rep);
  const found: string[] = [];
  const check = async (where: string) => void found.push(...(await serious(page, where)));
  const escape = () => page.keyboard.press('Escape');

  await page.goto(paths.home);
  await settled(page);
  await page.getByRole('button', { name: 'Account of Olive Over' }).click();
  await expect(page.getByRole('menuitem', { name: 'Signout' })).toBeVisible();
  await check('the account menu');
  await escape();
  await page.getByRole('button', { name: 'Keys' }).click();
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await check('the list of keys');
  await page.setViewportSize(PHONE);
  await escape();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await check('the drawer');
  await page.setViewportSize(DESK);

  await page.goto(`${paths.findQuotePublic}?page=1`);
  await settled(page);
  await page.getByRole('combobox', { name: 'Territory' }).click();
  await check('a list of choices');
  await escape();
  await page.getByRole('textbox', { name: 'Date From' }).fill('02/30/2026');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Type a date as mm/dd/yyyy')).toBeVisible();
  await check('a wrong date');
  await page.getByRole('button', { name: 'Open calendar' }).first().click();
  await expect(page.getByRole('button', { name: 'Next month' })).toBeVisible();
  await check('a calendar');
  await escape();
  await page.route('**/SearchQuotesForSalesRep', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto(`${paths.findQuotePublic}?page=1&facilityName=over`);
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await check('a list that could not be loaded');

  await page.goto(paths.newQuote);
  await page.getByRole('combobox', { name: /^Facility/ }).fill('overlay');
  await expect(page.getByRole('option')).toHaveCount(1);
  await check('facilities to choose from');
  await page.getByRole('option').click();
  await expect(page.getByRole('button', { name: 'Change' })).toBeVisible();
  await page.getByLabel('Customer reference').fill('PR-7');
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect(page.getByRole('button', { name: 'Keep editing' })).toBeVisible();
  await check('the question before leaving');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/\/(\?.*)?$/);

  await page.goto(`${paths.itemSearch}?keyword=OVER-1&recent=0`);
  await page.getByLabel('Enter Partial Item # or Name to search').fill(item.itemNumber);
  await page.getByRole('checkbox').uncheck();
  await page.getByRole('button', { name: 'OVER-1' }).click();
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'OVER-1' })).toBeVisible();
  await check('an item');
  await page.getByRole('button', { name: 'Add to quote…' }).click();
  // 'New quote' appears at once; the open quotes appear a moment later.
  await expect(page.getByRole('radio')).not.toHaveCount(1);
  // The list has ten open quotes and the new one.
  await expect(page.getByRole('radio').nth(2)).toBeVisible();
  await page.getByRole('radio').first().check();
  await check('the choice of a quote');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('OVER-1 is on quote')).toBeVisible();
  await check('what was done');
  expect(found).toEqual([]);
});
