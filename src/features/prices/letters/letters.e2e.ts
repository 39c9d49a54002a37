// Tests letters of commitment in a browser: one is written, printed, signed, filed, approved, and read by a rep on a phone.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aContract, aTier } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';

test('a letter goes from sent to approved', async ({ page, server, signIn, context }) => {
  const office = await aSalesOffice(server.db);
  const { name } = office.facility;
  const contract = await aContract(server.db, { number: 'NB-300', facilityIds: [office.facility.id] });
  await aTier(server.db, { contractId: contract.id, no: 2, needsLoc: true, fallbackId: contract.tierId });
  await signIn(office.contracts);
  await page.goto(`/gpo/contracts/${contract.id}?tab=letters`);
  await expect(page.getByText('No letter of commitment yet.')).toBeVisible();
  await page.getByRole('button', { name: 'New letter' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Facility/)
    .fill(name);
  await page.getByRole('option', { name }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const list = page.getByRole('table', { name: 'Letters of commitment' });
  await expect(list.getByRole('row', { name })).toContainText('Sent');

  const drawer = page.getByRole('dialog', { name: `Letter of ${name}` });
  const details = page.getByRole('button', { name: `Details of the letter of ${name}` });
  const choose = async (state: string) => {
    await details.click();
    await drawer.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: state }).click();
  };
  await choose('Signed');
  const [pdf] = await Promise.all([
    page.waitForEvent('download'),
    drawer.getByRole('button', { name: 'Letter to sign (PDF)' }).click(),
  ]);
  expect(pdf.suggestedFilename()).toBe('Letter of commitment NB-300.pdf');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer).toContainText('Say who signed it.');
  await drawer.getByLabel('Signer').fill('Pat Doe');
  await drawer.getByLabel('Signed on').fill('01/05/2026');
  await drawer.getByLabel('Signed on').blur();
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(list.getByRole('row', { name })).toContainText('Pat Doe, 01/05/2026');
  await details.click();
  await drawer
    .locator('input[type="file"]')
    .setInputFiles({ name: 'signed.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 signed') });
  await drawer.getByRole('button', { name: 'Add' }).click();
  await expect(drawer.getByRole('button', { name: 'signed.pdf' })).toBeVisible();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await choose('Approved');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(list.getByRole('row', { name })).toContainText('Approved');
  await expectAccessible(page);

  const other = await context.browser()?.newContext({ viewport: { width: 390, height: 844 } });
  if (!other) throw new Error('no browser');
  const reader = await other.newPage();
  await signIn(office.rep, reader);
  await reader.goto(`${new URL(page.url()).origin}/gpo/contracts/${contract.id}?tab=letters`);
  await reader.getByRole('button', { name: `Details of the letter of ${name}` }).click();
  await expect(reader.getByRole('dialog')).toContainText('Approved since');
  await expect(reader.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await expectAccessible(reader);
  await expectNoSideScroll(reader);
  await other.close();
});
