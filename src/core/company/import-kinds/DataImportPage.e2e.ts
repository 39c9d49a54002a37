// Tests the Data Import page in a browser: a file with errors, matching a column by hand, correcting rows, applying, use in a new quote, undo.
import fs from 'node:fs';
import ExcelJS from 'exceljs';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';

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

  await page.getByRole('combobox', { name: 'What is in the file?' }).fill('facil');
  await page.getByRole('option', { name: 'Facilities' }).click();
  await expect(page.getByText(/Recognized columns: account number · name/)).toBeVisible();
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
  await expect(wizard.getByText('Choose which column is the account number.')).toBeVisible();
  await expect(page).toHaveURL(/import=\d+/);
  await expect(wizard.getByRole('button', { name: 'Check' })).toBeDisabled();

  await wizard.getByRole('combobox', { name: 'Import Kundennummer as' }).fill('account n');
  await page.getByRole('option', { name: 'Account number', exact: true }).click();
  await expect(wizard.getByText('5 of 5 columns are used.')).toBeVisible();
  await page.reload();
  await expect(wizard.getByRole('combobox', { name: 'Import Kundennummer as' })).toHaveValue('Account number');
  await page.keyboard.press('Control+Enter');

  const figures = wizard.getByLabel('Figures');
  await expect(figures).toContainText('Refused1');
  await expect(figures).toContainText('New1');
  await expect(
    wizard.getByRole('table', { name: 'Refused' }).getByRole('row', { name: '3 ZIP nowhere is not a US ZIP code' }),
  ).toBeVisible();
  await expect(wizard.getByText('Nothing has been imported yet. 1 row is refused and left out.')).toBeVisible();

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
  await page.getByRole('combobox', { name: 'What is in the file?' }).fill('facil');
  await page.getByRole('option', { name: 'Facilities' }).click();
  await file.setInputFiles(csv('corrected.csv', text.replace('nowhere', '35957')));
  await expect(wizard.getByRole('combobox', { name: 'Import Kundennummer as' })).toHaveValue('Account number');
  await wizard.getByRole('button', { name: 'Check' }).click();
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by Ada Admin/)).toBeVisible();

  await page.goto('/pub-quote-new');
  await page.getByRole('combobox', { name: /facility/i }).fill('hillside');
  await expect(page.getByRole('option', { name: /Hillside Clinic/ })).toBeVisible();

  await page.goto('/admin/initialImportProdDbData');
  const history = page.getByRole('table', { name: 'Import history' });
  await expect(history.getByRole('row', { name: /hospitals.csv Facilities Applied New 1/ })).toBeVisible();
  await expect(history.getByRole('button', { name: /^Undo the import of (hospitals|corrected)/ })).toHaveCount(1);
  await history.getByRole('button', { name: 'Undo the import of corrected.csv' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByText('Import of corrected.csv undone.')).toBeVisible();
  await expect(history.getByRole('row', { name: /corrected.csv Facilities Undone/ })).toBeVisible();
  await page.goto('/pub-quote-new');
  await page.getByRole('combobox', { name: /facility/i }).fill('hillside');
  await expect(page.getByText(/no facility|nothing found|No Record Found/i).first()).toBeVisible();
});

test('a column that may be a unit waits for an answer, and prices are shown in money before they are applied', async ({
  page,
  server,
  signIn,
}) => {
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Petra Prices' });
  await anItem(server.db, { number: 'SCR-P1', units: { EA: 1, BX: 50 }, prices: [{ unit: 'EA', price: 1 }] });
  await anItem(server.db, { number: 'SCR-P2', units: { EA: 1 }, prices: [{ unit: 'EA', price: 4 }] });
  await signIn(admin);
  // All columns must be visible: choices without a position yet are at the top, and scrolling to them would hide them with their field.
  await page.setViewportSize({ width: 1280, height: 1100 });
  await page.goto('/admin/initialImportProdDbData');
  await page.getByRole('combobox', { name: 'What is in the file?' }).fill('List');
  await page.getByRole('option', { name: 'List prices' }).click();
  const rows = [
    'Valid from 01/01/2020',
    'Item,Price,Selling Unit,Pack,Per',
    'SCR-P1,50.00,EA,50,1',
    'SCR-P2,4.50,EA,1,1',
    'SCR-P2,5,7/zz,1,1',
  ];
  await page.locator('input[type=file]').setInputFiles(csv('list prices.csv', rows.join('\n')));
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await expect(
    wizard.getByText(/Choose what each of these columns is, or mark it as not used: 'Pack' may be/),
  ).toBeVisible();
  await expect(wizard.getByText('May be a pack size.')).toBeVisible();
  await expect(wizard.getByRole('button', { name: 'Check' })).toBeDisabled();

  const above = wizard.getByText(/line 1, 'Valid from 01\/01\/2020', may be the day from which/);
  await expect(above).toBeVisible();
  await wizard.getByRole('combobox', { name: 'Import Per as' }).click();
  await page.getByRole('option', { name: 'Not used' }).click();
  await expect(wizard.getByText(/Choose what this column is, or mark it as not used: 'Pack'/)).toBeVisible();
  await wizard.getByRole('combobox', { name: 'Import Pack as' }).fill('not');
  await page.getByRole('option', { name: 'Not used' }).click();
  await expect(wizard.getByText(/Choose what this column is/)).toBeHidden();
  await wizard.getByRole('button', { name: 'Yes, the headings are in line 2' }).focus();
  await page.keyboard.press('Enter');
  await expect(
    wizard.getByText(/^Above the headings, and not read: line 1, 'Valid from 01\/01\/2020', may be/),
  ).toBeVisible();
  await expect(wizard.getByRole('textbox', { name: 'Header row' })).toBeFocused();
  await wizard.getByRole('button', { name: 'Check' }).click();

  const changed = wizard.getByRole('table', { name: 'Changed prices' });
  await expect(changed.getByRole('row', { name: /SCR-P2 \$4\.00 \$4\.50 EA 1\.13 times/ })).toBeVisible();
  const held = wizard.getByRole('table', { name: 'Held' });
  await expect(held).toContainText('$50.00 per EA (50.00 times)');
  await expect(held).toContainText('About 50 times: is it the price of a BX?');
  await expectNoSideScroll(page);
});

test('a workbook with two price lists asks which sheet is meant, and another one can be chosen', async ({
  page,
  server,
  signIn,
}) => {
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Sam Sheets' });
  const item = await anItem(server.db, { number: 'SCR-S1', units: { EA: 1 }, prices: [{ unit: 'EA', price: 2 }] });
  await signIn(admin);
  await page.goto('/admin/initialImportProdDbData');
  await page.getByRole('combobox', { name: 'What is in the file?' }).fill('List');
  await page.getByRole('option', { name: 'List prices' }).click();
  const book = new ExcelJS.Workbook();
  for (const [name, price] of [
    ['Last year', 3],
    ['This year', 4],
    ['Notes', 0],
  ] as const)
    book.addWorksheet(name).addRows(
      price > 0
        ? [
            ['Item', 'Price'],
            ['SCR-S1', price],
          ]
        : [['Call the vendor']],
    );
  const buffer = Buffer.from(await book.xlsx.writeBuffer());
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'lists.xlsx', mimeType: 'application/octet-stream', buffer });
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await expect(
    wizard.getByText("Choose the sheet: 'This year' (2 rows) has as many rows as 'Last year'."),
  ).toBeVisible();
  await expect(wizard.getByRole('button', { name: 'Check' })).toBeDisabled();

  await wizard.getByRole('button', { name: 'Use sheet ‘Last year’' }).click();
  await expect(wizard.getByRole('button', { name: 'Check' })).toBeEnabled();
  await wizard.getByRole('combobox', { name: 'Sheet' }).click();
  await page.getByRole('option', { name: 'This year' }).click();
  await expect(wizard.getByText('4', { exact: true })).toBeVisible();
  await wizard.getByRole('button', { name: 'Check' }).click();
  const changed = wizard.getByRole('table', { name: 'Changed prices' });
  await expect(changed.getByRole('row', { name: /SCR-S1 \$2\.00 \$4\.00 EA/ })).toBeVisible();
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by Sam Sheets/)).toBeVisible();
  const stored = server.db
    .selectFrom('item_price')
    .select('price')
    .where('item_id', '=', item.id)
    .orderBy('valid_from');
  expect((await stored.execute()).map(({ price }) => price)).toEqual([2, 4]);
});
