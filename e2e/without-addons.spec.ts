// Tests the program without its add-ons: the main job with all of them off, and what switching one off does on screen.
import type { BrowserContext, BrowserContextOptions } from '@playwright/test';
import { addonsServer } from '#app/addons.server.ts';
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { runMainJourney } from '#testing/main-journey.ts';

test.use({ company: 'without add-ons' });

test.afterEach(async ({ server }) => {
  await server.db.deleteFrom('switched_off_addon').execute();
});

test('from sign-in to an accepted quote with all add-ons off', async ({ page, browser, server, address, signIn }) => {
  test.setTimeout(180_000);
  await server.db
    .insertInto('switched_off_addon')
    .values(addonsServer.map(({ addon: { name } }) => ({ name, at: new Date() })))
    .execute();
  const refused: string[] = [];
  const watch = (context: BrowserContext) => {
    context.on('response', (response) => {
      if (response.status() === 404) refused.push(new URL(response.url()).pathname);
    });
    return context;
  };
  watch(page.context());
  const newContext = async (options?: BrowserContextOptions) => watch(await browser.newContext(options));
  await runMainJourney({ page, browser: { newContext }, server, address, signIn });
  // No screen of the core asks an add-on for anything.
  expect(refused).toEqual([]);
});

test('an administrator switches a feature off and on', async ({ page, server, signIn }) => {
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  await signIn(admin);
  await page.goto(paths.settings);
  const company = page.getByRole('region', { name: 'Company' });
  await expect(company.getByRole('link', { name: /^Webhooks/ })).toContainText('Notify other systems');
  await company.getByRole('link', { name: /^Features/ }).click();
  const tab = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Reports' });
  await expect(tab).toBeVisible();
  const list = page.getByRole('main');
  await list.getByRole('switch', { name: 'Reports' }).press(' ');
  const dialog = page.getByRole('dialog', { name: 'Switch off Reports?' });
  await expect(dialog).toContainText('Reports are not sent by email.');
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByText('Reports is switched off.')).toBeVisible();
  await expect(tab).toHaveCount(0);
  await expect(list.getByRole('region', { name: 'History' })).toContainText('Ada Admin');

  await page.goto(paths.reports);
  await expect(page.getByRole('heading', { level: 1, name: 'This feature is switched off' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Features' }).click();
  await page.getByRole('switch', { name: 'Reports' }).press(' ');
  await expect(tab).toBeVisible();
  await tab.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pipeline' })).toBeVisible();
});

test('a board without add-ons has no trace of them', async ({ page, server, signIn }) => {
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  const quote = await aPricedQuote(server.db, { statusId: 'Processing' });
  await server.db
    .insertInto('switched_off_addon')
    .values(addonsServer.map(({ addon: { name } }) => ({ name, at: new Date() })))
    .execute();
  await signIn(admin);
  await page.goto(paths.internalBoard(quote.id));
  await page.getByRole('button', { name: 'More line actions' }).click();
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Add from template…' })).toBeVisible();
  for (const name of ['Configure', 'Import configurator file…', 'Request a contract price…'])
    await expect(menu.getByRole('menuitem', { name, exact: true })).toHaveCount(0);
});
