// Tests the pivot in a browser: choosing, sorting, keys, the lists behind its cells, its file and views, and users who may not know the cost.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { paths } from '#platform/shared/paths.ts';
import { aReportCompany, REPORT_DAYS } from '#testing/a-report-company.server.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

test.use({ company: 'pivot' });

const at = (more = '') => `${paths.report('pivot')}?from=${REPORT_DAYS.from}&to=${REPORT_DAYS.to}${more}`;

const companies = new WeakMap<TestServer, ReturnType<typeof aReportCompany>>();
/** Created once for all tests of this file. */
function company(server: TestServer): ReturnType<typeof aReportCompany> {
  const company = companies.get(server) ?? aReportCompany(server.db);
  companies.set(server, company);
  return company;
}

const figures = (page: Page) => page.getByRole('table').getByRole('link');
const rowNames = (page: Page) => page.getByRole('table').locator('tbody th').allTextContents();
const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
async function settled(page: Page) {
  await expect(page.getByText(/ · as of /)).toBeVisible();
  await expect(page.locator('[aria-busy="true"], .mantine-Skeleton-root')).toHaveCount(0);
}

test('a choice is in the address, and each figure leads to its list and back', async ({ page, server, signIn }) => {
  await company(server);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto(at());
  await settled(page);
  await expect(
    page.getByRole('heading', { level: 2, name: 'Amount by sales rep and month of Quote Date' }),
  ).toBeVisible();
  await choose(page, 'Rows', 'Item class');
  await choose(page, 'Columns', 'Status');
  await choose(page, 'Measure', 'Won amount');
  await expect(page).toHaveURL(/rows=class&columns=status&value=won/);
  await settled(page);
  await page.getByRole('button', { name: 'Swap rows and columns' }).click();
  await expect(page).toHaveURL(/rows=status&columns=class/);
  // Rows and columns swap.
  await choose(page, 'Rows', 'Item class');
  await expect(page).toHaveURL(/rows=class&columns=status/);
  await settled(page);
  await page.getByRole('button', { name: 'Won', exact: true }).click();
  await expect(page).toHaveURL(/order=desc%3A%3DWon/);
  await expect(page.getByRole('columnheader', { name: 'Won', exact: true })).toHaveAttribute('aria-sort', 'descending');

  const words = await figures(page).first().textContent();
  await figures(page).first().click();
  await settled(page);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Won amount, ');
  await expect(page.getByText(`Net of lines: ${words ?? ''}`)).toBeVisible();
  await page.getByRole('link', { name: '‹ Pivot' }).click();
  await expect(page).toHaveURL(/rows=class&columns=status&value=won&order=desc%3A%3DWon/);

  await settled(page);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const lines = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength((await rowNames(page)).length + 2);
  expect(lines[0]).toMatch(/^Item class,.*Total \(US dollars\)$/);

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this report as a view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Won by class');
  await page.getByRole('button', { name: 'Save view' }).click();
  await expect(page.getByText('Won by class is saved.')).toBeVisible();
  await page.goto(at('&rows=region&columns=none'));
  await settled(page);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Won by class' }).click();
  await expect(page).toHaveURL(/rows=class&columns=status&value=won&order=desc%3A%3DWon/);
});

test('one stop of Tab leads into the figures, arrows from one to the next, Enter to the list', async ({
  page,
  server,
  signIn,
}) => {
  await company(server);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto(at('&rows=region&columns=month&value=quotes'));
  await settled(page);
  await page.getByRole('button', { name: 'Total', exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(figures(page).first()).toBeFocused();
  await page.keyboard.press('End');
  const total = page.getByRole('row').nth(1).getByRole('link').last();
  await expect(total).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('row').nth(2).getByRole('link').last()).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(total).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('table').locator(':focus')).toHaveCount(0);
  await page.keyboard.press('Shift+Tab');
  await expect(total).toBeFocused();
  const count = await total.textContent();
  await page.keyboard.press('Enter');
  await settled(page);
  await expect(page.getByText(`${count ?? ''} quotes`, { exact: true })).toBeVisible();
});

test('a sales rep is offered no margin, and a link to one says no', async ({ page, server, signIn }) => {
  const { reps } = await company(server);
  await signIn({ id: reps[0]?.id ?? 0 });
  await page.goto(at());
  await settled(page);
  await page.getByRole('combobox', { name: 'Measure' }).click();
  await expect(page.getByRole('option', { name: 'Discount off list' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'Margin' })).toHaveCount(0);
  await page.goto(at('&value=margin'));
  await expect(page.getByRole('alert')).toContainText('You do not have permission to see margins.');
  await expect(page.getByRole('table')).toHaveCount(0);
  await choose(page, 'Measure', 'Amount');
  await expect(page.getByRole('table')).toBeVisible();
});

test('a period without quotes says so; on a phone the table scrolls in its own frame', async ({
  page,
  server,
  signIn,
}) => {
  await company(server);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto(`${paths.report('pivot')}?from=2001-01-01&to=2001-01-02`);
  await expect(page.getByText('No quotes in this period.')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(at('&rows=rep&columns=month'));
  await settled(page);
  await expectNoSideScroll(page);
  const name = page.getByRole('table').locator('tbody th').first();
  const left = (await name.boundingBox())?.x;
  await figures(page).last().scrollIntoViewIfNeeded();
  expect((await name.boundingBox())?.x).toBe(left);
  await expectNoSideScroll(page);
});
