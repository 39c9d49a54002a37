// Tests the grid in use: columns, figures, heading, selection, order, search, clipboard.
import type { Locator, Page } from '@playwright/test';
import type { QuoteItemInput } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { type BoardLayout, QuoteBoard } from '../../layout/board-layout.contract.ts';
import { aBoard, moreOfLines } from '#testing/a-board.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

type SignIn = (user: { id: number }) => Promise<void>;

async function open(server: TestServer, page: Page, signIn: SignIn, items: QuoteItemInput[]) {
  const board = await aBoard(server);
  const { office, quote } = board;
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { id: quote.id, version: 1 }, items: items.map((item) => ({ id: 0, ...item })) },
    { as: office.inside },
  );
  await signIn(office.inside);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/int-quote-board/${quote.id}`);
  await expect(page.getByLabel('Select line 1', { exact: true })).toBeVisible();
  return board;
}

const custom = (itemNumber: string, unitPrice = 10, more: Partial<QuoteItemInput> = {}): QuoteItemInput => ({
  type: 'custom',
  itemNumber,
  description: `Made to measure ${itemNumber}`,
  qty: 1,
  unit: 'EA',
  unitPrice,
  ...more,
});
const several = (count: number) => Array.from({ length: count }, (_, index) => custom(`C-${index + 1}`));
const numbersOf = async (server: TestServer, quoteId: number) => {
  const rows = await server.db
    .selectFrom('quote_item')
    .select('item_number')
    .where('quote_id', '=', quoteId)
    .orderBy('line_no')
    .execute();
  return rows.map((row) => row.item_number);
};
const saves = (page: Page) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('SaveSalesRepQuote')) sent.push(request.url());
  });
  return sent;
};
const heading = (page: Page, title: string) =>
  page.getByRole('grid').getByRole('columnheader', { name: title, exact: true });
const boxOf = async (place: Locator) => {
  const box = await place.boundingBox();
  if (!box) throw new Error('nothing there');
  return box;
};

test('a price is never clipped, and all decimal points align', async ({ page, server, signIn }) => {
  await open(server, page, signIn, [
    custom('A', 11_971.5072, { qty: 2.5 }),
    custom('B', 7.5, { qty: 12 }),
    custom('C', 0.0518, { qty: 100 }),
  ]);
  /** The position of a cell's decimal point on the screen, and whether all of its text is visible. */
  const pointOf = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((cell: HTMLInputElement) => {
      const style = getComputedStyle(cell);
      // A text of the same style, because a canvas does not know tabular figures.
      const text = document.createElement('span');
      Object.assign(text.style, {
        position: 'absolute',
        fontFamily: style.fontFamily,
        fontSize: style.fontSize,
        fontWeight: style.fontWeight,
        fontVariantNumeric: style.fontVariantNumeric,
      });
      const [, behind = ''] = cell.value.split('.');
      text.textContent = behind === '' ? '' : `.${behind}`;
      document.body.append(text);
      const after = text.getBoundingClientRect().width;
      text.remove();
      return {
        at: cell.getBoundingClientRect().right - parseFloat(style.paddingRight) - after,
        isWhole: cell.scrollWidth <= cell.clientWidth,
        text: cell.value,
      };
    });
  for (const column of ['Price', 'Quantity']) {
    const points = await Promise.all([1, 2, 3].map((line) => pointOf(`${column} of line ${line}`)));
    expect(points.every(({ isWhole }) => isWhole)).toBe(true);
    const places = points.map(({ at }) => at);
    expect(Math.max(...places) - Math.min(...places)).toBeLessThan(1.5);
  }
  expect((await pointOf('Price of line 1')).text).toBe('11,971.5072');
  // This also applies when the user made the column too narrow.
  await moreOfLines(page, 'Columns…');
  for (let step = 0; step < 2; step++) await page.getByRole('button', { name: 'Make Price narrower' }).click();
  expect((await pointOf('Price of line 1')).isWhole).toBe(true);
});

test('the heading stays visible from the first line on, and every line is one row of text', async ({
  page,
  server,
  signIn,
}) => {
  const long = 'Alternating pressure mattress system with side bolsters, fluid-proof cover and a pump with alarm';
  const item = await anItem(server.db, { description: long });
  await open(server, page, signIn, [{ itemId: item.id, qty: 1 }, ...several(40)]);
  await expect(page.getByRole('grid').getByTitle(long)).toBeVisible();
  const rows = page.getByRole('grid').locator('[data-line]');
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(new Set(heights)).toEqual(new Set([36]));
  await page.mouse.wheel(0, 900);
  const head = page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) });
  const columns = heading(page, 'Item #');
  await expect
    .poll(async () => {
      const above = await boxOf(head);
      return Math.abs((await boxOf(columns)).y - above.y - above.height);
    })
    .toBeLessThan(2);
  const { y } = await boxOf(columns);
  // The heading does not cover the focused element.
  await page.getByLabel('Quantity of line 20', { exact: true }).focus();
  await page.keyboard.press('ArrowUp');
  for (let step = 0; step < 12; step++) await page.keyboard.press('ArrowUp');
  const field = await boxOf(page.locator(':focus'));
  expect(field.y).toBeGreaterThan(y + 30);
});

test('a user hides, moves and widens columns, and they stay so on another device', async ({
  page,
  server,
  signIn,
  browser,
  address,
}) => {
  const { office, quote } = await open(server, page, signIn, several(3));
  await moreOfLines(page, 'Columns…');
  // The checkbox shows the stored state, a moment after the click.
  await page.getByRole('checkbox', { name: 'List' }).click();
  await expect(page.getByRole('checkbox', { name: 'List' })).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Price' })).toBeDisabled();
  await page.getByRole('button', { name: 'Move Source left' }).focus();
  await page.keyboard.press('Enter');
  await expectAccessible(page, '[role="dialog"]');
  await page.keyboard.press('Escape');
  await expect(heading(page, 'List')).toHaveCount(0);

  const before = await boxOf(heading(page, 'Item #'));
  await page.mouse.move(before.x + before.width, before.y + 10);
  await page.mouse.down();
  await page.mouse.move(before.x + before.width + 60, before.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Math.round((await boxOf(heading(page, 'Item #'))).width - before.width)).toBe(60);
  const saved = page.waitForResponse(/RememberBoardLayout/);
  await page.getByRole('button', { name: 'Hide the side panel' }).click();
  await expect(page.getByRole('complementary', { name: 'About this quote' })).toBeHidden();
  await saved;

  const elsewhere = await (await browser.newContext({ baseURL: address })).newPage();
  await elsewhere.setViewportSize({ width: 1440, height: 900 });
  await signIn(office.inside, elsewhere);
  await elsewhere.goto(`/int-quote-board/${quote.id}`);
  await expect(heading(elsewhere, 'Source')).toBeVisible();
  await expect(heading(elsewhere, 'List')).toHaveCount(0);
  const titles = await elsewhere.getByRole('grid').getByRole('columnheader').allTextContents();
  expect(titles.indexOf('Source')).toBe(titles.indexOf('Price') - 1);
  expect(Math.round((await boxOf(heading(elsewhere, 'Item #'))).width - before.width)).toBe(60);
  await expect(elsewhere.getByRole('complementary', { name: 'About this quote' })).toBeHidden();
  await elsewhere.getByRole('button', { name: 'Show the side panel' }).click();
  await expect(elsewhere.getByRole('complementary', { name: 'About this quote' })).toBeVisible();
  await moreOfLines(elsewhere, 'Columns…');
  await elsewhere.getByRole('button', { name: 'Reset' }).click();
  await expect(heading(elsewhere, 'List')).toHaveCount(1);
});

test('columns that could not be read are changed for now, and the stored ones stay', async ({
  page,
  server,
  signIn,
}) => {
  const stored: BoardLayout = {
    columns: [{ key: 'source', hidden: true, width: null }],
    density: 'dense',
    rail: 'auto',
  };
  await page.route('**/GetBoardLayout', (route) => route.abort());
  const { office } = await open(server, page, signIn, several(3));
  await server.ok(QuoteBoard.RememberBoardLayout, stored, { as: office.inside });
  await expect(page.getByText(/^Your saved board layout could not be loaded/)).toBeVisible();
  await moreOfLines(page, 'Columns…');
  for (const column of ['List', 'Source']) {
    await page.getByRole('checkbox', { name: column }).click();
    await expect(page.getByRole('checkbox', { name: column })).not.toBeChecked();
  }
  await page.keyboard.press('Escape');
  await expect(heading(page, 'List')).toHaveCount(0);
  expect(await server.ok(QuoteBoard.GetBoardLayout, {}, { as: office.inside })).toEqual(stored);
});

test('a user selects lines from the heading, by Ctrl+A and by Shift and arrows', async ({ page, server, signIn }) => {
  await open(server, page, signIn, [custom('A'), { type: 'section', description: 'Ward 3' }, custom('B'), custom('C')]);
  const selected = page.getByRole('toolbar', { name: 'Selected lines' }).getByRole('status');
  await page.getByRole('checkbox', { name: 'Select all lines' }).check();
  await expect(selected).toHaveText('4 selected');
  await expectAccessible(page, '[role="grid"]');
  await page.getByRole('checkbox', { name: 'Select all lines' }).uncheck();
  await expect(selected).toHaveCount(0);

  await page.getByLabel('Quantity of line 1').focus();
  await page.keyboard.press('Control+a');
  await expect(selected).toHaveText('4 selected');
  await page.keyboard.press('Escape');
  await expect(selected).toHaveCount(0);

  await page.getByLabel('Quantity of line 1').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(selected).toHaveText('2 selected');
  // A section has no quantity, so the focus goes to its checkbox and continues from there.
  await expect(page.getByLabel('Select line 2')).toBeFocused();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByLabel('Select line 3')).toBeFocused();
  await expect(selected).toHaveText('3 selected');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(selected).toHaveText('2 selected');
  await page.keyboard.press('Escape');
  // Arrow keys alone skip a line without such a cell.
  await page.getByLabel('Quantity of line 1').focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel('Quantity of line 3')).toBeFocused();
});

test('selected lines move together by Alt and arrows and by dragging, each with one save, and undo reverses it', async ({
  page,
  server,
  signIn,
}) => {
  const { quote } = await open(server, page, signIn, several(5));
  const is = (lines: string[]) => expect.poll(() => numbersOf(server, quote.id)).toEqual(lines);
  const sent = saves(page);
  await page.getByLabel('Select line 2').check();
  await page.getByLabel('Select line 3').check();
  await page.keyboard.press('Alt+ArrowDown');
  await is(['C-1', 'C-4', 'C-2', 'C-3', 'C-5']);
  expect(sent).toHaveLength(1);
  await expect(page.getByRole('grid').getByRole('row').nth(3)).toContainText('C-2');
  const number = (row: number) => page.getByRole('grid').getByRole('row').nth(row).getByRole('gridcell').nth(1);
  await number(4).dragTo(number(1), { targetPosition: { x: 10, y: 2 } });
  await is(['C-2', 'C-3', 'C-1', 'C-4', 'C-5']);
  expect(sent).toHaveLength(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await is(['C-1', 'C-4', 'C-2', 'C-3', 'C-5']);
  await page.keyboard.press('Control+z');
  await is(['C-1', 'C-2', 'C-3', 'C-4', 'C-5']);
  await page.keyboard.press('Control+y');
  await is(['C-1', 'C-4', 'C-2', 'C-3', 'C-5']);

  // All keys are processed, even when they are pressed faster than the server responds.
  await expect(page.getByRole('grid').getByRole('row').nth(2)).toContainText('C-4');
  await page.getByLabel('Quantity of line 1').focus();
  for (let step = 0; step < 4; step++) await page.keyboard.press('Alt+ArrowDown');
  await is(['C-4', 'C-2', 'C-3', 'C-5', 'C-1']);
  await expect(page.getByLabel('Quantity of line 5')).toBeFocused();
});

test('Ctrl+F finds lines that are not yet on the screen', async ({ page, server, signIn }) => {
  await open(server, page, signIn, [
    ...several(180),
    custom('X-1', 10, { description: 'Clínica bed' }),
    ...several(40),
    custom('X-2', 10, { description: 'Bed of the CLINICA' }),
  ]);
  await page.keyboard.press('Control+f');
  const bar = page.getByRole('search', { name: 'Find in lines' });
  await expect(bar.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('clinica');
  await expect(bar.getByRole('status')).toHaveText('1 of 2');
  await expect(page.getByLabel('Quantity of line 181', { exact: true })).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(bar.getByRole('status')).toHaveText('2 of 2');
  await expect(page.getByLabel('Quantity of line 222', { exact: true })).toBeInViewport();
  await expectAccessible(page, '[aria-labelledby="lines-title"]');
  await page.keyboard.press('Enter');
  await expect(bar.getByRole('status')).toHaveText('1 of 2');
  await page.keyboard.press('Shift+Enter');
  await expect(bar.getByRole('status')).toHaveText('2 of 2');
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
  await expect(page.getByLabel('Quantity of line 222', { exact: true })).toBeFocused();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('x-1');
  await expect(page.getByRole('grid').locator('mark')).toHaveText('X-1');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('nowhere');
  await expect(bar.getByRole('status')).toHaveText('Not found');
});

test('Ctrl+C copies the selected lines with their exact values', async ({ page, server, signIn, forbidden }) => {
  await open(server, page, signIn, [custom('0042', 11_971.5072), custom('B')]);
  await page.getByLabel('Select line 1').check();
  // The handle returns when the page is listening, before the key is pressed.
  const copied = await page.evaluateHandle(() => {
    const copy = new Promise<{ text: string; html: string }>((resolve) => {
      window.addEventListener('copy', ({ clipboardData }) =>
        resolve({
          text: clipboardData?.getData('text/plain') ?? '',
          html: clipboardData?.getData('text/html') ?? '',
        }),
      );
    });
    return { copy };
  });
  await page.keyboard.press('Control+c');
  const { text, html } = await copied.evaluate(({ copy }) => copy);
  const [titles = '', line = '', ...others] = text.split('\r\n').map((row) => row.split('\t'));
  expect(others).toEqual([]);
  expect([titles[0], line[0]]).toEqual(['Item #', '0042']);
  expect(line[titles.indexOf('Price')]).toBe('11971.5072');
  expect(html).toContain('<td>11971.5072</td>');
  // The button does the same.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('toolbar').getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Line copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('11971.5072');
  // Chromium adds inline styles to what it writes to the clipboard, which the policy removes again.
  expect(new Set(forbidden)).toEqual(new Set([`style-src-attr inline at ${new URL(page.url()).pathname}`]));
  forbidden.length = 0;
});

test('the reason for a discount on many lines appears once, in the foot', async ({ page, server, signIn }) => {
  const items = [await anItem(server.db, { price: 100 }), await anItem(server.db, { price: 200 })];
  await open(server, page, signIn, [...items.map(({ id }) => ({ itemId: id, qty: 1 })), custom('C')]);
  await page.getByLabel('Select line 1').check();
  await page.getByLabel('Select line 2').check();
  await page.getByRole('button', { name: /^Discount/ }).click();
  await page.getByLabel('Discount off system price').fill('3');
  await page.getByLabel('Reason').fill('Volume of the year');
  await page.getByRole('button', { name: 'Set discount' }).click();
  await expect(page.getByRole('button', { name: 'Manual prices: 1 reason' })).toBeVisible();
  await expect(page.getByRole('grid').getByText('Volume of the year')).toHaveCount(0);
  const heights = await Promise.all(
    [1, 2].map(async (row) => (await boxOf(page.getByRole('grid').getByRole('row').nth(row))).height),
  );
  expect(Math.max(...heights)).toBeLessThan(45);
  await page.getByRole('button', { name: 'Manual prices: 1 reason' }).click();
  await page.getByRole('menuitem', { name: 'Volume of the year Select 2 lines' }).click();
  await expect(page.getByRole('toolbar').getByRole('status')).toHaveText('2 selected');
  await page.keyboard.press('Escape');
  // A reason that only one line has appears below that line, and each line's menu shows the system price.
  await page.getByRole('button', { name: 'Actions for line 1' }).click();
  await page.getByRole('menuitem', { name: 'Reset to system price ($100.00)' }).click();
  await expect(page.getByRole('grid').getByText('Manual price: Volume of the year')).toBeVisible();
});

test('at 1440 px cost figures fit beside long descriptions, twenty lines are in sight, and the right side folds', async ({
  page,
  server,
  signIn,
}) => {
  const long = 'Alternating pressure mattress system with side bolsters, fluid-proof cover and a pump with alarm';
  const item = await anItem(server.db, { description: long, price: 675, cost: 300 });
  const lines = Array.from({ length: 120 }, () => ({ itemId: item.id, qty: 3, unitPrice: 0.05, priceReason: 'Typo' }));
  await open(server, page, signIn, lines);
  const grid = page.getByRole('grid', { name: 'Lines' });
  const rail = page.getByRole('complementary', { name: 'About this quote' });
  await expect(rail).toBeVisible();
  const margin = grid.getByText('−599900.0%').first();
  const menu = page.getByRole('button', { name: 'Actions for line 1', exact: true });
  const [figure, button] = [await boxOf(margin), await boxOf(menu)];
  expect(await margin.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true);
  expect(figure.x + figure.width).toBeLessThanOrEqual(button.x);
  expect(button.x + button.width).toBeLessThanOrEqual(1440);

  const inSight = () =>
    grid.locator('[data-line]').evaluateAll((rows) => {
      const foot = document.querySelector('[aria-label="Totals"]')?.getBoundingClientRect().top ?? 0;
      const head = document.querySelector('[role="columnheader"]')?.getBoundingClientRect().bottom ?? 0;
      return rows.filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= head - 1 && bottom <= foot + 1;
      }).length;
    });
  await page.getByRole('button', { name: 'Hide the side panel' }).click();
  await expect.poll(inSight).toBeGreaterThanOrEqual(20);
  await page.getByRole('button', { name: 'Show the side panel: Approval' }).click();
  await expect(rail).toBeVisible();

  // At this width the lines need the space, so the side panel is hidden.
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(rail).toBeHidden();
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 1500);
  await expect.poll(inSight).toBeGreaterThanOrEqual(19);
  await expect(page.getByRole('region', { name: 'Totals' })).toBeInViewport({ ratio: 1 });

  const show = page.getByRole('button', { name: 'Show the side panel: Approval' });
  await show.click();
  await expect(rail.getByRole('tab', { name: 'Activity' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rail).toBeHidden();
  const saved = page.waitForResponse(/RememberBoardLayout/);
  await moreOfLines(page, 'Compact rows');
  await saved;
  await page.reload();
  await expect
    .poll(() =>
      grid
        .locator('[data-line]')
        .first()
        .evaluate((row) => row.clientHeight),
    )
    .toBeLessThan(29);
});
