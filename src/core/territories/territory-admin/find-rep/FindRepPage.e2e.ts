// Tests Find My Rep in a browser: the map of the answer, and the device's position: allowed, denied, and outside the country.
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aTerritory, aUser } from '#testing/factories/people.server.ts';

test('shows the territory and the ZIP on a map, and finds the ZIP of a phone', async ({
  page,
  context,
  server,
  signIn,
}) => {
  const { db } = server;
  await db
    .insertInto('zip')
    .values([
      { zip5: '02818', city: 'East Greenwich', state: 'RI', lat: 41.6374, lon: -71.4865 },
      { zip5: '02816', city: 'Coventry', state: 'RI', lat: 41.6932, lon: -71.6087 },
    ])
    .onConflict((conflict) =>
      conflict.column('zip5').doUpdateSet((eb) => ({ lat: eb.ref('excluded.lat'), lon: eb.ref('excluded.lon') })),
    )
    .execute();
  await aTerritory(db, { name: 'Ocean State', zips: ['02818', '02816', '02852'] });
  await signIn(await aUser(db, { roles: ['csrep'] }));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/salesRepSearch');
  const button = page.getByRole('button', { name: 'Use my location' });
  await expect(button).toBeVisible();
  // The browser does not request the position before the user presses the button.
  await expect(page.getByText('Your location is not available')).toHaveCount(0);

  await button.click();
  await expect(page.getByText('This page has no access to your location.')).toBeVisible();

  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 51.5, longitude: -0.1 });
  await button.click();
  await expect(page.getByText('Your location is outside the country. Enter a ZIP.')).toBeVisible();

  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('findNearestZip')) sent.push(request.postData() ?? '');
  });
  await context.setGeolocation({ latitude: 41.637_412_3, longitude: -71.486_512_3 });
  // The browser may reuse a position for a minute, so this reloads the page.
  await page.reload();
  await button.click();
  await expect(page.getByLabel('ZIP', { exact: true })).toHaveValue('02818');
  await expect(page.getByRole('heading', { name: /Ocean State/ })).toBeVisible();
  // The page sends the position with a precision of only about 100 m.
  expect(sent).toEqual(['{"lat":41.637,"lon":-71.487}']);
  expect(page.url()).toContain('zip=02818');
  expect(page.url()).not.toContain('41.6');
  const map = page.getByRole('region', { name: 'On the map' });
  await expect(map.getByRole('region', { name: 'Map of Ocean State' })).toBeVisible();
  await expect(map.getByText('Loading the areas')).toHaveCount(0);
  await expect(map.getByText('Ocean State; ZIP 02818 has a thick outline.')).toBeVisible();
  await expectNoSideScroll(page);

  await page.getByLabel('ZIP', { exact: true }).fill('02840');
  await expect(page.getByRole('heading', { name: 'No territory' })).toBeVisible();
  await expect(map.getByRole('region', { name: 'Map of ZIP 02840' })).toBeVisible();
});
