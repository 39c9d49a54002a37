// The audit in a browser: open, search, filter, page, export, also on a phone.
import { recordChange } from '#features/operations/history/record-change.server.ts';
import { recordEvent } from '#features/quoting/quotes/events/events.server.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test('an administrator finds who changed what', async ({ page, server, signIn }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  const gone = await aUser(db, { roles: ['salesadmin'], fullName: 'Gus Gone', active: false });
  const region = await aRegion(db, { name: 'Ozark Plateau' });
  const quote = await aQuote(db);
  const changes = ['Name', 'Active', 'Managers', 'Phone', 'Notes', 'Hours'].map((field) => ({
    field,
    before: '',
    after: field === 'Notes' ? `${'long '.repeat(60)}end` : `new ${field}`,
  }));
  await recordChange(db, gone, { type: 'region', ...region, action: 'Edit', changes });
  for (const name of ['Bench front.jpg', 'Lamp.jpg'])
    await recordChange(db, gone, { type: 'picture', id: name.length, name, action: 'Create' });
  await recordEvent(db, {
    quoteId: quote.id,
    userId: admin.id,
    actor: admin.fullName,
    action: 'Submit',
    from: 'Editing',
    to: 'WaitingForProcess',
    revision: 1,
  });
  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Audit/ }).click();
  await expect(page.getByRole('heading', { name: 'Audit' })).toBeVisible();
  const row = page.getByRole('row', { name: /Ozark Plateau/ });
  await expect(row).toContainText('changed the region');
  await expect(page.getByRole('row', { name: new RegExp(`Quote ${quote.num}`) })).toContainText(
    'Status: Editing → Waiting For Process',
  );
  await expectAccessible(page);

  // Long lists of changes and long texts are folded.
  await expect(row).not.toContainText('Hours');
  await row.getByRole('button', { name: 'Show 2 more' }).click();
  await expect(row).toContainText('Hours: – → new Hours');
  await expect(row).toContainText('long end');
  await row.getByRole('button', { name: 'Show less' }).click();

  await page.keyboard.press('/');
  await page.keyboard.type('plateau');
  await expect(page).toHaveURL(/text=plateau/);
  await expect(page.getByText('1 event', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByRole('row', { name: /Signed|signed in/ })).toBeVisible();

  // A picture leads to its own events.
  await page.getByRole('link', { name: 'Bench front.jpg' }).click();
  await expect(page.getByText('1 event', { exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /Bench front/ })).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();

  // A person who has left stays selected after a reload.
  await page.getByRole('combobox', { name: 'Who' }).fill('gus');
  await page.getByRole('option', { name: /Gus Gone/ }).click();
  await expect(page.getByText('3 events', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Who' })).toHaveValue('Gus Gone');
  await page.getByRole('combobox', { name: 'Kind of record' }).click();
  await page.getByRole('option', { name: 'Quote', exact: true }).click();
  await expect(page.getByText('No Record Found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('combobox', { name: 'What was done' }).fill('submitted');
  await page.getByRole('option', { name: 'Submitted the quote' }).click();
  await expect(page.getByText('1 event', { exact: true })).toBeVisible();

  // An invalid day is reported at once and not searched for.
  await page.getByLabel('From').fill('02/30/2026');
  await page.getByLabel('To').focus();
  await expect(page.getByText('Type a date as mm/dd/yyyy')).toBeVisible();
  await page.getByLabel('From').fill('01/02/2020');
  await page.getByLabel('To').fill('01/01/2020');
  await expect(page.getByText('This is before the first day')).toBeVisible();
  await page.getByLabel('To').fill('01/03/2020');
  await expect(page.getByText('No Record Found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();

  await row.getByRole('link', { name: 'Ozark Plateau' }).click();
  await expect(page.getByLabel('Region name')).toHaveValue('Ozark Plateau');
});

test('a long list has pages and can be exported as a file', async ({ page, server, signIn }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const busy = await aUser(db, { fullName: 'Bea Busy' });
  for (let n = 1; n <= 120; n++)
    await recordChange(db, busy, { type: 'region', id: 1, name: `Region no. ${n}`, action: 'Activate' });
  await signIn(admin);
  await page.goto(`/admin/settings/audit?person=${busy.id}`);
  const rows = page.getByRole('table', { name: 'Events' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Region no. 120');
  await expect(page.getByText('120 events')).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expect(pages.getByRole('button', { name: 'Newer' })).toBeDisabled();
  await pages.getByRole('button', { name: 'Older' }).click();
  await expect(rows.nth(1)).toContainText('Region no. 70');
  await pages.getByRole('button', { name: 'Older' }).click();
  await expect(rows.nth(1)).toContainText('Region no. 20');
  await expect(pages.getByRole('button', { name: 'Older' })).toBeDisabled();
  await pages.getByRole('button', { name: 'Newer' }).click();
  await expect(rows.nth(1)).toContainText('Region no. 70');
  await page.goBack();
  await expect(rows.nth(1)).toContainText('Region no. 20');
  await pages.getByRole('button', { name: 'Newest' }).click();
  await expect(rows.nth(1)).toContainText('Region no. 120');

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await saved).suggestedFilename()).toBe('audit.csv');

  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.getByRole('list', { name: 'Events' })).toContainText('Bea Busy activated the region');
  await expectNoSideScroll(page);
  await expectAccessible(page);
  await page.goto(`/admin/settings/audit?person=${busy.id}&older=nonsense`);
  await expect(page.getByText('This list could not be loaded')).toBeVisible();
  await page.getByRole('button', { name: 'Newest' }).click();
  await expect(page.getByText('120 events')).toBeVisible();
});

test('a sales administrator has no link to it, and its address shows no list', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db, { roles: ['salesadmin'] }));
  await page.goto('/admin/settings');
  await expect(page.getByRole('link', { name: /^Regions/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Audit/ })).toHaveCount(0);
  await page.goto('/admin/settings/audit');
  await expect(page.getByText('You may not do this.')).toBeVisible();
});
