// Tests the reports in a browser: figures open their lists, by pointer and by keyboard; filters, files, and the states without figures.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { sql } from 'kysely';
import { paths } from '#platform/shared/paths.ts';
import { aReportCompany, REPORT_DAYS } from '#testing/a-report-company.server.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { REPORT_TABS } from '../screen/report-tabs.ts';

test.use({ company: 'reports' });

const DAYS = `from=${REPORT_DAYS.from}&to=${REPORT_DAYS.to}`;
const at = (path: string, more = '') => `${path}?${DAYS}${more}`;

const companies = new WeakMap<TestServer, ReturnType<typeof aReportCompany>>();
/** Created once for all tests of this file. */
function company(server: TestServer): ReturnType<typeof aReportCompany> {
  const company = companies.get(server) ?? aReportCompany(server.db);
  companies.set(server, company);
  return company;
}

const plot = (page: Page, name: string) => page.getByRole('figure', { name });
const asTable = (figure: Locator) => figure.getByRole('button', { name: 'Show as table' }).click();
/** The sum above the list behind a figure. */
const sumOf = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: /: / }).locator('b');
const countOf = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /^[\d,]+ quotes?$/ });

async function settled(page: Page) {
  await expect(page.getByText(/ · as of /)).toBeVisible();
  await expect(page.locator('[aria-busy="true"], .mantine-Skeleton-root')).toHaveCount(0);
}

// The pivot has no plots and has its own tests.
for (const { key, label, to } of REPORT_TABS.filter((tab) => tab.key !== 'pivot'))
  test(`${label}: what a figure says, its list adds up to`, async ({ page, server, signIn }) => {
    test.slow();
    await company(server);
    await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
    await page.goto(at(to, '&measure=count'));
    await settled(page);
    if (key === 'territories') await expect(page.locator('.leaflet-container')).toBeVisible();
    const figures = page.getByRole('main').getByRole('figure');
    const tried: string[] = [];
    for (const figure of await figures.all()) {
      if ((await figure.getByRole('button', { name: 'Show as table' }).count()) === 0) continue;
      await asTable(figure);
      const links = figure.getByRole('table').getByRole('link', { name: /^(−?[$€][\d,.]+|\d+ quotes?)$/ });
      // The server compares all of them.
      for (const link of [links.first(), links.last()]) {
        if ((await links.count()) === 0) continue;
        const [words, href] = [await link.textContent(), await link.getAttribute('href')];
        if (!words || !href || !href.includes('slice=')) continue;
        tried.push(`${words} ${href}`);
      }
    }
    // Speed is measured in days, and few of its figures count quotes.
    expect(tried.length).toBeGreaterThan(key === 'speed' ? 1 : 3);
    // The first and the last figure of the report.
    for (const entry of [tried[0] ?? '', tried.at(-1) ?? '']) {
      const [, words = '', href = ''] = /^(.+?) (\/reports\/.+)$/.exec(entry) ?? [];
      await page.goto(href);
      await settled(page);
      const visible = /quote/.test(words) ? countOf(page) : sumOf(page);
      await expect(visible, href).toHaveText(words);
    }
  });

test('keys lead into a plot, from figure to figure and to the list; Back returns', async ({ page, server, signIn }) => {
  await company(server);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto(at(paths.reports));
  await settled(page);
  const figure = plot(page, 'Open quotes by status');
  await figure.getByRole('button', { name: 'Save as picture' }).focus();
  await page.keyboard.press('Tab');
  const marks = figure.getByRole('group', { name: /arrow keys/ }).getByRole('link');
  await expect(marks.first()).toBeFocused();
  await expect(marks.first()).toHaveAccessibleName(/^Editing: \$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(marks.nth(2)).toBeFocused();
  await page.keyboard.press('End');
  await expect(marks.last()).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const words = await marks.nth(1).getAttribute('aria-label');
  expect(words).toMatch(/^Waiting For Process: \$/);
  await expect(figure.getByText(`${words ?? ''} · open the list`)).toBeVisible();
  // The next Tab leaves the plot.
  await page.keyboard.press('Tab');
  await expect(marks.nth(1)).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(marks.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Waiting For Process');
  await expect(sumOf(page)).toHaveText(words?.split(': ')[1] ?? '');
  await expect(page.getByRole('table', { name: 'Quotes in this figure' }).getByRole('row')).not.toHaveCount(1);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`^[^?]*/reports\\?.*from=${REPORT_DAYS.from}`));
  await settled(page);
});

test('the list behind a figure sorts, exports, opens boards and leads back', async ({ page, server, signIn }) => {
  await company(server);
  await signIn(await aUser(server.db, { roles: ['csrep'] }));
  await page.goto(at(paths.report('won-lost'), '&measure=count'));
  await settled(page);
  await page.getByRole('list', { name: 'Key figures' }).getByRole('link', { name: /^Won/ }).click();
  await settled(page);
  const count = Number((await countOf(page).textContent())?.split(' ')[0]);
  expect(count).toBeGreaterThan(3);
  const rows = page.getByRole('table', { name: 'Quotes in this figure' }).getByRole('row');
  await expect(rows).toHaveCount(Math.min(20, count) + 1);
  await page.getByRole('button', { name: '#', exact: true }).click();
  await expect(page).toHaveURL(/sort=num\.asc/);
  await expect(page).toHaveURL(/slice=/);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const lines = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(count + 1);
  await page.getByRole('link', { name: '‹ Won and Lost' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Won and Lost' })).toBeVisible();
  await page.goBack();
  await rows.nth(1).getByRole('link').first().click();
  await expect(page).toHaveURL(/-quote-board\/\d+/);
});

test('filters stand in the address, stay from report to report, and are kept as a view', async ({
  page,
  server,
  signIn,
}) => {
  const { reps, regions } = await company(server);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto(paths.reports);
  await settled(page);
  // The defaults of a blank address are written into it, so that it can be shared.
  await expect(page).toHaveURL(/period=twelveMonths/);
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'This year' }).click();
  await expect(page).toHaveURL(/period=year/);
  const name = await server.db
    .selectFrom('region')
    .select('name')
    .where('id', '=', regions[1]?.id ?? 0)
    .executeTakeFirstOrThrow();
  await page.getByRole('combobox', { name: 'Region' }).click();
  await page.getByRole('option', { name: name.name }).click();
  await expect(page).toHaveURL(new RegExp(`regionId=${regions[1]?.id ?? 0}`));
  await page.getByText('Quotes', { exact: true }).click();
  await expect(page).toHaveURL(/measure=count/);
  await expect(plot(page, 'Open quotes by status').getByText('in quotes')).toBeVisible();
  await settled(page);

  await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Won and Lost' }).click();
  await expect(page).toHaveURL(new RegExp(`/reports/won-lost\\?.*regionId=${regions[1]?.id ?? 0}`));
  await settled(page);
  await page.keyboard.press('4');
  await expect(page.getByRole('heading', { level: 1, name: 'Speed' })).toBeVisible();
  await expect(page).toHaveURL(/period=year/);
  await page.keyboard.press('2');
  await expect(page.getByRole('heading', { level: 1, name: 'Won and Lost' })).toBeVisible();

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this report as a view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('The region this year');
  await page.getByRole('button', { name: 'Save view' }).click();
  await expect(page.getByText('The region this year is saved.')).toBeVisible();
  await page.goto(at(paths.report('won-lost'), `&repId=${reps[0]?.id ?? 0}`));
  await settled(page);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'The region this year' }).click();
  await expect(page).toHaveURL(new RegExp(`regionId=${regions[1]?.id ?? 0}`));
  await expect(page).toHaveURL(/period=year/);
  await expect(page).not.toHaveURL(/repId/);

  // A visit without an address restores the last choice.
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Reports' }).click();
  await expect(page).toHaveURL(new RegExp(`/reports\\?.*regionId=${regions[1]?.id ?? 0}`));
});

test('other days are typed, and never out of order', async ({ page, server, signIn }) => {
  await company(server);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto(at(paths.reports));
  await settled(page);
  await expect(page.getByRole('combobox', { name: 'Period' })).toHaveValue('Custom range');
  await page.getByRole('textbox', { name: 'To' }).fill('07/31/2026');
  await expect(page).toHaveURL(/to=2026-07-31/);
  await page.getByRole('textbox', { name: 'From' }).fill('09/01/2026');
  await expect(page).toHaveURL(/from=2026-09-01&to=2026-09-01/);
  await settled(page);
});

test('a plot is a table, a file and a picture, too', async ({ page, server, signIn }) => {
  await company(server);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto(at(paths.report('won-lost')));
  await settled(page);
  const figure = plot(page, 'Won and lost per month');
  const download = async (button: string) => {
    const saved = page.waitForEvent('download');
    await figure.getByRole('button', { name: button }).click();
    const file = await saved;
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  const csv = await download('Save as CSV');
  expect(csv.name).toBe('won-and-lost-per-month.csv');
  const lines = csv.bytes.toString('utf8').trim().split('\r\n');
  expect(lines[0]).toBe(
    'Month,Won (US dollars),Lost (US dollars),Won quotes,Lost quotes,Win rate by number,Win rate by amount',
  );
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
    ['Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov'].map((month) => `${month} 2026`),
  );
  const png = await download('Save as picture');
  expect(png.name).toBe('won-and-lost-per-month.png');
  expect(png.bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
  // Width and height of the picture, twice those of the drawing.
  expect(png.bytes.readUInt32BE(16)).toBe(1920);
  await asTable(figure);
  await expect(figure.getByRole('row')).toHaveCount(lines.length);
  await expect(figure.getByRole('rowheader', { name: 'Jun 2026' })).toBeVisible();
  await figure.getByRole('button', { name: 'Show as chart' }).click();
  await expect(figure.getByRole('group', { name: /arrow keys/ })).toBeVisible();
});

test('says what the figures mean, what fails, and that there is nothing', async ({ page, server, signIn }) => {
  await company(server);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto(at(paths.reports));
  await settled(page);
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog', { name: 'Pipeline: what the figures mean' });
  await expect(dialog.getByText('No activity', { exact: true })).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await page.goto('/reports/won-lost?from=2020-01-01&to=2020-01-31');
  await settled(page);
  await expect(plot(page, 'Lost by reason').getByText('No quotes were lost in this period.')).toBeVisible();
  await expect(plot(page, 'Lost by reason').getByRole('button')).toHaveCount(0);

  await page.route('**/api/Report/GetSpeed', (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }),
  );
  await page.goto(at(paths.report('speed')));
  await expect(page.getByRole('alert')).toContainText('The report could not be loaded');
  await page.unroute('**/api/Report/GetSpeed');
  await page.getByRole('button', { name: 'Try again' }).click();
  await settled(page);
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.goto('/reports/quotes?slice=nonsense');
  await expect(page.getByText('This list could not be loaded')).toBeVisible();
  await page.goto('/reports/nonsense');
  await expect(page.getByRole('heading', { level: 1, name: 'Pipeline' })).toBeVisible();
});

test('a sales rep sees their own quotes, without margins and the map', async ({ page, server, signIn }) => {
  const { reps } = await company(server);
  const rep = reps[0] ?? { id: 0 };
  await signIn(rep);
  await page.goto(at(paths.report('discount-margin')));
  await settled(page);
  await expect(page.getByRole('figure', { name: /^Margin/ })).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Key figures' })).not.toContainText('Margin');
  await asTable(plot(page, 'Discounts by sales rep'));
  const named = plot(page, 'Discounts by sales rep').getByRole('rowheader');
  await expect(named.first()).toBeVisible();
  const others = await server.db
    .selectFrom('app_user')
    .select('full_name')
    .where(
      'id',
      'in',
      reps.slice(1).map(({ id }) => id),
    )
    .execute();
  expect(others).toHaveLength(2);
  for (const { full_name: name } of others) await expect(named.filter({ hasText: name })).toHaveCount(0);
  await page.keyboard.press('6');
  await settled(page);
  await expect(page.getByRole('region', { name: 'Won by territory' })).toHaveCount(0);
});

test('who has no GPO Contracts tab gets no link to contracts', async ({ page, server, signIn }) => {
  await company(server);
  const user = await aUser(server.db, { roles: ['csrep'] });
  await server.db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', user.id).execute();
  await signIn(user);
  const refused: string[] = [];
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()));
  await page.goto(at(paths.report('contracts')));
  await settled(page);
  await expect(page.getByRole('combobox', { name: 'Sales rep' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Contract' })).toHaveCount(0);
  await expect(page.getByRole('main').locator('a[href^="/gpo/"]')).toHaveCount(0);
  expect(refused).toEqual([]);
});

test('works on a phone, and in dark colors', async ({ page, server, signIn }) => {
  test.slow();
  await company(server);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.addInitScript(() => localStorage.setItem('mantine-color-scheme-value', 'dark'));
  await page.setViewportSize({ width: 390, height: 800 });
  for (const { to } of REPORT_TABS) {
    await page.goto(at(to));
    await settled(page);
    // The map loads later than the plots.
    if (to === paths.report('territories')) await expect(page.locator('.leaflet-container')).toBeVisible();
    await expectNoSideScroll(page);
    for (const figure of await page.getByRole('figure').all())
      if ((await figure.getByRole('button', { name: 'Show as table' }).count()) > 0) await asTable(figure);
    await expectNoSideScroll(page);
  }
});

test('while an old company is prepared, a report says how far it is, and goes on by itself', async ({
  page,
  server,
  signIn,
}) => {
  const { reps } = await company(server);
  const { db } = server;
  // Simulates an update that adds reports: many quotes, and no facts yet.
  await sql`insert into quote (status_id, owner_id, sales_rep_id, quote_date, valid_until)
    select 'Editing', ${reps[0]?.id ?? 0}, ${reps[0]?.id ?? 0}, '2026-11-01', '2026-12-31' from generate_series(1, 12000)`.execute(
    db,
  );
  await sql`delete from report_counted_line`.execute(db);
  await sql`delete from report_quote`.execute(db);
  await sql`update report_state set filled_to = 0, fill_until = null, taken_event = 0, mark_event = 0, mark_before = 0`.execute(
    db,
  );
  // With many events, the facts wait for transactions that were writing before, such as that of this test.
  await sql`alter table quote_event alter column id restart with 30000`.execute(db);
  await sql`insert into quote_event (quote_id, actor, action, revision)
    select id, 'Administrator', 'Save', revision from quote limit 1`.execute(db);
  const writer = await db.startTransaction().execute();
  await sql`select pg_current_xact_id()`.execute(writer);
  await signIn(await aUser(db, { roles: ['systemadmin'] }));
  await page.goto(at(paths.reports, '&measure=count'));
  await expect(page.getByText('Reports are being prepared')).toBeVisible();
  await expect(page.getByText(/^[\d,]+ of 12,0\d\d quotes are included so far/)).toBeVisible();
  await writer.commit().execute();
  await expect(page.getByText('Reports are being prepared')).toHaveCount(0, { timeout: 30_000 });
  await asTable(plot(page, 'Open quotes by status'));
  await expect(plot(page, 'Open quotes by status').getByRole('link').first()).toHaveText(/^12,0\d\d quotes$/);
});
