// Tells what moved on screens after their first paint, as the browser reports it: what a person reads or presses must stay where it is.
import type { Page } from '@playwright/test';

/** `score`: the sum of the browser's layout shifts; `moved`: what moved, from where to where. */
export type Shifts = { address: string; score: number; moved: string[] };

/** The most that a screen may move: a line of a list less than its own height. */
export const MAX_SHIFT = 0.02;

/** Lets each answer of the server take its own time, so that the parts of a screen come one after the other as they do far away from it. */
export async function answerSlowly(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path !== '/api/live') await new Promise((done) => setTimeout(done, delayOf(path)));
    await route.continue().catch(() => {});
  });
}

/** Between 40 and 280 ms, always the same for a call. */
function delayOf(path: string): number {
  let sum = 0;
  for (const letter of path) sum = (sum * 31 + letter.charCodeAt(0)) % 997;
  return 40 + (sum % 7) * 40;
}

/** Opens these screens one after the other, and measures each from its first paint until a moment after it has settled. */
export function shiftsOf(page: Page, addresses: string[]): Promise<Shifts[]> {
  return page.evaluate<Shifts[]>(codeFor(addresses));
}

/** Loads the page of an address, and measures it until a moment after it has settled. */
export async function shiftsOfLoad(page: Page, address: string): Promise<Shifts> {
  await page.goto(address);
  return page.evaluate<Shifts>(`(async () => {${TOOLS}
  observer.observe({ type: 'layout-shift', buffered: true });
  await settle();
  return shiftsSince(0, ${JSON.stringify(address)});
})()`);
}

// The code is a string, because test files are checked without the browser's types.
const TOOLS = `
  const busy = '[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root';
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  const until = async (isSo, milliseconds) => {
    const end = Date.now() + milliseconds;
    do await frame(); while (!isSo() && Date.now() < end);
  };
  const heading = () => document.querySelector('main h1, main [role=alert]');
  const settle = async () => {
    await until(() => heading() && !document.querySelector(busy), 20000);
    await new Promise((done) => setTimeout(done, 350));
  };
  const entries = [];
  const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const words = (node) => {
    const element = node?.nodeType === 3 ? node.parentElement : node;
    const name = element?.getAttribute?.('class')?.split(' ').pop();
    return (element?.tagName ?? 'gone').toLowerCase() + (name ? '.' + name : '') + ' ' + (element?.textContent ?? '').slice(0, 30);
  };
  const shiftsSince = (start, address) => {
    const shifts = entries.splice(0).filter((one) => one.startTime >= start && !one.hadRecentInput);
    return {
      address,
      score: shifts.reduce((sum, { value }) => sum + value, 0),
      moved: shifts.flatMap(({ value, sources }) => sources.map((one) =>
        value.toFixed(3) + ' ' + words(one.node) + ': ' + place(one.previousRect) + ' > ' + place(one.currentRect))),
    };
  };`;

const codeFor = (addresses: string[]) => `(async () => {${TOOLS}
  observer.observe({ type: 'layout-shift' });
  const all = [];
  for (const address of ${JSON.stringify(addresses)}) {
    const router = window.__TSR_ROUTER__;
    scrollTo(0, 0);
    await router.navigate({ href: address });
    await until(() => router.state.status === 'idle', 20000);
    await frame();
    await frame();
    const start = performance.now();
    await settle();
    all.push(shiftsSince(start, address));
  }
  observer.disconnect();
  return all;
})()`;
