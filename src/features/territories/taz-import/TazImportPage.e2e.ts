// ZIP assignments in a browser: a file with errors, corrected rows, apply, who serves the ZIP now, undo; on a phone.
import fs from 'node:fs';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

test('TAZ import with errors then fixed', async ({ page, server, signIn }, testInfo) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  const otto = await aUser(db, { fullName: 'Otto Old' });
  await aUser(db, { fullName: 'Nina New' });
  const region = await aRegion(db, { name: 'Midwest' });
  const north = await aTerritory(db, { name: 'Lakes North', regionId: region.id, zips: ['60601'], sales: otto.id });
  await aTerritory(db, { name: 'Lakes South', regionId: region.id });
  const facility = await aFacility(db, { name: 'Lakeside General', zip: '60601' });
  await aQuote(db, { facility, territoryId: north.id, regionId: region.id, salesRepId: otto.id, totalAmount: 1500 });
  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^TAZ Import/ }).click();
  await expect(page.getByRole('heading', { name: 'TAZ Import', level: 1 })).toBeVisible();
  await expect(page.getByText('Nothing has been imported yet.')).toBeVisible();

  const rows = [
    'Postal Code,Terr,Sales Rep,Effective Date',
    '60601,Lakes South,Nina New,07/01/2025',
    '6060X,Lakes South,,07/01/2025',
    '60603,Lakes Est,,07/01/2025',
  ];
  const file = page.locator('input[type=file]');
  await file.setInputFiles(csv('midwest.csv', rows.join('\n')));
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await expect(wizard.getByText('4 of 4 columns are used.')).toBeVisible();
  await expect(wizard.getByRole('checkbox', { name: 'Create missing territories' })).not.toBeChecked();
  await wizard.getByRole('button', { name: 'Check' }).click();

  const figures = wizard.getByLabel('Figures');
  await expect(figures).toContainText('Bad ZIP1');
  await expect(figures).toContainText('Unknown territory1');
  await expect(figures).toContainText('Changed1');
  await expect(figures).toContainText('Open quotes affected1');
  const refusedTable = wizard.getByRole('table', { name: 'Refused' });
  await expect(refusedTable.getByRole('row', { name: '3 Postal Code 6060X is not a US ZIP code' })).toBeVisible();
  await expect(refusedTable.getByRole('row', { name: '4 Terr Lakes Est is no territory here' })).toBeVisible();
  await expect(wizard.getByText(/1 open quote, worth \$1,500.00, is affected/)).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: testInfo.outputPath('check.png'), fullPage: true });

  const downloading = page.waitForEvent('download');
  await wizard.getByRole('button', { name: 'Download refused rows' }).click();
  const saved = testInfo.outputPath('refused.csv');
  await (await downloading).saveAs(saved);
  const text = fs.readFileSync(saved, 'utf8');
  expect(text).toContain("60603,Lakes Est,,07/01/2025,4,Terr 'Lakes Est' is no territory here");

  // Uploads the corrected file.
  await wizard.getByRole('button', { name: 'Another file' }).click();
  const mended = rows.join('\n').replace('6060X', '60602').replace('Lakes Est', 'Lakes South');
  await file.setInputFiles(csv('midwest mended.csv', mended));
  await wizard.getByRole('button', { name: 'Check' }).click();
  await expect(figures).toContainText('New2');
  await expect(figures).toContainText('Refused0');
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by Ada Admin/)).toBeVisible();

  const quotes = page.getByRole('region', { name: 'Open quotes', exact: true });
  await quotes.getByRole('button', { name: 'Move open quotes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move open quotes?' });
  await expect(dialog.getByText(/Lakes North → Lakes South/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Leave Them' }).click();

  await page.goto('/admin/salesRepSearch?zip=60601');
  const serving = page.getByRole('region', { name: 'Who serves it' });
  await expect(serving).toContainText('Lakes South');
  await expect(serving).toContainText('Nina New');

  await page.goto('/admin/admin-taz-import');
  const history = page.getByRole('table', { name: 'Imports so far' });
  await history.getByRole('button', { name: 'Undo the import of midwest mended.csv' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByText('The import of midwest mended.csv is undone.')).toBeVisible();
  await page.goto('/admin/salesRepSearch?zip=60601');
  await expect(serving).toContainText('Lakes North');
  await expect(serving).toContainText('Otto Old');
});

test('on a phone, a person adds missing territories and no page scrolls sideways', async ({
  page,
  server,
  signIn,
}, testInfo) => {
  await aRegion(server.db, { name: 'Coast' });
  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto('/admin/admin-taz-import');
  const rows = ['ZIP,Territory,Region', '94102,Bay,Coast', '94103,Bay,Coast', '94104,Bay,Mars'];
  await page.locator('input[type=file]').setInputFiles(csv('coast.csv', rows.join('\n')));
  await page.getByRole('checkbox', { name: 'Create missing territories' }).check();
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByLabel('Figures')).toContainText('New2');
  await expect(page.getByText('is no region here: add it first')).toBeVisible();
  await expectNoSideScroll(page);
  await expectAccessible(page);
  await page.screenshot({ path: testInfo.outputPath('phone.png'), fullPage: true });
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText(/^Imported by/)).toBeVisible();
  await expectNoSideScroll(page);
});
