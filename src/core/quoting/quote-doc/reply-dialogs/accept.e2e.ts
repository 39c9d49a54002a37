// Tests the customer's page as a customer uses it: read, accept, decline, ask, print, by keyboard, and offline. e2e/smoke tests it on a phone.
import type { Page } from '@playwright/test';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aSentQuote, versionOf } from '#testing/a-sent-quote.ts';
import { expect, test } from '#testing/browser.ts';
import type { TestServer } from '#testing/test-server.server.ts';

async function statusOf(server: TestServer, id: number) {
  return (await server.db.selectFrom('quote').select('status_id').where('id', '=', id).executeTakeFirstOrThrow())
    .status_id;
}

async function open(page: Page, docId: string) {
  await page.goto(`/quote-doc/${docId}`);
  await expect(page.getByRole('article')).toBeVisible();
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** The calls of this name that the page makes from now on. */
function sentTo(page: Page, call: string): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(`/${call}`)) sent.push(request.url());
  });
  return sent;
}

test('accepts: says what is missing, keeps typed text through a network failure, and is counted once', async ({
  page,
  server,
  context,
}) => {
  const quote = await aSentQuote(server);
  await open(page, quote.docId);
  await expect(page).toHaveTitle(new RegExp(`^Quote ${quote.num} · `));
  await button(page, 'Accept this quote').click();
  const dialog = page.getByRole('dialog');
  await button(page, 'Accept $20.00').click();
  await expect(dialog.getByText('Accept the terms first')).toBeVisible();
  await expect(dialog.getByText('This field is required')).toHaveCount(2);
  await expect(dialog.getByLabel('I accept these terms and conditions')).toBeFocused();

  await dialog.getByLabel('Your name').fill('Jane Doe');
  await dialog.getByLabel('Your title').fill('Purchasing Manager');
  await dialog.getByLabel('PO number').fill('PO-77');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await button(page, 'Accept this quote').click();
  await expect(dialog.getByLabel('PO number')).toHaveValue('PO-77');
  await dialog.getByLabel('I accept these terms and conditions').check();

  await context.setOffline(true);
  await button(page, 'Accept $20.00').click();
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached');
  await expect(dialog.getByLabel('Your name')).toHaveValue('Jane Doe');
  await context.setOffline(false);

  const sent = sentTo(page, 'AcceptQuote');
  await button(page, 'Accept $20.00').dblclick();
  await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible();
  await expect(page.getByText(/accepted by Jane Doe on .* your PO number PO-77/)).toBeVisible();
  await expect(button(page, 'Accept this quote')).toBeHidden();
  await expect(button(page, 'Decline')).toBeHidden();
  expect(await statusOf(server, quote.id)).toBe('Won');
  const events = await server.db.selectFrom('quote_event').select('action').where('quote_id', '=', quote.id).execute();
  expect(events.filter(({ action }) => action === 'MarkWon')).toHaveLength(1);
  expect(sent).toHaveLength(1);

  await page.reload();
  await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible();
});

test('accepts by keyboard alone', async ({ page, server }) => {
  const quote = await aSentQuote(server);
  await open(page, quote.docId);
  await button(page, 'Accept this quote').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('I accept these terms and conditions').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Jane Doe');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Buyer');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(`Send us your PO number when you have it`)).toBeVisible();
});

test('declines with a reason and a comment', async ({ page, server }) => {
  const quote = await aSentQuote(server);
  await open(page, quote.docId);
  await button(page, 'Decline').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(dialog.getByText('This field is required')).toHaveCount(2);
  await dialog.getByLabel('Reason').selectOption('Chose another supplier');
  await dialog.getByLabel('Comment').fill('Shorter lead time');
  await dialog.getByLabel('Your name').fill('Jane Doe');
  const sent = sentTo(page, 'DeclineQuote');
  await dialog.getByRole('button', { name: 'Decline' }).dblclick();
  await expect(page.getByRole('status').filter({ hasText: 'This quote was declined' })).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(await statusOf(server, quote.id)).toBe('Lost');
});

test('asks a question, the only action when the quote has expired or was replaced', async ({ page, server }) => {
  const quote = await aSentQuote(server);
  await open(page, quote.docId);
  await server.db.updateTable('quote').set({ valid_until: '2020-01-01' }).where('id', '=', quote.id).execute();
  await page.reload();
  await expect(page.getByRole('status').filter({ hasText: 'This quote expired' })).toBeVisible();
  await expect(button(page, 'Accept this quote')).toBeHidden();
  await expect(button(page, 'Decline')).toBeHidden();
  await button(page, 'Ask a question').click();
  const dialog = page.getByRole('dialog');
  // A long paste is not truncated without a message.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('Renew? '.repeat(1000)));
  await dialog.getByLabel('Question').press('Control+v');
  await button(page, 'Send question').click();
  await expect(dialog.getByText('At most 5000 characters')).toBeVisible();
  await expect(dialog.getByLabel('Question')).toHaveValue('Renew? '.repeat(1000));
  await dialog.getByLabel('Question').fill('Can you renew it?');
  await dialog.getByLabel('Your name').fill('Jane Doe');
  await dialog.getByLabel('Your email address').fill('jane');
  await button(page, 'Send question').click();
  await expect(dialog.getByText('This is not an email address')).toBeVisible();
  await dialog.getByLabel('Your email address').fill('jane@example.org');
  const sent = sentTo(page, 'AskQuestion');
  await button(page, 'Send question').dblclick();
  await expect(page.getByText('We have received your question')).toBeVisible();
  expect(sent).toHaveLength(1);
  await expect.poll(() => server.mails.some((mail) => mail.text.includes('Can you renew it?'))).toBe(true);

  const replaced = await aSentQuote(server);
  await server.ok(
    QuoteWorkflow.PerformWorkflowAction,
    { quoteId: replaced.id, action: 'Revise', version: await versionOf(server, replaced.id) },
    { as: replaced.cs },
  );
  await open(page, replaced.docId);
  await expect(page.getByRole('status').filter({ hasText: 'being revised' })).toBeVisible();
  await expect(button(page, 'Accept this quote')).toBeHidden();
});

test('a quote that changes while somebody types shows the change and is not accepted', async ({ page, server }) => {
  const quote = await aSentQuote(server);
  await open(page, quote.docId);
  await button(page, 'Accept this quote').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('I accept these terms and conditions').check();
  await dialog.getByLabel('Your name').fill('Jane Doe');
  await dialog.getByLabel('Your title').fill('Buyer');
  await server.ok(
    QuoteWorkflow.PerformWorkflowAction,
    { quoteId: quote.id, action: 'Revise', version: await versionOf(server, quote.id) },
    { as: quote.cs },
  );
  await button(page, 'Accept $20.00').click();
  await expect(page.getByRole('status').filter({ hasText: 'being revised' })).toBeVisible();
  expect(await statusOf(server, quote.id)).toBe('Revising');
});

test('gives the PDF and the files of the quote', async ({ page, server }) => {
  const quote = await aSentQuote(server, { file: 'Latex statement.txt' });
  await open(page, quote.docId);
  const [pdf] = await Promise.all([page.waitForEvent('download'), button(page, 'Download PDF').click()]);
  expect(pdf.suggestedFilename()).toBe(`quote-${quote.num}.pdf`);
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Latex statement.txt').click()]);
  expect(file.suggestedFilename()).toBe('Latex statement.txt');
});

test('prints the document alone, on Letter', async ({ page, server }) => {
  const quote = await aSentQuote(server, { lines: 60 });
  await page.goto(`/quote-doc/${quote.docId}?printView=1`);
  await expect(page.getByRole('article')).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);

  await open(page, quote.docId);
  const printed = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(printed).toMatch(/\/MediaBox\s*\[\s*0 0 612 792\s*\]/);
  await page.emulateMedia({ media: 'print' });
  await expect(button(page, 'Accept this quote')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
});
