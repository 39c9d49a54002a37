// Tests quote templates in a browser: create one by paste, mark a discontinued item, use it in a new quote, save a quote as a template.
import { moreOfLines } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test('an administrator makes a template by paste; rows without a match are not dropped silently', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  await anItem(db, { number: 'SET-100', description: 'Bed rail' });
  await anItem(db, { number: 'SET-200', description: 'Bed lamp' });
  await signIn(await aUser(db, { roles: ['salesadmin'] }));
  await page.goto('/admin/admin-quote-templates');
  await page.getByRole('link', { name: 'Add Template' }).click();
  const form = page.getByRole('form', { name: 'Template' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Ward bed set');
  await form.getByRole('button', { name: 'Paste' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste lines' });
  await dialog.getByRole('textbox').fill('SET-100\t4\tEA\nNO-SUCH\t1\tEA\nSET-200\t2\tEA');
  await dialog.getByRole('button', { name: 'Look up' }).click();
  await expect(dialog.getByText('3 rows: 2 found, 0 ambiguous, 1 not found')).toBeVisible();
  await expect(dialog.getByText('Item NO-SUCH does not exist.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add 2 lines' }).click();
  await dialog.getByRole('button', { name: 'Dismiss 1 row' }).click();
  await form.getByRole('button', { name: 'Move SET-200 up' }).click();
  await form.getByRole('button', { name: 'Remove SET-100' }).click();
  await form.getByRole('button', { name: 'Undo' }).click();
  await form.getByLabel('Quantity of SET-200').fill('1e3');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByLabel('Quantity of SET-200')).toHaveAttribute('aria-invalid', 'true');
  await form.getByLabel('Quantity of SET-200').fill('6');
  await form.getByLabel('Description of SET-200').fill('Lamp for the ward');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Ward bed set is saved.')).toBeVisible();
  const lines = page.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  await expect(lines).toHaveText([/SET-200/, /SET-100/]);
  await expect(page.getByLabel('Quantity of SET-200')).toHaveValue('6');
  await expect(page.getByLabel('Description of SET-200')).toHaveValue('Lamp for the ward');
  await expect(page.getByLabel('Description of SET-100')).toHaveAttribute('placeholder', 'Bed rail');
  // Sections are counted as lines, as in the list of templates.
  const count = page.getByRole('region', { name: 'Lines' }).getByRole('paragraph').first();
  await expect(count).toHaveText('2');
  await page.getByRole('button', { name: 'Section' }).click();
  await expect(count).toHaveText('3');
});

test('a representative saves a quote as a template and finds it in a new quote', async ({ page, server, signIn }) => {
  const { db } = server;
  const rep = await aUser(db);
  const item = await anItem(db, { number: 'SET-Q' });
  const quote = await aQuote(db, { ownerId: rep.id });
  await db
    .insertInto('quote_item')
    .values({
      quote_id: quote.id,
      line_no: 1,
      type: 'item',
      item_id: item.id,
      item_number: 'SET-Q',
      qty: 7,
      unit: 'EA',
    })
    .execute();
  await signIn(rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Save this quote as a template…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this quote as a template' });
  await dialog.getByLabel('Name').fill('My own set');
  await dialog.getByRole('button', { name: 'Save Template' }).click();
  await expect(page.getByText('Template My own set saved with 1 line.')).toBeVisible();
  // The owner renames their own template in the dialog that uses it.
  await moreOfLines(page, 'Add from template…');
  await page.getByRole('button', { name: /^My own set/ }).click();
  const using = page.getByRole('dialog', { name: 'My own set' });
  await using.getByRole('button', { name: 'Rename' }).click();
  await using.getByRole('textbox', { name: 'Name' }).fill('Our ward set');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Our ward set' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto('/pub-quote-new');
  await page.getByRole('combobox', { name: 'From a template' }).click();
  await page.getByRole('option', { name: 'Our ward set' }).click();
  await expect(page.getByText('1 line', { exact: true })).toBeVisible();
});
