// Orders in a browser: connect the ERP by keyboard, see the order on the board and as the customer, send a rejected one again.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { QuoteDoc } from '#features/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteWorkflow } from '#features/quoting/quote-steps/quote-steps.contract.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { OrderExchange } from './order-requests.contract.ts';
import { writeOrdersJob } from './write-orders.server.ts';

test('an administrator turns on order files, and the ERP answers', async ({ page, server, signIn }) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'orders-e2e-'));
  server.services.config.orderFolder = folder;
  await server.db.updateTable('order_settings').set({ files: false, format: 'json' }).execute();
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  const quote = await aPricedQuote(server.db, { statusId: 'SentToCustomer', facilityName: 'Clinic <b>North</b>' });
  const key = `${quote.num}-R1`;
  const input = { quoteId: quote.id, action: 'MarkWon' as const, version: 1, poNumber: 'PO-9' };
  await server.ok(QuoteWorkflow.PerformWorkflowAction, input, { as: admin });

  await signIn(admin);
  await page.goto(`/int-quote-board/${quote.id}`);
  const panel = page.getByRole('region', { name: 'Order', exact: true });
  await expect(panel).toContainText('No ERP is connected. The order has waited since');

  await page.goto('/admin/settings/order-requests');
  const list = page.getByRole('table', { name: 'Order requests' });
  await expect(list).toContainText('Clinic <b>North</b>');
  await expect(page.getByText('No ERP is connected')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Connect the ERP' }).click();

  await expect(page.getByText('Not connected')).toBeVisible();
  const form = page.getByRole('form', { name: 'Files' });
  await form.getByRole('button', { name: 'Test the folder' }).press('Enter');
  await expect(form.getByRole('status')).toContainText('takes files');
  await form.getByLabel('Write each order into the folder').focus();
  await page.keyboard.press('Space');
  await form.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'EDI X12 850' }).click();
  await form.getByRole('button', { name: 'Add a unit' }).click();
  await form.getByLabel('Unit 1', { exact: true }).fill('PCH');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('This field is required')).toBeVisible();
  await form.getByLabel('Code of unit 1').fill('PO');
  await expectAccessible(page);
  await form.getByLabel('Code of unit 1').press('Enter');
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });

  await writeOrdersJob.run(server.services);
  expect(fs.readdirSync(folder)).toEqual([`order-${key}.edi`]);
  await server.ok(
    OrderExchange.AcknowledgeOrder,
    { key, status: 'Rejected', reason: 'Account blocked' },
    { as: admin },
  );
  await page.goto('/admin/settings/order-requests');
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Rejected' }).click();
  await expect(list).toContainText('Account blocked');
  await page.getByRole('button', { name: `Download order ${quote.num}` }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toBe(`order-${key}.csv`);
  await page.goto(`/int-quote-board/${quote.id}`);
  await expect(panel).toContainText('Account blocked');
  await page.goto('/admin/settings/order-requests?state=Rejected');
  await page.getByRole('button', { name: `Send order ${quote.num} again` }).press('Enter');
  await expect(page.getByText(`Order ${key} waits for the ERP again.`)).toBeVisible();
  await expect(page.getByText('No Record Found')).toBeVisible();

  const lines = [{ lineNo: 1, status: 'Backordered' as const, shipOn: '2026-12-24' }];
  const taken = { key, status: 'Acknowledged' as const, erpOrderNo: '4711', lines };
  await server.ok(OrderExchange.AcknowledgeOrder, taken, { as: admin });
  await page.goto(`/int-quote-board/${quote.id}`);
  const order = page.getByRole('region', { name: 'Order 4711' });
  await expect(order).toContainText('Line 1: backordered, ships 12/24/2026');
  await expect(page.getByText('made the order in the ERP')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/settings/order-requests?state=Acknowledged');
  await expect(page.getByText('Order 4711')).toBeVisible();
  await expectAccessible(page);
  await server.db.updateTable('order_settings').set({ files: false, units: '[]' }).execute();
  fs.rmSync(folder, { recursive: true });
});

test('the customer sees the order number on the quote’s page', async ({ page, server }) => {
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  const quote = await aPricedQuote(server.db, { statusId: 'Processing' });
  const mail = { quoteId: quote.id, version: 1, to: ['b@example.org'], subject: 'Quote', body: 'Hello' };
  const sent = await server.ok(QuoteWorkflow.SendEmail, mail, { as: admin });
  const docId = sent.quote.docId ?? '';
  await server.ok(QuoteDoc.AcceptQuote, { docId, name: 'Jane', title: 'Buyer', acceptTerms: true });
  await page.goto(`/quote-doc/${docId}`);
  await expect(page.getByText('has been notified and is processing your order')).toBeVisible();
  const taken = { key: `${quote.num}-R1`, status: 'Acknowledged' as const, erpOrderNo: '4711' };
  await server.ok(OrderExchange.AcknowledgeOrder, taken, { as: admin });
  await page.reload();
  await expect(page.getByText('Your order has the number 4711.')).toBeVisible();
  await expectAccessible(page);
});
