// Opens every screen of a full company as an administrator, on the narrowest phone: it opens, its tab names it, nothing throws or is too wide.
// The thorough walk is in e2e/every-screen.spec.ts.
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { addressesOf, fullCompany, SIGNED_OUT } from '#testing/full-company.server.ts';
import { STUCK, walkScreens } from '#testing/walk-screens.ts';

test.describe.configure({ mode: 'parallel' });

const PHONE = { width: 360, height: 740 };
const PARTS = 2;

for (let part = 0; part < PARTS; part++)
  test(`every screen opens on a phone, part ${part + 1} of ${PARTS}`, async ({ page, server, signIn }) => {
    // A fault costs a wait; the others are named, too.
    test.slow();
    const company = await fullCompany(server);
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(`${new URL(page.url()).pathname}: ${message}`));
    page.on('response', (response) => {
      if (response.status() >= 500) faults.push(`${response.status()} of ${response.url()}`);
    });
    await page.setViewportSize(PHONE);
    await signIn(company.admin);
    await page.goto(paths.settings);
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    const addresses = addressesOf(company).filter((_, at) => at % PARTS === part);
    const seen = await walkScreens(page, addresses);
    expect(seen.map(({ address }) => address)).toEqual(addresses);
    const wrong = seen.filter(
      ({ title, heading, tooWide, hidesFirstRow }) =>
        heading === STUCK || !/\S · \S/.test(title) || tooWide > 0 || hidesFirstRow,
    );
    expect(wrong).toEqual([]);
    expect(faults).toEqual([]);
  });

test('the screens of who is signed out open on a phone', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto(paths.login);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const { title, heading, tooWide } of await walkScreens(page, SIGNED_OUT)) {
    expect(heading).not.toBe(STUCK);
    expect(title).toMatch(/\S · \S/);
    expect(tooWide).toBe(0);
  }
});
