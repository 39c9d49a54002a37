// Tests in a browser how two colleagues comment on a line, and that a comment reaches the customer only after a confirmation.
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aBoard } from '#testing/a-board.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { Comment } from './comments.contract.ts';

test('a comment on a line reaches a colleague at once, and is changed and deleted', async ({
  page,
  browser,
  address,
  server,
  signIn,
}) => {
  const { office, quote, bed } = await aBoard(server);
  await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId: quote.id, itemId: bed.id, qty: 1 }, { as: office.inside });
  await aUser(server.db, { roles: ['csrep'], fullName: 'Quincy Helper' });
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await page.getByRole('checkbox', { name: 'Select line 1' }).check();
  await page.keyboard.press('c');
  const form = page.getByRole('form', { name: 'New comment' });
  await expect(form).toContainText('About line 1');
  const field = form.getByLabel('Comment');
  await expect(field).toBeFocused();

  // Only users who can see the quote are suggested. Enter chooses the name.
  await page.keyboard.type('For @quin');
  await expect(page.getByRole('option', { name: 'Quincy Helper' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('For @Quincy Helper ');
  await page.keyboard.type('they use two a day');
  // Typed text survives a reload.
  await page.reload();
  await page.getByRole('button', { name: 'Show the side panel: Activity' }).click();
  await page.getByRole('tab', { name: 'Comments' }).click();
  await expect(field).toHaveValue('For @Quincy Helper they use two a day');
  // Keyboard shortcuts of the page do nothing while the side panel lies over it.
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'Select line 1' }).check();
  await page.keyboard.press('c');
  await expect(field).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('tab', { name: 'Comments 1' })).toBeVisible();
  await expect(field).toHaveValue('');

  const other = await (await browser.newContext({ baseURL: address })).newPage();
  await signIn(office.cs, other);
  await other.goto(`/int-quote-board/${quote.id}`);
  await other.getByRole('button', { name: '1 comment on line 1' }).click();
  const comments = other.getByRole('list', { name: 'Comments' });
  await expect(comments).toContainText('they use two a day');
  await expect(comments.getByRole('button', { name: 'Delete' })).toHaveCount(0);

  const own = page.getByRole('list', { name: 'Comments' });
  await own.getByRole('button', { name: 'Edit' }).click();
  await own.getByRole('textbox').fill('They use three a day');
  await own.getByRole('button', { name: 'Save' }).click();
  await expect(own).toContainText('· edited');
  await expect(comments).toContainText('They use three a day');
  await own.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(own).toContainText(`Deleted by ${office.inside.fullName}`);
  await expect(comments).toContainText('Deleted by');
  await expect(other.getByRole('button', { name: '1 comment on line 1' })).toHaveCount(0);
  await other.context().close();
});

test('words to the customer look different, are asked about once, and stand on the page of the quote', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, bed } = await aBoard(server);
  await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId: quote.id, itemId: bed.id, qty: 1 }, { as: office.inside });
  await server.db.updateTable('quote').set({ status_id: 'Processing' }).where('id', '=', quote.id).execute();
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  const mail = { quoteId: quote.id, version, to: ['buyer@example.org'], subject: 'Quote', body: 'Hello' };
  const { quote: sent } = await server.ok(QuoteWorkflow.SendEmail, mail, { as: office.inside });
  await server.ok(Comment.AddComment, { quoteId: quote.id, text: 'Only for us', toCustomer: false }, { as: office.cs });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await page
    .getByRole('button', { name: 'About' })
    .or(page.getByRole('tab', { name: 'About' }))
    .first()
    .click();
  await page.getByRole('tab', { name: 'Comments 1' }).click();
  const form = page.getByRole('form', { name: 'New comment' });
  await form.getByText('To the customer').click();
  await expect(form).toContainText('receives it by email');
  await form.getByLabel('Message to the customer').fill('The beds ship earlier now.');
  await expectNoSideScroll(page);
  await form.getByRole('button', { name: 'Send to Customer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send this to the customer?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(
    await server.db
      .selectFrom('quote_comment')
      .select('id')
      .where('to_customer', '=', true)
      .where('quote_id', '=', quote.id)
      .execute(),
  ).toEqual([]);
  await form.getByRole('button', { name: 'Send to Customer' }).click();
  await dialog.getByRole('button', { name: 'Send to Customer' }).click();
  await expect(page.getByRole('list', { name: 'Comments' })).toContainText('to the customer');
  // The next comment is internal by default.
  await expect(form.getByRole('button', { name: 'Comment' })).toBeVisible();
  await expect.poll(() => server.mails.some(({ text }) => text.includes('The beds ship earlier now.'))).toBe(true);

  await page.goto(`/quote-doc/${sent.docId}`);
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toContainText('The beds ship earlier now.');
  await expect(messages).not.toContainText('Only for us');
  await expectNoSideScroll(page);
});
