// Tests the focus after a user adds a section, opens an empty quote, or starts a step that finds a required field empty.
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aBoard, moreOfLines } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';

test('a section goes above the focused line, and the focus moves to its name', async ({ page, server, signIn }) => {
  const { office, quote, bed, glove } = await aBoard(server);
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { id: quote.id }, items: [bed, glove].map(({ id }) => ({ id: 0, itemId: id, qty: 1 })) },
    { as: office.inside },
  );
  const stored = async () => {
    const rows = await server.db
      .selectFrom('quote_item')
      .select('description')
      .where('quote_id', '=', quote.id)
      .orderBy('line_no')
      .execute();
    return rows.map(({ description }) => description.split(' ').slice(0, 3).join(' '));
  };
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await page.getByLabel('Quantity of line 2').focus();
  await moreOfLines(page, 'Add section');
  await expect(page.getByLabel('Description of line 2')).toBeFocused();
  await page.keyboard.type('Ward 3');
  await page.keyboard.press('Enter');
  await expect.poll(stored).toEqual(['Low air loss', 'Ward 3', 'Exam glove ' + quote.num]);

  // A section without a name is named first. Pressing again does not add a second one.
  await page.getByLabel('Quantity of line 1').focus();
  for (let time = 0; time < 3; time++) {
    await moreOfLines(page, 'Add section');
    await expect(page.getByLabel('Description of line 1')).toBeFocused();
  }
  await expect.poll(stored).toEqual(['Section', 'Low air loss', 'Ward 3', 'Exam glove ' + quote.num]);
  await page.keyboard.press('Control+z');
  await expect.poll(stored).toEqual(['Low air loss', 'Ward 3', 'Exam glove ' + quote.num]);
  await expect(page.getByLabel('Select line 4')).toHaveCount(0);

  await page.getByLabel('Select line 1').check();
  await page.getByLabel('Select line 3').check();
  await page.getByRole('button', { name: 'Move to section' }).click();
  await page.getByRole('menuitem', { name: 'New section' }).click();
  await expect(page.getByLabel('Description of line 1')).toBeFocused();
  await page.keyboard.type('Both');
  await page.keyboard.press('Enter');
  await expect.poll(stored).toEqual(['Both', 'Low air loss', 'Exam glove ' + quote.num, 'Ward 3']);
});

test('naming a new section is no step of its own', async ({ page, server, signIn }) => {
  const { office, quote, bed, glove } = await aBoard(server);
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { id: quote.id }, items: [bed, glove].map(({ id }) => ({ id: 0, itemId: id, qty: 1 })) },
    { as: office.inside },
  );
  const stored = async () => {
    const rows = await server.db
      .selectFrom('quote_item')
      .select(['description', 'qty'])
      .where('quote_id', '=', quote.id)
      .orderBy('line_no')
      .execute();
    return rows.map(({ description, qty }) => `${description.split(' ')[0]} ${qty}`);
  };
  await signIn(office.inside);
  await page.goto(`/int-quote-board/${quote.id}`);
  await page.getByLabel('Quantity of line 1').fill('4');
  await page.keyboard.press('Enter');
  await expect.poll(stored).toEqual(['Low 4', 'Exam 1']);
  await page.getByLabel('Quantity of line 2').focus();
  await moreOfLines(page, 'Add section');
  await expect(page.getByLabel('Description of line 2')).toBeFocused();
  await page.keyboard.type('Gloves');
  await page.keyboard.press('Enter');
  await expect.poll(stored).toEqual(['Low 4', 'Gloves 0', 'Exam 1']);
  const undo = async () => {
    await page.getByRole('button', { name: 'More line actions' }).click();
    await expect(page.getByRole('menuitem', { name: /^Undo/ })).toBeEnabled();
    await page.getByRole('menuitem', { name: /^Undo/ }).click();
  };
  await undo();
  await expect.poll(stored).toEqual(['Low 4', 'Exam 1']);
  await undo();
  await expect.poll(stored).toEqual(['Low 1', 'Exam 1']);
});
