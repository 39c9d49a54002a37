// The watched folder in a browser: no folder configured, waiting files, a check by keyboard, and the import of a file.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { paths } from '#shared/paths.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';

test('the panel shows waiting files and what became of them', async ({ page, server, signIn }) => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'inbox-screen-'));
  const drop = (name: string, text: string) => {
    fs.mkdirSync(path.join(root, 'items'), { recursive: true });
    fs.writeFileSync(path.join(root, 'items', name), text);
    fs.utimesSync(path.join(root, 'items', name), 0, 0);
  };
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  await signIn(admin);
  await page.goto(paths.dataImport);
  const panel = page.getByRole('region', { name: 'Watched folder' });
  await expect(panel).toContainText('No folder is watched.');
  await expect(panel.getByRole('button', { name: 'Look now' })).toHaveCount(0);

  server.services.config.importInbox = root;
  drop('nightly.csv', 'Item number,Description,Base unit\nSCR-1,Catheter,EA\n,Nameless,EA\n');
  await page.reload();
  await expect(panel).toContainText(root);
  await expect(panel).toContainText('which has not been looked at yet');
  const waiting = panel.getByRole('table', { name: 'Waiting files' });
  await expect(waiting.getByRole('row', { name: /^Items .*nightly\.csv$/ })).toBeVisible();
  await expect(panel.getByText('No file has come yet.')).toBeVisible();

  const look = async () => {
    await panel.getByRole('button', { name: 'Look now' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('The folder will be read within seconds.').first()).toBeVisible();
    await server.drain();
  };
  const files = panel.getByRole('table', { name: 'Files of the watched folder' });
  await look();
  await expect(files.getByRole('row', { name: /nightly\.csv Items Importing/ })).toBeVisible();
  for (let n = 0; n < 3; n++) await look();
  await expect(
    files.getByRole('row', { name: /nightly\.csv Items Done .* 1 row refused; 1 row taken\./ }),
  ).toBeVisible();
  await expect(waiting.getByRole('row', { name: /^Items .*None$/ })).toBeVisible();
  await expect(panel).toContainText(/last looked at \d\d\/\d\d\/\d{4}/);
  await expectAccessible(page);

  await files.getByRole('button', { name: 'Open the import of nightly.csv' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/import=\d+/);
  await expect(page.getByRole('region', { name: 'Import', exact: true })).toContainText('nightly.csv');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(panel.getByText('1 row refused; 1 row taken.')).toBeVisible();
  await expectNoSideScroll(page);
  await expectAccessible(page);
  server.services.config.importInbox = undefined;
  fs.rmSync(root, { recursive: true });
});
