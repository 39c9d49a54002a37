// Tests that leaving a screen shows that the next one is loading, that keys typed in the meantime do nothing on it, and that a part that cannot be
// loaded is named.
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';

test('while a screen loads, the old one waits and takes no keys', async ({ page, server, signIn }) => {
  const user = await aUser(server.db, { roles: ['csrep'] });
  await signIn(user);
  const loaded = Promise.withResolvers<void>();
  await page.route('**/NewQuotePage-*.js', async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await page.keyboard.type('gn');
  const main = page.getByRole('main');
  await expect(main).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  // The keys that jump to the item search.
  await page.keyboard.type('gi');
  loaded.resolve();
  await expect(page.getByRole('heading', { name: 'New Quote' })).toBeVisible();
  await expect(main).not.toHaveAttribute('aria-busy');
  // They work when nothing is loading.
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await page.keyboard.type('gi');
  await expect(page).toHaveURL(/item-search/);
});

test('a read that fails is named, in print view too', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['csrep'] }));
  await page.route('**/SearchQuotesForSalesRep', (route) => route.abort());
  for (const address of ['/int-quotes', '/int-quotes?printView=1']) {
    await page.goto(address);
    await expect(page.getByRole('alert').filter({ hasText: 'The search failed.' })).toBeVisible();
  }
  await expect(page.getByRole('banner')).toHaveCount(0);
});
