// Tests the territory map in a browser: a lasso over Houston, the same by keyboard in the tables, the card of a ZIP, and a phone.
import { expect, test } from '#testing/browser.ts';
import { houston } from '#testing/factories/houston.server.ts';
import { aUser } from '#testing/factories/people.server.ts';

test.use({ company: 'houston' });

const AT_HOUSTON = '/tools/zipsAssignMap?at=29.740_-95.360_11';

test('a lasso selects areas and the ZIPs without an area in them, Alt removes, and the tables agree', async ({
  page,
  server,
  signIn,
}) => {
  await houston(server);
  await signIn(await aUser(server.db, { roles: ['salesadmin'] }));
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Map Tool/ }).click();
  await expect(page.getByRole('heading', { name: 'Map Tool' })).toBeVisible();
  await page.goto(AT_HOUSTON);
  const map = page.getByRole('region', { name: 'Map of territories' });
  await expect(page.getByRole('list', { name: 'Legend' })).toContainText('Houston South', { timeout: 30_000 });

  await page.locator('label', { hasText: 'Lasso' }).click();
  const box = await map.boundingBox();
  if (!box) throw new Error('no map');
  const draw = async () => {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x - 220, y - 160);
    await page.mouse.down();
    for (const [dx, dy] of [
      [220, -160],
      [220, 160],
      [-220, 160],
      [-220, -160],
    ] as const)
      await page.mouse.move(x + dx, y + dy, { steps: 4 });
    await page.mouse.up();
  };
  await draw();
  const selection = page.getByRole('status').filter({ hasText: 'ZIPs:' });
  await expect(selection).toContainText('1 without an area', { timeout: 10_000 });
  const [, all = '0', areas = '0'] = /([\d,]+) ZIPs: ([\d,]+) areas/.exec(await selection.innerText()) ?? [];
  expect(Number(all)).toBe(Number(areas) + 1);
  expect(Number(areas)).toBeGreaterThan(10);
  await expect(page.getByRole('list', { name: 'Selected ZIPs by territory' })).toContainText('Houston North: 6');

  await page.getByRole('tab', { name: 'Territories' }).click();
  await expect(page.getByRole('checkbox', { name: 'Select all ZIPs of Houston North' })).toBeChecked();
  // The table opens completely beside the map. The map uses the full width again once the drawer is closed.
  await page.setViewportSize({ width: 1440, height: 720 });
  await expect(page.locator('.list-scroll[data-wide]')).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: 'Close side panel' }).click();
  await expect.poll(async () => (await map.boundingBox())?.width).toBe(box.width);
  await page.keyboard.down('Alt');
  await draw();
  await page.keyboard.up('Alt');
  await expect(page.getByText('No ZIPs selected.')).toBeVisible();
});

test('by keyboard alone: find a ZIP, read its details, select its county, its territory, and pasted ZIPs', async ({
  page,
  server,
  signIn,
}) => {
  const { quote } = await houston(server);
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto('/tools/zipsAssignMap');
  await expect(page.getByRole('list', { name: 'Legend' })).toContainText('Houston South', { timeout: 30_000 });
  await page.keyboard.press('/');
  await page.keyboard.type('77002');
  await expect(page.getByRole('option', { name: /77002/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const card = page.getByRole('region', { name: 'ZIP 77002' });
  await expect(card).toContainText('Houston North');
  await expect(card).toContainText('Nora North');
  await expect(card).toContainText('Ben Taub Hospital');
  await expect(card.getByRole('link', { name: String(quote.num) })).toHaveAttribute(
    'href',
    `/int-quote-board/${quote.id}`,
  );
  await card.getByRole('button', { name: 'Select whole county' }).press('Enter');
  const selection = page.getByRole('status').filter({ hasText: 'ZIPs:' });
  await expect(selection).toContainText(/\d{3} ZIPs/);
  await page.getByRole('tab', { name: 'Place' }).press('Enter');
  await card.getByRole('button', { name: 'Select whole territory' }).press('Enter');
  await expect(selection).toContainText('6 ZIPs: 5 areas, 1 without an area.');

  await page.getByRole('textbox', { name: 'Paste ZIPs' }).fill('77004, 77021-1234\n99999 seven');
  await page.getByRole('button', { name: 'Add to selection' }).press('Enter');
  await expect(selection).toContainText('8 ZIPs');
  await expect(page.getByRole('alert').filter({ hasText: '2 ZIPs are not on the map' })).toContainText('99999, seven');

  await page.getByRole('tab', { name: 'ZIPs' }).press('Enter');
  await page.getByRole('textbox', { name: 'ZIP begins with' }).fill('77004');
  const row = page.getByRole('checkbox', { name: 'Select 77004' });
  await expect(row).toBeChecked();
  await row.press('Space');
  await expect(row).not.toBeChecked();
  await expect(page.getByRole('tab', { name: 'Selection (7)' })).toBeVisible();
});
