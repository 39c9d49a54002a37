// Items of a configurator on the board: what differs, taken over, locked, unlinked, taken back; by keyboard and on a phone.
import { Configurator } from '#features/quoting/configurator/configurator.contract.ts';
import { aBoard } from '#testing/a-board.ts';
import { expectAccessible } from '#testing/accessible.ts';
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

test('items are looked at, taken over, locked and taken back', async ({ page, server, signIn }) => {
  const { office, quote, post, first, second, third } = await aConfiguredBoard(server);
  await post([first, second, third]);
  await signIn(office.rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  const panel = page.getByRole('region', { name: 'Configurator' });
  await expect(panel).toContainText('3 items differ from the quote.');
  await panel.getByRole('button', { name: 'Configurator items' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Configurator items' });
  const row = (position: string) => dialog.getByRole('listitem').filter({ hasText: `Position ${position}` });
  await expect(row('2')).toContainText('is not sold by crate');
  await expect(row('3')).toContainText('There is no item NOT-OURS.');
  await expect(row('3')).toContainText('<b>Lamp</b>');
  await expectAccessible(page);

  const add = dialog.getByRole('button', { name: /^Add to quote/ });
  await expect(add).toHaveText('Add to quote (1)');
  await row('2')
    .getByRole('combobox', { name: /^Unit for/ })
    .selectOption('BX');
  await row('3')
    .getByRole('combobox', { name: /^Item for/ })
    .selectOption('Add it as a custom item');
  await row('1')
    .getByRole('checkbox', { name: /configurator's price/ })
    .check();
  await expect(add).toBeDisabled();
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Agreed with the maker');
  await expect(add).toHaveText('Add to quote (3)');
  await add.click();
  await expect(dialog).toBeHidden();
  await expect(panel).toContainText('The lines are as they were configured.');
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
  await expect(row('2')).toContainText('The configuration no longer has it.');
  await dialog.getByRole('button', { name: 'Update the quote (2)' }).click();
  await expect(page.getByLabel('Quantity of line 2')).toHaveValue('5');
  await expect(page.getByLabel(/^Quantity of line/)).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel('Quantity of line 2')).toHaveValue('2');
  await expect(page.getByLabel(/^Quantity of line/)).toHaveCount(3);

  await page.getByRole('button', { name: 'Actions of line 2' }).click();
  await page.getByRole('menuitem', { name: 'Edit Item' }).click();
  const form = page.getByRole('region', { name: 'Edit Item' });
  await expect(form.getByRole('textbox', { name: 'Qty.' })).toBeDisabled();
  await expect(form.getByText('Locked to its configuration; unlink the line to change it.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions of line 2' }).click();
  await page.getByRole('menuitem', { name: 'Unlink from the configuration' }).click();
  await expect(page.getByLabel('Quantity of line 2')).toBeEnabled();
});

test('what another has changed meanwhile is looked at again; a phone has room for it', async ({
  page,
  server,
  signIn,
}) => {
  const { office, quote, post, first } = await aConfiguredBoard(server);
  await post([first]);
  await signIn(office.rep);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/pub-quote-board/${quote.id}`);
  await page.getByRole('button', { name: 'About' }).click();
  await page.getByRole('button', { name: 'Configurator items' }).click();
  const dialog = page.getByRole('dialog', { name: 'Configurator items' });
  await post([{ ...first, qty: 7 }]);
  await dialog.getByRole('button', { name: 'Add to quote (1)' }).click();
  await expect(dialog.getByRole('alert')).toContainText('has changed the configuration bed-7 in the meantime');
  await expect(dialog.getByRole('listitem')).toContainText('7');
  const { scrollWidth, clientWidth } = await dialog.evaluate(({ scrollWidth, clientWidth }) => ({
    scrollWidth,
    clientWidth,
  }));
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  await dialog.getByRole('button', { name: 'Add to quote (1)' }).click();
  await expect(dialog).toBeHidden();
});
