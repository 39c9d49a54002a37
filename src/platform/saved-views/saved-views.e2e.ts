// Tests saved views in a browser: saving, choosing, sending, start views, sharing, and that the last filters are still stored.
import type { Page } from '@playwright/test';
import { paths } from '#platform/shared/paths.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

const openViews = (page: Page) => page.getByRole('button', { name: 'Views', exact: true }).click();
const view = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name });

async function saveView(page: Page, name: string, { start = false, role = '' } = {}): Promise<void> {
  await openViews(page);
  await view(page, 'Save this list as a view…').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  if (role) {
    await dialog.getByRole('combobox', { name: 'Share with' }).click();
    await page.getByRole('option', { name: role }).click();
    await page.keyboard.press('Escape');
  }
  if (start) await dialog.getByRole('checkbox', { name: 'Use as start view' }).check();
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(dialog).toBeHidden();
}

test('a view of Find Quote is saved, counted, chosen, sent and deleted', async ({ page, server, signIn }) => {
  const facility = await aFacility(server.db, { name: 'Viewed Hospital' });
  for (let n = 0; n < 3; n++) await aQuote(server.db, { facility, statusId: n === 0 ? 'Won' : 'Lost' });
  const user = await aUser(server.db, { roles: ['csrep'] });
  await signIn(user);
  await page.goto(`${paths.findQuoteInternal}?page=1&facilityName=viewed&qtStatuses=Lost&sort=num.asc`);
  await expect(page.getByText('2 quotes')).toBeVisible();
  await saveView(page, 'Lost of Viewed');

  await page.goto(`${paths.findQuoteInternal}?page=1&facilityName=viewed`);
  await expect(page.getByText('3 quotes')).toBeVisible();
  await openViews(page);
  await expect(view(page, /Lost of Viewed/)).toContainText('2');
  await expectAccessible(page, '[role="menu"]');
  await view(page, /Lost of Viewed/).click();
  await expect(page.getByText('2 quotes')).toBeVisible();
  const query = 'page=1&facilityName=viewed&qtStatuses=Lost&sort=num.asc';
  await expect.poll(() => decodeURIComponent(new URL(page.url()).search)).toBe(`?${query}`);

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openViews(page);
  await view(page, 'Manage views…').click();
  const dialog = page.getByRole('dialog', { name: 'Views of this list' });
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByRole('button', { name: 'More for Lost of Viewed' }).click();
  await view(page, 'Copy link').click();
  await expect(page.getByText('The link is copied.')).toBeVisible();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(link).toBe(`${new URL(page.url()).origin}${paths.findQuoteInternal}?${query}`);

  await dialog.getByRole('button', { name: 'More for Lost of Viewed' }).click();
  await view(page, 'Delete…').click();
  await page.getByRole('button', { name: 'Delete view' }).click();
  await expect(dialog).toContainText('No views yet.');
});

test('a start view opens the list; without one the last criteria do', async ({ page, server, signIn }) => {
  const facility = await aFacility(server.db, { name: 'Started Hospital' });
  for (const statusId of ['Won', 'Lost', 'Lost'] as const) await aQuote(server.db, { facility, statusId });
  await signIn(await aUser(server.db, { roles: ['csrep'] }));
  await page.goto(`${paths.findQuoteInternal}?page=1&facilityName=started&qtStatuses=Lost`);
  await expect(page.getByText('2 quotes')).toBeVisible();
  await saveView(page, 'My start', { start: true });
  await page.goto(`${paths.findQuoteInternal}?page=1&facilityName=started`);
  await expect(page.getByText('3 quotes')).toBeVisible();
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await page.getByRole('link', { name: 'Find Quote' }).click();
  await expect(page.getByText('2 quotes')).toBeVisible();
  await expect(page).toHaveURL(/qtStatuses=Lost/);

  await openViews(page);
  await view(page, 'Manage views…').click();
  await page.getByRole('button', { name: 'More for My start' }).click();
  await view(page, 'Remove as start view').click();
  await expect(page.getByRole('dialog')).not.toContainText('Start view');
  await page.goto(`${paths.findQuoteInternal}?page=1&facilityName=started&qtStatuses=Won`);
  await expect(page.getByText('1 quote', { exact: true })).toBeVisible();
  await page.goto(paths.findQuoteInternal);
  await expect(page).toHaveURL(/qtStatuses=Won/);
});

test('a view of an administrative list is shared, renamed by its owner, and read by others', async ({
  page,
  browser,
  server,
  signIn,
}) => {
  const [owner, other] = [
    await aUser(server.db, { roles: ['systemadmin'] }),
    await aUser(server.db, { roles: ['salesadmin'] }),
  ];
  await signIn(owner);
  await aFacility(server.db, { name: 'Counted Facility', active: false });
  await page.goto(`${paths.facilities}?page=1&active=all&keyword=counted&sort=city.desc`);
  await expect(page.getByRole('link', { name: 'Counted Facility' })).toBeVisible();
  await saveView(page, 'By city', { role: 'Sales administrator' });
  await openViews(page);
  await expect(view(page, /By city/)).toContainText('1');
  await view(page, 'Manage views…').click();
  await page.getByRole('button', { name: 'More for By city' }).click();
  await view(page, 'Edit…').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('All by city');
  await page.getByRole('button', { name: 'Save view' }).click();
  await expect(page.getByRole('dialog', { name: 'Views of this list' })).toContainText('All by city');

  const context = await browser.newContext({
    baseURL: new URL(page.url()).origin,
    viewport: { width: 390, height: 844 },
  });
  const second = await context.newPage();
  await signIn(other, second);
  await second.goto(paths.facilities);
  await openViews(second);
  await expect(view(second, /All by city/)).toContainText(owner.fullName);
  await view(second, /All by city/).click();
  await expect(second).toHaveURL(/sort=city\.desc/);
  await expectNoSideScroll(second);
  await openViews(second);
  await view(second, 'Manage views…').click();
  await second.getByRole('button', { name: 'More for All by city' }).click();
  await expect(view(second, 'Copy link')).toBeVisible();
  await expect(view(second, 'Delete…')).toHaveCount(0);
  await context.close();
});

test('Home has its own views', async ({ page, server, signIn }) => {
  const rep = await aUser(server.db, { roles: ['salesrep'], fullName: 'Viewed Rep' });
  await aQuote(server.db, { salesRepId: rep.id, statusId: 'Processing' });
  await signIn(await aUser(server.db, { roles: ['csrep'] }));
  await page.goto(`${paths.home}?page=1&salesRepId=${rep.id}`);
  await saveView(page, 'Of Viewed Rep', { start: true });
  await page.goto(paths.home);
  await expect(page).toHaveURL(new RegExp(`salesRepId=${rep.id}`));
  await openViews(page);
  await expect(view(page, /Of Viewed Rep/)).toContainText('1');
});

test('a view keeps hidden columns, which filters and pages leave hidden', async ({ page, server, signIn }) => {
  const facility = await aFacility(server.db, { name: 'Columned Hospital' });
  for (const statusId of ['Won', 'Lost'] as const) await aQuote(server.db, { facility, statusId });
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  const heading = (name: string) => page.getByRole('columnheader', { name });
  const flip = async (...names: string[]) => {
    await openViews(page);
    for (const name of names) await page.getByRole('menuitemcheckbox', { name }).click();
    await page.keyboard.press('Escape');
  };
  await page.goto(`${paths.findQuoteInternal}?page=1&facilityName=columned`);
  await expect(page.getByText('2 quotes')).toBeVisible();
  await flip('Phone', 'CS Rep.');
  await expect(heading('Phone')).toBeHidden();
  await expect(heading('Facility')).toBeVisible();
  await saveView(page, 'No phones', { start: true });
  await heading('Total Amt.').getByRole('button').click();
  await expect(page).toHaveURL(/sort=totalAmount/);
  await expect(heading('CS Rep.')).toBeHidden();

  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await page.getByRole('link', { name: 'Find Quote' }).click();
  await expect(page.getByText('2 quotes')).toBeVisible();
  await expect(heading('Phone')).toBeHidden();
  await flip('Phone');
  await expect(heading('Phone')).toBeVisible();
  await expect(heading('CS Rep.')).toBeHidden();

  await page.goto('/admin/users');
  await expect(heading('Email')).toBeVisible();
  await flip('Email');
  await expect(heading('Email')).toBeHidden();
  await page.getByRole('textbox', { name: /name/i }).first().fill('zzz');
  await expect(page).toHaveURL(/zzz/);
  await page.getByRole('textbox', { name: /name/i }).first().fill('');
  await expect(heading('Email')).toBeHidden();
});
