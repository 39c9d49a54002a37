// Tests the new-quote page in a browser: a facility by keyboard, its people, the warning about open quotes, a template, lost responses, a copy.
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aSalesOffice, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test('a facility by keyboard fills the people; the quote opens on the board with the lines of a template', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const rep = await aUser(db, { fullName: 'Nell Rep' });
  const cs = await aUser(db, { roles: ['csrep'], fullName: 'Cleo Service' });
  await aTerritory(db, { zips: ['73301'], sales: rep.id, cs: cs.id });
  const facility = await aFacility(db, { name: 'Newfound Medical Center', zip: '73301' });
  await aFacility(db, { name: 'Newfound Annex', zip: '73301' });
  const earlier = await aQuote(db, { ownerId: rep.id, facility });
  const item = await anItem(db, { number: 'NEW-1', price: 4 });
  const { id: templateId } = await db
    .insertInto('quote_template')
    .values({ name: 'Ward start set', description: 'For a new ward' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('quote_template_item')
    .values({ template_id: templateId, position: 1, item_id: item.id, qty: 3, unit: 'EA' })
    .execute();

  await signIn(rep);
  await page.goto('/pub-quote-new');
  await expect(page.getByRole('combobox', { name: /^Facility/ })).toBeFocused();
  await page.getByRole('button', { name: 'Create Quote' }).click();
  await expect(page.getByText('This field is required')).toBeVisible();
  await page.getByRole('combobox', { name: /^Facility/ }).fill('newfound');
  await expect(page.getByRole('option')).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Newfound Medical Center')).toBeVisible();
  await expect(page.getByText('This facility has an open quote')).toBeVisible();
  await expect(page.getByRole('link', { name: String(earlier.num) })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Contact' })).toHaveValue(/Buyer/);
  await expect(page.getByLabel('Email')).toHaveValue(/@example.org/);
  await expect(page.getByRole('combobox', { name: 'Sales Rep.', exact: true })).toHaveValue('Nell Rep');
  await expect(page.getByRole('combobox', { name: 'Customer Service Rep.' })).toHaveValue('Cleo Service');
  await page.getByRole('combobox', { name: 'From a template' }).click();
  await page.getByRole('option', { name: 'Ward start set' }).click();
  await expect(page.getByText('For a new ward · 1 line')).toBeVisible();
  await page.getByLabel('Phone').fill('512-555-0199');

  // Leaving the page requires confirmation. An unreachable server does not lose the input.
  await page.getByRole('link', { name: 'Find Quote' }).first().click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Create Quote' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The server cannot be reached' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByLabel('Phone')).toHaveValue('512-555-0199');
  await page.getByRole('button', { name: 'Create Quote' }).click();
  await expect(page).toHaveURL(/\/pub-quote-board\/\d+$/);

  const id = Number(page.url().split('/').at(-1));
  const quote = await db.selectFrom('quote').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(quote).toMatchObject({
    facility_id: facility.id,
    phone: '512-555-0199',
    sales_rep_id: rep.id,
    cs_rep_id: cs.id,
    status_id: 'Editing',
    total_amount: 12,
  });
  const lines = await db.selectFrom('quote_item').select(['item_number', 'qty']).where('quote_id', '=', id).execute();
  expect(lines).toEqual([{ item_number: 'NEW-1', qty: 3 }]);
});

test('Processing... blocks the screen while the server works, then goes away', async ({ page, server, signIn }) => {
  const { db } = server;
  await aFacility(db, { name: 'Slowly General' });
  await signIn(await aUser(db));
  await page.goto('/pub-quote-new');
  await page.getByRole('combobox', { name: /^Facility/ }).fill('slowly');
  await page.getByRole('option').click();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/SaveSalesRepQuote', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Create Quote' }).click();
  const processing = page.getByRole('dialog', { name: 'Processing...' });
  await expect(processing).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(processing).toBeVisible();
  letGo();
  await expect(page).toHaveURL(/\/pub-quote-board\/\d+$/);
  await expect(processing).toHaveCount(0);
});

test('Create Quote pressed again after a lost answer makes one quote, with the later input', async ({
  page,
  server,
  signIn,
}) => {
  const office = await aSalesOffice(server.db);
  await signIn(office.rep);
  await page.goto('/pub-quote-new');
  await page.getByRole('combobox', { name: /facility/i }).fill(office.facility.name);
  await page.getByRole('option').first().click();
  // The server creates the quote, but its response never arrives.
  await page.route(
    '**/SaveSalesRepQuote',
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Create Quote' }).click();
  await expect(page.getByRole('alert')).toContainText('The quote was not created');
  await page.getByLabel('Customer reference').fill('RFQ 9');
  await page.getByRole('button', { name: 'Create Quote' }).click();
  await expect(page).toHaveURL(/quote-board/);
  const quotes = await server.db
    .selectFrom('quote')
    .select('customer_reference')
    .where('owner_id', '=', office.rep.id)
    .execute();
  expect(quotes).toEqual([{ customer_reference: 'RFQ 9' }]);
});

test('the calendar begins on Sunday, has the focus and fills in a date', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db));
  await page.goto('/pub-quote-new');
  const date = page.getByRole('textbox', { name: 'Quote Date' });
  await date.fill('03/15/2027');
  await page.getByRole('button', { name: 'Open calendar' }).first().focus();
  await page.keyboard.press('Enter');
  const day = page.getByRole('button', { name: '15 March 2027' });
  await expect(day).toBeFocused();
  await expect(page.locator('thead th')).toHaveText(['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa']);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(date).toHaveValue('03/16/2027');
  await expect(page.getByRole('button', { name: 'Open calendar' }).first()).toBeFocused();
});

test('a calendar that cannot load says so and loses no input', async ({ page, server, signIn }) => {
  await signIn(await aUser(server.db));
  await page.route('**/Calendar-*.js', (route) => route.abort());
  await page.goto('/pub-quote-new');
  await page.getByLabel('Customer reference').fill('PR-7');
  await page.getByRole('button', { name: 'Open calendar' }).first().click();
  await expect(page.getByText('The calendar could not be loaded. Enter the date.')).toBeVisible();
  await expect(page.getByLabel('Customer reference')).toHaveValue('PR-7');
});

test('the chosen facility is shown beside the form; on a phone, what filled itself in is folded', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const office = await aSalesOffice(db);
  const won = await aQuote(db, { ownerId: office.rep.id, facility: office.facility, statusId: 'Won' });
  await signIn(office.rep);
  const open = () => page.goto(`/pub-quote-new?facility=${office.facility.id}`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await open();
  const about = page.getByRole('region', { name: 'About this facility' });
  await expect(about.getByRole('link', { name: String(won.num) })).toBeVisible();
  await expect(about).toContainText('Nothing on won quotes yet.');
  await expect(page.getByLabel('Email')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await open();
  await expect(page.getByRole('combobox', { name: 'Contact' })).toHaveValue(/./);
  await expect(page.getByLabel('Email')).toHaveCount(0);
  await expect(page.getByText(`Sales Rep. ${office.rep.fullName}`)).toBeVisible();
  await expect(about).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole('button', { name: 'Change these' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(/@/);
});

/** A mail as mail programs save it. */
const mailOf = (from: string, type: string, body: string) => ({
  name: 'request.eml',
  mimeType: 'message/rfc822',
  buffer: Buffer.from(
    [
      `From: ${from}`,
      'To: sales@ours.example',
      'Subject: Fwd: New ward',
      `Content-Type: ${type}; charset=utf-8`,
      '',
      body,
    ].join('\r\n'),
  ),
});

test('an email fills in the facility, the contact and the lines, and nothing is saved before', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const inside = await aUser(db, { roles: ['insiderep'], fullName: 'Mel Inside' });
  const facility = await aFacility(db, { name: 'Mailing Hospital' });
  const other = await aFacility(db, { name: 'Mailing Annex' });
  for (const [facilityId, name, email] of [
    [facility.id, 'Anna Smith', 'anna@mailing.example'],
    [other.id, 'Otto Other', 'otto@mailing.example'],
  ] as const)
    await db.insertInto('contact').values({ facility_id: facilityId, name, email, phone: '555-0101' }).execute();
  const glove = await anItem(db, { number: 'MAIL-7701', description: 'Exam glove nitrile', price: 4 });
  const quotes = () => db.selectFrom('quote').select('id').where('owner_id', '=', inside.id).execute();

  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(inside);
  await page.goto('/pub-quote-new');
  const part = page.getByRole('region', { name: 'Message from the customer' });
  const drop = part.locator('input[type=file]');
  await drop.setInputFiles({ name: 'a.eml', mimeType: 'message/rfc822', buffer: Buffer.from('no email') });
  await expect(part.getByRole('alert')).toContainText('This is not an email.');

  // A colleague forwards the mail, so its original author is the sender. Two facilities have the domain, so the user chooses.
  const forwarded =
    'FYI\r\n\r\nFrom: New Buyer <new@mailing.example>\r\nSent: Monday\r\nTo: Sam\r\n\r\n12 ea MAIL-7701 gloves';
  await drop.setInputFiles(mailOf('Sam Colleague <sam@ours.example>', 'text/plain', forwarded));
  await expect(part).toContainText('New Buyer, new@mailing.example');
  await part.getByRole('button', { name: /^Mailing Annex/ }).click();
  await expect(page.getByText(/^new@mailing.example · /)).toBeVisible();

  const html =
    '<p>Hi Sam,</p><table><tr><td>Item #</td><td>Qty</td><td>Unit</td></tr><tr><td>MAIL-7701</td><td>5</td><td>EA</td></tr></table><script>document.title="ran"</script>';
  await drop.setInputFiles(mailOf('Anna Smith <Anna@mailing.example>', 'text/html', html));
  await expect(part.getByRole('status')).toHaveText(
    'Mailing Hospital has a contact with this address. Check that it is the right facility.',
  );
  await expect(page.getByRole('combobox', { name: 'Contact' })).toHaveValue('Anna Smith');
  await expect(part).toContainText('No lines from the email are on the quote yet.');
  await expectAccessible(page, '[aria-label="Message from the customer"]');
  await expectNoSideScroll(page);
  await part.getByRole('button', { name: 'Review the lines' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste lines' });
  await expect(dialog.getByRole('status')).toContainText('1 row: 1 found');
  await dialog.getByRole('button', { name: 'Add 1 line' }).click();
  await expect(part).toContainText('1 line from the email will be added to the quote.');
  expect(await quotes()).toEqual([]);
  await page.getByRole('button', { name: 'Create Quote' }).click();
  await expect(page).toHaveURL(/quote-board|pub-quote|sales-quote/);
  await expect.poll(async () => (await quotes()).length).toBe(1);
  const [created] = await quotes();
  expect(
    await db
      .selectFrom('quote_item')
      .select(['item_id', 'qty'])
      .where('quote_id', '=', created?.id ?? 0)
      .execute(),
  ).toEqual([{ item_id: glove.id, qty: 5 }]);
});
