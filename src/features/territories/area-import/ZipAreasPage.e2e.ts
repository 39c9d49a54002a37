// Tests the import of real ZIP areas in a browser: a file is checked and applied, the map says so, and the state returns to approximate areas.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aTerritory, aUser } from '#testing/factories/people.server.ts';

const square = (west: number, south: number) => [
  [west, south],
  [west + 0.1, south],
  [west + 0.1, south + 0.1],
  [west, south + 0.1],
  [west, south],
];
const feature = (zip: string, ring: number[][]) => ({
  type: 'Feature',
  properties: { GEOID20: zip },
  geometry: { type: 'Polygon', coordinates: [ring] },
});

test('imports the areas of a state and returns to approximate ones', async ({ page, server, signIn }) => {
  const admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  await aTerritory(server.db, { name: 'Ocean State', zips: ['02818', '02816'] });
  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^ZIP Areas/ }).click();
  await expect(page.getByRole('heading', { name: 'ZIP Areas', level: 1 })).toBeVisible();
  await expect(page.getByText('All states have the approximate areas that come with the program.')).toBeVisible();
  await expectAccessible(page);

  const features = [
    feature('02818', square(-71.5, 41.6)),
    feature('02816', square(-71.6, 41.6)),
    feature('00000', square(-71.6, 41.7)),
  ];
  await page.locator('input[type=file]').setInputFiles({
    name: 'ri.geojson',
    mimeType: 'application/geo+json',
    buffer: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })),
  });
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await expect(wizard.getByText('2 of 2 columns are used.')).toBeVisible();
  await wizard.getByRole('button', { name: 'Check' }).click();
  await expect(wizard.getByLabel('Figures')).toContainText('Areas2');
  await expect(wizard.getByRole('table', { name: 'Refused' })).toContainText('is not a ZIP code that is known here');
  await expectAccessible(page);
  await wizard.getByRole('button', { name: /^(?:Import|Apply)/ }).click();
  const states = page.getByRole('region', { name: 'Imported states' });
  await expect(states.getByText('Rhode Island')).toBeVisible();
  await expect(states.getByText('ri.geojson')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.goto('/tools/zipsAssignMap');
  await expect(page.getByText('Approximate areas, partly imported in RI')).toBeVisible();

  await page.goBack();
  await states.getByRole('button', { name: 'Use approximate areas in Rhode Island' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use approximate areas in Rhode Island?' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Use approximate areas' }).click();
  await expect(states.getByText('All states have the approximate areas that come with the program.')).toBeVisible();
});
