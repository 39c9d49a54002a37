// Opens every screen of a full company: axe finds nothing, nothing throws, and every list and form of a screen says what is wrong or missing,
// and follows the keyboard. smoke/every-screen.spec.ts opens them on a phone; src/app/hostile-text.e2e.ts, each by its address.
import type { Page } from '@playwright/test';
import '#app/addons.web.ts';
import { adminScreensWith } from '#core/company/settings/admin-screens.ts';
import { adminScreens } from '#core/company/settings/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { addressesOf, fullCompany, SIGNED_OUT } from '#testing/full-company.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { openScreen, STUCK } from '#testing/walk-screens.ts';

test.describe.configure({ mode: 'parallel' });

const DESK = { width: 1440, height: 900 };
/** The narrowest screen we support. */
const PHONE = { width: 360, height: 740 };
const PARTS = 10;
/** Screens that are one form, in the width of all forms, with their main button at the right end. */
const FORMS: Record<string, [form: string, button: string]> = {
  [paths.company]: ['Company', 'Save'],
  [paths.publicSite]: ['Lock the public site', 'Lock'],
  [paths.newUser]: ['User', 'Add and invite'],
  [paths.newQuote]: ['New Quote', 'Create Quote'],
  [paths.newSavingsAnalysis]: ['New Savings Analysis', 'Read rows'],
};
/** Screens on which a new record is refused until its fields are filled in. */
const NEW: string[] = [
  paths.newUser,
  paths.newQuote,
  paths.newSavingsAnalysis,
  paths.newTerritory,
  paths.newQuoteTemplate,
  paths.newConfigurableModel,
];
/** Its events are older or newer than one of them. */
const WITHOUT_PAGES: string[] = [paths.audit];
/** What nothing is called. */
const NOBODY = 'nobody-goes-by-this';

async function look(page: Page, address: string) {
  const { title, heading, hidesFirstRow } = await openScreen(page, address);
  expect(heading).not.toBe(STUCK);
  expect(title).toMatch(/\S · \S/);
  expect(hidesFirstRow).toBe(false);
  await expectAccessible(page);
  const listed = adminScreensWith(adminScreens.entries().map(({ entry }) => entry)).find(({ to }) => to === address);
  if (listed) {
    await expect(page.getByRole('heading', { level: 1, name: listed.label })).toBeVisible();
    const back = page.getByRole('main').getByRole('link', { name: '‹ Settings' });
    await expect(back).toHaveAttribute('href', paths.settings);
  }
  const form = FORMS[address];
  if (form) await expectFormWidth(page, ...form);
}

/** No screen names a cloud that the company does not have, or a path of the server. */
async function expectPlainPlaces(page: Page, { services }: TestServer) {
  const text = await page.getByRole('main').innerText();
  expect(text).not.toMatch(/\bcloud\b/i);
  expect(text).not.toContain(services.config.dataDir);
}

async function expectFormWidth(page: Page, name: string, action: string) {
  const form = page.getByRole('form', { name });
  const submit = form.getByRole('button', { name: action, exact: true });
  const [around, inner] = [await form.boundingBox(), await submit.boundingBox()];
  const card = await page.getByRole('heading', { level: 1 }).locator('xpath=../..').boundingBox();
  expect(Math.round(card?.width ?? 0)).toBe(860);
  const gap = (around?.x ?? 0) + (around?.width ?? 0) - (inner?.x ?? 0) - (inner?.width ?? 0);
  expect(Math.abs(Math.round(gap))).toBeLessThanOrEqual(20);
}

/** Sends the empty form by keyboard: its fields say what they need, and the first of them gets the focus. */
async function refuseEmpty(page: Page, form: ReturnType<Page['locator']>) {
  await form.locator('input:not([type=hidden]), textarea').first().focus();
  await page.keyboard.press('Control+Enter');
  await expect(form.locator('[aria-invalid="true"]').first()).toBeFocused();
}

/** Escape closes a list or a calendar in a form, and not the form with it. */
async function closeWhatLiesOver(page: Page, dialog: ReturnType<Page['getByRole']>) {
  const dropdown = page.locator('[data-position][class*="-dropdown"]').filter({ visible: true });
  const choices = dialog.locator(
    ':is(.mantine-Select-input, .mantine-MultiSelect-input, [aria-haspopup="dialog"]):enabled',
  );
  for (const choice of await choices.all()) {
    // A list that opened by itself closes by the click.
    await expect(async () => {
      if ((await dropdown.count()) === 0) await choice.click();
      await expect(dropdown).toHaveCount(1, { timeout: 500 });
    }).toPass();
    await page.keyboard.press('Escape');
    await expect(dropdown).toHaveCount(0);
    await expect(choice).toBeVisible();
  }
}

/** The key `a` opens the form of a new record; empty it is refused, and what is typed is not lost by Escape. */
async function addByKey(page: Page) {
  const button = page.getByRole('main').locator('button[aria-keyshortcuts="a"]:enabled');
  if ((await button.count()) === 0) return;
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  const form = dialog.getByRole('form').first();
  const isForm = (await form.count()) > 0;
  if (isForm) await refuseEmpty(page, form);
  await expectAccessible(page, '[role="dialog"]');
  await closeWhatLiesOver(page, dialog);
  await page.setViewportSize(PHONE);
  await expectNoSideScroll(page);
  await page.setViewportSize(DESK);
  if (isForm) {
    const text = form
      .locator('input:enabled:not([readonly], [aria-haspopup]):is([type=text], :not([type])), textarea')
      .first();
    await text.fill('4');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await expect(text).toHaveValue('4');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
  } else await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

/** The key / goes to the search; a list in which nothing is found says so. */
async function findNothing(page: Page): Promise<boolean> {
  await page.keyboard.press('/');
  if ((await page.locator('section.card input[placeholder]:focus').count()) === 0) return false;
  await page.keyboard.type(NOBODY);
  await expect(page).toHaveURL(new RegExp(NOBODY));
  await expect(
    page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /^No [a-zA-Z]/ })
      .first(),
  ).toBeVisible();
  return true;
}

/** A list that cannot be read says so and is read again on demand; past its last page it shows the last one. */
async function failAndRecover(page: Page, address: string) {
  await page.route('**/api/**', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }));
  await page.goto(`${address}?page=50`);
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect(again.first()).toBeVisible();
  await page.unroute('**/api/**');
  await expect(async () => {
    if ((await again.count()) > 0) await again.first().click();
    await expect(again).toHaveCount(0, { timeout: 1000 });
  }).toPass();
  if (WITHOUT_PAGES.includes(address)) return;
  await expect(page).toHaveURL(/[?&]page=1\b/);
  await expect(page.getByRole('main').getByText('No Record Found')).toHaveCount(0);
}

test('the files of a screen arrive compressed', async ({ request }) => {
  const page = await (await request.get(paths.login)).text();
  const script = await request.get(/src="([^"]+\.js)"/.exec(page)?.[1] ?? '', { headers: { 'accept-encoding': 'br' } });
  expect(script.headers()['content-encoding']).toBe('br');
});

test('the screens of who is signed out', async ({ page }) => {
  await page.setViewportSize(DESK);
  await page.goto(paths.login);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const path of SIGNED_OUT) await look(page, path);
  await page.goto(paths.login);
  await page.getByLabel('Email').fill('nobody@example.org');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
  await look(page, paths.quoteDoc('00000000000000000000000000000000'));
});

for (let part = 0; part < PARTS; part++)
  test(`every screen, part ${part + 1} of ${PARTS}`, async ({ page, server, signIn }) => {
    // A fault costs a wait; the others are named, too.
    test.slow();
    const company = await fullCompany(server);
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(`${new URL(page.url()).pathname}: ${message}`));
    await page.setViewportSize(DESK);
    await signIn(company.admin);
    await page.goto(paths.settings);
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    const isPlain = (address: string) => Object.values<unknown>(paths).includes(address);
    for (const address of addressesOf(company).filter((_, at) => at % PARTS === part))
      try {
        await look(page, address);
        await expectPlainPlaces(page, server);
        if (NEW.includes(address)) await refuseEmpty(page, page.getByRole('main').getByRole('form').first());
        if (!isPlain(address) || NEW.includes(address)) continue;
        await addByKey(page);
        if (await findNothing(page)) await failAndRecover(page, address);
      } catch (error) {
        // One run names all screens with a fault.
        faults.push(`${address}: ${String(error)}`);
      }
    expect(faults).toEqual([]);
  });
