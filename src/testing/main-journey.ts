// The whole main job in browsers: sign in, new quote, lines, submit, process, a discount rejected and then approved, send, and the customer accepts.
import type { Browser, Page } from '@playwright/test';
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { showRail } from './a-board.ts';
import { expect } from './browser.ts';
import { anItem } from './factories/catalog.server.ts';
import { aSalesOffice } from './factories/people.server.ts';
import type { TestServer } from './test-server.server.ts';

const PASSWORD = 'a long enough password';

async function anOffice(server: TestServer) {
  const office = await aSalesOffice(server.db);
  const item = await anItem(server.db, {
    description: `Vital signs monitor ${office.zip}`,
    units: { EA: 1 },
    prices: [{ unit: 'EA', price: 2400 }],
    cost: 1200,
    floor: 1500,
  });
  return { ...office, item };
}

async function pageOf(
  browser: Pick<Browser, 'newContext'>,
  address: string,
  signIn: (user: { id: number }, page?: Page) => Promise<void>,
  user: { id: number },
) {
  const page = await (await browser.newContext({ baseURL: address })).newPage();
  await signIn(user, page);
  return page;
}

type Fixtures = {
  page: Page;
  browser: Pick<Browser, 'newContext'>;
  server: TestServer;
  address: string;
  signIn: (user: { id: number }, page?: Page) => Promise<void>;
};

export async function runMainJourney({ page, browser, server, address, signIn }: Fixtures): Promise<void> {
  const office = await anOffice(server);
  await server.db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .where('id', '=', office.rep.id)
    .execute();

  // The sales rep signs in and builds a quote.
  await page.goto('/pub-quote-new');
  await page.getByLabel('Email').fill(office.rep.userName);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/pub-quote-new/);
  await page
    .getByRole('combobox', { name: /Facility/ })
    .or(page.getByLabel(/Facility/).first())
    .first()
    .fill(office.facility.name);
  await page.getByRole('option', { name: new RegExp(office.facility.acctNo) }).click();
  await page.getByRole('button', { name: /Create/ }).click();
  await expect(page).toHaveURL(/pub-quote-board\/\d+/);
  const id = Number(/board\/(\d+)/.exec(page.url())?.[1]);
  await expect(page.getByText(office.facility.name).first()).toBeVisible();
  const add = page.getByRole('textbox', { name: 'Add an item by number or name' });
  await add.fill(office.item.itemNumber);
  await add.press('Enter');
  await expect(page.getByLabel('Quantity of line 1')).toBeFocused();
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await expect(page.locator('header').getByText(/^Total/)).toContainText('$9,600.00');
  await expect(page.getByText('Margin', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Waiting For Process').first()).toBeVisible();

  // An inside rep takes it, gives 12%, and requests approval.
  const inside = await pageOf(browser, address, signIn, office.inside);
  await inside.goto(`/int-quote-board/${id}`);
  await inside.getByRole('button', { name: 'Start Processing' }).click();
  await expect(inside.getByText('Processing', { exact: true }).first()).toBeVisible();
  await inside.getByLabel('Discount percentage for line 1').fill('12');
  await inside.getByLabel('Discount percentage for line 1').press('Enter');
  await inside.getByLabel('Reason').fill('Three-year standardization');
  await inside.getByRole('button', { name: 'Set price' }).click();
  await expect(inside.locator('header').getByText(/^Total/)).toContainText('$8,448.00');
  await showRail(inside);
  await expect(inside.getByText('Discount 12% > 5%').first()).toBeVisible();
  await inside.keyboard.press('Escape');
  await expect(inside.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0);
  await inside.getByRole('button', { name: 'Request Approval' }).click();
  await expect(inside.getByText('Pending', { exact: true })).toBeVisible();
  // Nobody approves their own request.
  await expect(inside.getByRole('button', { name: /Approve/ })).toHaveCount(0);

  // The manager finds it on the home screen and rejects it first.
  const manager = await pageOf(browser, address, signIn, office.manager);
  await manager.goto('/');
  await manager
    .getByRole('link', { name: new RegExp(office.facility.name) })
    .or(manager.getByText(office.facility.name))
    .first()
    .click();
  await expect(manager).toHaveURL(new RegExp(`int-quote-board/${id}`));
  await manager.getByRole('button', { name: 'Reject Discount' }).click();
  await manager.getByLabel('Comment').fill('Ask for a longer term first');
  await manager.getByRole('dialog').getByRole('button', { name: 'Reject Discount' }).click();
  await expect(manager.getByText('Rejected', { exact: true })).toBeVisible();
  await inside.reload();
  await expect(inside.getByText('Ask for a longer term first').first()).toBeVisible();
  await inside.getByRole('button', { name: 'Request Approval' }).click();
  await expect(inside.getByText('Pending', { exact: true })).toBeVisible();
  await manager.reload();
  await manager.getByRole('button', { name: 'Approve Discount' }).click();
  await manager.getByRole('dialog').getByRole('button', { name: 'Approve Discount' }).click();
  await expect(manager.getByText('Discount Approved').first()).toBeVisible();

  // The inside rep sends it. One mail leaves, with the PDF attached and no price in the subject.
  await inside.reload();
  await inside.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = inside.getByRole('dialog', { name: 'Send to customer' });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(inside.getByText('Sent To Customer').first()).toBeVisible();
  const { email } = await server.db
    .selectFrom('contact')
    .select('email')
    .where('facility_id', '=', office.facility.id)
    .executeTakeFirstOrThrow();
  const toCustomer = () =>
    server.mails.filter(
      ({ to, attachments }) =>
        to.includes(email) && attachments.some(({ mediaType }) => mediaType === 'application/pdf'),
    );
  await expect.poll(() => toCustomer().length, { timeout: 30_000 }).toBe(1);
  const mail = toCustomer()[0];
  expect(mail?.subject).not.toMatch(/\$|8,448/);
  expect(mail?.attachments[0]?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const link = /(\/quote-doc\/[\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';

  // The customer opens the link without an account and accepts.
  const customer = await (await browser.newContext({ baseURL: address })).newPage();
  await customer.goto(link);
  await expect(customer.getByText(office.facility.name).first()).toBeVisible();
  await expect(customer.getByText('$8,448.00').first()).toBeVisible();
  await customer.getByRole('button', { name: 'Accept this quote' }).click();
  await customer.getByLabel('Your name').fill('Pat Buyer');
  await customer.getByLabel('Your title').fill('Purchasing manager');
  await customer.getByLabel(/PO number/i).fill('PO-7781');
  await customer.getByRole('checkbox').check();
  await customer.getByRole('button', { name: 'Accept $8,448.00' }).click();
  await expect(customer.getByText(/accepted/i).first()).toBeVisible();

  // Everybody sees that the quote is won, and the sales rep gets a mail.
  await page.reload();
  await expect(page.getByText('Won', { exact: true }).first()).toBeVisible();
  await expect
    .poll(
      () =>
        server.mails.some(
          (candidate) => candidate.to.includes(office.rep.userName) && /accept/i.test(candidate.subject),
        ),
      {
        timeout: 30_000,
      },
    )
    .toBe(true);
}
