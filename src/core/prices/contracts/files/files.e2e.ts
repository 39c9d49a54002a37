// Tests folders and files of contracts in a browser: added, found, versioned, removed, and read by a representative.
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aContract, aGpo } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';

const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.7 ${name}`) });

test('files are uploaded, found, versioned and removed', async ({ page, server, signIn, context }) => {
  const office = await aSalesOffice(server.db);
  const gpo = await aGpo(server.db, { name: 'Southern Buyers' });
  const { id } = await aContract(server.db, { gpoId: gpo.id, number: 'NB-100', facilityIds: [office.facility.id] });
  await signIn(office.contracts);
  await page.goto(`/gpo/contracts/${id}?tab=files`);
  await expect(page.getByText('Nothing here yet.')).toBeVisible();
  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('a/b');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toContainText('A name cannot contain any of');
  await page.getByRole('dialog').getByLabel('Name').fill('Amendments');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Amendments' }).click();

  const drawer = page.getByRole('dialog', { name: 'Upload files' });
  const upload = async (...files: ReturnType<typeof pdf>[]) => {
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await drawer.locator('input[type="file"]').setInputFiles(files);
  };
  await upload(pdf('Amendment 1.pdf'), pdf('Amendment 2.pdf'), {
    name: 'page.html',
    mimeType: 'text/html',
    buffer: Buffer.from('<html>'),
  });
  await expect(drawer.getByText('saved')).toHaveCount(2);
  await expect(drawer.getByRole('alert')).toContainText('is a program or a web page');
  await drawer.getByRole('button', { name: 'Close' }).click();
  await upload(pdf('amendment 1.PDF'));
  await drawer.getByRole('button', { name: 'Add as version' }).click();
  await expect(drawer.getByText('saved')).toHaveCount(1);
  await drawer.getByRole('button', { name: 'Close' }).click();
  const list = page.getByRole('table', { name: 'Folders and files' });
  await expect(list.getByRole('row', { name: 'Amendment 1.pdf' })).toContainText('version 2');

  await list.getByRole('button', { name: 'Details of Amendment 2.pdf' }).click();
  const file = page.getByRole('dialog', { name: 'Amendment 2.pdf' });
  await expect(file.getByRole('region', { name: 'Versions' })).toContainText('1 · Amendment 2.pdf');
  await file.getByRole('button', { name: 'Remove' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Amendment 2.pdf?' });
  await expect(question).toContainText('This cannot be undone.');
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(list.getByText('Amendment 2.pdf')).toHaveCount(0);

  const other = await context.browser()?.newContext();
  if (!other) throw new Error('no browser');
  const reader = await other.newPage();
  await signIn(office.rep, reader);
  await reader.setViewportSize({ width: 390, height: 844 });
  await reader.goto(`${new URL(page.url()).origin}/gpo/contracts`);
  await reader.getByRole('link', { name: 'Folders' }).click();
  for (const name of ['Southern Buyers', 'NB-100', 'Amendments']) await reader.getByRole('link', { name }).click();
  await expect(reader.getByRole('button', { name: 'Upload' })).toHaveCount(0);
  await expectNoSideScroll(reader);
  const [download] = await Promise.all([
    reader.waitForEvent('download'),
    reader.getByRole('button', { name: 'Amendment 1.pdf', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Amendment 1.pdf');
  await reader.getByRole('link', { name: 'All GPOs' }).click();
  await reader.getByLabel('Name of a file or folder').fill('amendment 1');
  await expect(reader.getByText('NB-100 › Amendments')).toBeVisible();
  await other.close();
});
