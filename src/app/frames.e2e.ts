// What all screens share: a way back to Settings, one width of forms, one place of their main button, New Quote on Home.
import { DOORS } from '#features/company/settings/doors.ts';
import { paths } from '#shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';

test('each settings screen leads back to Settings', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  for (const { to, label } of DOORS) {
    await page.goto(to);
    await expect(page.getByRole('heading', { level: 1, name: label })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: '‹ Settings' }).click();
    await expect(page).toHaveURL(paths.settings);
  }
  await expect(page.getByRole('link', { name: '‹ Settings' })).toHaveCount(0);
});

test('forms have one width, and their main button stands at the right end', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  const forms: [string, string, string][] = [
    [paths.company, 'Company', 'Save'],
    [paths.publicSite, 'Lock the public site', 'Lock'],
    [paths.newUser, 'User', 'Add and invite'],
    [paths.newQuote, 'New Quote', 'Create Quote'],
  ];
  const widths = new Set<number>();
  for (const [path, name, button] of forms) {
    await page.goto(path);
    const form = page.getByRole('form', { name });
    const submit = form.getByRole('button', { name: button, exact: true });
    await expect(submit).toBeVisible();
    const [around, inner] = [await form.boundingBox(), await submit.boundingBox()];
    const card = await page.getByRole('heading', { level: 1 }).locator('xpath=../..').boundingBox();
    widths.add(Math.round(card?.width ?? 0));
    const gap = (around?.x ?? 0) + (around?.width ?? 0) - (inner?.x ?? 0) - (inner?.width ?? 0);
    expect({ path, gap: Math.abs(Math.round(gap)) <= 20 }).toEqual({ path, gap: true });
  }
  expect([...widths]).toEqual([860]);
});

test('Home starts a quote, for those who may', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['salesrep'] }));
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'New Quote' }).click();
  await expect(page).toHaveURL(paths.newQuote);
});

test('Home offers no new quote to who only reads them', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['contractdept'] }));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'New Quote' })).toHaveCount(0);
});
