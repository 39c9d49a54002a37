// Measures how soon a screen is usable on a cold load: with an empty cache, a new browser context, and a local server.
import fs from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { contract } from '#app/contract.ts';
import { STORAGE } from '#platform/auth/sessions/storage.ts';
import { paths } from '#platform/shared/paths.ts';
import { findBrowser } from '../tools/browser.mjs';

const WEB = path.join(import.meta.dirname, '../dist/web');
const TIMES = 15;

/** `kilobytes`: JavaScript, compressed with gzip. Times in ms from the start of the navigation until `waitsFor` is painted. */
export type ScreenFigures = { name: string; files: number; kilobytes: number; median: number; slowest: number };
type Screen = { name: string; path: string; waitsFor: string; signedIn: boolean };
type Loaded = { usable: number; files: string[] };

export async function coldLoads(publicUrl: string, accessToken: string, boards: number[]): Promise<ScreenFigures[]> {
  const screens: Screen[] = [
    { name: 'sign in', path: '/login', waitsFor: 'input[type=password]', signedIn: false },
    { name: 'home, its list', path: '/', waitsFor: 'main tbody tr a', signedIn: true },
    { name: 'find quote, its list', path: paths.findQuoteInternal, waitsFor: 'main tbody tr a', signedIn: true },
    ...boards.map((id) => ({
      name: `quote board, quote ${id}`,
      path: `/int-quote-board/${id}`,
      waitsFor: '[role=grid] [role=row] input',
      signedIn: true,
    })),
  ];
  const session = await sessionOf(publicUrl, accessToken);
  const browser = await chromium.launch(await findBrowser());
  try {
    const figures: ScreenFigures[] = [];
    for (const screen of screens) {
      const loads: Loaded[] = [];
      // The first run warms up the server.
      for (let n = 0; n <= TIMES; n++) loads.push(await load(browser, publicUrl, screen, session));
      const times = loads
        .slice(1)
        .map(({ usable }) => usable)
        .toSorted((a, b) => a - b);
      const files = loads.at(-1)?.files ?? [];
      figures.push({
        name: screen.name,
        files: files.length,
        kilobytes: files.filter((file) => file.endsWith('.js')).reduce((sum, file) => sum + gzipped(file), 0) / 1024,
        median: times[Math.floor(times.length / 2)] ?? 0,
        slowest: times.at(-1) ?? 0,
      });
    }
    return figures;
  } finally {
    await browser.close();
  }
}

/** The browser storage of a person who has signed in before. */
export async function sessionOf(publicUrl: string, accessToken: string): Promise<{ name: string; value: string }[]> {
  const answer = await fetch(publicUrl + contract.Auth.GetSignedInUser.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
  });
  const user = { ...((await answer.json()) as object), goodUntil: Date.now() + 3_600_000 };
  return [
    { name: STORAGE.accessToken, value: accessToken },
    { name: STORAGE.user, value: JSON.stringify(user) },
  ];
}

async function load(
  browser: Browser,
  publicUrl: string,
  screen: Screen,
  session: { name: string; value: string }[],
): Promise<Loaded> {
  const context = await browser.newContext({
    storageState: { cookies: [], origins: screen.signedIn ? [{ origin: publicUrl, localStorage: session }] : [] },
  });
  try {
    const page = await context.newPage();
    // Measured inside the page, because asking from outside takes longer than the measured time.
    await page.addInitScript((waitsFor) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector(waitsFor)) return;
        observer.disconnect();
        requestAnimationFrame(() => document.documentElement.setAttribute('data-usable', String(performance.now())));
      });
      observer.observe(document, { childList: true, subtree: true });
    }, screen.waitsFor);
    await page.goto(publicUrl + screen.path, { waitUntil: 'commit' });
    const usable = Number(await page.locator('html[data-usable]').getAttribute('data-usable'));
    const files = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    const paths = files.map((file) => new URL(file).pathname).filter((file) => file.startsWith('/assets/'));
    return { usable, files: paths };
  } finally {
    await context.close();
  }
}

function gzipped(file: string): number {
  return fs.statSync(path.join(WEB, `${file}.gz`)).size;
}
