// Tests signing in, lists, item search and a new quote without a mouse: Tab reaches everything, and the focus is always visible.
import type { Locator, Page } from '@playwright/test';
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

const PASSWORD = 'a long enough password';
/** More Tab stops than the longest of these screens has. */
const MAX_STEPS = 90;

/** Presses Tab until the element has the focus; each stop on the way must be visible. */
async function tabTo(page: Page, place: Locator): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if (await place.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
    expect(await unseen(page)).toBe('');
  }
  throw new Error(`Tab does not reach ${place.toString()}.`);
}

/** Returns the focused element if its focus is not visible, else undefined. */
function unseen(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || focused === document.body) return '';
    // Checkboxes and chips hide their input and show the focus on the shape drawn for it.
    const drawn = [focused, focused.nextElementSibling, focused.parentElement, focused.closest('label')];
    const rings = drawn.some((element) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    });
    const { top, bottom } = focused.getBoundingClientRect();
    const head = focused.closest('header, [role="dialog"], .skip-link')
      ? 0
      : document.querySelector('header')?.clientHeight;
    const inSight = bottom > (head ?? 0) && top < window.innerHeight;
    return rings && inSight ? '' : `${rings ? 'out of sight' : 'no ring'}: ${focused.outerHTML.slice(0, 200)}`;
  });
}

async function choose(page: Page, name: string, option: string) {
  await tabTo(page, page.getByRole('combobox', { name }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option', { name: option })).toBeVisible();
  // An opening list selects its chosen option in its own timer, even after a key press.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  for (let step = 0; step < MAX_STEPS; step++) {
    const at = page.locator('[data-combobox-selected]');
    if ((await at.count()) > 0 && (await at.textContent())?.includes(option)) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name })).toHaveValue(option);
}

test('a day without a mouse', async ({ page, server }) => {
  const { db } = server;
  const region = await aRegion(db, { name: 'Keys Region' });
  await aRegion(db);
  const rep = await aUser(db, { fullName: 'Tabitha Key' });
  const cs = await aUser(db, { roles: ['csrep'], fullName: 'Cody Service' });
  await aUser(db, { roles: ['csrep'] });
  const territory = await aTerritory(db, {
    name: 'Keys South',
    regionId: region.id,
    zips: ['73401'],
    sales: rep.id,
    cs: cs.id,
  });
  await aTerritory(db, { regionId: region.id });
  await aFacility(db, { name: 'Keyboard Clinic', zip: '73401' });
  await anItem(db, { number: 'KEY-1', price: 4 });
  for (let n = 1; n <= 23; n++) {
    await aQuote(db, {
      ownerId: rep.id,
      csRepId: cs.id,
      facilityName: `Keyboard Ward ${n}`,
      statusId: 'Editing',
      quoteDate: `2026-03-${String(n).padStart(2, '0')}`,
      regionId: region.id,
      territoryId: territory.id,
      itemNumbers: ['KEY-1'],
    });
  }
  const hash = await hashPassword(PASSWORD);
  await db.updateTable('app_user').set({ password_hash: hash }).where('id', '=', rep.id).execute();

  // Sign in.
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(rep.userName);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const open = page.getByRole('table', { name: 'Open Quotes' });
  await expect(open.getByRole('row')).toHaveCount(21);

  // Home: filters, opens a quote, and comes back to the same list.
  await choose(page, 'Customer Service Rep.', 'Cody Service');
  await expect(page).toHaveURL(/csRepId=/);
  await expect(open.getByRole('row')).toHaveCount(21);
  const address = page.url();
  await tabTo(page, open.getByRole('link').first());
  await page.keyboard.press('ArrowDown');
  expect(await unseen(page)).toBe('');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/pub-quote-board/);
  await page.goBack();
  await expect(page).toHaveURL(address);

  // Tabs backward up the list, where the sticky header could cover the focus.
  await tabTo(page, open.getByRole('link').last());
  for (let step = 0; step < 20; step++) {
    await page.keyboard.press('Shift+Tab');
    expect(await unseen(page)).toBe('');
  }

  // Find Quote: every filter, the chips, pages, order, export.
  await page.keyboard.type('gf');
  const results = page.getByRole('table', { name: 'Quotes found' });
  await expect(results.getByRole('row')).toHaveCount(21);
  await page.keyboard.press('/');
  await expect(page.getByLabel('Quote #')).toBeFocused();
  await tabTo(page, page.getByLabel('Facility Name'));
  await page.keyboard.type('keyboard');
  await tabTo(page, page.getByLabel('Item #'));
  await page.keyboard.type('key');
  await tabTo(page, page.getByRole('textbox', { name: 'Date From' }));
  await page.keyboard.type('03/01/2026');
  await tabTo(page, page.getByRole('textbox', { name: 'Date To' }));
  await page.keyboard.type('03/22/2026');
  await choose(page, 'Region', 'Keys Region');
  await choose(page, 'Territory', 'Keys South');
  await choose(page, 'Customer Service Rep.', 'Cody Service');
  await tabTo(page, page.getByRole('checkbox', { name: 'Editing' }));
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('22 quotes')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Remove Item # key' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove Item # key' })).toHaveCount(0);
  await expect(page.getByText('22 quotes')).toBeVisible();
  await tabTo(page, results.getByRole('button', { name: 'Facility' }));
  await page.keyboard.press('Enter');
  await expect(results.getByRole('columnheader', { name: 'Facility' })).toHaveAttribute('aria-sort', 'ascending');
  await page.keyboard.press(']');
  await expect(results.getByRole('row')).toHaveCount(3);
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('e')]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toContainText('Previous page');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // Item/Product Search: from typing to the line on a quote.
  await page.keyboard.type('gi');
  await expect(page.getByLabel('Enter Partial Item # or Name to search')).toBeFocused();
  await page.keyboard.type('KEY-1');
  await tabTo(page, page.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'KEY-1' })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'KEY-1' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Add to quote…' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('searchbox', { name: 'Quote' })).toBeFocused();
  await page.keyboard.type('Keyboard Ward 7');
  await expect(page.getByRole('radio')).toHaveCount(2);
  await tabTo(page, page.getByRole('radio').first());
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('KEY-1 is on quote')).toBeVisible();
  await page.keyboard.press('Escape');

  // A new quote: from the facility to the board.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.type('gn');
  await expect(page.getByRole('combobox', { name: /^Facility/ })).toBeFocused();
  await page.keyboard.type('keyboard cl');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Keyboard Clinic')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/pub-quote-board\/\d+$/);
});
