// Tests configurator items on the board: differences, adding, lock, unlink, undo; by keyboard and on a phone.
import { Configurator } from '../configurator.contract.ts';
import { aBoard, moreOfLines } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import type { TestServer } from '#testing/test-server.server.ts';

async function aConfiguredBoard(server: TestServer) {
  const board = await aBoard(server);
  const { office, quote, bed, glove } = board;
  const post = (items: object[]) =>
    server.ok(
      Configurator.PostConfiguratorItems,
      { quoteId: quote.id, configId: 'bed-7', name: 'Bed 7', items } as never,
      { as: office.rep },
    );
  const first = { position: '1', itemNumber: bed.itemNumber, qty: 2, optionText: 'Oak', price: 6500 };
  const second = { position: '2', itemNumber: glove.itemNumber, qty: 3, unit: 'crate' };
  const third = { position: '3', itemNumber: 'NOT-OURS', description: '<b>Lamp</b>', qty: 1 };
  return { ...board, post, first, second, third };
}

test('a user reviews items, takes them over, finds them locked and undoes it', async ({ page, server, signIn }) => {
  const { office, quote, bed, post, first, second, third } = await aConfiguredBoard(server);
  await post([first, second, third]);
  await signIn(office.rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  const panel = page.getByRole('region', { name: 'Configurator' });
  await expect(panel).toContainText('3 items differ from the quote.');
  await panel.getByRole('button', { name: 'Configurator items' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Configurator items' });
  const row = (position: string) => dialog.getByRole('listitem').filter({ hasText: `Position ${position}` });
  await expect(row('1')).toContainText(bed.description);
  await expect(row('2')).toContainText('is not sold by crate');
  await expect(row('3')).toContainText('Item NOT-OURS does not exist.');
  await expect(row('3')).toContainText('<b>Lamp</b>');

  const add = dialog.getByRole('button', { name: /^Add to quote/ });
  await expect(add).toHaveText('Add to quote (1)');
  await row('2')
    .getByRole('combobox', { name: /^Unit for/ })
    .selectOption('BX');
  await row('3')
    .getByRole('combobox', { name: /^Item for/ })
    .selectOption('Add as custom item');
  await row('1')
    .getByRole('checkbox', { name: /configurator price/ })
    .check();
  await expect(add).toBeDisabled();
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Agreed with the maker');
  await expect(add).toHaveText('Add to quote (3)');
  await add.click();
  await expect(dialog).toBeHidden();
  await expect(panel).toContainText('The quote matches the configurator.');
  await expect(page.getByLabel('Description of line 1')).toHaveValue('Bed 7');
  await expect(page.getByLabel('Quantity of line 2')).toHaveValue('2');
  await expect(page.getByLabel('Quantity of line 2')).toBeDisabled();
  await expect(page.getByRole('row').filter({ has: page.getByLabel('Quantity of line 2') })).toContainText(
    'Configuration bed-7, position 1: quantity locked',
  );

  await post([{ ...first, qty: 5 }, third]);
  await page.reload();
  await expect(panel).toContainText('2 items differ from the quote.');
  await panel.getByRole('button', { name: 'Configurator items' }).click();
  await expect(row('1')).toContainText('Quantity: 2 → 5');
  await expect(row('2')).toContainText('This item is no longer in the configuration.');
  await dialog.getByRole('button', { name: 'Update quote (2)' }).click();
  await expect(page.getByLabel('Quantity of line 2')).toHaveValue('5');
  await expect(page.getByLabel(/^Quantity of line/)).toHaveCount(2);
  await moreOfLines(page, 'Undo');
  await expect(page.getByLabel('Quantity of line 2')).toHaveValue('2');
  await expect(page.getByLabel(/^Quantity of line/)).toHaveCount(3);

  await page.getByRole('checkbox', { name: 'Select all lines' }).check();
  await page.getByRole('button', { name: 'Multiply quantity…' }).click();
  const quantities = page.getByRole('dialog', { name: 'Multiply quantities of 0 lines' });
  await expect(quantities).toContainText('3 lines are locked to their configuration and will not change.');
  await expect(quantities.getByRole('textbox')).toHaveCount(0);
  await quantities.getByRole('button', { name: 'Close' }).last().click();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Actions for line 2' }).click();
  await page.getByRole('menuitem', { name: 'Edit Item' }).click();
  const form = page.getByRole('region', { name: 'Edit Item' });
  await expect(form.getByRole('textbox', { name: 'Qty.' })).toBeDisabled();
  await expect(form.getByText('Locked to its configuration; unlink the line to change it.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions for line 2' }).click();
  await page.getByRole('menuitem', { name: 'Unlink from the configuration' }).click();
  await expect(page.getByLabel('Quantity of line 2')).toBeEnabled();

  await page.getByRole('checkbox', { name: 'Select all lines' }).check();
  await page.getByRole('button', { name: 'Multiply quantity…' }).click();
  const subset = page.getByRole('dialog', { name: 'Multiply quantity of 1 line' });
  await expect(subset).toContainText('2 lines are locked');
  await subset.getByLabel('Multiply each quantity by').fill('3');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Quantity of line 2')).toHaveValue('6');
  await expect(page.getByLabel('Quantity of line 3')).toHaveValue('3');
});

test('a user drops or chooses a file, reviews its rows and discards the waiting items', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, bed } = await aConfiguredBoard(server);
  // Without a model there is nothing to configure.
  await server.db.updateTable('configurable_model').set({ active: false }).execute();
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await signIn(office.rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  const panel = page.getByRole('region', { name: 'Configurator' });
  const more = page.getByRole('button', { name: 'More line actions' });
  await more.click();
  await expect(page.getByRole('menuitem', { name: 'Import configurator file…' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Configure', exact: true })).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  expect(calls.filter((path) => path.endsWith('/GetDmsConfiguratorItems'))).toEqual([]);

  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const choose = async (...files: ReturnType<typeof file>[]) => {
    const chooser = page.waitForEvent('filechooser');
    await moreOfLines(page, 'Import configurator file…');
    await (await chooser).setFiles(files);
  };
  await choose(file('a.csv', 'Position,Item,Qty\n1,A,1\n'), file('notes.csv', 'Dear reader\n'));
  await expect(panel.getByRole('alert')).toContainText('a.csv: a, 1 row.');
  await expect(panel.getByRole('alert')).toContainText('notes.csv: The file does not start with a row of headings');

  const csv = `Position,Item,Qty,Shade\n1,${bed.itemNumber},2,Oak\n2,${bed.itemNumber},0,Oak\n`;
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'bed-7.csv', { type: 'text/csv' }));
    return transfer;
  }, csv);
  await panel.dispatchEvent('dragover', { dataTransfer: data });
  await panel.dispatchEvent('drop', { dataTransfer: data });
  const dialog = page.getByRole('dialog', { name: 'Configurator items' });
  await expect(dialog.getByRole('status')).toContainText(
    'bed-7.csv: bed-7, 2 rows, 1 of them could not be read. Columns not imported: Shade.',
  );
  await expect(dialog).toContainText("Line 3, Qty: '0' must be above zero.");
  await dialog.getByRole('button', { name: 'Add to quote (1)' }).click();
  await expect(page.getByLabel('Quantity of line 2')).toHaveValue('2');

  await panel.getByRole('button', { name: 'Configurator items' }).click();
  await dialog.getByRole('button', { name: 'Discard configuration bed-7' }).press('Enter');
  const confirm = page.getByRole('dialog', { name: 'Discard configuration bed-7?' });
  await confirm.getByRole('button', { name: 'Cancel' }).press('Enter');
  await dialog.getByRole('button', { name: 'Discard configuration bed-7' }).press('Enter');
  await page.keyboard.press('Escape');
  await expect(confirm).toBeHidden();
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Discard configuration bed-7' }).click();
  await confirm.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog.getByRole('heading', { name: 'Configuration bed-7' })).toBeHidden();
  await expect(dialog.getByRole('heading', { name: 'Configuration a' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Discard configuration a' }).click();
  await page.getByRole('dialog', { name: 'Discard configuration a?' }).getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
  await expect(panel).toContainText('No configurator items are waiting.');
  await expect(page.getByLabel('Quantity of line 2')).toHaveValue('2');
});
