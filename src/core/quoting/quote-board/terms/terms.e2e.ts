// Tests the terms of a quote in a browser: a summary that opens for editing, no field duplicated in the rail, other open quotes as links.
import { byColumn, QUOTE_TEXTS, type QuoteText } from '#core/quoting/quotes/quote-fields.ts';
import { aBoard } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';

test('terms show as a summary, open, change field by field, and close; only the rail has contact and reps', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote } = await aBoard(server);
  await server.db.updateTable('quote').set({ payment_terms: 'Net 45' }).where('id', '=', quote.id).execute();
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const terms = page.getByRole('region', { name: 'Terms' });
  const facility = page.getByRole('region', { name: 'Facility' });
  await expect(terms).toContainText('Payment termsNet 45');
  await expect(terms).toContainText('PO number');
  await expect(terms.getByRole('textbox')).toHaveCount(0);
  for (const text of ['Contact', 'Email', 'Sales Rep.']) await expect(terms.getByText(text)).toHaveCount(0);

  await terms.getByRole('button', { name: 'Edit terms' }).click();
  const freight = terms.getByLabel('Freight', { exact: true });
  await freight.fill('12.345');
  await expect(freight).toHaveAccessibleDescription('At most 2 decimals');
  await freight.fill('0');
  await terms.getByLabel('PO number').fill('PO-8');
  // A refused text keeps the form open.
  await terms.getByLabel('Tax rate, %').fill('2,5');
  await terms.getByRole('button', { name: 'Done editing terms' }).click();
  await expect(terms.getByLabel('Tax rate, %')).toBeFocused();
  await terms.getByLabel('Tax rate, %').fill('2.5');
  await terms.getByRole('button', { name: 'Done editing terms' }).click();
  await expect(terms).toContainText('PO numberPO-8');
  await expect(page.getByRole('region', { name: 'Totals' })).toContainText('Tax 2.5%');

  await facility.getByRole('button', { name: 'Edit contact and reps' }).click();
  await facility.getByLabel('Phone').fill('555-0199');
  await facility.getByRole('button', { name: 'Done' }).click();
  await expect(facility.getByRole('link', { name: '555-0199' })).toBeVisible();
  await expect
    .poll(() => server.db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirst())
    .toMatchObject({ po_number: 'PO-8', tax_rate: 2.5, phone: '555-0199' });
  await terms.getByRole('button', { name: 'Edit terms' }).click();
});

test('what changed at the facility is shown on the board and in Send, applied, undone and kept', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote } = await aBoard(server);
  await server.db
    .updateTable('quote')
    .set({ status_id: 'Processing', ship_to: JSON.stringify({ line1: '1 Old Dock' }) })
    .where('id', '=', quote.id)
    .execute();
  await server.db
    .updateTable('facility')
    .set({ ship_to_line1: '1 Old Dock', ship_to_city: '', ship_to_state: '', ship_to_zip: '' })
    .where('id', '=', office.facility.id)
    .execute();
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  const totals = page.getByRole('region', { name: 'Totals' });
  await expect(totals).toBeVisible();
  const note = page.getByRole('note', { name: 'The facility record has changed' });
  await expect(note).toHaveCount(0);
  await server.db
    .updateTable('facility')
    .set({ tax_exempt: true, ship_to_line1: '2 New Dock' })
    .where('id', '=', office.facility.id)
    .execute();
  await page.reload();
  await expect(note).toContainText('The facility record has changed. Tax: exempt (on this quote: 0%).');
  await note.getByRole('button', { name: 'Use the new tax status' }).click();
  await expect(totals).toContainText('Tax (exempt)');
  await expect(note).not.toContainText('Tax');
  await expect(note).toContainText('Ship-to: 2 New Dock');
  await page.keyboard.press('Control+z');
  await expect(totals).not.toContainText('Tax (exempt)');
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Send to customer' });
  const inDialog = dialog.getByRole('note', { name: 'The facility record has changed' });
  await inDialog.getByRole('button', { name: 'Keep the quote’s tax status' }).click();
  await inDialog.getByRole('button', { name: 'Use the new ship-to' }).click();
  await expect(inDialog).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(note).toHaveCount(0);
  await expect
    .poll(() => server.db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirst())
    .toMatchObject({ tax_exempt: false, ship_to: { line1: '2 New Dock' } });
});

for (const view of ['internal', 'public'] as const) {
  test(`the ${view} board shows each text of a quote as the register requires`, async ({ page, server, signIn }) => {
    const { office, quote } = await aBoard(server);
    const valueOf = ({ name }: QuoteText) => `Text of ${name}`;
    await server.db.updateTable('quote').set(byColumn(QUOTE_TEXTS, valueOf)).where('id', '=', quote.id).execute();
    await signIn(view === 'internal' ? office.inside : office.rep);
    await page.goto(`/${view === 'internal' ? 'int' : 'pub'}-quote-board/${quote.id}`);
    const terms = page.getByRole('region', { name: 'Terms' });
    const texts = QUOTE_TEXTS.filter((text) => !('ownPlace' in text) || text.ownPlace === 'message');
    const isRead = ({ reader }: QuoteText) => view === 'internal' || reader !== 'internal';
    for (const text of texts)
      await expect(terms.getByText(text.label + valueOf(text))).toHaveCount(isRead(text) ? 1 : 0);
    await terms.getByRole('button', { name: 'Edit terms' }).click();
    for (const text of texts) {
      const field = terms.getByLabel(text.label, { exact: true });
      await (isRead(text) ? expect(field).toHaveValue(valueOf(text)) : expect(field).toHaveCount(0));
    }
    await page.emulateMedia({ media: 'print' });
    const paper = page.getByRole('article', { name: /^Quote / });
    await expect(paper).toBeVisible();
    for (const text of texts)
      await expect(paper.getByText(valueOf(text))).toHaveCount(text.reader === 'internal' ? 0 : 1);
  });
}

test('New Quote asks for the texts that the register says', async ({ page, server, signIn }) => {
  await signIn((await aBoard(server)).office.rep);
  await page.goto('/pub-quote-new');
  await expect(page.getByRole('button', { name: 'Create Quote' })).toBeVisible();
  for (const text of QUOTE_TEXTS.filter((text) => !('ownPlace' in text)))
    await expect(page.getByLabel(text.label, { exact: true })).toHaveCount('onNewQuote' in text ? 1 : 0);
});
