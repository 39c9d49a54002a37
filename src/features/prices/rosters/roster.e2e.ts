// Tests the roster of a contract in a browser: a facility is added, its tier changes from a day, a child is excluded, on a phone too.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aContract, aLetter, aRosterRow, aTier } from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice } from '#testing/factories/people.server.ts';

test('a roster is maintained', async ({ page, server, signIn }) => {
  const { db } = server;
  const office = await aSalesOffice(db);
  const system = await aFacility(db, { name: 'Bayview Health' });
  await aFacility(db, { name: 'Bayview North', parentId: system.id });
  const contract = await aContract(db, { number: 'NB-200' });
  await aTier(db, { contractId: contract.id, no: 2, needsLoc: true, fallbackId: contract.tierId });
  await signIn(office.contracts);
  await page.goto(`/gpo/contracts/${contract.id}?tab=roster`);
  await expect(page.getByText('No facility is on the roster.')).toBeVisible();

  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Add facility' }).click();
    await page.getByRole('dialog').getByLabel('Facility').fill(name);
    await page.getByRole('option', { name }).click();
  };
  await add('Bayview Health');
  await page.getByLabel('Covers its children').check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  const list = page.getByRole('table', { name: 'Roster' });
  await expect(list.getByRole('row', { name: 'Bayview Health' })).toContainText('covers 1 child');
  await add('Bayview North');
  await page.getByLabel('Excluded').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(list.getByRole('row', { name: 'Bayview North' })).toContainText('Excluded');

  await page.getByRole('button', { name: 'Edit Bayview Health' }).click();
  const drawer = page.getByRole('dialog', { name: 'Bayview Health' });
  await drawer.getByRole('combobox', { name: 'Tier' }).click();
  await page.getByRole('option', { name: '2. Tier 2' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer).toContainText('Say from which day the change counts.');
  await drawer.getByLabel('Change from').fill('01/01/2090');
  await drawer.getByLabel('Change from').blur();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(list.getByRole('row', { name: 'Bayview Health' })).toContainText('12/31/2089');
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'To come' }).click();
  await expect(list.getByRole('row', { name: 'Bayview Health' })).toContainText('2. Tier 2');
  await expect(list.getByRole('row', { name: 'Bayview Health' })).toContainText('Missing');
  await expectAccessible(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/gpo/contracts/${contract.id}?tab=roster`);
  await expect(page.getByRole('list', { name: 'Roster' })).toContainText('covers 1 child');
  await expectAccessible(page);
  await expectNoSideScroll(page);
});

test('a conflict on a roster row or a letter shows both versions, and nothing typed is lost', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const office = await aSalesOffice(db);
  const { facility } = office;
  const contract = await aContract(db, { number: 'NB-210' });
  const needy = await aTier(db, { contractId: contract.id, no: 2, needsLoc: true, fallbackId: contract.tierId });
  const row = await aRosterRow(db, { contractId: contract.id, facilityId: facility.id, tierId: contract.tierId });
  const of = { contractId: contract.id, facilityId: facility.id, tierId: needy.id };
  const letter = await aLetter(db, { ...of, state: 'Sent' });
  await signIn(office.contracts);
  const conflict = page.getByRole('dialog', { name: 'Changed by someone else' });

  await page.goto(`/gpo/contracts/${contract.id}?tab=roster`);
  await page.getByRole('button', { name: `Edit ${facility.name}` }).click();
  const drawer = page.getByRole('dialog', { name: facility.name });
  await drawer.getByLabel('Member id').fill('MINE-1');
  await db.updateTable('contract_roster').set({ member_id: 'THEIRS-1', version: 2 }).where('id', '=', row.id).execute();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(conflict.getByRole('row', { name: 'Member id THEIRS-1 MINE-1' })).toBeVisible();
  await expectAccessible(page);
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await expect(page.getByRole('table', { name: 'Roster' }).getByRole('row', { name: facility.name })).toContainText(
    'MINE-1',
  );

  await page.goto(`/gpo/contracts/${contract.id}?tab=letters`);
  await page.getByRole('button', { name: `Details of the letter of ${facility.name}` }).click();
  const details = page.getByRole('dialog', { name: `Letter of ${facility.name}` });
  await details.getByLabel('Note').fill('They called on Monday');
  await db.updateTable('contract_loc').set({ note: 'They wrote', version: 2 }).where('id', '=', letter.id).execute();
  await details.getByRole('button', { name: 'Save' }).click();
  await expect(conflict.getByRole('row', { name: 'Note They wrote They called on Monday' })).toBeVisible();
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await expect(details).toHaveCount(0);
  const { note } = await db
    .selectFrom('contract_loc')
    .select('note')
    .where('id', '=', letter.id)
    .executeTakeFirstOrThrow();
  expect(note).toBe('They called on Monday');
});
