// What axe finds on a page, in words that name the place.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Nothing is found, on the whole page or within a part of it. What is still being loaded is waited for: a list is pale until it is there. */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  // The header of a dialog that is open is none of the page's, but counted as one.
  const axe = new AxeBuilder({ page }).disableRules(['landmark-no-duplicate-banner', 'landmark-unique']);
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
  const found = violations.map(({ id, impact, nodes }) => [id, impact, nodes.map(({ html }) => html)]);
  expect(found).toEqual([]);
}
