// Tests the palette in a browser with the keyboard only: what it offers, opens and does, and what it stores.
import type { Page } from '@playwright/test';
import { paths } from '#platform/shared/paths.ts';
import { aBoard, addField } from '#testing/a-board.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

const field = (page: Page) => page.getByRole('combobox', { name: 'Find anything' });
/** Opens a screen and the palette on it. */
async function openAt(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
}
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
/** Returns the entry that Enter opens. */
const marked = (page: Page) => page.getByRole('option', { selected: true });

test('finds a quote from any screen, opens it, and has it first the next time', async ({ page, server, signIn }) => {
  const { office, quote } = await aBoard(server);
  const { num, facility_name: name } = await server.db
    .selectFrom('quote')
    .select(['num', 'facility_name'])
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  await signIn(office.inside);
  await page.goto(paths.itemSearch);
  // This also works while the focus is in a field.
  await expect(page.getByRole('combobox', { name: 'Class' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Class' }).focus();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(`#${num}`);
  // Enter waits for the answer.
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(paths.internalBoard(quote.id));
  await expect(field(page)).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: String(num) })).toBeVisible();

  await openAt(page, paths.home);
  await expect(marked(page)).toContainText(`${num} ${name}`);
  const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+Enter')]);
  await expect(tab).toHaveURL(paths.internalBoard(quote.id));
  await tab.close();
  await page.keyboard.press('Escape');
  await expect(field(page)).toBeHidden();
});

test('does the actions of the open quote', async ({ page, server, signIn }) => {
  const { office, quote } = await aBoard(server);
  await signIn(office.inside);
  await openAt(page, paths.internalBoard(quote.id));
  await page.keyboard.type('add li');
  await expect(marked(page)).toHaveText('Add a line+');
  await page.keyboard.press('Enter');
  await expect(addField(page)).toBeFocused();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('cancel');
  await expect(marked(page)).toContainText('Cancel');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Cancel');
  // A dialog must be finished first.
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeHidden();
});

test('offers the screens and people that the role may open', async ({ page, server, signIn }) => {
  const person = await aUser(server.db, { fullName: 'Tau Findable' });
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto(paths.home);
  await page.getByRole('button', { name: 'Find anything' }).click();
  await page.keyboard.type('secur log');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(paths.securityLog);
  await expect(page.getByRole('heading', { level: 1, name: 'Security Log' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('tau findable');
  await expect(option(page, /^Tau Findable/)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(paths.editUser(person.id));
});

test('offers a sales rep neither', async ({ page, server, signIn }) => {
  await aUser(server.db, { fullName: 'Ypsi Hidden' });
  await signIn(await aUser(server.db, { roles: ['salesrep'] }));
  await openAt(page, paths.home);
  await page.keyboard.type('security');
  await expect(page.getByText('Nothing found.')).toBeVisible();
  await field(page).fill('ypsi hidden');
  await expect(page.getByText('Nothing found.')).toBeVisible();
  await field(page).fill('find q');
  await expect(marked(page)).toContainText('Find Quote');
});

test('a phone opens it from the head and closes it without a keyboard', async ({ page, server, signIn }) => {
  const facility = await aFacility(server.db, { name: '<b>Chi</b> Phone Clinic' });
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(await aUser(server.db, { roles: ['csrep'] }));
  await page.goto(paths.home);
  await page.getByRole('button', { name: 'Find anything' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(field(page)).toBeHidden();
  await page.getByRole('button', { name: 'Find anything' }).click();
  await field(page).fill('chi phone');
  await expect(option(page, /Chi/)).toContainText('<b>Chi</b> Phone Clinic');
  await expectNoSideScroll(page);
  await option(page, /Chi/).click();
  await expect(page).toHaveURL(paths.facility(facility.id));
});

test('says when the server cannot be asked, and goes on finding screens', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['csrep'] }));
  await page.route('**/api/Palette/FindAnything', (route) => route.abort());
  await openAt(page, paths.home);
  await page.keyboard.type('find quote');
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('The search failed.');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(paths.findQuoteInternal));
});

test('is not there for who is signed out', async ({ page }) => {
  await page.goto(paths.login);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Find anything' })).toHaveCount(0);
});
