// Tests the screen of duplicate facilities in a browser: merging with a preview, undo, marking as not the same; by keyboard, at both widths.
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

/** The keyword excludes the other facilities of the company. */
const DESK = `${paths.alikeFacilities}?keyword=zephyr`;

test('two facilities are merged, the merge is taken back, and they are marked as not the same', async ({
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
  const pairs = page.getByRole('table', { name: 'Alike facilities' });
  await expect(pairs).toContainText('Same name and ZIP');
  await pairs.getByRole('button', { name: 'Merge HC-1 and HC-2' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Merge two facilities' });
  await expect(dialog.getByRole('radio', { name: 'HC-1 Zephyr Clinic remains' })).toBeChecked();
  await dialog.getByRole('radio', { name: 'HC-2 Zephyr Clinic, LLC remains' }).check();
  await expect(dialog.getByRole('region', { name: 'What the merge does' })).toContainText('Moves to HC-2: 1 contact.');
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(page.getByText('HC-1 is merged into HC-2 Zephyr Clinic, LLC.')).toBeVisible();
  await expect(page.getByText('No Record Found')).toBeVisible();

  await page.goto(paths.facility(first.id));
  await expect(page.getByRole('heading', { level: 1, name: 'Zephyr Clinic, LLC' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/facilities/${two.id}$`));
  await expect(page.getByText('Account HC-1 Zephyr Clinic merged into this one')).toBeVisible();

  await page.goto(`${DESK}&show=merged`);
  await page.getByRole('button', { name: 'Take back the merge of HC-1 into HC-2' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByText('HC-1 Zephyr Clinic is a separate facility again.')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(DESK);
  await page.getByRole('button', { name: 'HC-1 and HC-2 are not the same' }).click();
  await expect(page.getByText('No Record Found')).toBeVisible();
  await page.goto(`${DESK}&show=apart`);
  await page.getByRole('button', { name: 'Look again at HC-1 and HC-2' }).click();
  await expect(page.getByText('No Record Found')).toBeVisible();
});
