// Tests a facility's contracts on its page in a browser: through a parent, with the letter, on another day, on a phone.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aContract, aLetter, aRosterRow } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

test('a facility’s page names its contracts', async ({ page, server, signIn }) => {
  const { db } = server;
  const system = await aFacility(db, { name: 'Bayview Health' });
  const facility = await aFacility(db, { parentId: system.id });
  const contract = await aContract(db, { number: 'FC-9', needsLoc: true });
  const row = { contractId: contract.id, tierId: contract.tierId, coversChildren: true };
  await aRosterRow(db, { ...row, facilityId: system.id, to: '2090-12-31' });
  await aLetter(db, { ...row, facilityId: system.id });
  await signIn(await aUser(db, { roles: ['csrep'] }));
  await page.goto(`/facilities/${facility.id}`);
  const part = page.getByRole('region', { name: 'Contracts' });
  await expect(part.getByRole('listitem')).toContainText('Letter approved');
  await expect(part.getByRole('listitem')).toContainText('through Bayview Health');
  await expectAccessible(page);
  await part.getByLabel('On the day').fill('01/01/2091');
  await part.getByLabel('On the day').blur();
  await expect(part).toContainText('None on this day.');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await expectNoSideScroll(page);
});
