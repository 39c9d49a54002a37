// Tests the screen of duplicate facilities in a browser: merging with a preview, undo, marking as not duplicates; by keyboard, at both widths.
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

/** The keyword excludes the other facilities of the company. */
const DESK = `${paths.alikeFacilities}?keyword=zephyr`;

test('two facilities are merged, the merge is undone, and they are marked as not duplicates', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const [first, two] = [
    await aFacility(db, { name: 'Zephyr Clinic', acctNo: 'HC-1' }),
    await aFacility(db, { name: 'Zephyr Clinic, LLC', acctNo: 'HC-2' }),
  ];
  await signIn(await aUser(db, { roles: ['salesadmin'] }));
  await page.goto(DESK);
  const pairs = page.getByRole('table', { name: 'Possible duplicates' });
  await expect(pairs).toContainText('Same name and ZIP');
  await pairs.getByRole('button', { name: 'Merge HC-1 and HC-2' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Merge facilities' });
  await expect(dialog.getByRole('radio', { name: 'Keep HC-1 Zephyr Clinic' })).toBeChecked();
  await dialog.getByRole('radio', { name: 'Keep HC-2 Zephyr Clinic, LLC' }).check();
  await expect(dialog.getByRole('region', { name: 'Effect of the merge' })).toContainText('Moves to HC-2: 1 contact.');
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(page.getByText('HC-1 is merged into HC-2 Zephyr Clinic, LLC.')).toBeVisible();
  await expect(page.getByText('No Record Found')).toBeVisible();

  await page.goto(paths.facility(first.id));
  await expect(page.getByRole('heading', { level: 1, name: 'Zephyr Clinic, LLC' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/facilities/${two.id}$`));
  await expect(page.getByText('Account HC-1 Zephyr Clinic merged into this one')).toBeVisible();

  await page.goto(`${DESK}&show=merged`);
  await page.getByRole('button', { name: 'Undo the merge of HC-1 into HC-2' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo merge' }).click();
  await expect(page.getByText('HC-1 Zephyr Clinic is a separate facility again.')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(DESK);
  await page.getByRole('button', { name: 'Mark HC-1 and HC-2 as not duplicates' }).click();
  await expect(page.getByText('No Record Found')).toBeVisible();
  await page.goto(`${DESK}&show=apart`);
  await page.getByRole('button', { name: 'Review HC-1 and HC-2 again' }).click();
  await expect(page.getByText('No Record Found')).toBeVisible();
});
