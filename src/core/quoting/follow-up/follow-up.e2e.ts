// Tests in a browser how a customer's question and unsent mail appear on Home, in the list and on the board until a user handles them.
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test('a question and a failed mail lead from Home to the board, where they are answered and sent again', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  const rep = await aUser(db, { fullName: 'Robin Rep' });
  const quote = await aQuote(db, { ownerId: rep.id, salesRepId: rep.id, facilityName: 'Asking Clinic' });
  const request = { quote_id: quote.id, revision: 1, asked_by: 'Jane Doe', email: 'jane@asking.example.org' };
  await db
    .insertInto('quote_question')
    .values({ ...request, question: 'Is it latex free?', asked_at: new Date() })
    .execute();
  await db
    .insertInto('mail')
    .values({
      quote_id: quote.id,
      recipients: ['buyer@asking.example.org'],
      subject: 'Quote',
      body: 'Hello',
      state: 'Failed',
      last_error: '550 no such mailbox',
      message_id: `failed-${quote.id}`,
    })
    .execute();
  await signIn(rep);
  await page.goto('/');

  const card = page.getByRole('region', { name: 'Needs follow-up' });
  await expect(card.getByRole('link', { name: /Asking Clinic/ })).toContainText('1 open question · Email not sent');
  const row = page.getByRole('table', { name: 'Open Quotes' }).getByRole('row', { name: /Asking Clinic/ });
  await expect(row).toContainText('1 open question, Email not sent');
  await expect(row.getByTitle('Robin Rep')).toContainText('RR');
  // Text for screen readers does not widen the page where the list itself scrolls.
  await page.setViewportSize({ width: 800, height: 900 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(800);
  await page.setViewportSize({ width: 1440, height: 900 });
  await card.getByRole('link', { name: /Asking Clinic/ }).click();

  const strip = page.getByRole('group', { name: 'Needs follow-up' });
  await expect(strip).toContainText('Jane Doe asked just now: “Is it latex free?”');
  await strip.getByRole('button', { name: '1 more' }).click();
  await expect(strip).toContainText('The email to buyer@asking.example.org was not sent. 550 no such mailbox');

  // Typed input stays when the dialog closes.
  await strip.getByRole('button', { name: 'Answer Jane Doe' }).click();
  const answer = page.getByRole('textbox', { name: 'Answer' });
  await answer.fill('Yes, all of it.');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await strip.getByRole('button', { name: 'Answer Jane Doe' }).click();
  await expect(answer).toHaveValue('Yes, all of it.');
  await page.getByRole('button', { name: 'Send Answer' }).click();
  await expect(strip).not.toContainText('Jane Doe');
  await expect(page.getByText('Answered a question')).toBeVisible();
  await strip.getByRole('button', { name: 'Send Again: buyer@asking.example.org' }).click();
  await expect(strip).toHaveCount(0);
  await server.drain();
  const mails = server.mails.filter(
    ({ to }) => to.includes('jane@asking.example.org') || to.includes('buyer@asking.example.org'),
  );
  expect(new Set(mails.map(({ to }) => to[0]))).toEqual(
    new Set(['buyer@asking.example.org', 'jane@asking.example.org']),
  );
  expect(mails).toHaveLength(2);

  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect(page.getByRole('heading', { name: 'Open Quotes' })).toBeVisible();
  await expect(card).toHaveCount(0);
});

test('a board whose open questions cannot be loaded says so', async ({ page, server, signIn }) => {
  const rep = await aUser(server.db, { roles: ['csrep'] });
  const quote = await aQuote(server.db, { ownerId: rep.id });
  await signIn(rep);
  await page.route('**/api/QuoteFollowUp/GetFollowUp', (route) => route.abort());
  await page.goto(`/int-quote-board/${quote.id}`);
  const alert = page.getByRole('alert').filter({ hasText: 'Open questions and mail could not be loaded.' });
  await expect(alert).toBeVisible();
  await page.unroute('**/api/QuoteFollowUp/GetFollowUp');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toBeHidden();
});
