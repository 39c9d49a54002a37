// Tests the cross-references screen: add, find, change, decide between two entries, end, and use on a phone.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aCrossReference } from '#testing/factories/cross-references.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { paths } from '#platform/shared/paths.ts';

test('an administrator adds a reference, sees one that contradicts it, and decides', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  await anItem(db, { number: 'XP-100', description: 'Glove nitrile', units: { EA: 1, BX: 100 } });
  const theirs = await anItem(db, { number: 'XP-200', description: 'Glove vinyl' });
  await aCrossReference(db, { maker: 'Acme', number: 'AC 77-1', item_id: theirs.id, source: 'Spring list' });
  await signIn(await aUser(db, { roles: ['salesadmin'] }));
  // Other tests on this server create references, too.
  await page.goto(`${paths.crossReferences}?keyword=ac771`);
  const list = page.getByRole('table', { name: 'Cross-references' });
  await expect(list.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Add Cross-Reference' }).click();
  const drawer = page.getByRole('dialog', { name: 'Add Cross-Reference' });
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText('This field is required').first()).toBeVisible();
  await drawer.getByLabel('Maker or distributor').fill('ACME');
  await drawer.getByRole('textbox', { name: 'Number' }).fill('ac771');
  await drawer.getByRole('combobox', { name: 'Our item #' }).fill('XP-1');
  await page.getByRole('option', { name: /XP-100/ }).click();
  await expect(drawer.getByText('Glove nitrile')).toBeVisible();
  await drawer.getByRole('combobox', { name: 'Our unit' }).click();
  await page.getByRole('option', { name: 'BX' }).click();
  await expectAccessible(page, '[role="dialog"]');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(
    page.getByText('ACME ac771 is saved. Another entry names a different item. Decide which one to keep.'),
  ).toBeVisible();

  // The screen shows both side by side.
  const edit = page.getByRole('dialog', { name: 'Edit Cross-Reference' });
  const sides = edit.getByRole('region', { name: 'Entries side by side' });
  await expect(sides.getByRole('row', { name: /^Our item/ })).toContainText('XP-100 Glove nitrileXP-200 Glove vinyl');
  await expect(sides.getByRole('row', { name: /^Source/ })).toContainText('Spring list');
  await expectAccessible(page, '[role="dialog"]');
  await edit.getByRole('button', { name: 'Keep only XP-100' }).click();
  const sure = page.getByRole('dialog', { name: 'Keep only XP-100?' });
  await expect(sure).toContainText('1 other entry ends: XP-200.');
  await sure.getByRole('button', { name: 'Keep only this' }).click();
  await expect(page.getByText('XP-100 is now used for ACME ac771. 1 entry is ended.')).toBeVisible();
  await expect(sides).toBeHidden();
  await edit.getByRole('button', { name: 'Close' }).click();
  await expect(list.getByRole('row')).toHaveCount(2);
  await expect(list).toContainText('XP-100');
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Ended', exact: true }).click();
  await expect(list).toContainText('XP-200');
});

test('a reference is changed for one facility and ended; a phone shows it as cards', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const facility = await aFacility(db, { name: 'Mercy Hospital of the Lake' });
  const item = await anItem(db, { number: 'XQ-1' });
  const { id } = await aCrossReference(db, { number: 'CUST 4471-B', item_id: item.id });
  await signIn(await aUser(db, { roles: ['systemadmin'] }));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${paths.crossReferences}?keyword=cust4471b`);
  await page.getByRole('button', { name: 'CUST 4471-B' }).click();
  const drawer = page.getByRole('dialog', { name: 'Edit Cross-Reference' });
  await drawer.getByRole('combobox', { name: 'For' }).click();
  await page.getByRole('option', { name: 'One facility' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText('Choose the facility')).toBeVisible();
  await drawer.getByRole('combobox', { name: 'Facility' }).fill('Mercy Hospital of');
  await page.getByRole('option', { name: /Mercy Hospital of the Lake/ }).click();
  await expectAccessible(page, '[role="dialog"]');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('CUST 4471-B is saved.')).toBeVisible();
  await expect(page.getByText('Same item · Mercy Hospital of the Lake')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await page.getByRole('button', { name: 'CUST 4471-B' }).click();
  await drawer.getByRole('button', { name: 'End', exact: true }).click();
  await expect(drawer.getByText('Ends when you save')).toBeVisible();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('CUST 4471-B is ended.')).toBeVisible();
  const stored = await db
    .selectFrom('cross_reference')
    .select(['scope', 'facility_id', 'ended'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(stored).toEqual({ scope: 'Facility', facility_id: facility.id, ended: true });
});
