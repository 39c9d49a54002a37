// Tests what users do before the parts that open over a screen are loaded: it is done once they are loaded, and a part that cannot be loaded shows a
// message.
import type { Page } from '@playwright/test';
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

/** Holds back the files of a part until the returned function is called. */
async function holdBack(page: Page, part: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(new RegExp(`/assets/${part}-.*\\.js`), async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const list = (page: Page) => page.getByRole('table', { name: 'Open Quotes' }).getByRole('link');

test('what is typed after Ctrl+K is meant for the palette, Enter too', async ({ page, server, signIn }) => {
  const release = await holdBack(page, 'PaletteDialog');
  await signIn(await aUser(server.db, { roles: ['csrep'] }));
  await page.goto(paths.home);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('find quote');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Find anything' })).toHaveAttribute('aria-busy');
  release();
  await expect(page).toHaveURL(new RegExp(paths.findQuoteInternal));
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a key, a press and a choice wait for what they open', async ({ page, server, signIn }) => {
  const person = await aUser(server.db, { roles: ['csrep'], fullName: 'Erl Early' });
  await aQuote(server.db, { ownerId: (await aUser(server.db, { fullName: 'Soon Sales' })).id });
  const releases = await Promise.all(
    ['BellDrawer', 'AccountMenu', 'LazySelectOpened', 'KeysDialog'].map((part) => holdBack(page, part)),
  );
  await signIn(person);
  await page.goto(paths.home);
  await expect(list(page).first()).toBeVisible();
  const waits = page.locator('.opening');

  await page.keyboard.press('b');
  await expect(waits).toBeVisible();
  releases[0]?.();
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible();
  await expect(waits).toHaveCount(0);
  await page.keyboard.press('Escape');

  const account = page.getByRole('button', { name: 'Account of Erl Early' });
  await account.click();
  await expect(waits).toBeVisible();
  releases[1]?.();
  await expect(page.getByRole('menuitem', { name: 'Signout' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
  await expect(account).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Signout' })).toBeVisible();
  // On a slow computer the focus is still on the button when the key arrives.
  await account.focus();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
  await expect(account).toBeFocused();

  const choice = page.getByRole('combobox', { name: 'Sales Rep.', exact: true });
  await choice.focus();
  await page.keyboard.press('ArrowDown');
  releases[2]?.();
  await expect(page.getByRole('option', { name: 'Soon Sales' })).toBeVisible();
  await expect(choice).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');

  await page.getByRole('button', { name: 'Shortcuts' }).click();
  releases[3]?.();
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Shortcuts' })).toBeFocused();
});

test('what is typed into a long list of choices before it is there is looked for', async ({ page, server, signIn }) => {
  for (const name of ['Ada', 'Ben', 'Cyd', 'Dot', 'Eve', 'Flo', 'Gus', 'Hal', 'Ivo'])
    await aQuote(server.db, { ownerId: (await aUser(server.db, { fullName: `${name} Seller` })).id });
  const release = await holdBack(page, 'LazySelectOpened');
  await signIn(await aUser(server.db, { roles: ['csrep'] }));
  await page.goto(paths.home);
  await expect(list(page).first()).toBeVisible();
  const choice = page.getByRole('combobox', { name: 'Sales Rep.', exact: true });
  await choice.click();
  await page.keyboard.type('gus');
  release();
  await expect(page.getByRole('option')).toHaveText(['Gus Seller']);
  await expect(choice).toBeFocused();
  // The field is loaded now, so typing replaces the name in it.
  await page.keyboard.press('Tab');
  await expect(choice).toHaveValue('All');
  await choice.click();
  await page.keyboard.type('ivo');
  await expect(page.getByRole('option')).toHaveText(['Ivo Seller']);
});

test('a part that cannot be loaded says so, and the screen stays', async ({ page, server, signIn }) => {
  await page.route(/\/assets\/(BellDrawer|AccountMenu|LazySelectOpened)-.*\.js/, (route) => route.abort());
  await signIn(await aUser(server.db, { roles: ['csrep'], fullName: 'Una Updated' }));
  await page.goto(paths.home);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await page.keyboard.press('b');
  await expect(page.getByRole('alert')).toContainText('The notifications could not be loaded.');
  await page.getByRole('button', { name: 'Account of Una Updated' }).click();
  await expect(page.getByRole('alert')).toContainText('A part of this page could not be loaded.');
  await page.getByRole('combobox', { name: 'Sales Rep.', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('The choices could not be loaded.');
  await page.getByRole('heading', { name: 'Home' }).click();
  await page.keyboard.type('gf');
  await expect(page.getByRole('heading', { name: 'Find Quote' })).toBeVisible();
});
