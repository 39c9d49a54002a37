// Tests territories from a file to the map, and a plan that is drawn, weighed, published and reverted. docs/territory-map.md
// describes it, and this file takes the pictures.
import { adjacencyOf } from '#core/territories/zip-areas/adjacency.server.ts';
import { builtInAreas } from '#core/territories/zip-areas/area-set.server.ts';
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { picture } from '#testing/picture.ts';
import { aFacility, aRegion, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test.use({ company: 'map journey' });

/** Returns areas around the middle of Houston, nearest first. */
async function aroundHouston(count: number): Promise<string[]> {
  const neighbors = await adjacencyOf(await builtInAreas());
  const results = ['77002'];
  for (const zip of results) {
    if (results.length >= count) break;
    for (const next of neighbors.get(zip) ?? []) if (!results.includes(next)) results.push(next);
  }
  return results.slice(0, count);
}

test('territories are imported from a file, planned on the map, published and reverted', async ({
  page,
  server,
  signIn,
}) => {
  test.slow();
  const { db } = server;
  await aRegion(db, { name: 'Gulf' });
  const rep = await aUser(db, { fullName: 'Nora North' });
  const zips = await aroundHouston(80);
  await signIn(await aUser(db, { roles: ['salesadmin'], fullName: 'Ada Admin' }));
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.goto(paths.tazImport);
  const rows = zips.map((zip, i) => `${zip},${i < 48 ? 'Houston Center' : 'Houston Rim'},Gulf,01/01/2025`);
  const file = ['ZIP,Territory,Region,Effective Date', ...rows].join('\n');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'gulf.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await wizard.getByRole('checkbox', { name: 'Create missing territories' }).check();
  await wizard.getByRole('button', { name: 'Check' }).click();
  await expect(wizard.getByLabel('Figures')).toBeVisible();
  await wizard.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(wizard.getByText(/^Imported by/)).toBeVisible();

  // Puts most customers in the middle.
  for (const [i, zip] of zips.slice(0, 60).entries()) {
    const facility = await aFacility(db, { name: `Houston Clinic ${i + 1}`, zip });
    if (i % 2 === 0) await aQuote(db, { facility, ownerId: rep.id, totalAmount: 1000 + i * 10 });
  }

  await page.goto('/tools/zipsAssignMap?at=29.760_-95.370_10');
  const legend = page.getByRole('list', { name: 'Legend' });
  await expect(legend).toContainText('Houston Rim', { timeout: 60_000 });
  await picture(page, 'territory-map/map');
  await page.getByRole('tab', { name: 'Territories' }).click();
  await expect(page.getByRole('table', { name: 'Territories on the map' })).toContainText('Houston Center');

  await page.getByRole('link', { name: 'Territory Plans' }).click();
  await expect(page.getByRole('heading', { name: 'Territory Plans' })).toBeVisible();
  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'Plan' });
  await form.getByLabel('Name').fill('Houston next year');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Houston next year' })).toBeVisible();

  await expect(legend).toContainText('Houston Rim', { timeout: 60_000 });
  // By keyboard: finds the ZIP, selects its whole territory, moves it, and undoes the move.
  await page.keyboard.press('f');
  await page.keyboard.type('Houston Rim');
  await expect(page.getByRole('option', { name: /Houston Rim/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Selection (32)' })).toBeVisible();
  await page.getByRole('button', { name: 'Move 32 to …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'To' }).fill('Houston Center');
  await page.getByRole('option', { name: 'Houston Center' }).click();
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Moves (32)' })).toBeVisible();
  await expect(page.getByText(/^Saved \d/)).toBeVisible();
  await picture(page, 'territory-map/plan');
  await page.getByRole('tab', { name: 'Effects' }).click();
  const effects = page.getByRole('table', { name: 'Effect by territory' });
  await expect(effects.getByRole('row', { name: /Houston Rim/ })).toContainText('→');
  await effects.scrollIntoViewIfNeeded();
  await picture(page, 'territory-map/effects');

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const publish = page.getByRole('dialog', { name: 'Publish Houston next year' });
  await publish.getByRole('button', { name: /^Publish from/ }).click();
  await expect(page.getByText('This plan is published. Copy it to plan more changes.')).toBeVisible();
  await page.getByRole('dialog', { name: 'Move open quotes?' }).getByRole('button', { name: 'Leave Them' }).click();
  await page.getByRole('button', { name: 'Roll back' }).click();
  await page
    .getByRole('dialog', { name: /^Roll back/ })
    .getByRole('button', { name: 'Roll back' })
    .click();
  await expect(page.getByText('This plan was rolled back', { exact: false })).toBeVisible();
});
