// Tests Salesforce in a browser: connect it by keyboard, push a quote from its board, choose a record there, retry failures from the list.
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startSalesforce } from '#testing/salesforce.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

test.use({ company: 'crm' });

async function aQuote(server: TestServer) {
  const office = await aSalesOffice(server.db);
  const item = await anItem(server.db, { price: 10 });
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { id: 0, facilityId: office.facility.id, contactName: 'Pat Buyer', contactEmail: 'pat@example.org' },
      items: [{ id: 0, itemId: item.id, qty: 3 }],
    },
    { as: office.cs },
  );
  return { office, quote, itemNumber: item.itemNumber };
}

test('an administrator connects it, and staff push a quote', async ({ page, browser, address, server, signIn }) => {
  server.services.config.reach.loopback = true;
  const salesforce = await startSalesforce();
  const { office, quote, itemNumber } = await aQuote(server);
  const staff = await (await browser.newContext({ baseURL: address })).newPage();
  await signIn(office.cs, staff);
  await staff.goto(`/int-quote-board/${quote.id}`);
  const panel = staff.getByRole('region', { name: 'CRM' });
  await expect(staff.getByRole('tab', { name: 'Activity' })).toBeVisible();
  await expect(panel).toHaveCount(0);

  await signIn(await aUser(server.db, { roles: ['systemadmin'] }));
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Salesforce/ }).click();
  await expect(page.getByText('Not connected')).toBeVisible();
  const form = page.getByRole('form', { name: 'Connection' });
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(form.getByText('This field is required').first()).toBeVisible();
  // The fields follow one another in tab order.
  await form.getByLabel('Address').focus();
  await page.keyboard.type('http://example.com');
  for (const _ of ['API version', 'Sign-in', 'Client ID']) await page.keyboard.press('Tab');
  await page.keyboard.type(salesforce.clientId);
  await page.keyboard.press('Tab');
  await page.keyboard.type('wrong');
  await form.getByRole('button', { name: 'Test connection' }).press('Enter');
  await expect(form.getByText('Enter an address such as https://company.my.salesforce.com')).toBeVisible();
  await form.getByLabel('Address').fill(salesforce.address);
  await form.getByRole('button', { name: 'Test connection' }).press('Enter');
  await expect(form.getByText('Salesforce rejected the sign-in')).toBeVisible();
  await form.getByLabel(/^Client secret/).fill(salesforce.clientSecret);
  await form.getByRole('button', { name: 'Test connection' }).press('Enter');
  await expect(form.getByText('Connected to Loopback Org (sandbox).')).toBeVisible();
  await form.getByLabel(/^Client secret/).press('Enter');
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  await expect(form.getByLabel(/^Client secret/)).toHaveValue('');

  // The form names a field that the org does not have.
  const fields = page.getByRole('form', { name: 'Fields' });
  await fields.getByRole('button', { name: 'Add opportunity field', exact: true }).click();
  const opportunity = fields.getByRole('region', { name: 'Opportunity', exact: true });
  await opportunity.getByLabel('Field API name').last().fill('Nowhere__c');
  await opportunity.getByLabel('Text for Nowhere__c').fill('web');
  await fields.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The fields are saved.')).toBeVisible();
  await form.getByRole('button', { name: 'Test connection' }).click();
  await expect(form.getByText('Opportunity.Nowhere__c: The field does not exist')).toBeVisible();
  await opportunity.getByRole('button', { name: 'Remove Nowhere__c' }).click();
  await fields.getByRole('button', { name: 'Save' }).click();
  await expect(opportunity.getByRole('button', { name: 'Remove Nowhere__c' })).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 1280, height: 800 });

  // The board and the list show what is missing in Salesforce.
  await staff.reload();
  await panel.getByRole('button', { name: 'Push to CRM' }).click();
  await expect(panel.getByRole('alert')).toContainText(`no account with the number ${office.facility.acctNo}`);
  salesforce.add('PricebookEntry', { ProductCode: itemNumber });
  for (const Name of ['Clinic, north', 'Clinic, south'])
    salesforce.add('Account', { Name, AccountNumber: office.facility.acctNo });
  await page.goto('/admin/settings/crm-pushes');
  await expect(page.getByRole('table', { name: 'Pushes' })).toContainText('Salesforce has no account');
  await page.getByRole('button', { name: `Retry quote ${quote.num}` }).click();
  await expect(page.getByRole('table', { name: 'Pushes' })).toContainText('Needs a choice');

  await staff.reload();
  const choices = panel.getByRole('group', { name: 'Records for the opportunity' });
  await expect(choices).toContainText('Clinic, north');
  await choices.getByRole('button', { name: 'Use this: Clinic, south' }).press('Enter');
  await expect(panel.getByText('Pushed', { exact: true })).toBeVisible();
  await expect(panel.getByRole('link', { name: 'Opportunity' })).toHaveAttribute(
    'href',
    new RegExp(`^${salesforce.address}/lightning/r/Opportunity/`),
  );
  await expect(staff.getByText('Picked a CRM record')).toBeVisible();
  const [created] = salesforce.rows('Opportunity');
  if (created) created['StageName'] = 'Negotiation/Review';
  await panel.getByRole('button', { name: 'Push to CRM' }).click();
  await expect(panel).toContainText('CRM stage: Negotiation/Review. Last pushed: Value Proposition.');
  expect(salesforce.rows('Opportunity')).toHaveLength(1);
  // A change of the quote's status pushes automatically, and the panel shows the result.
  salesforce.fail(/Opportunity/, 'UNABLE_TO_LOCK_ROW');
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  const step = { quoteId: quote.id, action: 'Cancel', comment: 'Bought elsewhere', version } as const;
  await server.ok(QuoteWorkflow.PerformWorkflowAction, step, { as: office.cs });
  await staff.evaluate("window.dispatchEvent(new Event('focus'))");
  await expect(panel.getByText('Waiting', { exact: true })).toBeVisible();
  await expect(panel.getByText('Pushed', { exact: true })).toBeVisible();
  await staff.close();

  await page.goto('/admin/settings/crm');
  await page.getByRole('button', { name: 'Disconnect…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('Not connected')).toBeVisible();
  await salesforce.close();
});
