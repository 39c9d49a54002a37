// Identifiers of a facility in a browser: the contract department adds and ends one; on a phone.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

test('the contract department edits identifiers', async ({ page, server, signIn }) => {
  const facility = await aFacility(server.db);
  await signIn(await aUser(server.db, { roles: ['contractdept'] }));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/facilities/${facility.id}`);
  const part = page.getByRole('region', { name: 'Identifiers' });
  await part.getByRole('button', { name: 'Add Identifier' }).click();
  const form = page.getByRole('form', { name: 'Identifier' });
  await form.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'GLN' }).click();
  await form.getByLabel('Number').fill('4006381333930');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toContainText('The last digit of this GLN does not fit the others.');
  await form.getByLabel('Number').fill('400 6381 33393 1');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(part.getByRole('listitem')).toContainText('GLN 4006381333931');
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await part.getByRole('button', { name: 'End GLN 4006381333931' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
