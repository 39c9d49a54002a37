// Data import in a browser: a file with errors, matching a column by hand, correcting rows, applying, use in a new quote, undo.
import fs from 'node:fs';
import type { Page, TestInfo } from '@playwright/test';
import { paths } from '#shared/paths.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { anItem, anItemClass } from '#testing/factories/catalogue.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

test('facilities from a file with errors are corrected, used, and undone', async ({
  page,
  server,
  signIn,
}, testInfo) => {
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Data Import/ }).click();
  await expect(page.getByRole('heading', { name: 'Data Import', level: 1 })).toBeVisible();
  await expect(page.getByText('Nothing has been imported yet.')).toBeVisible();

  await page.getByRole('combobox', { name: 'What does the file hold?' }).fill('facil');
  await page.getByRole('option', { name: 'Facilities' }).click();
  await expect(page.getByText(/Columns that are recognized: account number · name/)).toBeVisible();
  const file = page.locator('input[type=file]');
  await file.setInputFiles(csv('broken.xlsx', 'PK\u0003\u0004nonsense'));
  await expect(page.getByRole('alert')).toContainText('The Excel file is damaged');

  const rows = [
    'Kundennummer,Hospital Name,City,State,ZIP',
    'IMP-1,Lakeside General,Hartford,CT,6106',
    '=IMP-2,Hillside Clinic,Boaz,AL,nowhere',
  ];
  await file.setInputFiles(csv('hospitals.csv', rows.join('\n')));
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await expect(wizard.getByText('Say which column is the account number.')).toBeVisible();
  await expect(page).toHaveURL(/import=\d+/);
  await expect(wizard.getByRole('button', { name: 'Check' })).toBeDisabled();

  await wizard.getByRole('combobox', { name: 'Kundennummer is read as' }).fill('account n');
  await page.getByRole('option', { name: 'Account number', exact: true }).click();
  await expect(wizard.getByText('5 of 5 columns are used.')).toBeVisible();
  await page.reload();
  await expect(wizard.getByRole('combobox', { name: 'Kundennummer is read as' })).toHaveValue('Account number');
  await page.keyboard.press('Control+Enter');

  const figures = wizard.getByLabel('Figures');
  await expect(figures).toContainText('Refused1');
  await expect(figures).toContainText('New1');
  await expect(
    wizard.getByRole('table', { name: 'Refused' }).getByRole('row', { name: '3 ZIP nowhere is not a US ZIP code' }),
  ).toBeVisible();
  await expect(wizard.getByText('Nothing was written yet. 1 row is refused and left out.')).toBeVisible();
  await expectAccessible(page);

  const downloading = page.waitForEvent('download');
  await wizard.getByRole('button', { name: 'Download refused rows' }).click();
  const refused = await downloading;
  expect(refused.suggestedFilename()).toBe('hospitals refused.csv');
  const saved = testInfo.outputPath('refused.csv');
  await refused.saveAs(saved);
  const text = fs.readFileSync(saved, 'utf8');
  expect(text).toContain("'=IMP-2,Hillside Clinic,Boaz,AL,nowhere,3,");

  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by Ada Admin/)).toBeVisible();
  await wizard.getByRole('button', { name: 'New import' }).click();

  // The corrected rows have the columns of the first file, which are matched as before.
  await page.getByRole('combobox', { name: 'What does the file hold?' }).fill('facil');
  await page.getByRole('option', { name: 'Facilities' }).click();
  await file.setInputFiles(csv('mended.csv', text.replace('nowhere', '35957')));
  await expect(wizard.getByRole('combobox', { name: 'Kundennummer is read as' })).toHaveValue('Account number');
  await wizard.getByRole('button', { name: 'Check' }).click();
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by Ada Admin/)).toBeVisible();

  await page.goto('/pub-quote-new');
  await page.getByRole('combobox', { name: /facility/i }).fill('hillside');
  await expect(page.getByRole('option', { name: /Hillside Clinic/ })).toBeVisible();

  await page.goto('/admin/initialImportProdDbData');
  const history = page.getByRole('table', { name: 'Imports so far' });
  await expect(history.getByRole('row', { name: /hospitals.csv Facilities Applied New 1/ })).toBeVisible();
  await expect(history.getByRole('button', { name: /^Undo/ })).toHaveCount(1);
  await history.getByRole('button', { name: 'Undo the import of mended.csv' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByText('The import of mended.csv is undone.')).toBeVisible();
  await expect(history.getByRole('row', { name: /mended.csv Facilities Undone/ })).toBeVisible();
  await page.goto('/pub-quote-new');
  await page.getByRole('combobox', { name: /facility/i }).fill('hillside');
  await expect(page.getByText(/no facility|nothing found|No Record Found/i).first()).toBeVisible();
});

test('a column that may be a unit waits for an answer, and prices are shown in money before they are applied', async ({
  page,
  server,
  signIn,
}, testInfo) => {
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Petra Prices' });
  await anItem(server.db, { number: 'SCR-P1', units: { EA: 1, BX: 50 }, prices: [{ unit: 'EA', price: 1 }] });
  await anItem(server.db, { number: 'SCR-P2', units: { EA: 1 }, prices: [{ unit: 'EA', price: 4 }] });
  await signIn(admin);
  await page.goto('/admin/initialImportProdDbData');
  await page.getByRole('combobox', { name: 'What does the file hold?' }).fill('List');
  await page.getByRole('option', { name: 'List prices' }).click();
  const rows = ['Item,Price,Selling Unit,Pack,Per', 'SCR-P1,50.00,EA,50,1', 'SCR-P2,4.50,EA,1,1', 'SCR-P2,5,7/zz,1,1'];
  await page.locator('input[type=file]').setInputFiles(csv('list prices.csv', rows.join('\n')));
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await expect(
    wizard.getByText(/Say what each of these columns is, or that it is not used: 'Pack' may be/),
  ).toBeVisible();
  await expect(wizard.getByText('May be a pack size.')).toBeVisible();
  await expect(wizard.getByRole('button', { name: 'Check' })).toBeDisabled();
  await shots(page, testInfo, 'columns');
  await expectAccessible(page);

  await wizard.getByRole('combobox', { name: 'Per is read as' }).click();
  await page.getByRole('option', { name: 'Not used' }).click();
  await expect(wizard.getByText(/Say what this column is, or that it is not used: 'Pack'/)).toBeVisible();
  await wizard.getByRole('combobox', { name: 'Pack is read as' }).fill('not');
  await page.getByRole('option', { name: 'Not used' }).click();
  await wizard.getByRole('button', { name: 'Check' }).click();

  const changed = wizard.getByRole('table', { name: 'Changed prices' });
  await expect(changed.getByRole('row', { name: /SCR-P2 \$4\.00 \$4\.50 EA 1\.13 times/ })).toBeVisible();
  const held = wizard.getByRole('table', { name: 'Held' });
  await expect(held).toContainText('$50.00 per EA (50.00 times)');
  await expect(held).toContainText('About 50 times: is it the price of a BX?');
  await shots(page, testInfo, 'money');
  await expectAccessible(page);
  await expectNoSideScroll(page);
});

/** Pictures for people who review the screen: wide and narrow, light and dark. */
async function shots(page: Page, testInfo: TestInfo, name: string): Promise<void> {
  const size = page.viewportSize();
  for (const width of [1440, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 1000 });
      await page.screenshot({ path: testInfo.outputPath(`${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  await page.emulateMedia({ colorScheme: 'light' });
  if (size) await page.setViewportSize(size);
}

test('a refused undo says why, and products are made for the items of an item class', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const itemClass = await anItemClass(db, { name: 'Walkers' });
  await anItem(db, { classId: itemClass.id, description: 'Walker with wheels' });
  await signIn(admin);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/initialImportProdDbData');
  await page.getByRole('combobox', { name: 'What does the file hold?' }).fill('ZIP');
  await page.getByRole('option', { name: 'ZIP codes' }).click();
  await page.locator('input[type=file]').setInputFiles(csv('zips.csv', 'zip,city\n60999,Sometown\n'));
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText(/^Imported by/)).toBeVisible();
  await db.updateTable('zip').set({ city: 'Othertown' }).where('zip5', '=', '60999').execute();
  await page.getByRole('region', { name: 'Import', exact: true }).getByRole('button', { name: 'Undo' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await expect(dialog).toHaveCount(0);
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await expect(wizard.getByRole('alert')).toContainText(
    'This import cannot be undone: 1 of its ZIP codes was changed since this import: 60999.',
  );
  await expect(wizard.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expectNoSideScroll(page);

  await page.getByRole('combobox', { name: 'Item class' }).fill('walk');
  await page.getByRole('option', { name: 'Walkers' }).click();
  await page.getByRole('button', { name: 'Make products' }).click();
  await expect(page.getByText('1 product was made for Walkers, which has 1 item.')).toBeVisible();
  await page.getByRole('button', { name: 'Make products' }).click();
  await expect(page.getByText('Every item of Walkers has a product (1 item).')).toBeVisible();
});

test('the history is filtered, sorted, and exported; other screens link to their kind', async ({
  page,
  server,
  signIn,
}, testInfo) => {
  await signIn(await aUser(server.db, { roles: ['systemadmin'], fullName: 'Hana History' }));
  await page.goto('/admin/users');
  await page.getByRole('link', { name: 'Import from a file' }).click();
  await expect(page).toHaveURL(/kind=users/);
  const kind = page.getByRole('combobox', { name: 'What does the file hold?' });
  await expect(kind).toHaveValue('Users');
  await page.goto('/facilities');
  await page.getByRole('link', { name: 'Import from a file' }).click();
  await expect(kind).toHaveValue('Facilities');
  const file = page.locator('input[type=file]');
  await file.setInputFiles(csv('hospitals.csv', 'Account number,Name\nH-1,First\n'));
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await wizard.getByRole('button', { name: 'Check' }).click();
  await wizard.getByRole('button', { name: 'Another file' }).click();
  await kind.fill('ZIP');
  await page.getByRole('option', { name: 'ZIP codes' }).click();
  await file.setInputFiles(csv('towns.csv', 'zip,city\n60999,Sometown\n'));
  await expect(wizard.getByRole('button', { name: 'Check' })).toBeVisible();

  const history = page.getByRole('region', { name: 'Imports so far' });
  const rows = history.locator('tbody tr');
  await history.getByRole('textbox', { name: 'File or person' }).fill('hana');
  await expect(rows).toHaveCount(2);
  await history.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Checked' }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('hospitals.csv');
  // The open import stays open.
  await expect(page).toHaveURL(/import=\d+/);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await expect(wizard.getByText('ZIP codes: towns.csv')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await history.getByRole('button', { name: 'Export' }).click();
  const saved = testInfo.outputPath('imports.csv');
  await (await downloading).saveAs(saved);
  expect(fs.readFileSync(saved, 'utf8').trimEnd().split('\r\n').slice(1)).toEqual([
    expect.stringMatching(/^hospitals.csv,Facilities,Checked,New 1,.*,Hana History/),
  ]);
  await history.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'All states' }).click();
  await history.getByRole('button', { name: 'Kind' }).click();
  await expect(page).toHaveURL(/sort=kind.asc/);
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('hospitals.csv');
  await history.getByRole('button', { name: 'Kind' }).click();
  await expect(rows.first()).toContainText('towns.csv');
  await expectAccessible(page);
  await page.screenshot({ path: testInfo.outputPath('desk.png'), fullPage: true });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideScroll(page);
  await page.screenshot({ path: testInfo.outputPath('phone.png'), fullPage: true });
});

test('a row that may be about another facility is left out until it is accepted', async ({ page, server, signIn }) => {
  const { db } = server;
  const named = (acctNo: string) =>
    db.selectFrom('facility').select('name').where('acct_no', '=', acctNo).executeTakeFirstOrThrow();
  // All of them are in Chicago.
  await aFacility(db, { acctNo: '010077', name: 'Lakeside General' });
  await aFacility(db, { acctNo: '10077', name: 'Hillside Clinic' });
  await aFacility(db, { acctNo: 'H-2', name: 'Second' });
  await signIn(await aUser(db, { roles: ['systemadmin'] }));
  await page.goto(paths.dataImport);
  await page.getByRole('combobox', { name: 'What does the file hold?' }).fill('facil');
  await page.getByRole('option', { name: 'Facilities' }).click();
  const rows = ['Account,Facility Name,City,State', '10077,Lakeside General,Boaz,AL', 'H-2,Quite Another,Mobile,AL'];
  await page.locator('input[type=file]').setInputFiles(csv('again.csv', rows.join('\n')));
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  const held = wizard.getByRole('region', { name: 'Held' });
  const check = async () => {
    await wizard.getByRole('button', { name: 'Check' }).click();
    await expect(held.getByRole('heading', { name: 'Another facility? 2 rows are held' })).toBeVisible();
  };
  await check();
  await expect(
    held.getByRole('row', {
      name: /10077 Hillside Clinic, Chicago, IL Lakeside General, Boaz, AL Account 010077 is Lakeside/,
    }),
  ).toBeVisible();
  await expect(held.getByRole('status')).toContainText('0 accepted, 0 rejected, 2 open');
  await expect(wizard.getByRole('button', { name: 'Apply' })).toHaveCount(0);
  await expectAccessible(page);

  await held.getByRole('button', { name: 'Accept all' }).click();
  await expect(held.getByRole('status')).toContainText('2 accepted, 0 rejected, 0 open');
  await held.getByRole('button', { name: /^Reject line 2: 10077/ }).click();
  await expect(held.getByRole('status')).toContainText('1 accepted, 1 rejected, 0 open');
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(held.getByRole('button', { name: /^Accept line 3: H-2 becomes Quite Another/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by/)).toBeVisible();
  expect(await named('10077')).toEqual({ name: 'Hillside Clinic' });
  expect(await named('H-2')).toEqual({ name: 'Quite Another' });
});
