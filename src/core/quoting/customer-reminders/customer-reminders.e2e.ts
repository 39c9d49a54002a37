// Tests in a browser that a reminder to the customer is set when a quote is sent, appears on the board, and can be changed and stopped there.

import { QuoteFollowUp } from '#core/quoting/follow-up/follow-up.contract.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { addDays, dayIn, formatDate } from '#platform/shared/dates.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';

test('a reminder is set with the sending, changed over a colleague’s change, and stopped', async ({
  page,
  server,
  signIn,
}) => {
  const cs = await aUser(server.db, { roles: ['csrep'], fullName: 'Chris Service' });
  const other = await aUser(server.db, { roles: ['csrep'], fullName: 'Olive Other' });
  const { time_zone } = await server.db.selectFrom('company').select('time_zone').executeTakeFirstOrThrow();
  const today = dayIn(time_zone, new Date());
  const validUntil = addDays(today, 20);
  const before = (days: number) => formatDate(addDays(validUntil, -days));
  const quote = await aPricedQuote(server.db, {
    statusId: 'Processing',
    assigneeId: cs.id,
    ownerId: cs.id,
    validUntil,
  });
  await signIn(cs);
  await page.goto(`/int-quote-board/${quote.id}`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send to customer' });
  const days = dialog.getByLabel('Days before the quote expires');
  await expect(days).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: 'Remind the customer before the quote expires' }).check();
  await expect(days).toHaveValue('3');
  await expect(dialog).toContainText(`Sent on ${before(3)} at 7 AM to buyer@example.org, unless`);
  const send = dialog.getByRole('button', { name: 'Send', exact: true });
  await days.fill('20');
  await expect(dialog).toContainText(`It would be sent on ${before(20)}, which is today. At most 19 days before.`);
  await expect(send).toBeDisabled();
  await days.fill('5');
  await dialog.getByRole('textbox', { name: 'Reminder text' }).fill('Still wanted by [valid until]?');
  await dialog.getByRole('button', { name: 'Preview the reminder' }).click();
  await expect(dialog.getByRole('region', { name: 'Preview of the reminder' })).toContainText(
    `expires on ${formatDate(validUntil)}Still wanted by ${formatDate(validUntil)}? Read the quote online: (link to the customer’s page)`,
  );
  await expectAccessible(page, '[role="dialog"]');
  await send.click();
  await expect(dialog).toHaveCount(0);
  await server.drain();

  const strip = page.getByRole('group', { name: 'Needs follow-up' });
  await expect(strip).toContainText(`Customer reminder goes out on ${before(5)}, 5 days before the quote expires`);
  await expect(page.getByText('Set a reminder to the customer')).toBeVisible();

  await strip.getByRole('button', { name: 'Change the reminder' }).click();
  const change = page.getByRole('dialog', { name: 'Reminder to the customer' });
  await expect(change.getByLabel('Days before the quote expires')).toBeFocused();
  await change.getByLabel('Days before the quote expires').fill('7');
  // Typed input stays when the dialog closes, and a colleague's change is shown before it is replaced.
  await page.keyboard.press('Escape');
  await expect(change).toHaveCount(0);
  const { reminder } = await server.ok(QuoteFollowUp.GetFollowUp, { quoteId: quote.id }, { as: other });
  const read = { quoteId: quote.id, reminderId: reminder?.id ?? 0, version: reminder?.version ?? 0 };
  await server.ok(QuoteFollowUp.ChangeReminder, { ...read, days: 2, text: 'Hurry' }, { as: other });
  await expect(strip).toContainText(`goes out on ${before(2)}`);
  await strip.getByRole('button', { name: 'Change the reminder' }).click();
  await expect(change.getByLabel('Days before the quote expires')).toHaveValue('7');
  await expect(change).toContainText(
    'Olive Other changed it to 2 days before the quote expires. Saving overwrites that change.',
  );
  await expectAccessible(page, '[role="dialog"]');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(strip).toContainText(`goes out on ${before(7)}`);

  await strip.getByRole('button', { name: 'Stop the reminder' }).click();
  const stop = page.getByRole('dialog', { name: 'Stop the reminder?' });
  await expect(stop).toContainText(`The customer will not get an email on ${before(7)}.`);
  await stop.getByRole('button', { name: 'Stop Reminder' }).click();
  await expect(strip).toHaveCount(0);
  await expect(page.getByText('Stopped the reminder to the customer')).toBeVisible();
});

test('what the customer asks takes the reminder off an open board', async ({ page, server, signIn }) => {
  const rep = await aUser(server.db, { roles: ['csrep'], fullName: 'Robin Rep' });
  const quote = await aPricedQuote(server.db, { statusId: 'Processing', ownerId: rep.id, validUntil: '2199-01-01' });
  await signIn(rep);
  await page.goto(`/int-quote-board/${quote.id}`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send to customer' });
  await dialog.getByRole('checkbox', { name: 'Remind the customer before the quote expires' }).check();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await server.drain();
  const strip = page.getByRole('group', { name: 'Needs follow-up' });
  await expect(strip).toContainText('Customer reminder goes out on 12/29/2198');
  const { doc_id: docId } = await server.db
    .selectFrom('quote_revision')
    .select('doc_id')
    .where('quote_id', '=', quote.id)
    .executeTakeFirstOrThrow();
  const question = { docId, name: 'Jane Doe', email: 'jane@example.org', question: 'Is it latex free?' };
  await server.ok(QuoteDoc.AskQuestion, question);
  await expect(strip).toContainText('Jane Doe asked just now');
  await expect(strip).not.toContainText('Reminder to the customer');
  await expect(strip.getByRole('button', { name: /more$/ })).toHaveCount(0);
});

test('a reminder that went out appears in the activity with its revision', async ({ page, server, signIn }) => {
  const cs = await aUser(server.db, { roles: ['csrep'] });
  const quote = await aPricedQuote(server.db, { statusId: 'Processing', ownerId: cs.id, validUntil: '2199-01-01' });
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  const mail = { quoteId: quote.id, version, to: ['buyer@example.org'], subject: 'Quote', body: 'Hello' };
  await server.ok(QuoteWorkflow.SendEmail, { ...mail, reminder: { days: 300, text: 'Still wanted?' } }, { as: cs });
  const soon = addDays(dayIn('UTC', new Date()), 30);
  await server.db.updateTable('quote').set({ valid_until: soon }).where('id', '=', quote.id).execute();
  await server.drain();
  await signIn(cs);
  await page.goto(`/int-quote-board/${quote.id}`);
  await expect(page.getByText('Reminded the customer')).toBeVisible();
  await page.getByRole('tab', { name: /^Revisions/ }).click();
  await expect(page.getByText(/^Reminder sent \d/)).toBeVisible();
});
