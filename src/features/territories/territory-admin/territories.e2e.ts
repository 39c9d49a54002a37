// Territories in a browser: add one with people, ZIPs and overrides; move open quotes; deactivate it; Find My Rep.
import { loadCompany, today } from '#features/company/company/company.server.ts';
import { addDays, formatDate } from '#shared/dates.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aFacility, aRegion, aSalesOffice, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test('an administrator adds a territory with people, ZIPs and a facility, finds it again, and reads it on a phone', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  const region = await aRegion(db, { name: 'Great Plains' });
  await aUser(db, { fullName: 'Rita Rep' });
  await aTerritory(db, { name: 'Old Holder', regionId: region.id, zips: ['68101'] });
  await aFacility(db, { name: 'Prairie Clinic', acctNo: '770011' });
  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Territories/ }).click();
  await expect(page.getByRole('row', { name: /Old Holder/ })).toContainText('Nobody');
  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'Territory' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('This field is required')).toBeVisible();
  await expect(form.getByText('Choose the region')).toBeVisible();

  await form.getByLabel('Name').fill('OLD HOLDER');
  await form.getByRole('combobox', { name: 'Region' }).click();
  await page.getByRole('option', { name: 'Great Plains' }).click();
  await form.getByRole('button', { name: 'Add Sales rep.' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('Choose who it is')).toBeVisible();
  await form.getByRole('combobox', { name: 'Sales rep. who' }).fill('rita');
  await page.getByRole('option', { name: /Rita Rep/ }).click();
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('A territory named OLD HOLDER already exists.')).toBeVisible();
  await form.getByLabel('Name').fill('Omaha');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Omaha is saved.')).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/territories\/\d+$/);
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Rita Rep from');

  await page.keyboard.press('a');
  const drawer = page.getByRole('dialog', { name: 'Add ZIPs to Omaha' });
  await drawer.getByRole('textbox', { name: 'ZIPs' }).fill('68101 68102\n681');
  await drawer.getByRole('button', { name: 'Check' }).click();
  await expect(drawer.getByText('1 ZIP taken from Old Holder: 68101')).toBeVisible();
  await expect(drawer.getByText('681: This is not a ZIP.')).toBeVisible();
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Add 2 ZIPs' }).click();
  await expect(page.getByText('2 ZIPs added to Omaha.')).toBeVisible();
  await expect(page.getByText('No Record Found')).toBeVisible();
  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'To come' }).click();
  const zips = page.getByRole('table', { name: 'ZIPs' });
  await expect(zips.getByRole('row')).toHaveCount(3);
  await zips.getByLabel('Tick 68102').check();
  await page.getByRole('button', { name: 'End 1', exact: true }).click();
  await page.getByRole('dialog', { name: 'End ZIP 68102?' }).getByRole('button', { name: 'End', exact: true }).click();
  await expect(page.getByText('ZIP 68102: 1 removed.')).toBeVisible();
  await expect(zips.getByRole('row')).toHaveCount(2);

  // The form keeps typed input while the person visits the tabs.
  await form.getByLabel('Name').fill('Omaha South');
  await page.getByRole('tab', { name: /Account overrides/ }).click();
  await expect(page).toHaveURL(/tab=overrides/);
  await expect(form.getByLabel('Name')).toHaveValue('Omaha South');
  await page.getByRole('button', { name: 'Add Override' }).click();
  const override = page.getByRole('form', { name: 'Account override' });
  await override.getByLabel('Reason').fill('Known for years');
  await page.keyboard.press('Control+Enter');
  await expect(override.getByText('Choose the facility')).toBeVisible();
  await override.getByLabel('Facility').fill('prairie');
  await page.getByRole('option', { name: /Prairie Clinic/ }).click();
  await override.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The override of Prairie Clinic is saved.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Account overrides' })).toContainText('Known for years');
  await expect(form.getByLabel('Name')).toHaveValue('Omaha South');
  // The overrides raised the version meanwhile; the form saves without a question and loses nothing.
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Omaha South is saved.')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: '‹ Territories' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('omaha');
  await expect(page).toHaveURL(/keyword=omaha/);
  await expect(page.getByRole('row', { name: /Omaha South/ })).toContainText('Rita Rep');
  await page.reload();
  await expect(page.getByLabel('Name or ZIP')).toHaveValue('omaha');
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('list', { name: 'Territories' })).toContainText('Omaha South');
  await expectNoSideScroll(page);
  await page.getByRole('link', { name: 'Omaha South' }).click();
  await expect(page.getByRole('heading', { name: 'Omaha South' })).toBeVisible();
  await expectNoSideScroll(page);
  await expectAccessible(page);
});

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
  const [moved, kept] = [await quote(), await quote()];
  await signIn(office.salesAdmin);
  await page.goto(`/admin/territories/${office.territory.id}`);
  const part = page.getByRole('region', { name: 'Sales rep.' });
  await part.getByRole('button', { name: 'Add Sales rep.' }).click();
  // The previous holder ends the day before.
  await expect(part.getByLabel(`Sales rep. ${office.rep.fullName} to`)).toHaveValue(formatDate(addDays(day, -1)));
  await part.getByRole('combobox', { name: 'Sales rep. who' }).fill('cess');
  await page.getByRole('option', { name: /Sue Cessor/ }).click();
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Move open quotes?' });
  await expect(dialog.getByText('2 open quotes are outside')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Move', exact: true })).toBeDisabled();
  await expect(dialog.getByRole('listitem').first()).toContainText(`${office.rep.fullName} → Sue Cessor`);
  await dialog.getByLabel('All 2 quotes').check();
  await dialog.getByLabel(`Move ${kept.num}`).uncheck();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Move 1 quote' }).click();
  await expect(page.getByText('1 quote moved.')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Leave Them' }).click();
  await page.getByRole('tab', { name: 'Open quotes (2)' }).click();
  const quotes = page.getByRole('table', { name: 'Open quotes' });
  await expect(quotes.getByRole('row', { name: new RegExp(String(moved.num)) })).toContainText('Sue Cessor');
  await expect(quotes.getByRole('row', { name: new RegExp(String(kept.num)) })).toContainText(office.rep.fullName);

  await page.getByRole('button', { name: 'Deactivate' }).click();
  const asked = page.getByRole('dialog', { name: `Deactivate ${office.territory.name}?` });
  await expect(asked.getByText(/^1 ZIP is left without a territory/)).toBeVisible();
  await expect(asked.getByText(/^2 open quotes worth \$200.00 stay where they are/)).toBeVisible();
  await asked.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText(`${office.territory.name} is inactive.`)).toBeVisible();
  await page.keyboard.press('d');
  const back = page.getByRole('dialog', { name: `Activate ${office.territory.name}?` });
  await back.getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByText(`${office.territory.name} is active.`)).toBeVisible();
  await dialog.getByLabel(`Move ${kept.num}`).check();
  await dialog.getByRole('button', { name: 'Move 1 quote' }).click();
  await expect(dialog).toBeHidden();
  await page.keyboard.press('m');
  await expect(dialog.getByText(/There is nothing to move/)).toBeVisible();
});

test('an inactive territory gets no ZIPs and no facilities, and the drawers say so', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const territory = await aTerritory(db, { name: 'Asleep', active: false });
  await aFacility(db, { name: 'Waking Clinic' });
  await signIn(await aUser(db, { roles: ['systemadmin'] }));
  await page.goto(`/admin/territories/${territory.id}`);
  await page.getByRole('button', { name: 'Add ZIPs' }).click();
  const drawer = page.getByRole('dialog', { name: 'Add ZIPs to Asleep' });
  await drawer.getByRole('textbox', { name: 'ZIPs' }).fill('68103');
  await drawer.getByRole('button', { name: 'Check' }).click();
  await expect(drawer.getByRole('alert')).toContainText('Asleep is switched off. Switch it on first.');
  await drawer.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('tab', { name: /Account overrides/ }).click();
  await page.getByRole('button', { name: 'Add Override' }).click();
  const override = page.getByRole('form', { name: 'Account override' });
  await override.getByLabel('Reason').fill('Known for years');
  await override.getByLabel('Facility').fill('waking');
  await page.getByRole('option', { name: /Waking Clinic/ }).click();
  await override.getByRole('button', { name: 'Save' }).click();
  await expect(override.getByRole('alert')).toContainText('Asleep is switched off. Switch it on first.');
  await expectAccessible(page);
});

test('a conflict shows the saved value beside the typed one', async ({ page, server, signIn }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const territory = await aTerritory(db, { name: 'Both Want It' });
  await signIn(admin);
  await page.goto(`/admin/territories/${territory.id}`);
  const form = page.getByRole('form', { name: 'Territory' });
  await form.getByLabel('Name').fill('Mine');
  await db.updateTable('territory').set({ name: 'Theirs', version: 2 }).where('id', '=', territory.id).execute();
  await form.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changed by someone else' });
  await expect(dialog.getByRole('row', { name: 'Name Theirs Mine' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(page.getByText('Mine is saved.')).toBeVisible();
});

test('Find My Rep answers by ZIP, by facility and by day, and names the people to call', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const office = await aSalesOffice(db);
  await aUser(db, { roles: ['salesadmin'], fullName: 'Kay Keeper' });
  await signIn(office.cs);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Find My Rep' }).click();
  await expect(page.getByLabel('ZIP', { exact: true })).toBeFocused();
  await page.keyboard.type(office.zip);
  const answer = page.getByRole('region', { name: 'Who serves it' });
  await expect(answer.getByRole('heading')).toHaveText(`${office.territory.name} · ${office.region.name}`);
  await expect(answer.getByText(/By the ZIP since 01\/01\/2020/)).toBeVisible();
  await expect(answer.getByRole('row', { name: /^Sales rep\./ })).toContainText(office.rep.userName);
  await expect(answer.getByRole('link', { name: office.rep.userName })).toHaveAttribute(
    'href',
    `mailto:${office.rep.userName}`,
  );
  await expectAccessible(page);
  await page.reload();
  await expect(answer.getByText(/By the ZIP/)).toBeVisible();
  await page.getByLabel('On', { exact: true }).fill('12/31/2019');
  await expect(answer.getByText('Nobody serves this location')).toBeVisible();
  await expect(answer.getByText('Kay Keeper')).toBeVisible();
  await page.getByLabel('On', { exact: true }).fill('');
  await page.getByText('By facility').click();
  await page.getByRole('combobox', { name: 'Facility' }).fill(office.facility.acctNo);
  await page.getByRole('option', { name: new RegExp(office.facility.name) }).click();
  await expect(answer.getByRole('heading')).toHaveText(`${office.territory.name} · ${office.region.name}`);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(answer.getByRole('list', { name: 'Representatives' })).toContainText(office.rep.fullName);
  await expectNoSideScroll(page);
  await expectAccessible(page);
});

test('a sales rep has no such tab', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db));
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Find Quote' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Find My Rep' })).toBeHidden();
});
