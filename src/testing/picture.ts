// Takes the pictures of the guides while the journeys pass: `npm run pictures` (tools/pictures.mjs).
import path from 'node:path';
import type { Page } from '@playwright/test';

/** Writes `docs/pictures/<name>.png` where pictures are asked for; toasts are left out, so that a picture shows only the page. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (!folder) return;
  // Pictures further down may load only when somebody scrolls.
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > window.innerHeight),
  );
  const toasts = page.locator('.mantine-Notifications-root');
  const show = (display: string) =>
    toasts.evaluateAll(
      (all, value) => all.forEach((entry) => (entry as HTMLElement).style.setProperty('display', value)),
      display,
    );
  await show('none');
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  await show('');
}
