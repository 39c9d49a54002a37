import { anItem } from '#testing/factories/catalogue.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { paths } from '#shared/paths.ts';

const PRICES = ['42.00', '42.01', '400', '30', '40'];

test('prices beyond the tolerance wait for a decision, even after the others are applied', async ({
  page,
  server,
  signIn,
}, testInfo) => {
  const { db } = server;
  const lines = [];
  for (const [at] of PRICES.entries()) {
    const { id } = await anItem(db, { number: `GL-${at}`, units: { EA: 1, BX: 10, CS: 100 } });
    lines.push({ itemId: id, price: 40, unit: 'BX' });
  }
  const { id } = await aContract(db, { number: 'PP-1', lines });
  const pricesNow = async () => {
    const rows = await db
      .selectFrom('contract_line_price')
      .innerJoin('contract_line', 'contract_line.id', 'contract_line_id')
      .select('price')
      .where('contract_id', '=', id)
      .where('contract_line_price.valid_to', 'is', null)
      .orderBy('contract_line.id')
      .execute();
    return rows.map(({ price }) => price);
  };
  await signIn(await aUser(db, { roles: ['contractdept'], fullName: 'Connie Contract' }));
  await page.goto(`${paths.contractImport}?kind=contract-prices`);
  await expect(page.getByRole('heading', { name: 'Contract Import', level: 1 })).toBeVisible();
  const rows = PRICES.map((price, at) => `GL-${at},BX,${price}`);
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await page.locator('input[type=file]').setInputFiles({
    name: 'november.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Item,UOM,Price', ...rows, 'GL-0,CS,400'].join('\n')),
  });
  await expect(wizard.getByRole('textbox', { name: 'Hold changes beyond' })).toHaveValue('5');
  await wizard.getByRole('textbox', { name: 'Hold changes beyond' }).fill('a lot');
  await wizard.getByRole('textbox', { name: 'Contract number' }).fill('PP-1');
  await wizard.getByRole('button', { name: 'Check' }).click();
  await expect(
    wizard.getByText('Hold changes beyond: type a number of 0 or more, such as 5 or 2.50.').first(),
  ).toBeVisible();
  await wizard.getByRole('textbox', { name: 'Hold changes beyond' }).fill('5');
  await expectAccessible(page);
  await wizard.getByRole('button', { name: 'Check' }).click();

  const held = wizard.getByRole('region', { name: 'Held' });
  await expect(held.getByRole('heading', { name: 'Is the price right? 3 rows are held' })).toBeVisible();
  await expect(wizard.getByLabel('Figures')).toContainText('Unit problem1');
  await expect(
    held.getByRole('row', { name: /PP-1 GL-2 BX.*40\.00 per BX.*400\.00 per BX .*price of a CS\?/ }),
  ).toBeVisible();
  await held.getByRole('button', { name: /^Reject line 4:/ }).click();
  await held.getByRole('button', { name: /^Accept line 3:/ }).click();
  await expect(held.getByRole('status')).toContainText('1 accepted, 1 rejected, 1 open');
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await page.screenshot({ path: testInfo.outputPath('desk.png'), fullPage: true });
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by Connie Contract/)).toBeVisible();
  expect(await pricesNow()).toEqual([42, 42.01, 40, 40, 40]);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(held.getByText('Applied')).toBeVisible();
  await held.getByRole('button', { name: 'Accept the other row' }).click();
  await expect(held.getByRole('status')).toContainText('1 accepted, 1 rejected, 0 open');
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await page.screenshot({ path: testInfo.outputPath('phone.png'), fullPage: true });
  await wizard.getByRole('button', { name: 'Apply 1 accepted row' }).click();
  await expect(held.getByRole('status')).toContainText('0 accepted, 1 rejected, 0 open');
  expect(await pricesNow()).toEqual([42, 42.01, 40, 30, 40]);

  await wizard.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByText('The import of november.csv is undone.')).toBeVisible();
  expect(await pricesNow()).toEqual([40, 40, 40, 40, 40]);
});

test('a contract links to its import; another unit is decided row by row, and another facility is picked', async ({
  page,
  server,
  signIn,
}, testInfo) => {
  const { db } = server;
  const lines = [];
  for (const n of [1, 2, 3]) {
    const { id } = await anItem(db, { number: `UN-${n}`, units: { EA: 1, BX: 10, CS: 100 } });
    lines.push({ itemId: id, price: 41, unit: 'BX' });
  }
  const { id } = await aContract(db, { number: 'UNIT-1', lines });
  await aFacility(db, { acctNo: 'LK-1', name: 'Lakeside Hospital North' });
  await aFacility(db, { acctNo: 'GD-2', name: 'Gadsden Surgical Partners' });
  await signIn(await aUser(db, { roles: ['contractdept'], fullName: 'Connie Contract' }));
  await page.goto(`${paths.contract(id)}?tab=lines`);
  await page.getByRole('link', { name: 'Import from a file' }).click();
  await expect(page.getByRole('combobox', { name: 'What does the file hold?' })).toHaveValue('Contract prices');
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  const upload = (name: string, text: string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const rows = [1, 2, 3].map((n) => `UN-${n},CS of 10 BX,415,1`);
  await upload('cases.csv', ['Item,UOM,Price,Tier', ...rows].join('\n'));
  await expect(wizard.getByRole('textbox', { name: 'Contract number' })).toHaveValue('UNIT-1');
  await wizard.getByRole('combobox', { name: 'Rows in another unit than the line' }).click();
  await page.getByRole('option', { name: 'Decide row by row' }).click();
  await wizard.getByRole('button', { name: 'Check' }).click();
  const held = wizard.getByRole('region', { name: 'Held' });
  await expect(
    held.getByRole('row', { name: /UN-1 CS.*41\.00 per BX.*415\.00 per CS is 41\.50 per BX/ }),
  ).toBeVisible();
  await held.getByRole('button', { name: /^Convert line 2:/ }).click();
  await held.getByRole('button', { name: /^Add line in CS line 3:/ }).click();
  await held.getByRole('button', { name: /^Reject line 4:/ }).click();
  await expect(held.getByRole('status')).toContainText('2 accepted, 1 rejected, 0 open');
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await page.screenshot({ path: testInfo.outputPath('units.png'), fullPage: true });
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(held.getByText('Applied: Convert')).toBeVisible();
  const priced = await db
    .selectFrom('contract_line_price')
    .innerJoin('contract_line', 'contract_line.id', 'contract_line_id')
    .select(['unit', 'price'])
    .where('contract_id', '=', id)
    .where('contract_line_price.valid_to', 'is', null)
    .orderBy('contract_line.id')
    .orderBy('contract_line_price.id')
    .execute();
  expect(priced.map(({ unit, price }) => `${unit} ${price}`)).toEqual(['BX 41.5', 'BX 41', 'BX 41', 'CS 415']);

  await page.goto(`${paths.contract(id)}?tab=roster`);
  await page.getByRole('link', { name: 'Import from a file' }).click();
  await expect(page.getByRole('combobox', { name: 'What does the file hold?' })).toHaveValue('Rosters');
  await upload('roster.csv', 'Name,City,State,ZIP,Tier\nLakeside Hospital,Chicago,IL,60601,1');
  await expect(wizard.getByRole('textbox', { name: 'Contract number' })).toHaveValue('UNIT-1');
  await wizard.getByRole('button', { name: 'Check' }).click();
  await expect(held.getByRole('row', { name: /LK-1 Lakeside Hospital North/ })).toBeVisible();
  await held.getByRole('button', { name: /^Another facility for line 2:/ }).click();
  await held.getByRole('combobox', { name: 'Facility' }).fill('gadsden');
  // An open list is outside the landmarks of the page.
  await expectAccessible(page, 'main');
  await page.getByRole('option', { name: /Gadsden Surgical Partners/ }).click();
  await expect(held.getByText('GD-2 Gadsden Surgical Partners')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await page.screenshot({ path: testInfo.outputPath('facility.png'), fullPage: true });
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by Connie Contract/)).toBeVisible();
  const [listed] = await db
    .selectFrom('contract_roster')
    .innerJoin('facility', 'facility.id', 'facility_id')
    .select('acct_no')
    .where('contract_id', '=', id)
    .execute();
  expect(listed?.acct_no).toBe('GD-2');
});
