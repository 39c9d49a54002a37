// Tests the menu, Home and the administration in a browser: each role gets what it may use, and nothing that the server would refuse.
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

test('a sales rep starts quotes, and changes no facility and no setting', async ({ page, server, signIn }) => {
  const facility = await aFacility(server.db, { name: 'Readable Clinic' });
  await signIn(await aUser(server.db, { roles: ['salesrep'] }));
  await page.goto(paths.facility(facility.id));
  await expect(page.getByRole('region', { name: 'Contacts' })).toContainText('Purchasing');
  await expect(page.getByRole('main').getByRole('button', { name: /Edit|Add|Remove|End|activate/ })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Find My Rep' })).toBeHidden();
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await page.getByRole('main').getByRole('link', { name: 'New Quote' }).click();
  await expect(page).toHaveURL(paths.newQuote);
  await page.goto(paths.audit);
  await expect(page.getByText('It is only for system administrators. Ask one of them for help.')).toBeVisible();
});

test('the contract department reads quotes and starts none', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['contractdept'] }));
  await page.goto(paths.home);
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'New Quote' })).toHaveCount(0);
});

test('a sales administrator finds regions in the settings, and no audit', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['salesadmin'] }));
  await page.goto(paths.settings);
  await expect(page.getByRole('link', { name: /^Regions/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Audit/ })).toHaveCount(0);
});

test('an address whose id is none leads nowhere, and to no form for a new record', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  const nowhere = page.getByRole('heading', { level: 1, name: 'This page does not exist' });
  for (const address of [
    '/admin/territories/abc',
    '/admin/userEdit/0',
    '/admin/userEdit/new',
    '/admin/admin-quote-template/1e3',
    '/facilities/abc',
    '/gpo/contracts/0',
    '/savings/-1',
    '/int-quote-board/abc',
  ]) {
    await page.goto(address);
    await expect(nowhere, address).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Screens' }), address).toBeVisible();
  }
  await page.goto(paths.newTerritory);
  await expect(page.getByRole('heading', { level: 1, name: 'Add Territory' })).toBeVisible();
});
