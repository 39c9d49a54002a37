// `npm run pictures`: retakes all pictures of the README and the guides in a few minutes. The end-to-end tests take the pictures of the
// guides that they follow (testing/picture.ts). The board and the savings analysis are from the demo company.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { findBrowser } from './browser.mjs';
import { root, run, start } from './run.mjs';

const FOLDER = path.join(root, 'docs/pictures');
const JOURNEYS = ['first-day', 'contracts', 'catalog', 'territory-map'].map((name) => `e2e/${name}.spec.ts`);
/** A quote of 36 lines with list, contract and typed prices. */
const QUOTE = 105264;

const { code } = await run(['tools/e2e.mjs', ...JOURNEYS], { env: { PICTURES: FOLDER } });
if (code === 0) await board();
process.exitCode = code;

async function board() {
  const home = mkdtempSync(path.join(tmpdir(), 'quoteboard-pictures-'));
  // Where root runs this, the database belongs to another user, who must get in.
  chmodSync(home, 0o711);
  const port = await freePort();
  const demo = start(['tools/demo.mjs'], { DATA_DIR: home, PORT: String(port) });
  const browser = await chromium.launch(await findBrowser());
  try {
    const address = `http://localhost:${port}`;
    while (
      !(await fetch(`${address}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      ))
    )
      await sleep(500);
    const page = await browser.newPage({ baseURL: address, viewport: { width: 1280, height: 800 } });
    await page.goto('/');
    await page.getByLabel('Email').fill('inside@example.com');
    await page.getByLabel('Password', { exact: true }).fill('Quote-demo-1');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Find Quote' }).click();
    await page.getByLabel('Quote #').fill(String(QUOTE));
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('link', { name: String(QUOTE) }).click();
    await page.getByRole('grid', { name: 'Lines' }).waitFor();
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    await page.screenshot({ path: path.join(FOLDER, 'board.png') });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/savings');
    await page.getByRole('link', { name: /usage of the year/ }).click();
    await page.getByRole('region', { name: 'Possible items' }).waitFor();
    await page.screenshot({ path: path.join(FOLDER, 'savings/bench.png') });
    await page.getByRole('tab', { name: 'Comparison' }).click();
    await page.getByRole('region', { name: 'By maker' }).waitFor();
    await page.screenshot({ path: path.join(FOLDER, 'savings/comparison.png') });
  } finally {
    await browser.close();
    demo.stop();
    await demo.ended;
    rmSync(home, { recursive: true, force: true });
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}
