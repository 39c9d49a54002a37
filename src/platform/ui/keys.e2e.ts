// Tests that a single letter works only if nothing is open over the screen, that jumps take two keys, that Escape leaves a search, and what the list
// of keys shows.
import type { Page } from '@playwright/test';
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { fullCompany } from '#testing/full-company.server.ts';
import { openScreen } from '#testing/walk-screens.ts';

/** Returns the entries of the list of keys, such as 'g then n New Quote'. */
async function keysOn(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  const rows = page.getByRole('dialog', { name: 'Shortcuts' }).getByRole('row');
  await expect(rows.first()).toBeVisible();
  const keys = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent).join(' ')),
  );
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  return keys;
}

test('a jump takes two keys, and a letter alone does not leave the screen', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db));
  await page.goto(paths.home);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await page.keyboard.type('nfiop');
  await page.keyboard.type('gz');
  await page.keyboard.press('g');
  await page.keyboard.press('Escape');
  await page.keyboard.type('f');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await page.keyboard.type('gf');
  await expect(page.getByRole('heading', { name: 'Find Quote' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.type('gi');
  const search = page.getByRole('searchbox');
  await expect(search).toBeFocused();
  await page.keyboard.type('glove');
  await page.keyboard.press('Escape');
  await expect(search).not.toBeFocused();
  await expect(search).toHaveValue('glove');
  await page.keyboard.type('gH');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
});

test('no letter acts while a menu, a drawer, a list or a field is open', async ({ page, server, signIn }) => {
  const person = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Lee Letter' });
  await aQuote(server.db, { ownerId: (await aUser(server.db)).id });
  await signIn(person);
  await page.goto(paths.users);
  await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible();
  const openers = ['Account of Lee Letter', 'Notifications', 'Shortcuts'];
  for (const opener of openers) {
    await page.getByRole('button', { name: opener }).click();
    const over = page.getByRole('menu').or(page.getByRole('dialog'));
    await expect(over).toHaveCount(1);
    // This applies even if the focus is not inside. A menu that loses the focus closes.
    for (const unfocused of opener.startsWith('Account') ? [false] : [false, true]) {
      if (unfocused) await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      for (const key of 'abgfgo') {
        await page.keyboard.press(key);
        await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy');
        await expect(over).toHaveCount(1);
      }
      expect(page.url(), opener).toContain(paths.users);
    }
    await page.keyboard.press('Escape');
    await expect(over).toHaveCount(0);
  }
  await page.keyboard.press('/');
  await page.keyboard.type('gfa');
  await expect(page.locator('input:focus')).toHaveValue('gfa');
  await page.keyboard.press('Escape');
  await expect(page.locator('input:focus')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('each key is once in the list of a screen', async ({ page, server, signIn }) => {
  const { admin, records } = await fullCompany(server);
  const { internalBoard, facility, contract, savingsAnalysis, savedMap, product } = records;
  await signIn(admin);
  await page.goto(paths.settings);
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  const twice: string[] = [];
  for (const screen of [
    paths.findQuoteInternal,
    internalBoard,
    facility,
    contract,
    savingsAnalysis,
    savedMap,
    product,
  ]) {
    await openScreen(page, screen ?? '');
    const names = (await keysOn(page)).map((line) =>
      line
        .split(' ')
        .slice(0, line.includes(' then ') ? 3 : 1)
        .join(' '),
    );
    twice.push(...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${screen}: ${name}`));
    expect(names).toContain('g then h');
  }
  expect(twice).toEqual([]);
});
