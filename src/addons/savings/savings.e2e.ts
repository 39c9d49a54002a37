// Tests the screens of savings analyses: from a customer's file to a quote by keyboard, refusals, undo, and on a phone.
import type { Page } from '@playwright/test';
import { paths } from '#platform/shared/paths.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { anItem, anItemClass } from '#testing/factories/catalog.server.ts';
import { aContract, aContractPrice, aTier } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aSavingsAnalysis } from '#testing/factories/savings.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { Savings } from './savings.contract.ts';

test.use({ company: 'savings' });

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
let count = 0;

/** A facility, two items of ours, and other companies' numbers for them in a file. */
async function aCustomer({ db }: TestServer) {
  const n = ++count;
  const facility = await aFacility(db, { name: `Saint Savings ${n}` });
  const { id: classId } = await anItemClass(db, { name: `Gloves ${n}` });
  const units = { EA: 1, BX: 100 };
  const priced = { classId, units, manufacturer: 'Acme' };
  const glove = await anItem(db, {
    ...priced,
    number: `GLV-${n}-77`,
    description: `Examination glove nitrile blue medium lot${n}`,
    manufacturerNo: `ACM${n}5501`,
    prices: [{ unit: 'BX', price: 8 }],
  });
  const swab = await anItem(db, {
    ...priced,
    number: `SWB-${n}-12`,
    description: `Cotton swab applicator sterile wooden lot${n}`,
    manufacturerNo: `ACM${n}6602`,
    prices: [{ unit: 'BX', price: 5 }],
  });
  const inside = await aUser(db, { roles: ['insiderep'], fullName: `Ines Sider ${n}` });
  const rows = [
    'Hospital item,Manufacturer,Manufacturer number,Description,UOM,Eaches per unit,Annual quantity,Price',
    `H-${n}-1,Acme,ACM${n}5501,"Glove, exam",BX,100,40,10.00`,
    `H-${n}-2,Other Maker,ZZ${n}001,Cotton swab applicator sterile wooden lot${n},BX,100,20,6.50`,
    `H-${n}-3,Nobody,QQ${n}404,Torpedo rudder hinge,EA,1,3,900.00`,
  ];
  return { n, facility, glove, swab, inside, file: rows.join('\n') };
}

const rowsOf = (page: Page) => page.getByRole('grid', { name: 'Rows' });
const figure = (page: Page, label: string) =>
  page.locator('dl[aria-label="Annual totals"] > div').filter({ hasText: label });

test('from a file to a quote by keyboard', async ({ page, server, signIn }) => {
  const { n, facility, glove, swab, inside, file } = await aCustomer(server);
  await page.setViewportSize(DESK);
  await signIn(inside);
  await page.goto(`${paths.newQuote}?facility=${facility.id}`);
  await page.getByRole('link', { name: "From the customer's usage file" }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New Savings Analysis' })).toBeVisible();
  await expect(page.getByLabel('Facility')).toHaveValue(new RegExp(facility.name));
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose file' }).press('Enter');
  await (await chooser).setFiles({ name: `Usage ${n}.csv`, mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/\/savings\/\d+/);
  await expect(page.getByRole('heading', { level: 1, name: `Usage ${n}` })).toBeVisible();

  // The manufacturer's number is certain, the description is proposed, and the third row matches none of our items.
  const display = (label: RegExp) => page.getByRole('radio', { name: label });
  await expect(display(/^To review 1$/)).toBeChecked();
  await expect(display(/^No match 1$/)).toBeAttached();
  await expect(display(/^Certain or accepted 1$/)).toBeAttached();
  await expect(figure(page, 'Savings')).toContainText('$80.00 (20%)');

  const evidence = page.getByRole('complementary', { name: 'Evidence' });
  await expect(evidence).toContainText(swab.itemNumber);
  await rowsOf(page).focus();
  await page.keyboard.press('Enter');
  await expect(display(/^To review 0$/)).toBeAttached();
  await expect(figure(page, 'Savings')).toContainText('$110.00');
  await expect(page.getByText('All proposals are decided. 1 row has no match.')).toBeVisible();

  await page.getByText(/^No match 1$/).click();
  await expect(evidence).toContainText('Torpedo rudder hinge');
  await rowsOf(page).focus();
  await page.keyboard.press('b');
  const dialog = page.getByRole('dialog', { name: /^No bid on row/ });
  await expectAccessible(page, '[role="dialog"]');
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await page.keyboard.type('We make no torpedoes');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(display(/^No bid 1$/)).toBeAttached();
  await page.keyboard.press('Control+z');
  await expect(display(/^No bid 0$/)).toBeAttached();
  await expect(display(/^No match 1$/)).toBeAttached();

  const download = page.waitForEvent('download');
  await page.keyboard.press('e');
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/);

  // A browser that is still saving the file may miss the key.
  await expect(async () => {
    await page.keyboard.press('q');
    await expect(page.getByText('1 undecided row is not included.')).toBeVisible({ timeout: 3000 });
  }).toPass();
  await expectAccessible(page, '[role="dialog"]');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/quote-board\/\d+/);
  const quoteId = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0]);
  const lines = await server.db
    .selectFrom('quote_item')
    .select(['item_number', 'qty', 'unit', 'customer_item_number'])
    .where('quote_id', '=', quoteId)
    .where('type', '=', 'item')
    .orderBy('line_no')
    .execute();
  expect(lines).toEqual([
    { item_number: glove.itemNumber, qty: 40, unit: 'BX', customer_item_number: `H-${n}-1` },
    { item_number: swab.itemNumber, qty: 20, unit: 'BX', customer_item_number: `H-${n}-2` },
  ]);
});

test('another item is chosen with the text of the customer already typed', async ({ page, server, signIn }) => {
  const { n, facility, glove, swab, inside } = await aCustomer(server);
  const analysis = await aSavingsAnalysis(server.db, {
    facility_id: facility.id,
    owner_id: inside.id,
    rows: [
      { maker_no: `ACM${n}6602`, their_number: `ACM${n}6602`, item_id: glove.id, our_unit: 'BX', confidence: 'likely' },
      { maker_no: `ACM${n}6602`, their_number: `ACM${n}6602`, item_id: glove.id, our_unit: 'BX', confidence: 'likely' },
    ],
  });
  await page.setViewportSize(DESK);
  await signIn(inside);
  await page.goto(paths.savingsAnalysis(analysis.id));
  await expect(page.getByRole('complementary', { name: 'Evidence' })).toContainText(glove.itemNumber);
  await rowsOf(page).focus();
  await page.keyboard.press('c');
  const field = page.getByLabel('Enter Partial Item # or Name to search');
  await expect(field).toHaveValue(`ACM${n}6602`);
  await expect(page.getByRole('button', { name: `Pick ${swab.itemNumber}` })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: /^Certain or accepted 1$/ })).toBeAttached();
  const stored = await server.db
    .selectFrom('savings_row')
    .select(['item_id', 'decision'])
    .where('analysis_id', '=', analysis.id)
    .orderBy('row_no')
    .execute();
  expect(stored).toEqual([
    { item_id: swab.id, decision: 'accepted' },
    { item_id: glove.id, decision: 'open' },
  ]);

  // Undo reopens the row. Then one key decides all rows with the number.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('radio', { name: /^To review 2$/ })).toBeAttached();
  await rowsOf(page).focus();
  await page.keyboard.press('s');
  await expect(page.getByRole('radio', { name: /^Certain or accepted 2$/ })).toBeAttached();
});

test('files that cannot be read are refused in words, and an empty form says what it needs', async ({
  page,
  server,
  signIn,
}) => {
  const { facility, inside } = await aCustomer(server);
  await page.setViewportSize(DESK);
  await signIn(inside);
  await page.goto(paths.newSavingsAnalysis);
  await page.getByRole('button', { name: 'Read rows' }).click();
  await expect(page.getByText('Choose the facility')).toBeVisible();
  await expect(page.getByText('Choose a file')).toBeVisible();
  await page.goto(`${paths.newSavingsAnalysis}?facility=${facility.id}`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose file' }).click();
  await (await chooser).setFiles({ name: 'usage.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') });
  await page.getByRole('button', { name: 'Read rows' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Save the table as Excel or CSV' })).toBeVisible();
  await expect(page).toHaveURL(/\/savings\/new/);
  // Following a link does not lose what was chosen or pasted.
  await page.getByRole('link', { name: '‹ Savings Analyses' }).click();
  const dialog = page.getByRole('dialog', { name: 'Discard your changes?' });
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page).toHaveURL(/\/savings\/new/);
});

test('an analysis out of sight does not exist, and rows that were not loaded are asked for again', async ({
  page,
  server,
  signIn,
  browser,
  address,
}) => {
  const { facility, inside } = await aCustomer(server);
  const analysis = await aSavingsAnalysis(server.db, {
    facility_id: facility.id,
    owner_id: inside.id,
    rows: [{ description: 'Torpedo rudder hinge' }],
  });
  await signIn(inside);
  await page.route('**/SearchAnalysisRows', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto(paths.savingsAnalysis(analysis.id));
  await expect(page.getByRole('alert')).toContainText('The rows could not be loaded');
  await page.unroute('**/SearchAnalysisRows');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(rowsOf(page)).toContainText('Torpedo rudder hinge');

  const context = await browser.newContext({ baseURL: address });
  const other = await context.newPage();
  await signIn(await aUser(server.db, { roles: ['salesrep'] }), other);
  await other.goto(paths.savingsAnalysis(analysis.id));
  await expect(other.getByRole('alert')).toContainText('This savings analysis does not exist.');
  await other.goto(paths.savingsAnalyses);
  await expect(other.getByText('No Record Found')).toBeVisible();
  await context.close();
});

test('rows in which we are dearer are left out and taken in again, and a typed price is kept with its reason', async ({
  page,
  server,
  signIn,
}) => {
  const { n, facility, inside, glove, file } = await aCustomer(server);
  await page.setViewportSize(DESK);
  await signIn(inside);
  await page.goto(`${paths.newSavingsAnalysis}?facility=${facility.id}`);
  await page.getByText('Paste rows', { exact: true }).click();
  await page.getByLabel('Rows from a spreadsheet or an email').fill(file.replace('40,10.00', '40,7.00'));
  await page.getByLabel('Name').fill(`Pasted ${n}`);
  await page.getByRole('button', { name: 'Read rows' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Pasted ${n}` })).toBeVisible();
  await expect(figure(page, 'Additional cost')).toContainText('$40.00');

  await page.getByRole('tab', { name: 'Comparison' }).click();
  await expect(page.getByRole('region', { name: 'By manufacturer' })).toContainText('Acme');
  await page.getByRole('button', { name: 'Leave out rows where we cost more' }).click();
  await expect(figure(page, 'Rows compared')).toContainText('0 of 3');
  await page.getByRole('button', { name: 'Include them again' }).click();
  await expect(figure(page, 'Rows compared')).toContainText('1 of 3');

  await page.getByRole('tab', { name: 'Rows' }).click();
  await page.getByText(/^Certain or accepted 1$/).click();
  await expect(page.getByRole('complementary', { name: 'Evidence' })).toContainText(glove.itemNumber);
  await rowsOf(page).focus();
  await page.keyboard.press('p');
  const dialog = page.getByRole('dialog', { name: /^Price to match/ });
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByLabel('Price per BX of 100').fill('6.50');
  await dialog.getByLabel('Reason').fill('Meets their price');
  await page.keyboard.press('Enter');
  await expect(figure(page, 'Savings')).toContainText('$20.00');
  await page.keyboard.press('Control+z');
  await expect(figure(page, 'Additional cost')).toContainText('$40.00');

  await page.getByRole('tab', { name: 'File' }).click();
  await expect(page.getByRole('combobox', { name: 'Import UOM as' })).toHaveValue('Unit');
});

test('a row is split, approvals are seen ahead, and prices of today show what changed', async ({
  page,
  server,
  signIn,
}) => {
  const { n, facility, inside, glove, file } = await aCustomer(server);
  const contract = await aContract(server.db, {
    facilityIds: [facility.id],
    lines: [{ itemId: glove.id, price: 7.5, unit: 'BX' }],
  });
  const second = await aTier(server.db, { contractId: contract.id, no: 2, needsLoc: true });
  await aContractPrice(server.db, { lineId: contract.lineIds[0] ?? 0, tierId: second.id, price: 7 });
  await page.setViewportSize(DESK);
  await signIn(inside);
  await page.goto(`${paths.newSavingsAnalysis}?facility=${facility.id}`);
  await page.getByText('Paste rows', { exact: true }).click();
  await page.getByLabel('Rows from a spreadsheet or an email').fill(file);
  await page.getByLabel('Name').fill(`Split ${n}`);
  await page.getByRole('button', { name: 'Read rows' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Split ${n}` })).toBeVisible();
  const evidence = page.getByRole('complementary', { name: 'Evidence' });
  const display = (label: RegExp) => page.getByRole('radio', { name: label });
  await page.getByText(/^Certain or accepted 1$/).click();
  await expect(evidence).toContainText(glove.itemNumber);
  await rowsOf(page).focus();
  await page.keyboard.press('x');
  const split = page.getByRole('dialog', { name: /^Split row 2/ });
  await expectAccessible(page, '[role="dialog"]');
  await split.getByLabel('BX per year in the new part').fill('40');
  await expect(split.getByRole('button', { name: 'Split' })).toBeDisabled();
  await split.getByLabel('BX per year in the new part').fill('15');
  await expect(split).toContainText('25 BX stay in this row.');
  await page.keyboard.press('Enter');
  await expect(split).toHaveCount(0);
  await expect(display(/^To review 2$/)).toBeAttached();
  await expect(evidence).toContainText('Row 2, part 1');
  await expect(figure(page, 'Current spend')).toContainText('$250.00');
  await page.keyboard.press('Control+z');
  await expect(display(/^To review 1$/)).toBeAttached();
  await expect(figure(page, 'Current spend')).toContainText('$400.00');

  await rowsOf(page).focus();
  await page.keyboard.press('p');
  await page.getByLabel('Price per BX of 100').fill('5');
  await page.getByLabel('Reason').fill('Meets their price');
  await page.keyboard.press('Enter');
  await expect(rowsOf(page).getByRole('img', { name: 'Needs approval' })).toBeVisible();
  await expect(evidence).toContainText('Needs approval: ');
  await page.keyboard.press('q');
  const approvals = page.getByRole('region', { name: 'Approvals' });
  await expect(approvals).toContainText("$200.00 at today's prices");
  await expect(approvals).toContainText('Sales quote manager');
  await expectAccessible(page, '[role="dialog"]');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await expect(figure(page, 'Spend with us')).toContainText('$300.00');

  await page.getByRole('tab', { name: 'Comparison' }).click();
  const tiers = page.getByRole('region', { name: 'Next tier' });
  await expect(tiers).toContainText(`${contract.number}, tier 1 today: 1 row, $300.00 per year`);
  await expect(tiers).toContainText('At tier 2 they pay $20.00 less');
  await expect(tiers).toContainText('Requires a letter of commitment.');
  await server.db
    .updateTable('contract_line_price')
    .set({ price: 11 })
    .where('contract_line_id', '=', contract.lineIds[0] ?? 0)
    .where('tier_id', '=', contract.tierId)
    .execute();
  const prices = page.getByRole('region', { name: /^Prices$/ });
  await prices.getByRole('button', { name: 'Reprice today' }).click();
  await expect(prices).toContainText(
    '1 row has a new price: we are $140.00 more expensive per year. We now cost more in 1 row.',
  );
  await expect(prices).toContainText('1 row, $300.00 with us, savings of $100.00 (25%)');
  await expect(prices.getByRole('table')).toContainText('$7.50 contract');
  await expect(figure(page, 'Additional cost')).toContainText('$40.00');

  await page.getByRole('tab', { name: 'History' }).click();
  const history = page.getByRole('list', { name: 'History' });
  await expect(history).toContainText(`${inside.fullName} repriced the rows of the savings analysis`);
  await expect(history).toContainText('Row 2, quantity per year: 40 → 25 and 15');
  await page.setViewportSize(PHONE);
  await expectNoSideScroll(page);
  await page.getByRole('tab', { name: 'Comparison' }).click();
  await expect(prices).toContainText('$7.50 contract → $11.00 contract / BX');
  await expectNoSideScroll(page);
});

test('a file of several facilities asks whose unknown rows are, and becomes an analysis for each', async ({
  page,
  server,
  signIn,
}) => {
  const { n, facility, inside } = await aCustomer(server);
  const other = await aFacility(server.db, { name: `Other Clinic ${n}` });
  await page.setViewportSize(PHONE);
  await signIn(inside);
  await page.goto(`${paths.newSavingsAnalysis}?facility=${facility.id}`);
  const lines = ['Facility,Mfr #,UOM,Qty,Price'];
  for (const name of [facility.name, `Clinic ${n} West`, 'Nobody']) lines.push(`${name},ACM${n}5501,BX,4,9`);
  await page.getByText('Paste rows', { exact: true }).click();
  await page.getByLabel(/^Rows from a spreadsheet/).fill(lines.join('\n'));
  await page.getByRole('button', { name: 'Read rows' }).click();
  const region = page.getByRole('region', { name: 'Facilities in the file' });
  await expect(region).toContainText('The file names 3 facilities.');
  await expect(region.getByRole('group', { name: facility.name }).getByLabel('Facility')).toHaveValue(
    new RegExp(facility.name),
  );
  await page.getByRole('button', { name: 'Read rows' }).click();
  await expect(region.getByText('Choose the facility')).toHaveCount(2);
  await expectNoSideScroll(page);
  await region.getByRole('group', { name: 'Nobody' }).getByLabel('Leave these rows out').check();
  await region
    .getByRole('group', { name: `Clinic ${n} West` })
    .getByLabel('Facility')
    .fill(other.name);
  await page.getByRole('option', { name: new RegExp(other.name) }).click();
  await page.getByRole('button', { name: 'Read rows' }).click();
  await expect(page.getByText('2 analyses were created, one for each facility.')).toBeVisible();
  await expect(page.getByRole('link', { name: `${other.name}: Pasted rows` })).toBeVisible();
  await expect(page.getByRole('link', { name: `${facility.name}: Pasted rows` })).toBeVisible();
});

test('rows are decided on a phone', async ({ page, server, signIn }) => {
  const { facility, glove, inside } = await aCustomer(server);
  const row = {
    maker_no: 'P-1',
    their_number: 'P-1',
    item_id: glove.id,
    our_unit: 'BX',
    confidence: 'likely' as const,
  };
  const analysis = await aSavingsAnalysis(server.db, {
    name: 'On the way',
    facility_id: facility.id,
    owner_id: inside.id,
    rows: [row, { ...row, maker_no: 'P-2', their_number: 'P-2' }],
  });
  await page.setViewportSize(PHONE);
  await signIn(inside);
  await page.goto(`${paths.savingsAnalyses}?facility=${facility.id}`);
  await expectNoSideScroll(page);
  await page.getByRole('link', { name: 'On the way' }).click();
  await expect(page).toHaveURL(paths.savingsAnalysis(analysis.id));
  await rowsOf(page).getByRole('row').nth(2).click();
  const drawer = page.getByRole('dialog', { name: 'Evidence' });
  await expect(drawer).toContainText('P-2');
  await expectAccessible(page, '[role="dialog"]');
  await drawer.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('radio', { name: /^Certain or accepted 1$/ })).toBeAttached();
  await expectNoSideScroll(page);
});

test('what a colleague decides shows at once', async ({ page, server, signIn }) => {
  const { facility, inside } = await aCustomer(server);
  const { id } = await aSavingsAnalysis(server.db, {
    name: 'Of two',
    facility_id: facility.id,
    owner_id: inside.id,
    rows: [{ maker_no: 'P-1' }, { maker_no: 'P-2' }],
  });
  const colleague = await aUser(server.db, { roles: ['systemadmin'] });
  await page.setViewportSize(DESK);
  await signIn(inside);
  await page.goto(paths.savingsAnalysis(id));
  const noBids = page.getByRole('radio', { name: /^No bid / });
  await expect(page.getByRole('radio', { name: /^No bid 0$/ })).toBeAttached();
  const { records } = await server.ok(Savings.SearchAnalysisRows, { id }, { as: colleague });
  const rows = records.slice(0, 1).map((row) => ({ id: row.id, version: row.version }));
  await server.ok(Savings.DecideRows, { id, rows, decision: 'no-bid', reason: 'Not ours' }, { as: colleague });
  await expect(noBids).toHaveAccessibleName('No bid 1');
});

test('the palette and the page of the facility lead to its analyses; the contract department has none', async ({
  page,
  server,
  signIn,
  browser,
  address,
}) => {
  const { facility, inside } = await aCustomer(server);
  await aSavingsAnalysis(server.db, { name: 'Found from there', facility_id: facility.id, owner_id: inside.id });
  await page.setViewportSize(DESK);
  await signIn(inside);
  await page.goto(`${paths.facility(facility.id)}?tab=quotes`);
  await page.getByRole('link', { name: 'Savings analyses' }).click();
  await expect(page).toHaveURL(new RegExp(`/savings\\?.*facility=${facility.id}`));
  await expect(page.getByRole('link', { name: 'Found from there' })).toBeVisible();
  await page.keyboard.press('a');
  await expect(page.getByRole('heading', { level: 1, name: 'New Savings Analysis' })).toBeVisible();
  await expect(page.getByLabel('Facility')).toHaveValue(new RegExp(facility.name));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('savings');
  await expect(page.getByRole('option', { name: 'Savings Analyses' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Savings Analyses' })).toBeVisible();

  const context = await browser.newContext({ baseURL: address });
  const other = await context.newPage();
  await signIn(await aUser(server.db, { roles: ['contractdept'] }), other);
  for (const place of [paths.savingsAnalyses, paths.newSavingsAnalysis]) {
    await other.goto(place);
    await expect(other.getByRole('heading', { name: "You don't have access to this screen" })).toBeVisible();
  }
  await context.close();
});
