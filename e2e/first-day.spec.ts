// Tests the first day of an empty company, using only the screens. docs/first-day.md describes it, and this file takes the pictures.
import type { Browser, Page } from '@playwright/test';
import { firstStart } from '#core/people/user-admin/first-start.server.ts';
import { expect, test } from '#testing/browser.ts';
import { picture } from '#testing/picture.ts';
import type { TestServer } from '#testing/test-server.server.ts';

const PASSWORD = 'a long enough password';
const ADMIN = 'ada@northern.example.com';

const ITEMS = `Item Number,Description,Class,Base Unit,Cost,Floor Price
BED-100,Electric hospital bed,Beds,EA,900,1200
BED-200,Bariatric hospital bed,Beds,EA,1900,2500
MAT-10,Pressure relief mattress,Mattresses,EA,120,160
GLV-M,"Exam glove, nitrile, medium",Gloves,BX,3.10,4.00
`;
const UNITS = `Item Number,Unit,Quantity
GLV-M,CS,10
`;
const PRICES = `Item Number,Unit,Price
BED-100,EA,1800
BED-200,EA,3600
MAT-10,EA,240
GLV-M,BX,6.20
GLV-M,CS,58
`;
const FACILITIES = `Account Number,Name,Address,City,State,ZIP,Phone,Contact,Contact Title,Contact Email
N-1001,Duluth General Hospital,400 E 3rd St,Duluth,MN,55805,218-555-0100,Pat Buyer,Purchasing Manager,pat.buyer@duluth.example.org
N-1002,Iron Range Clinic,12 Main St,Virginia,MN,55792,218-555-0111,Sam Stone,Office Manager,sam.stone@ironrange.example.org
`;
const TAZ = `ZIP,Territory,Region,Rep,From
55805,Lake Superior,Upper Midwest,Rae Rep,01/01/2026
55792,Lake Superior,Upper Midwest,Rae Rep,01/01/2026
`;

let company: TestServer;
let address: string;
test.beforeAll(async () => {
  const { startTestServer } = await import('#testing/test-server.server.ts');
  company = await startTestServer({ config: { firstAdmin: ADMIN, companyName: 'Northern Supply' } });
  address = await company.listen();
  company.services.config.publicUrl = address;
  await company.services.jobs.work();
});
test.afterAll(() => company.close());

async function newPerson(browser: Browser): Promise<Page> {
  return (await browser.newContext({ baseURL: address, viewport: { width: 1200, height: 760 } })).newPage();
}

/** Opens the link of an invitation and chooses a password. */
async function accept(page: Page, link: string, name: RegExp): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm new password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(page.getByText(name)).toBeVisible();
}

async function linkFor(userName: string): Promise<string> {
  const text = () => company.mails.find(({ to }) => to.includes(userName))?.text ?? '';
  await expect.poll(text).toContain('invite=');
  return /^ {4}(\S+)$/m.exec(text())?.[1] ?? '';
}

async function door(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('main').getByRole('link', { name }).click();
}

async function addUser(page: Page, person: { email: string; name: string; role: string; phone: string }) {
  await page
    .getByRole('button', { name: 'Add User' })
    .or(page.getByRole('link', { name: 'Add User' }))
    .first()
    .click();
  const form = page.getByRole('form', { name: 'User' });
  await form.getByLabel('Email').fill(person.email);
  await form.getByLabel('Full Name').fill(person.name);
  await form.getByLabel('Phone').fill(person.phone);
  await form.getByLabel(person.role, { exact: true }).check();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(`The invitation is on its way to ${person.email}.`)).toBeVisible();
}

async function importFile(page: Page, kind: string, name: string, text: string): Promise<void> {
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await page.getByRole('combobox', { name: 'What is in the file?' }).fill(kind);
  await page.getByRole('option', { name: kind, exact: true }).click();
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await wizard.getByRole('button', { name: 'Check' }).click();
  await expect(wizard.getByLabel('Figures')).toContainText('New');
  if (kind === 'Items') await picture(page, 'first-day/import');
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by/)).toBeVisible();
  await wizard.getByRole('button', { name: 'New import' }).click();
}

test('from an empty database to the first sent quote', async ({ browser }) => {
  test.setTimeout(300_000);
  const link = await firstStart(company.services);
  const admin = await newPerson(browser);
  await accept(admin, link ?? '', /Hello, ada/);
  await picture(admin, 'first-day/home');

  await door(admin, /^Company/);
  const about = admin.getByRole('form', { name: 'Company' });
  await about.getByLabel('Address').fill('1 Harbor Drive\nDuluth, MN 55802');
  await about.getByLabel('Phone').fill('218-555-0190');
  await about.getByLabel('Email').fill('quotes@northern.example.com');
  await about.getByLabel('Quotes are valid for').fill('45');
  await about.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByText('Company details saved.')).toBeVisible();
  await picture(admin, 'first-day/company');

  for (const person of [
    { email: 'rae@northern.example.com', name: 'Rae Rep', role: 'Sales representative', phone: '218-555-0201' },
    { email: 'ines@northern.example.com', name: 'Ines Inside', role: 'Inside representative', phone: '218-555-0202' },
    { email: 'max@northern.example.com', name: 'Max Manager', role: 'Sales quote manager', phone: '218-555-0203' },
  ]) {
    await door(admin, /^Users/);
    await addUser(admin, person);
  }
  await door(admin, /^Users/);
  await expect(admin.getByRole('row', { name: /Rae Rep/ })).toBeVisible();
  await picture(admin, 'first-day/users');

  await door(admin, /^Regions/);
  await admin.getByRole('button', { name: 'Add Region' }).click();
  const region = admin.getByRole('form', { name: 'Region' });
  await region.getByLabel('Name').fill('Upper Midwest');
  await region.getByRole('combobox', { name: 'Managers' }).fill('max');
  await admin.getByRole('option', { name: 'Max Manager' }).click();
  await region.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByText('Upper Midwest is saved.')).toBeVisible();

  await door(admin, /^TAZ Import/);
  const wizard = admin.getByRole('region', { name: 'Import', exact: true });
  await admin
    .locator('input[type=file]')
    .setInputFiles({ name: 'territories.csv', mimeType: 'text/csv', buffer: Buffer.from(TAZ) });
  await wizard.getByRole('checkbox', { name: 'Create missing territories' }).check();
  await wizard.getByRole('button', { name: 'Check' }).click();
  await expect(wizard.getByLabel('Figures')).toContainText('New2');
  await picture(admin, 'first-day/taz');
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by/)).toBeVisible();

  await door(admin, /^Data Import/);
  await importFile(admin, 'Facilities', 'facilities.csv', FACILITIES);
  await importFile(admin, 'Items', 'items.csv', ITEMS);
  await importFile(admin, 'Units', 'units.csv', UNITS);
  await importFile(admin, 'List prices', 'prices.csv', PRICES);

  await door(admin, /^Approval Rules/);
  await admin.getByRole('button', { name: 'Add Rule' }).click();
  const rule = admin.getByRole('form', { name: 'Approval rule' });
  await rule.getByLabel('Name').fill('Beds above 50,000');
  await rule.getByRole('combobox', { name: 'Figure' }).click();
  await admin.getByRole('option', { name: 'Quote total' }).click();
  await rule.getByLabel('Limit').fill('50000');
  await picture(admin, 'first-day/approval-rule');
  await rule.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByText('Beds above 50,000 is saved.')).toBeVisible();

  await door(admin, /^Promotions/);
  await admin.getByRole('button', { name: 'Add Promotion' }).click();
  const promotion = admin.getByRole('form', { name: 'Promotion' });
  await promotion.getByLabel('Name').fill('Mattresses in autumn');
  await promotion.getByRole('combobox', { name: 'Item #' }).fill('MAT');
  await admin.getByRole('option', { name: /MAT-10/ }).click();
  await promotion.getByRole('combobox', { name: 'Type' }).click();
  await admin.getByRole('option', { name: 'Discount', exact: true }).click();
  await promotion.getByLabel('Discount %').fill('10');
  await promotion.getByLabel('Min. quantity').fill('5');
  await expect(promotion.getByRole('region', { name: 'Preview' })).toContainText('Please ask an IS Rep to apply');
  await picture(admin, 'first-day/promotion');
  await admin.keyboard.press('Control+Enter');
  await expect(admin.getByText('Mattresses in autumn is saved.')).toBeVisible();

  await door(admin, /^Quote Templates/);
  await admin.getByRole('link', { name: 'Add Template' }).click();
  const template = admin.getByRole('form', { name: 'Template' });
  await template.getByRole('textbox', { name: 'Name', exact: true }).fill('Ward bed set');
  await template.getByRole('button', { name: 'Paste' }).click();
  const pasted = admin.getByRole('dialog', { name: 'Paste lines' });
  await pasted.getByRole('textbox').fill('BED-100\t4\tEA\nMAT-10\t4\tEA');
  await pasted.getByRole('button', { name: 'Look up' }).click();
  await pasted.getByRole('button', { name: 'Add 2 lines' }).click();
  await template.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByText('Ward bed set is saved.')).toBeVisible();
  await picture(admin, 'first-day/template');

  // A rep writes the first quote, and an inside rep sends it.
  const rep = await newPerson(browser);
  await accept(rep, await linkFor('rae@northern.example.com'), /Hello, Rae Rep/);
  await rep.getByRole('link', { name: 'New Quote' }).first().click();
  await rep.getByRole('combobox', { name: /^Facility/ }).fill('duluth');
  await rep.getByRole('option', { name: /N-1001/ }).click();
  // The ZIP's territory determines the rep.
  await expect(rep.getByRole('combobox', { name: 'Sales Rep.', exact: true })).toHaveValue('Rae Rep');
  await rep.getByRole('button', { name: 'Create Quote' }).click();
  await expect(rep).toHaveURL(/pub-quote-board\/\d+/);
  const id = Number(/board\/(\d+)/.exec(rep.url())?.[1]);
  const add = rep.getByRole('textbox', { name: 'Add an item by number or name' });
  await add.fill('BED-100');
  await add.press('Enter');
  await expect(rep.getByLabel('Quantity of line 1')).toBeFocused();
  await rep.keyboard.type('4');
  await rep.keyboard.press('Enter');
  await expect(rep.locator('header').getByText(/^Total/)).toContainText('$7,200.00');
  await picture(rep, 'first-day/board');
  await rep.getByRole('button', { name: 'Submit' }).click();
  await expect(rep.getByText('Waiting For Process').first()).toBeVisible();

  const inside = await newPerson(browser);
  await accept(inside, await linkFor('ines@northern.example.com'), /Hello, Ines Inside/);
  await inside.goto(`/int-quote-board/${id}`);
  await inside.getByRole('button', { name: 'Start Processing' }).click();
  await inside.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = inside.getByRole('dialog', { name: 'Send to customer' });
  await expect(dialog).toBeVisible();
  await picture(inside, 'first-day/send');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(inside.getByText('Sent To Customer').first()).toBeVisible();
  const sent = () => company.mails.find(({ to }) => to.includes('pat.buyer@duluth.example.org'));
  await expect.poll(() => sent()?.subject ?? '', { timeout: 30_000 }).toContain('Northern Supply');
  const customer = await newPerson(browser);
  await customer.goto(/\S+\/quote-doc\/\S+/.exec(sent()?.text ?? '')?.[0] ?? '');
  await expect(customer.getByText('Electric hospital bed').first()).toBeVisible();
  await picture(customer, 'first-day/customer');
});
