// Editing a facility in a browser: add by keyboard, edit, contacts, memberships and overrides, deactivate; on a phone; read-only for others.
import { loadCompany, today } from '#features/company/company/company.server.ts';
import { formatDate } from '#shared/dates.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aGpo, aMembership } from '#testing/factories/contracts.server.ts';
import { aFacility, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { expectRefusals } from '#testing/typed-numbers.ts';

test('an administrator adds a facility by keyboard, edits its entries, and deactivates it', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const day = formatDate(today(server.services, await loadCompany(db)));
  const admin = await aUser(db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  await aFacility(db, { name: 'Larkspur Health System', acctNo: 'LHS-1' });
  await aTerritory(db, { name: 'Night Owls' });
  await aGpo(db, { name: 'Alder Alliance' });
  await signIn(admin);
  await page.goto('/facilities');
  await expect(page.getByRole('link', { name: 'Larkspur Health System' })).toBeVisible();
  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'Facility' });
  await expect(form.getByLabel('Account number')).toBeFocused();
  await page.keyboard.type('lhs-1');
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('This field is required')).toBeVisible();
  await form.getByLabel('Name').fill('Larkspur Children');
  await form.getByLabel('Ship to: ZIP').fill('6060');
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('Type a ZIP of five digits, or ZIP+4')).toBeVisible();
  await form.getByLabel('Ship to: ZIP').fill('60601');
  await page.keyboard.press('Control+Enter');
  await expect(form.getByText('Larkspur Health System already has the account number lhs-1.')).toBeVisible();
  await form.getByLabel('Account number').fill('LHS-2');
  await form.getByLabel('Ship to: City').fill('Chicago');
  await form.getByRole('combobox', { name: 'Ship to: State' }).fill('illi');
  await page.getByRole('option', { name: 'IL – Illinois' }).click();
  await form.getByRole('button', { name: 'Same as ship to' }).click();
  await expect(form.getByLabel('Bill to: City')).toHaveValue('Chicago');
  await form.getByLabel('Parent').fill('larkspur');
  await page.getByRole('option', { name: /Larkspur Health System/ }).click();
  await form.getByLabel('Tax certificate').fill('E-1234');
  await expectRefusals(form.getByLabel('Tax rate'), 0);
  await form.getByLabel('Tax exempt').check();
  await form.getByRole('combobox', { name: 'Currency' }).click();
  await page.getByRole('option', { name: 'Euro' }).click();
  await expectAccessible(page);
  // Escape asks before it discards typed input.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Larkspur Children is saved.')).toBeVisible();
  await expect(page).toHaveURL(/\/facilities\/\d+$/);
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details).toContainText('Chicago, IL 60601');
  await expect(details).toContainText('EUR');
  await expect(details).toContainText('E-1234');
  await expect(details.getByRole('link', { name: 'Larkspur Health System' })).toBeVisible();

  const contacts = page.getByRole('region', { name: 'Contacts' });
  await contacts.getByRole('button', { name: 'Add Contact' }).click();
  const contact = page.getByRole('form', { name: 'Contact' });
  await contact.getByLabel('Name').fill('Robin Stock');
  await contact.getByLabel('E-mail').fill('robin@');
  await page.keyboard.press('Control+Enter');
  await expect(contact.getByText('This is not an e-mail address')).toBeVisible();
  await contact.getByLabel('E-mail').fill('robin@example.org');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Robin Stock is saved.')).toBeVisible();
  await expect(contacts.getByRole('link', { name: 'robin@example.org' })).toBeVisible();
  await contacts.getByRole('button', { name: 'Edit Robin Stock' }).click();
  await contact.getByLabel('Title').fill('Stores');
  await page.keyboard.press('Control+Enter');
  await expect(contacts).toContainText('Stores');

  const memberships = page.getByRole('region', { name: 'GPO memberships' });
  await memberships.getByRole('button', { name: 'Add Membership' }).click();
  const membership = page.getByRole('form', { name: 'GPO membership' });
  await page.keyboard.press('Control+Enter');
  await expect(membership.getByText('Choose the GPO')).toBeVisible();
  await membership.getByRole('combobox', { name: 'GPO' }).fill('alder');
  await page.getByRole('option', { name: 'Alder Alliance' }).click();
  await membership.getByLabel('Member number').fill('M-77');
  await membership.getByLabel('Primary GPO').check();
  await page.keyboard.press('Control+Enter');
  await expect(memberships.getByRole('listitem')).toContainText('Alder AlliancePrimary');
  await expect(memberships).toContainText(`M-77 · ${day} – no end`);
  await memberships.getByRole('button', { name: 'Add Membership' }).click();
  await membership.getByRole('button', { name: 'New GPO' }).click();
  await expect(membership.getByLabel('New GPO')).toBeFocused();
  await page.keyboard.type('Birch Buyers');
  await membership.getByLabel('Primary GPO').check();
  await expect(membership.getByText('Alder Alliance is the primary GPO today and will no longer be.')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  await expect(memberships.getByRole('listitem').first()).toContainText('Birch BuyersPrimary');
  await expect(memberships.getByText('Primary', { exact: true })).toHaveCount(1);

  const overrides = page.getByRole('region', { name: 'Account overrides' });
  await expect(overrides).toContainText('None. The ship-to ZIP decides who serves it.');
  await overrides.getByRole('button', { name: 'Add Override' }).click();
  const override = page.getByRole('form', { name: 'Account override' });
  await expect(override.getByLabel('Facility')).toHaveValue('Larkspur Children (LHS-2)');
  await override.getByLabel('Reason').fill('Delivered at night');
  await page.keyboard.press('Control+Enter');
  await expect(override.getByText('Choose the territory')).toBeVisible();
  await override.getByRole('combobox', { name: 'Territory' }).fill('night');
  await page.getByRole('option', { name: 'Night Owls' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The override of Larkspur Children is saved.')).toBeVisible();
  await expect(overrides).toContainText('Delivered at night');
  await expect(page.getByRole('region', { name: 'Who serves it today' })).toContainText(
    'Night Owls (by account override)',
  );
  await overrides.getByRole('button', { name: 'End the override of Night Owls' }).click();
  const ending = page.getByRole('dialog', { name: 'End the override of Night Owls?' });
  await ending.getByRole('button', { name: 'End', exact: true }).click();
  await expect(overrides).toContainText(`${day} – ${day}`);
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Ada Admin ended an account override');
  await expectAccessible(page);

  await page.keyboard.press('d');
  const off = page.getByRole('dialog', { name: 'Deactivate Larkspur Children?' });
  await expect(off).toContainText('It has no open quotes.');
  await off.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('Larkspur Children is inactive.')).toBeVisible();
  await expect(details).toContainText('It is inactive, so new quotes cannot use it.');
  await page.setViewportSize({ width: 360, height: 780 });
  await expectNoSideScroll(page);
  await page.getByRole('button', { name: 'Edit Facility' }).click();
  await expect(form.getByLabel('Name')).toHaveValue('Larkspur Children');
  await expectAccessible(page);
});

test('a conflict shows both values; ended entries appear on demand; a contact that a quote uses can be removed', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const facility = await aFacility(db, { name: 'Two Hands Clinic' });
  const gpo = await aGpo(db, { name: 'Bygone Group' });
  await aMembership(db, { facilityId: facility.id, gpoId: gpo.id, to: '2021-06-30' });
  const { name } = await db
    .selectFrom('contact')
    .select('name')
    .where('facility_id', '=', facility.id)
    .executeTakeFirstOrThrow();
  await aQuote(db, { facility, ownerId: admin.id, contactName: name });
  await signIn(admin);
  await page.goto(`/facilities/${facility.id}`);
  const memberships = page.getByRole('region', { name: 'GPO memberships' });
  await expect(memberships).toContainText('No memberships.');
  await memberships.getByRole('button', { name: 'Show ended (1)' }).click();
  await expect(memberships).toContainText('01/01/2020 – 06/30/2021');

  await page.keyboard.press('e');
  const form = page.getByRole('form', { name: 'Facility' });
  await form.getByLabel('Phone').fill('555-0142');
  await db.updateTable('facility').set({ phone: '555-0199', version: 2 }).where('id', '=', facility.id).execute();
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Changed by someone else' });
  await expect(dialog.getByRole('row', { name: 'Phone 555-0199 555-0142' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(page.getByText('Two Hands Clinic is saved.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('555-0142');

  await page.getByRole('button', { name: `Remove ${name}` }).click();
  const removal = page.getByRole('dialog', { name: `Remove ${name}?` });
  await expect(removal).toContainText('1 open quote names this contact and keeps the name, e-mail and phone.');
  await removal.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('region', { name: 'Contacts' })).toContainText('No contacts.');
});

test('people without the role read facilities', async ({ page, server, signIn }) => {
  const { db } = server;
  const rep = await aUser(db);
  const facility = await aFacility(db, { name: 'Readable Clinic' });
  const gpo = await aGpo(db);
  await aMembership(db, { facilityId: facility.id, gpoId: gpo.id });
  await signIn(rep);
  await page.goto('/facilities?keyword=readable');
  await expect(page.getByRole('button', { name: 'Add Facility' })).toBeHidden();
  await page.getByRole('link', { name: 'Readable Clinic' }).click();
  await expect(page.getByRole('region', { name: 'GPO memberships' })).toContainText(gpo.name);
  await expect(page.getByRole('region', { name: 'Contacts' })).toContainText('Purchasing');
  await expect(page.getByRole('button', { name: /Edit|Add|Remove|End|activate/ })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'History' })).toBeHidden();
});
