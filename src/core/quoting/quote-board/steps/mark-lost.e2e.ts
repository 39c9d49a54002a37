// Tests Mark Lost in a browser: reason and comment, and below them an optional competitor with their price.
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { paths } from '#platform/shared/paths.ts';
import { aBoard } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test('a lost quote says to whom and for how much, with the names that colleagues gave', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote } = await aBoard(server);
  const sent = { facility: office.facility, ownerId: office.rep.id, statusId: 'SentToCustomer' as const };
  const name = `Northwind Medical ${quote.num}`;
  const earlier = await aQuote(server.db, sent);
  await server.ok(
    QuoteWorkflow.PerformWorkflowAction,
    {
      quoteId: earlier.id,
      action: 'MarkLost',
      version: 1,
      reasonCode: 'competitor',
      lostCompetitor: name,
    },
    { as: office.inside },
  );
  const lost = await aQuote(server.db, sent);

  await signIn(office.inside);
  await page.goto(paths.internalBoard(lost.id));
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Mark Lost' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark Lost' });
  const markLost = dialog.getByRole('button', { name: 'Mark Lost' });
  await dialog.getByRole('combobox', { name: 'Reason' }).click();
  await page.getByRole('option', { name: 'Price' }).click();
  await expect(markLost).toBeEnabled();
  await dialog.getByRole('combobox', { name: 'Competitor' }).fill('northw');
  await page.getByRole('option', { name }).click();
  const price = dialog.getByRole('textbox', { name: 'Their price (USD)' });
  await price.fill('1,2x');
  await expect(dialog.getByText('is not a number')).toBeVisible();
  await expect(markLost).toBeDisabled();
  await price.fill('$1,210.50');
  await markLost.click();
  await expect(dialog).toBeHidden();
  expect(
    await server.db
      .selectFrom('quote')
      .select(['status_id', 'lost_reason', 'lost_competitor', 'lost_competitor_price'])
      .where('id', '=', lost.id)
      .executeTakeFirst(),
  ).toEqual({ status_id: 'Lost', lost_reason: 'price', lost_competitor: name, lost_competitor_price: 1210.5 });
  // The history shows it to later readers.
  await expect(page.getByText('$1,210.50').first()).toBeVisible();
});
