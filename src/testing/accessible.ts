// Runs axe on a page and reports where each finding is.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Expects no findings on the page or within a part of it. Waits for loading to end first: a loading list is pale, and the
 * label of a skeleton is a finding.
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  await expect(page.locator('[aria-busy="true"], .mantine-Skeleton-root')).toHaveCount(0);
  // axe counts the header of an open dialog as a header of the page.
  const axe = new AxeBuilder({ page }).disableRules(['landmark-no-duplicate-banner', 'landmark-unique']);
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
  const found = violations.map(({ id, impact, nodes }) => [id, impact, nodes.map(({ html }) => html)]);
  expect(found).toEqual([]);
}
