// Tests a plan on the map in a browser: lasso and box over Houston, move, undo, redo, save, and the figures of publishing.
import { loadCompany, today } from '#platform/company/company.server.ts';
import { addDays } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { houston } from '#testing/factories/houston.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import type { Page } from '@playwright/test';
import { TerritoryPlans } from '../territory-plans.contract.ts';

test.use({ company: 'houston' });

async function aPlan(
  server: TestServer,
  as: { id: number },
  name: string,
  moves: { zip: string; to: number | null }[],
) {
  const day = addDays(today(server.services, await loadCompany(server.db)), 1);
  return server.ok(TerritoryPlans.saveSavedMap, { map: { name, effectiveDay: day }, moves }, { as });
}

const mapOf = (page: Page) => page.getByRole('region', { name: 'Map of the plan' });
const selected = (page: Page) => page.getByRole('status').filter({ hasText: 'ZIPs:' });
const isSaved = (page: Page) => expect(page.getByText(/^Saved \d/)).toBeVisible();

/** Draws a lasso or a box over the middle of the map. */
async function draw(page: Page, tool: 'Lasso' | 'Box') {
  await page.locator('label', { hasText: tool }).click();
  const map = mapOf(page);
  await map.scrollIntoViewIfNeeded();
  const box = await map.boundingBox();
  if (!box) throw new Error('no map');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const [dx, dy] = [box.width * 0.4, box.height * 0.4];
  await page.mouse.move(x - dx, y - dy);
  await page.mouse.down();
  const corners =
    tool === 'Box'
      ? [[dx, dy]]
      : [
          [dx, -dy],
          [dx, dy],
          [-dx, dy],
          [-dx, -dy],
        ];
  for (const [cx = 0, cy = 0] of corners) await page.mouse.move(x + cx, y + cy, { steps: 5 });
  await page.mouse.up();
}

async function moveTo(page: Page, territory: string) {
  await page
    .getByRole('button', { name: /^Move [\d,]+ to …$/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'To' }).fill(territory);
  await page.getByRole('option', { name: territory }).click();
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(dialog).toBeHidden();
}

test('a lasso over Houston: areas and point ZIPs add up to what moves; undo, redo, the figures of publishing', async ({
  page,
  server,
  signIn,
}) => {
  test.slow();
  const { zips, south, north } = await houston(server);
  const ada = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  // The first move is in Houston, because the map opens at the moves.
  const { map } = await aPlan(server, ada, 'Houston as one', [{ zip: '77003', to: south.id }]);
  await signIn(ada);
  await page.goto(paths.savedMap(map.id));
  await expect(page.getByRole('list', { name: 'Legend' })).toContainText('Houston South', { timeout: 30_000 });
  const head = page.getByRole('tab', { name: /^Moves/ });
  await expect(head).toHaveText('Moves (1)');

  await draw(page, 'Lasso');
  await expect(selected(page)).toContainText('1 without an area', { timeout: 10_000 });
  const [, all = '0', areas = '0'] = /([\d,]+) ZIPs: ([\d,]+) areas/.exec(await selected(page).innerText()) ?? [];
  expect(Number(all)).toBe(Number(areas) + 1);
  expect(Number(areas)).toBeGreaterThan(3);

  // Houston South already has some of the ZIPs. They do not become moves.
  const words = await page.getByRole('list', { name: 'Selected ZIPs by territory' }).innerText();
  const inSouth = Number(/Houston South: (\d+)/.exec(words)?.[1] ?? 0);
  await moveTo(page, 'Houston South');
  await isSaved(page);
  const moved = Number(all) - inSouth + 1;
  await expect(head).toHaveText(`Moves (${moved})`);
  const stored = async () => {
    const { moves } = await server.ok(TerritoryPlans.loadSavedMap, { id: map.id }, { as: ada });
    return moves.map(({ zip }) => zip);
  };
  expect(await stored()).toHaveLength(moved);

  await page.keyboard.press('Control+z');
  await expect(head).toHaveText('Moves (1)');
  await isSaved(page);
  await expect.poll(stored).toEqual(['77003']);
  await page.keyboard.press('Control+Shift+z');
  await expect(head).toHaveText(`Moves (${moved})`);
  await expect.poll(async () => (await stored()).length).toBe(moved);

  // With the keyboard, the user finds a ZIP and sees what is there and what the plan does with it.
  await page.keyboard.press('f');
  await page.keyboard.type('77002');
  await expect(page.getByRole('option', { name: /77002/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const place = page.getByRole('region', { name: 'ZIP 77002' });
  await expect(place).toContainText('In this plan: Houston North → Houston South');
  await expect(place).toContainText('Ben Taub Hospital');

  // 'Today' shows the assignments without the moves.
  await page.locator('label', { hasText: 'Today' }).click();
  await place.getByRole('button', { name: 'Select whole territory' }).click();
  await expect(selected(page)).toContainText(`${zips.length} ZIPs`);
  await page.locator('label', { hasText: 'Planned' }).click();
  await expect(page.getByRole('list', { name: 'Selected ZIPs by territory' })).toContainText('Houston South: 6');
  await page.getByRole('button', { name: 'Clear' }).click();

  await page.getByRole('tab', { name: 'Effects' }).click();
  const effects = page.getByRole('table', { name: 'Effect by territory' });
  await expect(effects.getByRole('row', { name: /Houston North/ })).toContainText('6 → 0');
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish Houston as one' });
  await expect(dialog.getByText(`${moved} ZIPs change territory`)).toBeVisible();
  const live = await server.db
    .selectFrom('zip_assignment')
    .select('zip5')
    .where('territory_id', '=', north.id)
    .execute();
  expect(live.map(({ zip5 }) => zip5).toSorted()).toEqual(zips);
});
