// Tests territory plans in a browser: the list, and one plan from its first ZIP to its rollback by keyboard alone.
import { loadCompany, today } from '#platform/company/company.server.ts';
import { addDays, formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

test.use({ company: 'houston' });

let codes = 60_100;
/** Two territories of a region, the first with ten ZIPs, a facility in one of them and an open quote. */
async function twoTerritories({ db }: TestServer, east: string, west: string) {
  const region = await aRegion(db, {});
  const zips = Array.from({ length: 10 }, () => String(++codes));
  const rita = await aUser(db, { fullName: `Rita ${east}` });
  const sue = await aUser(db, { fullName: `Sue ${west}` });
  const from = await aTerritory(db, { name: east, regionId: region.id, zips, sales: rita.id });
  const to = await aTerritory(db, { name: west, regionId: region.id, sales: sue.id });
  const facility = await aFacility(db, { name: `Clinic ${east}`, zip: zips[0] ?? '' });
  await aQuote(db, { facility, ownerId: rita.id, regionId: region.id });
  return { zips, from, to, region };
}

const dayHere = async (server: TestServer) => today(server.services, await loadCompany(server.db));
const holders = async ({ db }: TestServer, zips: string[]) =>
  (
    await db
      .selectFrom('zip_assignment')
      .select(['zip5', 'territory_id', 'valid_from', 'valid_to'])
      .where('zip5', 'in', zips)
      .orderBy('zip5')
      .orderBy('valid_from')
      .execute()
  ).map((row) => ({ ...row }));

test('a person creates, fills, weighs, publishes and rolls back a plan by keyboard alone', async ({
  page,
  server,
  signIn,
}) => {
  test.slow();
  const admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  const { zips } = await twoTerritories(server, 'Eastern Shore', 'Western Hills');
  const before = await holders(server, zips);
  await signIn(admin);
  await page.goto(paths.savedMaps);
  await expect(page.getByRole('button', { name: 'New plan' })).toBeVisible();

  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'Plan' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('This field is required')).toBeVisible();
  await page.keyboard.type('Next year');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Next year' })).toBeVisible();
  await expect(page).toHaveURL(/\/tools\/zipsAssignMapSaved\/\d+$/);

  await page.keyboard.press('a');
  const add = page.getByRole('form', { name: 'Add ZIPs' });
  await expect(add.getByRole('textbox', { name: 'ZIPs' })).toBeFocused();
  await page.keyboard.insertText(`${zips.join('\n')}\n0000\n00000`);
  await page.keyboard.press('Tab');
  await page.keyboard.type('western');
  await expect(page.getByRole('option')).toHaveText(['Western Hills']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await expect(add.getByText('Not ZIPs: 0000')).toBeVisible();
  await expect(add.getByText('Unknown ZIPs: 00000')).toBeVisible();
  await add.getByRole('button', { name: 'Remove them' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await expect(add).toBeHidden();
  const moves = page.getByRole('table', { name: 'Moves' });
  await expect(moves.getByRole('row')).toHaveCount(11);
  await expect(page.getByText(/^Saved \d/)).toBeVisible();
  await expect(moves.getByRole('row', { name: new RegExp(zips[3] ?? '') })).toContainText('Eastern Shore');

  // Remove one move, undo, redo, undo.
  await moves.getByLabel(`Select ${zips[3]}`).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Delete');
  await expect(moves.getByRole('row')).toHaveCount(10);
  await page.keyboard.press('Control+z');
  await expect(moves.getByRole('row')).toHaveCount(11);
  await page.keyboard.press('Control+Shift+z');
  await expect(moves.getByRole('row')).toHaveCount(10);
  await page.keyboard.press('Control+z');
  await expect(moves.getByRole('row')).toHaveCount(11);
  await expect(page.getByText(/^Saved \d/)).toBeVisible();

  await page.getByRole('tab', { name: 'Moves (10)' }).focus();
  await page.keyboard.press('ArrowRight');
  const effects = page.getByRole('table', { name: 'Effect by territory' });
  await expect(effects.getByRole('row', { name: /Eastern Shore/ })).toContainText('10 → 0');
  await expect(effects.getByRole('row', { name: /Western Hills/ })).toContainText('0 → 10');
  await expect(page.getByRole('table', { name: 'Effect by sales rep' })).toContainText('Gains 1 facility');

  await page.keyboard.press('p');
  const dialog = page.getByRole('dialog', { name: 'Publish Next year' });
  const tomorrow = addDays(await dayHere(server), 1);
  await expect(dialog.getByText('10 ZIPs change territory')).toBeVisible();
  await expect(dialog.getByLabel('From')).toHaveValue(formatDate(tomorrow));
  expect(await holders(server, zips)).toEqual(before);

  // The Back button prompts before it discards what is typed into the dialog.
  const from = dialog.getByLabel('From');
  await from.fill('12/31/2099');
  await page.evaluate(() => history.back());
  const keep = page
    .getByRole('dialog', { name: 'Discard your changes?' })
    .getByRole('button', { name: 'Keep editing' });
  await keep.click();
  await expect(from).toHaveValue('12/31/2099');
  await from.fill(formatDate(tomorrow));
  await expect(dialog.getByText('10 ZIPs change territory')).toBeVisible();
  // It also prompts after a failed save, before anything else is typed.
  await page.route('**/publishSavedMap', (route) =>
    (route.request().postDataJSON() as { apply: boolean }).apply
      ? route.fulfill({ status: 500, body: '{}' })
      : route.fallback(),
  );
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await page.evaluate(() => history.back());
  await keep.click();
  await page.unroute('**/publishSavedMap');
  await expect(from).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(`Next year is published. 10 ZIPs will move on ${formatDate(tomorrow)}.`)).toBeVisible();
  await expect(page.getByText('This plan is published. Copy it to plan more changes.')).toBeVisible();
  expect((await holders(server, zips)).filter(({ valid_from }) => valid_from === tomorrow)).toHaveLength(10);

  await page.getByRole('button', { name: 'Roll back' }).focus();
  await page.keyboard.press('Enter');
  const back = page.getByRole('dialog', { name: 'Roll back Next year?' });
  await back.getByRole('button', { name: 'Roll back' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('This plan was rolled back', { exact: false })).toBeVisible();
  expect(await holders(server, zips)).toEqual(before);

  await page.getByRole('link', { name: '‹ Territory Plans' }).focus();
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: /Next year/ });
  await expect(row).toContainText('Rolled back');
  await page.keyboard.press('/');
  await page.keyboard.type('nothing like it');
  await expect(page.getByText('No Record Found')).toBeVisible();
});
