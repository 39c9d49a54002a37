// Runs axe on a page and reports where each finding is.
import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

const LOADING = '[aria-busy="true"], .mantine-Skeleton-root';

/**
 * Expects no findings on the page or within a part of it. Waits for loading to end first: a loading list is pale, and the
 * label of a skeleton is a finding.
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  await expect(page.locator(LOADING)).toHaveCount(0);
  // axe fails where the part is not there yet.
  if (within) await expect(page.locator(within).first()).toBeVisible();
  expect(await findingsOf(page, within)).toEqual([]);
}

/** What axe finds, each with the elements it is about. */
export async function findingsOf(page: Page, within?: string, options: RunOptions = {}): Promise<Finding[]> {
  // One document needs the program once, and a page of one frame needs no second page to put results together.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    ([place, input]) => {
      const { axe: program } = window as unknown as { axe: typeof axe };
      return program.run(place ?? document, input).then((results) => results.violations);
    },
    [within, { ...RULES, ...options }] as const,
  );
  return violations.map(({ id, impact, nodes }) => ({
    id,
    impact: impact ?? null,
    places: nodes.map(({ html, failureSummary = '' }) => `${html} (${failureSummary})`),
  }));
}

export type Finding = { id: string; impact: string | null; places: string[] };

const RULES: RunOptions = {
  resultTypes: ['violations'],
  // axe counts the header of an open dialog as a header of the page.
  rules: { 'landmark-no-duplicate-banner': { enabled: false }, 'landmark-unique': { enabled: false } },
};
