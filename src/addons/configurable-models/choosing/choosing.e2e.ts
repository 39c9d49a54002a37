// Tests choosing for a quote in a browser: reasons, quantities, what is missing, the items, opening it again, the keyboard, and a phone.
import type { Page } from '@playwright/test';
import { moreOfLines } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { ConfigurableModels } from '../configurable-models.contract.ts';

async function aBed(server: TestServer, name: string) {
  const { db } = server;
  const [bed, foam, air, rail] = [`${name} BED`, `${name} FOAM`, `${name} AIR`, `${name} RAIL`];
  for (const number of [bed, foam, air, rail]) await anItem(db, { number: number.replace(' ', '-') });
  const numberOf = (text: string) => text.replace(' ', '-');
  return server.ok(
    ConfigurableModels.SaveConfigurableModel,
    {
      name: `${name} bed`,
      baseItemNumber: numberOf(bed),
      active: true,
      groups: [
        {
          id: -1,
          name: 'Mattress',
          min: 1,
          max: 1,
          options: [
            { id: -2, label: 'Foam', itemNumber: numberOf(foam) },
            { id: -3, label: 'Air', itemNumber: numberOf(air) },
          ],
        },
        {
          id: -4,
          name: 'Extras',
          options: [
            { id: -5, label: 'Rail', itemNumber: numberOf(rail), quantity: 'asked', qty: 2, maxQty: 4 },
            { id: -6, label: 'Alarm' },
          ],
        },
      ],
      rules: [
        { kind: 'excludes', optionId: -2, otherIds: [-5] },
        { kind: 'needs', optionId: -6, otherIds: [-5] },
      ],
    },
    { as: await aUser(db, { roles: ['salesadmin'] }) },
  );
}

const items = (page: Page) => page.getByRole('table', { name: 'Items' }).getByRole('row');

test('a representative configures a bed for a quote, and opens it again', async ({ page, server, signIn }) => {
  await aBed(server, 'DESK');
  const rep = await aUser(server.db);
  const quote = await aQuote(server.db, { ownerId: rep.id });
  await signIn(rep);
  await page.goto(`/pub-quote-board/${quote.id}`);
  await moreOfLines(page, 'Configure');
  await page.getByRole('button', { name: /^DESK bed/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'DESK bed' })).toBeVisible();
  await page.getByRole('radio', { name: 'Foam' }).check();
  await expect(page.getByRole('checkbox', { name: 'Rail' })).toBeDisabled();
  await expect(page.getByText('Cannot be combined with Foam.')).toBeVisible();
  await expect(page.getByText('Needs Rail, which cannot be chosen.')).toBeVisible();
  await page.getByRole('radio', { name: 'Air' }).check();
  await page.getByRole('checkbox', { name: 'Alarm' }).check();
  await expect(page.getByRole('heading', { name: '1 issue to fix' })).toBeVisible();
  await page.getByRole('button', { name: 'Choose Rail' }).click();
  await page.getByRole('textbox', { name: 'Quantity of Rail' }).fill('3');
  await page.getByRole('textbox', { name: 'Sets' }).fill('12');
  await expect(items(page)).toHaveText([
    /DESK-BED DESK bed.*Extras: Alarm.*12 EA/,
    /DESK-AIR Air.*12 EA/,
    /DESK-RAIL Rail.*36 EA/,
  ]);
  await expect(page.getByRole('heading', { name: 'Complete' })).toBeVisible();
  await page.getByRole('button', { name: 'Add to quote' }).click();
  await expect(page).toHaveURL(new RegExp(`/pub-quote-board/${quote.id}(\\?.*)?$`));
  const dialog = page.getByRole('dialog', { name: 'Configurator items' });
  await expect(dialog.getByText('DESK-RAIL')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add to quote (3)' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel(/^Quantity of line/)).toHaveCount(3);
  await expect(page).toHaveURL(new RegExp(`/pub-quote-board/${quote.id}$`));

  await page.goto(`/pub-quote-board/${quote.id}/configure`);
  await page.getByRole('button', { name: /^DESK bed 12 × DESK bed/ }).click();
  await expect(page.getByRole('radio', { name: 'Air' })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Quantity of Rail' })).toHaveValue('3');
  await page.getByRole('textbox', { name: 'Quantity of Rail' }).fill('9');
  await page.getByRole('button', { name: 'Update quote' }).click();
  await expect(page.getByText('At most 4', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/configure/);
});
