// Tests reports by mail in a browser: a manager sends one to roles from its screen, and a rep stops it for themselves; also on a phone.
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';

test('from the screen of a report to everybody with a role, and one of them stops it', async ({
  browser,
  page,
  server,
  signIn,
}) => {
  const { manager, rep, region } = await aSalesOffice(server.db);
  await signIn(manager);
  await page.goto(`${paths.report('won-lost')}?period=lastMonth&regionId=${region.id}`);
  await page.getByRole('link', { name: 'Send by email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule a report' });
  await expect(dialog.getByRole('combobox', { name: 'Report' })).toHaveValue('Won and Lost');
  await expect(dialog.getByRole('combobox', { name: 'Period' })).toHaveValue('Last month');
  await dialog.getByText('First of the month').click();
  await dialog.getByRole('combobox', { name: 'Recipient roles' }).click();
  await page.getByRole('option', { name: 'Sales representative' }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Schedule report' }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole('row', { name: /Won and Lost/ });
  await expect(row).toContainText(`Last month · Region: ${region.name}`);
  await expect(row).toContainText('First of the month');
  await expect(row).toContainText('Sales representative');

  const phone = await browser.newContext({
    baseURL: new URL(page.url()).origin,
    viewport: { width: 390, height: 800 },
  });
  const theirs = await phone.newPage();
  await signIn(rep, theirs);
  await theirs.goto(paths.sentReports);
  // Other tests on this server also send reports to this role.
  const mine = theirs.getByRole('listitem').filter({ hasText: region.name });
  await mine.getByRole('button', { name: 'Stop for me: Won and Lost' }).click();
  await theirs.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(mine).toHaveCount(0);
  await phone.close();
});
