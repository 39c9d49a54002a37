// Tests territories in a browser: adding one with representatives, ZIPs and overrides; moving open quotes; deactivating; Find My Rep.
import { loadCompany, today } from '#platform/company/company.server.ts';
import { addDays, formatDate } from '#platform/shared/dates.ts';
import { expect, test } from '#testing/browser.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test('after another rep takes over, the page lists open quotes and moves the ticked ones', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const day = today(server.services, await loadCompany(db));
  const office = await aSalesOffice(db);
  await aUser(db, { fullName: 'Sue Cessor' });
  const quote = () =>
    aQuote(db, {
      facility: office.facility,
      ownerId: office.rep.id,
      csRepId: office.cs.id,
      isRepId: office.inside.id,
      regionId: office.region.id,
      territoryId: office.territory.id,
    });
  const [moved, stored] = [await quote(), await quote()];
  await signIn(office.salesAdmin);
  await page.goto(`/admin/territories/${office.territory.id}`);
  const part = page.getByRole('region', { name: 'Sales rep.' });
  await part.getByRole('button', { name: 'Add Sales rep.' }).click();
  // The previous representative ends the day before.
  await expect(part.getByLabel(`Sales rep. ${office.rep.fullName} to`)).toHaveValue(formatDate(addDays(day, -1)));
  await part.getByRole('combobox', { name: 'Sales rep. who' }).fill('cess');
  await page.getByRole('option', { name: /Sue Cessor/ }).click();
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Move open quotes?' });
  await expect(dialog.getByText('2 open quotes are outside')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Move', exact: true })).toBeDisabled();
  await expect(dialog.getByRole('listitem').first()).toContainText(`${office.rep.fullName} → Sue Cessor`);
  await dialog.getByLabel('All 2 quotes').check();
  await dialog.getByLabel(`Move ${stored.num}`).uncheck();
  await dialog.getByRole('button', { name: 'Move 1 quote' }).click();
  await expect(page.getByText('1 quote moved.')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Leave Them' }).click();
  await page.getByRole('tab', { name: 'Open quotes (2)' }).click();
  const quotes = page.getByRole('table', { name: 'Open quotes' });
  await expect(quotes.getByRole('row', { name: new RegExp(String(moved.num)) })).toContainText('Sue Cessor');
  await expect(quotes.getByRole('row', { name: new RegExp(String(stored.num)) })).toContainText(office.rep.fullName);

  await page.getByRole('button', { name: 'Deactivate' }).click();
  const request = page.getByRole('dialog', { name: `Deactivate ${office.territory.name}?` });
  await expect(request.getByText(/^1 ZIP is left without a territory/)).toBeVisible();
  await expect(request.getByText(/^2 open quotes worth \$200.00 stay where they are/)).toBeVisible();
  await request.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText(`${office.territory.name} is inactive.`)).toBeVisible();
  await page.keyboard.press('d');
  const back = page.getByRole('dialog', { name: `Activate ${office.territory.name}?` });
  await back.getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByText(`${office.territory.name} is active.`)).toBeVisible();
  await dialog.getByLabel(`Move ${stored.num}`).check();
  await dialog.getByRole('button', { name: 'Move 1 quote' }).click();
  await expect(dialog).toBeHidden();
  await page.keyboard.press('m');
  await expect(dialog.getByText(/There is nothing to move/)).toBeVisible();
});
