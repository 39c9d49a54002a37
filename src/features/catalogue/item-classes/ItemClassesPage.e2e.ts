// Tests item classes in a browser: hiding asks first and names its effects; the picker stops finding the items, and lines on quotes stay.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem, anItemClass } from '#testing/factories/catalogue.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test('a class is hidden and shown again', async ({ page, server, signIn }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const lifts = await anItemClass(db, { name: 'Patient lifts' });
  const item = await anItem(db, { number: 'LIFT-1', classId: lifts.id, price: 900 });
  const quote = await aQuote(db, { ownerId: admin.id, itemNumbers: ['LIFT-1'] });
  await db.updateTable('quote_item').set({ item_id: item.id }).where('quote_id', '=', quote.id).execute();
  await signIn(admin);
  await page.goto('/admin/item-class?keyword=lifts');
  await page.getByRole('switch', { name: 'Patient lifts shown in quotes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hide Patient lifts?' });
  await expect(dialog).toContainText(
    'no longer find its 1 active item. Its lines stay on 1 open quote and in 0 templates',
  );
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('switch', { name: 'Patient lifts shown in quotes' })).toBeChecked();
  await page.getByRole('switch', { name: 'Patient lifts shown in quotes' }).click();
  await dialog.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByText('Patient lifts is hidden from quotes.')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Patient lifts shown in quotes' })).not.toBeChecked();

  await page.goto('/item-search?keyword=LIFT-1&recent=0');
  await expect(page.getByRole('status').filter({ hasText: 'No Record Found' })).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/item-class?keyword=lifts');
  await page.getByRole('button', { name: 'History of Patient lifts' }).click();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('hid the item class from quotes');
  await expectAccessible(page);
});
