// Tests the dialog that sends a quote in the browser: addresses as mail programs copy them, and the preview in a separate tab.
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';

test('addresses are pasted and typed with names; the preview opens in a tab', async ({ page, server, signIn }) => {
  const cs = await aUser(server.db, { roles: ['csrep'] });
  const quote = await aPricedQuote(server.db, {
    statusId: 'Processing',
    assigneeId: cs.id,
    validUntil: '2099-01-01',
  });
  await signIn(cs);
  await page.goto(`/int-quote-board/${quote.id}`);
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Send to customer' });
  const to = dialog.getByLabel(/^To\b/).first();
  await expect(to).toBeVisible();
  const pills = dialog.locator('.mantine-Pill-label');
  for (let left = await pills.count(); left > 0; left -= 1)
    await dialog.locator('.mantine-Pill-remove').first().click();

  await to.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '"Roe, Jane" <jane@example.org>; Bob Ray <bob@example.org>\r\n');
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(pills).toHaveText(['jane@example.org', 'bob@example.org']);
  // The comma and the spaces in a name do not end an address, and another spelling of the same address adds nothing.
  await to.pressSequentially('"Roe, Jane" <JANE@example.org>;"Poe, Kim" <kim@example.org> ');
  await expect(pills).toHaveText(['jane@example.org', 'bob@example.org', 'kim@example.org']);
  await to.pressSequentially('kim,lee@example.org;');
  await expect(dialog.getByText('kim: this is not an email address')).toBeVisible();

  const tab = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await tab;
});
