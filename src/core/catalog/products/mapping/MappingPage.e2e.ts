// Tests the mapping screen in a browser: the next item becomes active after each decision, and undo returns to the item it restores.
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';

test('each decision leads to the next item, and undo takes them back, the newest first', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  for (const number of ['UNDO-1', 'UNDO-2', 'UNDO-3']) await anItem(db, { number, description: `Sling ${number}` });
  await signIn(await aUser(db, { roles: ['systemadmin'] }));
  await page.goto(`${paths.itemMapping}?keyword=UNDO-`);
  const items = page.getByRole('list', { name: 'Items' });
  const active = items.locator('[aria-current="true"]');
  await expect(items.getByRole('listitem')).toHaveCount(3);
  const [first = '', second = '', third = ''] = await items.getByRole('listitem').allTextContents();
  await expect(active).toHaveText(first);
  await page.keyboard.press('ArrowDown');
  await expect(active).toHaveText(second);
  await expect(active).toBeFocused();
  await page.keyboard.press('n');
  await expect(active).toHaveText(third);
  await expect(active).toBeFocused();
  await expect(items.getByRole('listitem')).toHaveCount(2);
  // At the end of the list, the previous item becomes active.
  await page.keyboard.press('x');
  const why = page.getByRole('dialog', { name: /^Leave out/ });
  await why.getByLabel('Why').fill('No product');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(active).toHaveText(first);

  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await page.keyboard.press('u');
  await expect(page.getByText(/^Undone: .* left out$/)).toBeVisible();
  await expect(active).toHaveText(third);
  await expect(items.getByRole('listitem')).toHaveCount(2);
  await undo.click();
  await expect(page.getByText(/^Undone: a new product for/)).toBeVisible();
  await expect(active).toHaveText(second);
  await expect(items.getByRole('listitem')).toHaveCount(3);
  await expect(undo).toBeDisabled();
});
