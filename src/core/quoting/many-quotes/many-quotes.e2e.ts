// Tests steps with many quotes from Find Quote in a browser: selecting, checking, outcomes, undo, a lost response, phones.
import fs from 'node:fs';
import type { Page } from '@playwright/test';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

let nth = 0;
/** Quotes of a separate sales representative, which the search for the facility finds. */
async function someQuotes(server: TestServer, statuses: StatusId[]) {
  const rep = await aUser(server.db);
  const facilityName = `Bulk Clinic ${++nth} ${rep.id}`;
  const quotes: Awaited<ReturnType<typeof aPricedQuote>>[] = [];
  for (const statusId of statuses) {
    quotes.push(await aPricedQuote(server.db, { salesRepId: rep.id, ownerId: rep.id, facilityName, statusId }));
  }
  const rowOf = (at: number) =>
    server.db
      .selectFrom('quote')
      .selectAll()
      .where('id', '=', quotes[at]?.id ?? 0)
      .executeTakeFirstOrThrow();
  const path = `quotes?page=1&facilityName=${encodeURIComponent(facilityName)}`;
  return { rep, quotes, rowOf, path };
}
const tick = (page: Page, quote: { num: number } | undefined) =>
  page.getByRole('checkbox', { name: `Select quote ${quote?.num}` });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected quotes' });

test('cancels those of the selected quotes that can be, and says of each what became of it', async ({
  page,
  server,
  signIn,
}) => {
  const { rep, quotes, rowOf, path } = await someQuotes(server, ['Editing', 'Won', 'Processing', 'Editing']);
  await signIn(rep);
  await page.goto(`/pub-${path}`);
  for (const at of [0, 1, 2]) await tick(page, quotes[at]).click();
  await expect(bar(page)).toContainText('3 selected');
  await expect(bar(page).getByRole('button')).toHaveText([
    'Clear',
    'Assign…',
    'Extend…',
    'Cancel…',
    'Export',
    'Select all 4',
  ]);

  await bar(page).getByRole('button', { name: 'Cancel…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel 3 quotes' });
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Check' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('Asked for twice');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await expect(dialog).toContainText('2 of 3 quotes can be canceled. The others do not change.');
  await expect(dialog).toContainText('Reason: Asked for twice');
  const remarks = dialog.getByRole('table', { name: 'Remarks' });
  await expect(remarks.getByRole('row')).toHaveCount(2);
  await expect(remarks).toContainText('This quote is won. A sales administrator can reopen it.');
  expect((await rowOf(0)).status_id).toBe('Editing');
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect(dialog.getByLabel('Reason')).toHaveValue('Asked for twice');
  await dialog.getByRole('button', { name: 'Check' }).click();

  await dialog.getByRole('button', { name: 'Cancel 2 quotes' }).click();
  await expect(dialog).toContainText('2 canceled, 1 not canceled');
  const outcomes = dialog.getByRole('table', { name: 'Outcome of each quote' });
  await expect(outcomes.getByRole('row', { name: String(quotes[0]?.num) })).toContainText('Canceled');
  await expect(outcomes.getByRole('row', { name: String(quotes[1]?.num) })).toContainText('This quote is won.');
  await expect(outcomes.getByRole('link').first()).toHaveAttribute('href', `/pub-quote-board/${quotes[0]?.id}`);
  await expect(dialog.getByRole('button', { name: /^Undo/ })).toHaveCount(0);
  await expectAccessible(page, '[role="dialog"]');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'CSV' }).click(),
  ]);
  expect(
    fs
      .readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n'),
  ).toHaveLength(4);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect([(await rowOf(0)).status_id, (await rowOf(1)).status_id, (await rowOf(2)).status_id]).toEqual([
    'Cancelled',
    'Won',
    'Cancelled',
  ]);

  // The refused one stays selected. The list shows which quotes were canceled.
  await expect(bar(page)).toContainText('1 selected');
  await expect(page.getByRole('table', { name: 'Quotes found' }).getByText('Cancelled')).toHaveCount(2);
});

test('assigns by the keyboard alone, and puts back all but what somebody changed since', async ({
  page,
  server,
  signIn,
}) => {
  const cs = await aUser(server.db, { roles: ['csrep'], fullName: `Casey Chosen ${++nth}` });
  const { quotes, rowOf, path } = await someQuotes(server, ['Editing', 'Editing', 'Editing']);
  await signIn(await aUser(server.db, { roles: ['insiderep'] }));
  await page.goto(`/int-${path}&sort=num.asc`);
  await page.getByRole('link', { name: String(quotes[0]?.num) }).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+X');
  await expect(bar(page)).toContainText('3 selected');
  await bar(page).getByRole('button', { name: 'Assign…' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Sales Rep.' }).last()).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Casey Chosen');
  await expect(page.getByRole('option', { name: cs.fullName })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Assign 3 quotes' });
  await expect(dialog).toContainText('All 3 quotes can be assigned.');
  await expect(dialog).toContainText(`CS Rep. ${cs.fullName}`);
  await expect(dialog.getByRole('button', { name: 'Assign 3 quotes' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('3 assigned');
  await expect(dialog.getByRole('button', { name: 'Close' }).last()).toBeFocused();
  expect((await rowOf(2)).cs_rep_id).toBe(cs.id);

  // Another user changes the second quote.
  await server.db
    .updateTable('quote')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', quotes[1]?.id ?? 0)
    .execute();
  await dialog.getByRole('button', { name: `Undo ${quotes[0]?.num}` }).click();
  await expect(dialog).toContainText('2 assigned, 1 undone');
  await dialog.getByRole('button', { name: 'Undo 2 quotes' }).click();
  await expect(dialog).toContainText('1 assigned, 2 undone');
  await expect(dialog.getByRole('row', { name: String(quotes[1]?.num) })).toContainText('Not undone:');
  expect([(await rowOf(0)).cs_rep_id, (await rowOf(1)).cs_rep_id, (await rowOf(2)).cs_rep_id]).toEqual([
    null,
    cs.id,
    null,
  ]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(bar(page)).toContainText('3 selected');
  await page.keyboard.press('Escape');
  await expect(bar(page)).toBeHidden();
});

test('names the quotes whose answer was lost, and goes on without doing anything twice', async ({
  page,
  server,
  signIn,
}) => {
  const { quotes, rowOf, path } = await someQuotes(server, ['Editing', 'Editing']);
  await signIn(await aUser(server.db, { roles: ['insiderep'] }));
  await page.goto(`/int-${path}`);
  await page.getByRole('checkbox', { name: 'Select all quotes on this page' }).click();
  await bar(page).getByRole('button', { name: 'Extend…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Extend 2 quotes' });
  await dialog.getByRole('textbox', { name: 'Valid until' }).fill('01/01/2020');
  await expect(dialog).toContainText('Choose today or a later date');
  await dialog.getByRole('textbox', { name: 'Valid until' }).fill('12/31/2098');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await expect(dialog).toContainText('All 2 quotes can be extended.');
  // The server applies the step, and the connection breaks before its response.
  await page.route('**/ManyQuotes/ChangeQuotes', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Extend 2 quotes' }).click();
  await expect(dialog).toContainText('2 unknown');
  await page.unroute('**/ManyQuotes/ChangeQuotes');
  const { version } = await rowOf(0);
  await dialog.getByRole('button', { name: 'Continue with 2 quotes' }).click();
  await expect(dialog).toContainText('2 extended');
  await expect(dialog.getByRole('row', { name: String(quotes[0]?.num) })).toContainText('Already done.');
  expect(await rowOf(0)).toMatchObject({ version, valid_until: '2098-12-31' });
  await dialog.getByRole('button', { name: 'Undo 2 quotes' }).click();
  await expect(dialog).toContainText('2 undone');
  expect((await rowOf(1)).valid_until).toBe('2027-01-01');
});

test('the selection outlasts pages and order, ends with other criteria, and can be exported', async ({
  page,
  server,
  signIn,
}) => {
  const { quotes, path } = await someQuotes(
    server,
    Array.from({ length: 22 }, () => 'Editing' as const),
  );
  await signIn(await aUser(server.db, { roles: ['contractdept'] }));
  await page.goto(`/int-${path}&sort=num.asc`);
  await tick(page, quotes[1]).click();
  await tick(page, quotes[4]).click({ modifiers: ['Shift'] });
  await expect(bar(page)).toContainText('4 selected');
  // A user who can only read quotes can only export them.
  await expect(bar(page).getByRole('button')).toHaveText(['Clear', 'Export', 'Select all 22']);
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  await tick(page, quotes[20]).click();
  await expect(bar(page)).toContainText('5 selected');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    bar(page).getByRole('button', { name: 'Export' }).click(),
  ]);
  const lines = fs
    .readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
    .slice(1);
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual([1, 2, 3, 4, 20].map((at) => quotes[at]?.num));
  await bar(page).getByRole('button', { name: 'Select all 22' }).click();
  await expect(bar(page)).toContainText('22 selected');
  await page.getByRole('group', { name: 'Status' }).getByText('Editing').click();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page).toHaveURL(/qtStatuses=Editing/);
  await expect(bar(page)).toBeHidden();
  await expect(page.getByRole('checkbox', { checked: true, name: /Select/ })).toHaveCount(0);
});

test('selects on a phone after a press of Select', async ({ page, server, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { rep, quotes, path } = await someQuotes(server, ['Editing', 'Won']);
  await signIn(rep);
  await page.goto(`/pub-${path}`);
  await expect(page.getByRole('list', { name: 'Quotes found' }).getByRole('listitem')).toHaveCount(2);
  await expect(tick(page, quotes[0])).toHaveCount(0);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  for (const quote of quotes) await tick(page, quote).click();
  await expect(bar(page)).toContainText('2 selected');
  await bar(page).getByRole('button', { name: 'Cancel…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel 2 quotes' });
  await dialog.getByLabel('Reason').fill('Asked for twice');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await expect(dialog).toContainText('1 of 2 quotes can be canceled.');
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await expect(bar(page)).toBeHidden();
  await expect(tick(page, quotes[0])).toHaveCount(0);
});
