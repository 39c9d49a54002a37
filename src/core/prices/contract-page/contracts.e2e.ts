// Tests contracts in a browser: an analyst enters one by keyboard, another user saves first, and the hot sheet fits on one page.
import { addDays, formatDate } from '#platform/shared/dates.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { anItem, aPromotion } from '#testing/factories/catalog.server.ts';
import { aContract, aContractPrice, aGpo, aTier } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { GpoApi } from './contract-page.contract.ts';

test('an analyst makes a contract, gives it a tier, a line and prices, and activates it', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const office = await aSalesOffice(db);
  await aGpo(db, { name: 'Eastern Buyers' });
  await anItem(db, { number: 'CTR-1', description: 'Foam dressing', units: { EA: 1, BX: 50 } });
  await signIn(office.contracts);
  await page.goto('/gpo/contracts');
  await expect(page.getByRole('button', { name: 'Add Contract' })).toBeVisible();
  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'Contract' });
  await expect(form.getByLabel('Number')).toBeFocused();
  // When Escape closes the drawer, the focus returns to the button that opened it.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Add Contract' })).toBeFocused();
  await page.keyboard.press('a');
  await expect(form.getByLabel('Number')).toBeFocused();
  await page.keyboard.type('N-100');
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('Choose the GPO, or a local agreement')).toBeVisible();
  await form.getByRole('combobox', { name: 'GPO' }).click();
  await page.getByRole('option', { name: 'Eastern Buyers' }).click();
  await form.getByLabel('Title').fill('Wound care');
  await form.getByLabel('From').fill('01/01/2026');
  await form.getByRole('textbox', { name: 'To', exact: true }).fill('12/31/2098');
  await form.getByLabel('Minimum order').fill('1e3');
  await expect(form.getByText("'1e3' is not a number")).toBeVisible();
  await form.getByLabel('Minimum order').fill('250.50');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Contract N-100 is saved.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'N-100' })).toBeVisible();
  await expect(page.getByText('Draft', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Activate' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Add Tier' }).click();
  const tier = page.getByRole('form', { name: 'Tier' });
  await expect(tier.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Access');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Tiers' })).toContainText('1. Access');

  await page.getByRole('tab', { name: /^Lines/ }).click();
  await page.getByRole('button', { name: 'Add Line' }).click();
  const line = page.getByRole('form', { name: 'Line' });
  await line.getByRole('combobox', { name: 'Item #' }).fill('ctr-');
  await page.getByRole('option', { name: 'CTR-1 Foam dressing' }).click();
  await line.getByRole('combobox', { name: 'Unit' }).click();
  await page.getByRole('option', { name: 'BX of 50 EA' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The line of CTR-1 is added. Now add its prices.')).toBeVisible();

  await page.getByRole('button', { name: 'CTR-1' }).click();
  const newPrice = async (price: string, from: string) => {
    await page.getByRole('button', { name: 'New price of tier 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'New price of CTR-1, tier 1' });
    await expect(dialog.getByLabel('Price per BX')).toBeFocused();
    await page.keyboard.type(price);
    await dialog.getByLabel('From').fill(from);
    return dialog;
  };
  let dialog = await newPrice('41', '01/01/2026');
  await expect(dialog.getByText('$0.82 per EA')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toHaveCount(0);
  dialog = await newPrice('0.77', '11/01/2098');
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toContainText('This is 1/53 of the price beside it, $41.00 per BX.');
  await expect(dialog.getByRole('checkbox', { name: 'This price is correct' })).toBeFocused();
  await dialog.getByLabel('Price per BX').fill('38.5');
  await expect(dialog.getByRole('checkbox', { name: 'This price is correct' })).toHaveCount(0);
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toHaveCount(0);
  const prices = page.getByRole('table', { name: 'Prices of tier 1' });
  await expect(prices.getByRole('row').nth(1)).toContainText('$38.50');
  await expect(prices.getByRole('row').nth(1)).toContainText('Scheduled');
  await expect(prices.getByRole('row').nth(2)).toContainText('01/01/2026 – 10/31/2098');
  await page.getByRole('button', { name: 'Remove the price from 11/01/2098' }).click();
  await page
    .getByRole('dialog', { name: 'Remove the price from 11/01/2098?' })
    .getByRole('button', { name: 'Remove' })
    .click();
  await expect(prices.getByRole('row').nth(1)).toContainText('01/01/2026 – no end');
  await page.getByRole('button', { name: 'Cancel' }).click();
  const row = page.getByRole('row', { name: /CTR-1/ });
  await expect(row).toContainText('$0.82 / EA');
  // A day that cannot be read keeps the prices of the last valid day and does not show today's.
  const day = page.getByLabel('Prices on');
  await day.fill('12/31/2025');
  await expect(row).not.toContainText('$0.82');
  await day.fill('12/31/25');
  await day.blur();
  await expect(page.getByText('Enter a date as mm/dd/yyyy')).toBeVisible();
  await expect(row).not.toContainText('$0.82');
  await day.fill('');
  await expect(row).toContainText('$0.82 / EA');

  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('dialog', { name: 'Activate N-100?' }).getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByText('Contract N-100 is active.')).toBeVisible();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByRole('list', { name: 'History' }).getByRole('listitem').first()).toContainText(
    'activated the contract',
  );
});

test('the hot sheet is one page, for colleagues only', async ({ page, server, signIn, browser, address }) => {
  const { db } = server;
  const office = await aSalesOffice(db);
  const items = [];
  for (let n = 10; n < 42; n++)
    items.push(
      await anItem(db, {
        number: `HOT-${n}`,
        description: 'Nonadherent foam dressing with border, sterile, in single pouches',
        units: { EA: 1, BX: 50, CS: 500 },
      }),
    );
  const contract = await aContract(db, {
    number: 'HOT-1',
    facilityIds: [office.facility.id],
    lines: items.map(({ id }) => ({ itemId: id, unit: 'CS', price: 1234.5678 })),
  });
  for (const no of [2, 3, 4, 5]) {
    const tier = await aTier(db, { contractId: contract.id, no, needsLoc: true, fallbackId: contract.tierId });
    for (const lineId of contract.lineIds) await aContractPrice(db, { lineId, tierId: tier.id, price: 1000.5 - no });
  }
  for (const { id } of items) await aPromotion(db, { itemId: id, amount: 5 });
  const long = 'Signed letter of commitment and eighty-five percent of what is bought in the category. '.repeat(6);
  await db.updateTable('contract_tier').set({ requirement: long }).where('contract_id', '=', contract.id).execute();
  const terms = {
    eligibility: long.repeat(2),
    payment_terms: long.slice(0, 190),
    freight_terms: long.slice(0, 190),
    gpo_contact: long.slice(0, 290),
  };
  await db.updateTable('gpo_contract').set(terms).where('id', '=', contract.id).execute();

  await signIn(office.inside);
  await page.goto(`/gpo/contracts/${contract.id}`);
  await page.getByRole('link', { name: 'Hot sheet' }).click();
  const sheet = page.getByRole('article', { name: 'Hot sheet of contract HOT-1' });
  await expect(sheet.getByRole('heading', { name: 'The 25 items that sell best, of 32' })).toBeVisible();
  await expect(sheet.getByRole('row')).toHaveCount(26);
  await expect(sheet.getByRole('row', { name: /HOT-4/ }).first()).toContainText('$2.4691 / EA');
  await expect(sheet.getByRole('img', { name: /^QR code/ })).toBeVisible();
  for (const [path, format] of [
    [page.url(), 'Letter'],
    [`${page.url()}?printView=1`, 'A4'],
  ] as const) {
    await page.goto(path);
    await expect(sheet).toBeVisible();
    const pdf = await page.pdf({ format, preferCSSPageSize: format === 'Letter' });
    expect([format, pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length]).toEqual([format, 1]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideScroll(page);

  const rep = await browser.newPage({ baseURL: address });
  await signIn(office.rep, rep);
  await rep.goto(`/tools/CapsContractHotSheet/${contract.id}`);
  await expect(rep.getByRole('heading', { name: "You don't have access to this screen" })).toBeVisible();
  await rep.goto(`/gpo/contracts/${contract.id}?tab=lines`);
  await expect(rep.getByRole('row', { name: /HOT-10/ })).toContainText('$1,234.5678');
  await expect(rep.getByRole('columnheader', { name: '2. Tier 2' })).toHaveCount(0);
  await rep.close();
  const { today } = await server.ok(
    GpoApi.getGpoContractDetailDataForApiCall,
    { id: contract.id },
    { as: office.inside },
  );
  await db
    .updateTable('gpo_contract')
    .set({ effective_to: addDays(today, 3) })
    .where('id', '=', contract.id)
    .execute();
  await page.goto(`/tools/CapsContractHotSheet/${contract.id}`);
  await expect(sheet).toContainText(`3 days left`);
  await expect(sheet).toContainText(formatDate(today));
});
